/** Ports that are in use, or free. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { isCode } from '../drivers/lib/errors.ts';

/**
 * Below the range from which Linux gives ports to outgoing connections and to listeners on port 0 (32768 to 60999): a port
 * drawn here is not taken by a passer-by in the second until its program listens.
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

export interface TakenPort extends AsyncDisposable {
  readonly port: number;
}

/** Takes a port of one address, as another program would. */
export async function takePort(address: string): Promise<TakenPort> {
  const server = createServer((socket) => socket.destroy()).listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
