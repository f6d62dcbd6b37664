/** A bank of a test, over real HTTP(S): it answers what the test says, and one call at a time may go wrong. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { listening } from '../../ports.ts';
import { buildSbpLink } from './sbp-links.ts';

/** What the bank was asked. */
export interface Asked {
  /** `POST /path`. */
  readonly call: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Of the body; undefined where it is no JSON. */
  readonly json: Record<string, unknown> | undefined;
  /** The name in the certificate that it came with; empty where it came without. */
  readonly caller: string;
}

export interface Reply {
  readonly status?: number;
  /** A text goes out as it is, anything else as JSON; undefined for none. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** - `reset`: the connection breaks without an answer; `half`: in the middle of it; `silence`: nothing comes */
export type Broken = 'reset' | 'half' | 'silence';

/** What becomes of a call: gets what the bank would honestly do and answer. */
export type Fault = (honest: () => Promise<Reply>, asked: Asked) => Reply | Broken | Promise<Reply | Broken>;

/** The bank has done what it was asked, and its answer is lost. */
export const lost: Fault = async (honest): Promise<'reset'> => {
  await honest();
  return 'reset';
};
/** The bank has done what it was asked, and answers this. */
export const done =
  (reply: Reply): Fault =>
  async (honest) => {
    await honest();
    return reply;
  };
/** Something happens at the bank, and then what it says honestly or by another fault. */
export const first =
  (happens: () => void, then: Fault = honestly): Fault =>
  (honest, asked) => {
    happens();
    return then(honest, asked);
  };
/** The honest answer, in place of what was set before. */
export const honestly: Fault = (honest) => honest();
export const instead =
  (status: number, body: unknown, headers: Record<string, string> = {}): Fault =>
  () => ({ status, body, headers });
/** An honest answer that is rewritten. */
export const rewritten =
  (change: (body: Record<string, unknown>) => object): Fault =>
  async (honest) => {
    const reply = await honest();
    return { ...reply, body: change(reply.body as Record<string, unknown>) };
  };
/** An honest answer with other fields. */
export const changed = (fields: object): Fault => rewritten((body) => ({ ...body, ...fields }));

/** An honest answer with a number of more digits than JavaScript keeps, as some banks write ids, in place of each text `#1234…`. */
export const withNumbers =
  (change: (body: Record<string, unknown>) => object): Fault =>
  async (honest) => {
    const reply = await honest();
    const text = JSON.stringify(change(reply.body as Record<string, unknown>));
    return { ...reply, body: text.replaceAll(/"#(\d+)"/g, '$1') };
  };
export const LONG_NUMBER = '1234567890123456789';

export interface WireBank extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** The calls, without what they carried. */
  readonly calls: readonly string[];
  /** How many connections it holds. */
  connections(): Promise<number>;
  /** The header `Date` of its answers, ms since 1970; null for the right one, NaN for an unreadable one. */
  clock: number | null;
  /** Whether it keeps connections: a client takes a reset on one for a connection that had been closed before, and calls again. */
  isKeeping: boolean;
  /** The next call that begins so goes wrong. */
  once(call: string, fault: Fault): void;
  /** From now on each call that begins so is answered so, in place of what was set before. */
  always(call: string, fault: Fault): void;
}

const MEMBER = '100000000007';
/** An id as the payment system gives it. */
export const codeId = (number: number): string => `AD${String(number).padStart(30, '0')}`;
export const linkTo = (id: string, amount: number): string =>
  buildSbpLink({ id, type: '02', bank: MEMBER, sum: amount });

export function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const { socket, headers, method, url } = request;
  const caller = socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject?.CN ?? '') : '';
  return { call: `${method} ${url}`, headers, text, json: parsed(text), caller };
}

type SendOptions = Pick<WireBank, 'clock' | 'isKeeping'>;

function send(response: ServerResponse, reply: Reply | Broken, { clock, isKeeping }: SendOptions): void {
  if (reply === 'silence') return;
  if (reply === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const { status = 200, body, headers = {} } = reply === 'half' ? { body: { half: 'x'.repeat(100) } } : reply;
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  const date = clock === null ? {} : { date: new Date(clock).toUTCString() };
  response.writeHead(status, {
    'content-type': 'application/json',
    connection: isKeeping ? 'keep-alive' : 'close',
    'content-length': Buffer.byteLength(text),
    ...date,
    ...headers,
  });
  if (reply !== 'half') response.end(text);
  else response.write(text.slice(0, 20), () => response.socket?.destroy());
}

/** @param answer what the bank honestly does; throws where the test has forgotten a call @param tls makes it a bank over TLS */
export async function startWireBank(
  answer: (asked: Asked) => Reply | Broken | Promise<Reply | Broken>,
  tls?: ServerOptions,
): Promise<WireBank> {
  const asked: Asked[] = [];
  const faults: { readonly call: string; readonly fault: Fault }[] = [];
  const standing = new Map<string, Fault>();
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = await read(request);
    asked.push(one);
    const at = faults.findIndex(({ call }) => one.call.startsWith(call));
    const mustBeOne = (reply: Reply | Broken): Reply => {
      if (typeof reply === 'string') throw new Error(`${reply} is no honest answer`);
      return reply;
    };
    const plain = async (): Promise<Reply | Broken> => answer(one);
    const [, always] = [...standing].find(([call]) => one.call.startsWith(call)) ?? [];
    const usual = async (): Promise<Reply | Broken> => always?.(async () => mustBeOne(await plain()), one) ?? plain();
    const [{ fault } = {}] = at < 0 ? [] : faults.splice(at, 1);
    send(response, await (fault?.(async () => mustBeOne(await usual()), one) ?? usual()), bank);
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    void listener(request, response).catch((error: unknown) =>
      send(response, { status: 599, body: String(error) }, { clock: null, isKeeping: false }),
    );
  const server: Server = tls === undefined ? createServer(onRequest) : createSecureServer(tls, onRequest);
  const bank: WireBank = {
    ...(await listening(server)),
    asked,
    get calls() {
      return asked.map(({ call }) => call);
    },
    connections: () => promisify(server.getConnections.bind(server))(),
    clock: null,
    isKeeping: false,
    once: (call, fault) => faults.push({ call, fault }),
    always: (call, fault) => standing.set(call, fault),
  };
  return bank;
}
