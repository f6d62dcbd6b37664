/** A wire to a server of a test that falls silent, as a bad radio link or a pulled cable does: what is sent meanwhile comes later. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

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
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const own = server.address();
  return {
    port: typeof own === 'object' ? (own?.port ?? 0) : 0,
    /** How many have connected so far. */
    joined: () => sockets.length / 2,
    hold: () => {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    letGo: () => {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
