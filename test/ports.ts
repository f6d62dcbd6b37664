/** Finds free ports, and takes ports. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Server as SecureServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { isCode } from '../drivers/lib/errors.ts';

/**
 * Below the range from which Linux gives ports to outgoing connections and to listeners on port 0 (32768 to 60999): no
 * other program gets a port drawn here in the second until its user listens.
 */
const FIRST_PORT = 20_000;
const BEYOND_LAST_PORT = 32_768;

async function canListen(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    if (isCode(error, 'EADDRINUSE')) return false;
    throw error;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

/** Returns a free port of the loopback, for a program that takes its port as a setting. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST_PORT, BEYOND_LAST_PORT);
  return (await canListen(port)) ? port : freePort();
}

export interface Listening extends AsyncDisposable {
  readonly port: number;
  /** HTTP or HTTPS address, without a slash at its end. */
  readonly url: string;
}

/** Makes a test's server listen on a free port. Its disposal closes every open connection. */
export async function listening(server: Server, host = '127.0.0.1'): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${server instanceof SecureServer ? 'https' : 'http'}://${host}:${port}`,
    [Symbol.asyncDispose]: async () => {
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** Takes a port of an address, as another program would. */
export const takePort = (address: string): Promise<Listening> =>
  listening(
    createServer((socket) => socket.destroy()),
    address,
  );
