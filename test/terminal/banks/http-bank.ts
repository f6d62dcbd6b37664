/** A bank of a few lines over real HTTP: a test says what it answers, and once in a while something else. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A call, its body read as JSON or as a form. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: whatever a client sends
  readonly body: any;
}

/** `reset` breaks the connection, `half` stops in the middle of an answer, `silence` never answers. */
export type Reply =
  | 'reset'
  | 'half'
  | 'silence'
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A text goes out as it is, anything else as JSON. */
      readonly body: unknown;
    };

/** @param honest does what was asked for; not to call it is to lose the call itself */
export type Instead = (honest: () => Reply) => Reply;

export interface HttpBank extends AsyncDisposable {
  readonly url: string;
  /** All calls, oldest first. */
  readonly asked: Asked[];
  /** The next call of a path is answered so; the one after it honestly, or as told next. */
  instead(path: string, answer: Instead): void;
  /** Headers of every answer. */
  headers: Readonly<Record<string, string>>;
}

/** It has done what it was asked to do, and its answer is lost. */
export const LOST: Instead = (honest) => {
  honest();
  return 'reset';
};

/** What one of these made of a call that it did not read. */
export const answering =
  (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Instead =>
  () => ({ status, headers, body });

async function askedOf(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : text === '' ? null : JSON.parse(text);
  return { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
}

function send(response: ServerResponse, reply: Reply, headers: Readonly<Record<string, string>>): void {
  if (reply === 'silence') return;
  if (reply === 'reset') {
    response.socket?.destroy();
    return;
  }
  if (headers.date === '') response.sendDate = false;
  const { date, ...others } = headers;
  const all = { 'content-type': 'application/json', ...others, ...(date !== '' && date !== undefined && { date }) };
  if (reply === 'half') {
    response.writeHead(200, { ...all, 'content-length': '1000' });
    response.write('{"Success":true,"errorCode":"0","Pay');
    return;
  }
  response.writeHead(reply.status ?? 200, { ...all, ...reply.headers });
  response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
}

/** @param honest what the bank answers where nothing else was told @param tls makes it one over TLS */
export async function startHttpBank(honest: (asked: Asked) => Reply, tls?: ServerOptions): Promise<HttpBank> {
  const asked: Asked[] = [];
  const others = new Map<string, Instead[]>();
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void askedOf(request).then((call) => {
      asked.push(call);
      const other = others.get(call.path)?.shift();
      send(response, other === undefined ? honest(call) : other(() => honest(call)), bank.headers);
    });
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const bank: HttpBank = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    asked,
    instead: (path, answer) => void others.set(path, [...(others.get(path) ?? []), answer]),
    headers: {},
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return bank;
}
