/** The calls of both ports of a device, over HTTP, and why one has failed. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import { codeOf, messageOf } from '../../drivers/lib/errors.ts';
import type { HealthReport } from '../host/health.ts';
import { Addresses, healthIn, type Port, type Told } from './addresses.ts';
import { CommandFailure } from './exit-codes.ts';

/** Longer than the slowest call of the device, which waits for its turn and for a bank. */
const ANSWER_LIMIT_MS = 60_000;
/** After which whoever waits is told for what. */
const SLOW_MS = 2000;

/** Code of an answer that no device has given. */
export const FOREIGN = 'device.foreign';

export interface Connection {
  readonly told: Told;
  readonly token: string | null;
  /** Told once a call takes long, and for how long it may. */
  readonly onSlow: (words: string) => void;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of it: the headers name its type. */
  readonly raw?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** For a call that takes its time on purpose: nobody is told that it does. */
  readonly isLong?: boolean;
}

type Members = Readonly<Record<string, unknown>>;

/** Certificates that are trusted beside the usual ones, as the device's own. @throws {CommandFailure} */
export function trust(file: string): void {
  try {
    const pem = readFileSync(file, 'utf8');
    new X509Certificate(pem); // what is none would be passed over in silence
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), pem]);
  } catch (cause) {
    throw new CommandFailure(
      'usage',
      `--ca: ${file} is no certificate that can be read: ${messageOf(cause)}`,
      {},
      cause,
    );
  }
}

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** The sentence and the code of a refusal, in whichever envelope of the device it comes; null where it comes in none. */
function wordsOf(body: unknown): { readonly message: string; readonly code: string | null } | null {
  const { detail, error_message: old, msg, code, error_category: category } = isObject(body) ? body : {};
  const message = [detail, old, msg].find((words) => typeof words === 'string');
  if (message === undefined) return null;
  return { message, code: code !== undefined ? String(code) : category === undefined ? null : String(category) };
}

/** Each answer of a device bears it; one without it comes from another program: a proxy, a hotspot's page, a wrong port. */
const isOurs = ({ headers }: Response): boolean => headers.has('laneware-request-id');

/**
 * An answer that no device has given. A gateway that fails may have passed on what was asked, and lost the answer: that is
 * told as a connection that breaks off.
 */
function foreign(url: string, { status, headers }: Response): CommandFailure {
  const { host } = new URL(url);
  const details = { url, status, code: FOREIGN };
  if (status >= 500)
    return new CommandFailure(
      'unreachable',
      `${host} does not answer: a program in its place says HTTP ${status}`,
      details,
    );
  const location = headers.get('location');
  const what = location === null ? `it answers HTTP ${status} as none does` : `it leads on to ${location}`;
  return new CommandFailure(
    'refused',
    `${url} is no Laneware: ${what}; name the address of the device itself`,
    details,
  );
}

const UNAUTHORISED: readonly number[] = [401, 403];

/** What was sent is wrong, of which the device has done nothing: -6213 is that of the old calls of recognition. */
const isWrongValue = (status: number, code: string | null): boolean =>
  code === '-6213' || (status === 400 && /^(?:RequestParams|Items\.IllegalFile)/.test(code ?? ''));

/** A client that has sent the wrong token a few times is told to wait (429), as long as it names a token. */
function refusal(url: string, answer: Response, body: unknown, token: string | null): CommandFailure {
  const { status } = answer;
  const words = wordsOf(body);
  if (words === null && !isOurs(answer)) return foreign(url, answer);
  const { message, code } = words ?? { message: 'the device gave no reason', code: null };
  const details = {
    url,
    status,
    code,
    ...(isObject(body) && typeof body.payment === 'string' && { payment: body.payment }),
  };
  if (UNAUTHORISED.includes(status) || (status === 429 && token !== null)) {
    const what = token === null ? 'a token is needed: set LANEWARE_TOKEN, or name its file with --token-file' : message;
    return new CommandFailure('unauthorised', what, details);
  }
  // a gateway that answers JSON, or a device that has read nothing of the call, having no place for another connection
  if (!isOurs(answer) && status >= 500) return new CommandFailure('unreachable', message, details);
  return new CommandFailure(isWrongValue(status, code) ? 'usage' : 'refused', message, details);
}

/** The cause that a failed fetch wraps. */
const rootOf = (error: unknown): unknown => (error instanceof Error && error.cause !== undefined ? error.cause : error);

const TLS_FAILURE = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_)/;

function unreachable(url: string, error: unknown): CommandFailure {
  const root = rootOf(error);
  const code = codeOf(root);
  const { host, port } = new URL(url);
  if (messageOf(root) === 'bad port')
    return new CommandFailure(
      'usage',
      `no HTTP client calls port ${port} (the Fetch standard keeps it for another use)`,
    );
  const isCertificate = TLS_FAILURE.test(code ?? '');
  const why = isCertificate
    ? `its certificate is not trusted (${code}): name the device's own with --ca, as /certificate.pem of its recognition port gives it`
    : code === 'ECONNREFUSED'
      ? 'nothing listens there'
      : (code ?? messageOf(root));
  return new CommandFailure(
    'unreachable',
    `${host} does not answer: ${why}`,
    { url, code: code ?? null, isCertificate },
    error,
  );
}

export class DeviceClient {
  readonly #connection: Connection;
  readonly addresses: Addresses;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.addresses = new Addresses(connection.told, async (url) => (await this.#callAt(url, '/health')).body);
  }

  /** @throws {CommandFailure} `refused` where the two ports are those of different devices */
  urlOf(port: Port): Promise<string> {
    return this.addresses.of(port);
  }

  /** What the device says of itself, as either port tells it. @throws {CommandFailure} */
  async health(port: Port): Promise<HealthReport> {
    const url = await this.urlOf(port);
    return healthIn((await this.#callAt(url, '/health')).body, port, url);
  }

  /** Whether it does as it is asked without the token, too: it looks at none then, be it right or wrong. */
  async looksAtNoToken(): Promise<boolean> {
    const bare = new DeviceClient({ ...this.#connection, token: null });
    try {
      await bare.call('terminal', '/v1/payments?limit=1');
      return true;
    } catch (error) {
      if (error instanceof CommandFailure) return false; // asked for one, or is no device at all
      throw error;
    }
  }

  /** The answer itself, its head having come, whatever its status. @throws {CommandFailure} `unreachable`, `refused` where it is no device's */
  async fetch(port: Port, path: string, call: Call = {}): Promise<Response> {
    return this.#fetchAt(await this.urlOf(port), path, call);
  }

  /**
   * The body of a call that has succeeded, with its status.
   * @throws {CommandFailure} `unreachable`, `unauthorised`, `usage` or `refused` with the sentence of the device
   */
  async call(port: Port, path: string, call: Call = {}): Promise<{ readonly status: number; readonly body: unknown }> {
    return this.#callAt(await this.urlOf(port), path, call);
  }

  async #fetchAt(base: string, path: string, { method, body, raw, headers = {}, signal }: Call): Promise<Response> {
    const { token } = this.#connection;
    const url = `${base}${path}`;
    let answer: Response;
    try {
      answer = await fetch(url, {
        method: method ?? (body === undefined && raw === undefined ? 'GET' : 'POST'),
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(raw !== undefined && { body: raw }),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        redirect: 'manual',
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      if (signal?.aborted === true) throw error;
      throw unreachable(url, error);
    }
    if (answer.status < 400 && !isOurs(answer)) throw foreign(base, answer);
    return answer;
  }

  async #callAt(
    base: string,
    path: string,
    call: Call = {},
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const limit = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const signal = call.signal === undefined ? limit : AbortSignal.any([limit, call.signal]);
    const slow = setTimeout(() => call.isLong === true || this.#connection.onSlow(waitingFor(base)), SLOW_MS);
    let answer: Response;
    let text: string;
    try {
      answer = await this.#fetchAt(base, path, { ...call, signal });
      text = await answer.text();
    } catch (error) {
      if (call.signal?.aborted === true || error instanceof CommandFailure) throw error;
      throw unreachable(base, limit.aborted ? new Error('no answer within a minute') : error);
    } finally {
      clearTimeout(slow);
    }
    const body = parsed(base, answer, text);
    const isFailure = isObject(body) && typeof body.code === 'number' && body.code !== 0; // of recognition, under HTTP 200
    if (!answer.ok || isFailure) throw refusal(base, answer, body, this.#connection.token);
    return { status: answer.status, body };
  }
}

const waitingFor = (url: string): string => `waiting for ${new URL(url).host} to answer, a minute at most`;

function parsed(url: string, answer: Response, text: string): unknown {
  if (!(answer.headers.get('content-type') ?? '').includes('json')) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!isOurs(answer)) throw foreign(url, answer);
    throw new CommandFailure('refused', `${url} is no Laneware: it answers no JSON`, { url }, cause);
  }
}
