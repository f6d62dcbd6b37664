/** The calls of both ports of a device, over HTTP, and why one has failed. */
import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import { codeOf, messageOf } from '../../drivers/lib/errors.ts';
import { RECOGNITION_PORT, TERMINAL_PORT } from '../config/ports.ts';
import { CommandFailure } from './exit-codes.ts';

/** Longer than the slowest call of the device, which waits for its turn and for a bank. */
const ANSWER_LIMIT_MS = 60_000;
/** Where an installed device says on which ports it answers. */
const ENDPOINTS = '/run/laneware/endpoints';

export interface Connection {
  readonly terminalUrl: string;
  readonly recognitionUrl: string;
  readonly token: string | null;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of it: the headers name its type. */
  readonly raw?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export type Port = 'terminal' | 'recognition';
type Members = Readonly<Record<string, unknown>>;

/** Certificates that are trusted beside the usual ones, as the device's own. @throws {CommandFailure} */
export function trust(file: string): void {
  try {
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(file, 'utf8')]);
  } catch (cause) {
    throw new CommandFailure(
      'usage',
      `--ca: ${file} is no certificate that can be read: ${messageOf(cause)}`,
      {},
      cause,
    );
  }
}

/** What the installed device on this machine says of itself; null where there is none. */
function ownEndpoint(port: Port): string | null {
  try {
    return new RegExp(`^${port}=(\\S+)$`, 'm').exec(readFileSync(ENDPOINTS, 'utf8'))?.[1] ?? null;
  } catch {
    return null; // no installed device runs here
  }
}

/** The address without a slash at its end. @throws {CommandFailure} */
export function baseUrl(option: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new CommandFailure('usage', `${option}: "${text}" is no address; write it as http://127.0.0.1:1234`);
  return url.href.replace(/\/+$/, '');
}

/** Where the terminal answers: as told, else as the device on this machine says, else as the documentation says. */
export const terminalUrl = (told: string | null): string =>
  told === null ? (ownEndpoint('terminal') ?? `http://127.0.0.1:${TERMINAL_PORT}`) : baseUrl('--url', told);

/** Where recognition answers: as told, else on its usual port of the same host. */
export function recognitionUrl(told: string | null, terminal: string, isOwn: boolean): string {
  if (told !== null) return baseUrl('--recognition-url', told);
  const own = isOwn ? ownEndpoint('recognition') : null;
  if (own !== null) return own;
  const url = new URL(terminal);
  url.port = String(RECOGNITION_PORT);
  return url.href.replace(/\/+$/, '');
}

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** The sentence and the code of a refusal, in whichever envelope it comes. */
function wordsOf(body: unknown): { readonly message: string; readonly code: string | null } {
  const { detail, error_message: old, msg, code, error_category: category } = isObject(body) ? body : {};
  const message = [detail, old, msg].find((words) => typeof words === 'string') ?? 'the device gave no reason';
  return { message, code: code !== undefined ? String(code) : category === undefined ? null : String(category) };
}

const UNAUTHORISED: readonly number[] = [401, 403];

/** A client that has sent the wrong token a few times is told to wait (429), as long as it names a token. */
function refusal(status: number, body: unknown, token: string | null): CommandFailure {
  const { message, code } = wordsOf(body);
  const details = {
    status,
    code,
    ...(isObject(body) && typeof body.payment === 'string' && { payment: body.payment }),
  };
  if (UNAUTHORISED.includes(status) || (status === 429 && token !== null)) {
    const what = token === null ? 'a token is needed: set LANEWARE_TOKEN, or name its file with --token-file' : message;
    return new CommandFailure('unauthorised', what, details);
  }
  return new CommandFailure('refused', message, details);
}

/** The cause that a failed fetch wraps. */
const rootOf = (error: unknown): unknown => (error instanceof Error && error.cause !== undefined ? error.cause : error);

const TLS_FAILURE = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_)/;

function unreachable(url: string, error: unknown): CommandFailure {
  const root = rootOf(error);
  const code = codeOf(root);
  const { host } = new URL(url);
  const isCertificate = TLS_FAILURE.test(code ?? '');
  const why = isCertificate
    ? `its certificate is not trusted (${code}): name the device's own with --ca, as /certificate.pem of it gives it`
    : code === 'ECONNREFUSED'
      ? 'nothing listens there'
      : (code ?? messageOf(root));
  return new CommandFailure('unreachable', `${host} does not answer: ${why}`, { url, code: code ?? null }, error);
}

export class DeviceClient {
  readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  urlOf(port: Port): string {
    return port === 'terminal' ? this.connection.terminalUrl : this.connection.recognitionUrl;
  }

  /** The answer itself, its head having come, whatever its status. @throws {CommandFailure} `unreachable` */
  async fetch(port: Port, path: string, { method, body, raw, headers = {}, signal }: Call = {}): Promise<Response> {
    const { token } = this.connection;
    const url = `${this.urlOf(port)}${path}`;
    try {
      return await fetch(url, {
        method: method ?? (body === undefined && raw === undefined ? 'GET' : 'POST'),
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(raw !== undefined && { body: raw }),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        redirect: 'error',
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      if (signal?.aborted === true) throw error;
      throw unreachable(url, error);
    }
  }

  /**
   * The body of a call that has succeeded, with its status.
   * @throws {CommandFailure} `unreachable`, `unauthorised`, `refused` with the sentence of the device
   */
  async call(port: Port, path: string, call: Call = {}): Promise<{ readonly status: number; readonly body: unknown }> {
    const limit = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const signal = call.signal === undefined ? limit : AbortSignal.any([limit, call.signal]);
    let answer: Response;
    let text: string;
    try {
      answer = await this.fetch(port, path, { ...call, signal });
      text = await answer.text();
    } catch (error) {
      if (call.signal?.aborted === true || error instanceof CommandFailure) throw error;
      throw unreachable(this.urlOf(port), limit.aborted ? new Error('no answer within a minute') : error);
    }
    const body = this.#parsed(port, answer, text);
    const isFailure = isObject(body) && typeof body.code === 'number' && body.code !== 0; // of recognition, under HTTP 200
    if (!answer.ok || isFailure) throw refusal(answer.status, body, this.connection.token);
    return { status: answer.status, body };
  }

  #parsed(port: Port, answer: Response, text: string): unknown {
    if (!(answer.headers.get('content-type') ?? '').includes('json')) return text;
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new CommandFailure('refused', `${this.urlOf(port)} is no Laneware: it answers no JSON`, {}, cause);
    }
  }
}
