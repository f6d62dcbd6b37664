/** Ports that are in use, or free. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

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
