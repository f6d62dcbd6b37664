/** A static web server for releases that can cut a download short and forget what a range is. */
import { createReadStream, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Listening, listening } from '../ports.ts';

export interface ReleaseServer extends Disposable {
  readonly url: string;
  /** What is served under every path that is not among `others`, but for a list of keys: that is not there. */
  file: string;
  readonly others: Map<string, Buffer>;
  /** Bytes after which the next answers are cut off; null: none is. */
  cutAfter: number | null;
  /** What the rest of a release waits for, behind its first bytes, as on a slow line. */
  held: Promise<void>;
  ranges: boolean;
  /** Whether the file is followed by rubbish for as long as the client listens. */
  endless: boolean;
  /** First byte of each answer, in order. */
  readonly starts: number[];
}

function startOf(request: IncomingMessage, size: number): { start: number; end: number } | null {
  const found = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  if (found === null) return null;
  return { start: Number(found[1]), end: Math.min(found[2] === '' ? size - 1 : Number(found[2]), size - 1) };
}

/** Bytes that are asked for, as a web server sends a file. @param cutAfter bytes of it, where it does not send all */
function sendPart(request: IncomingMessage, response: ServerResponse, bytes: Buffer, cutAfter: number | null): number {
  const range = startOf(request, bytes.length);
  const { start, end } = range ?? { start: 0, end: bytes.length - 1 };
  if (start >= bytes.length) response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
  else {
    const headers = { 'content-length': end - start + 1, 'content-range': `bytes ${start}-${end}/${bytes.length}` };
    response.writeHead(range === null ? 200 : 206, headers);
    if (cutAfter === null || cutAfter > end - start) response.end(bytes.subarray(start, end + 1));
    else response.write(bytes.subarray(start, start + cutAfter), () => cutOff(response));
  }
  return start;
}

/** Once what was written has had time to go out. */
const cutOff = (response: ServerResponse): void => void setTimeout(() => response.destroy(), 100);

async function* withoutEnd(file: string, start: number): AsyncGenerator<Buffer> {
  yield* createReadStream(file, { start });
  for (;;) yield Buffer.alloc(1 << 20);
}

export async function serveReleases(file: string): Promise<ReleaseServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const other = served.others.get(path);
    if (other !== undefined) return void sendPart(request, response, other, null);
    if (path.endsWith('.keys')) return void response.writeHead(404).end();
    if (!served.ranges) delete request.headers.range;
    const bytes = readFileSync(served.file);
    const { start, end } = startOf(request, bytes.length) ?? { start: 0, end: bytes.length - 1 };
    served.starts.push(start);
    if (end === bytes.length - 1) await served.held;
    if (!served.endless || end < bytes.length - 1) return void sendPart(request, response, bytes, served.cutAfter);
    response.writeHead(start === 0 ? 200 : 206, start === 0 ? {} : { 'content-range': `bytes ${start}-${end}/*` });
    await pipeline(withoutEnd(served.file, start), response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy()); // the client has gone
  });
  const { url, [Symbol.asyncDispose]: close } = await listening(server);
  const served: ReleaseServer = {
    url: `${url}/laneware.release`,
    file,
    others: new Map(),
    cutAfter: null,
    held: Promise.resolve(),
    ranges: true,
    endless: false,
    starts: [],
    [Symbol.dispose]: () => void close(),
  };
  return served;
}

export interface Web extends Listening {
  readonly requests: IncomingMessage[];
}

/** A server that notes who asks it. */
export async function web(make: (listener: RequestListener) => Server, answer: RequestListener): Promise<Web> {
  const requests: IncomingMessage[] = [];
  const server = make((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  return { ...(await listening(server)), requests };
}
