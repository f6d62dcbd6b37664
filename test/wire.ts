/**
 * A connection to a test's server. It can fall silent, as a bad radio link or a pulled cable does: what is sent
 * meanwhile arrives later. Or it can be cut: what is under way is lost.
 */
import { connect, createServer, type Socket } from 'node:net';
import { listening } from './ports.ts';

export async function startWire(port: number) {
  const sockets: Socket[] = [];
  let isHeld = false;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.pipe(far).on('error', () => near.destroy());
    far.pipe(near).on('error', () => far.destroy());
    sockets.push(near, far);
    if (isHeld) for (const socket of [near, far]) socket.pause();
  });
  const own = await listening(server);
  return {
    port: own.port,
    /** Number of connections so far. */
    joined: () => sockets.length / 2,
    hold: () => {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    letGo: () => {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await own[Symbol.asyncDispose]();
    },
  };
}
