/** Requests byte by byte: what no client library would send. */
import { connect, type Socket } from 'node:net';
import { text as allOf } from 'node:stream/consumers';

const PATIENCE_MS = 5000;

/** The JSON body of an answer as it came. */
export const bodyOf = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));

/** Sends bytes as they are and returns all that comes back until the other side closes. */
export async function raw(base: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket: Socket = connect(Number(port), hostname.replaceAll(/[[\]]/g, ''), () => socket.write(bytes));
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer')));
  return await allOf(socket);
}

/** A GET with exactly these header lines. */
export async function get(base: string, path: string, ...headers: readonly string[]) {
  const text = await raw(base, `${[`GET ${path} HTTP/1.1`, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  return { status: Number(text.slice(9, 12)), text, body: bodyOf(text) };
}
