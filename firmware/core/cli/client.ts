/** Calls both ports of a device over HTTP. */
import { LANECTL } from '../config/choices.ts';
import type { HealthReport } from '../host/index.ts';
import { Addresses, type GivenAddresses, healthIn, type Port } from './addresses.ts';
import { CommandFailure } from './exit-codes.ts';
import { foreign, isFailure, isJson, isOurs, parsed, refusal, unreachable } from './failures.ts';
import { ownCommand } from './own-machine.ts';

/** Time limit of an answer: longer than the slowest call, which waits for its turn and for a bank. */
const ANSWER_LIMIT_MS = 60_000;
/** After this time a message says what the command waits for. */
const SLOW_MS = 2000;

export interface Connection {
  readonly given: GivenAddresses;
  /** The typed options with the device's addresses; empty for those of the environment, and for the device on this machine. */
  readonly options?: string;
  readonly token: string | null;
  /** Called with a message when a call takes longer than `SLOW_MS`. */
  readonly onSlow: (words: string) => void;
}

export interface Call {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, in place of `body`; the headers name its type. */
  readonly raw?: Uint8Array<ArrayBuffer> | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** A call that takes long by design: `onSlow` is not called. */
  readonly isLong?: boolean;
}

export class DeviceClient {
  readonly #connection: Connection;
  readonly addresses: Addresses;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.addresses = new Addresses(connection.given, (url) => this.#callAt(url, '/health'));
  }

  /** A command of `lanectl` for the same device. */
  commandTo(words: string): string {
    return [ownCommand(), words, this.#connection.options].filter(Boolean).join(' ');
  }

  /** The address of a port. @throws {CommandFailure} `refused` where the two ports belong to different devices */
  urlOf(port: Port): Promise<string> {
    return this.addresses.of(port);
  }

  /** The health report of the device, from one of its ports. @throws {CommandFailure} */
  async health(port: Port): Promise<HealthReport> {
    const url = await this.urlOf(port);
    return healthIn(await this.#callAt(url, '/health'), port, url);
  }

  /** Whether the device also answers without a token: it then checks no token, right or wrong. */
  async answersWithoutToken(): Promise<boolean> {
    const bare = new DeviceClient({ ...this.#connection, token: null });
    try {
      await bare.call('terminal', '/v1/payments?limit=1');
      return true;
    } catch (error) {
      if (error instanceof CommandFailure) return false; // the device asks for a token, or it is no device
      throw error;
    }
  }

  /**
   * Reads an answer of any status.
   * @throws {CommandFailure} `unreachable`, or `refused` where another program answers
   */
  async read<T>(port: Port, path: string, reading: (answer: Response) => Promise<T>): Promise<T> {
    return this.#answered(await this.urlOf(port), path, {}, reading);
  }

  /** An answer that is not JSON, its body unread. @throws {CommandFailure} as `call` */
  async opened(port: Port, path: string, call: Call = {}): Promise<Response> {
    const answer = await this.call(port, path, call);
    if (answer instanceof Response) return answer;
    throw new CommandFailure('refused', `${path} is answered with JSON, and must not be`);
  }

  /**
   * The JSON of a successful call; for another type the answer itself, its body unread.
   * @throws {CommandFailure} `unreachable`, `unauthorised`, `usage` or `refused` with the device's sentence
   */
  async call(port: Port, path: string, call: Call = {}): Promise<unknown> {
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
          'user-agent': LANECTL,
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

  async #callAt(base: string, path: string, call: Call = {}): Promise<unknown> {
    return this.#answered(base, path, call, async (answer) => {
      if (answer.ok && !isJson(answer)) return answer;
      const body = parsed(base, answer, await answer.text());
      if (!answer.ok || isFailure(body)) throw refusal(base, answer, body, this.#connection.token);
      return body;
    });
  }

  /** Makes a call and reads its answer, both together within `ANSWER_LIMIT_MS`; later reading does not count. */
  async #answered<T>(base: string, path: string, call: Call, reading: (answer: Response) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    const signal = call.signal === undefined ? limit.signal : AbortSignal.any([limit.signal, call.signal]);
    const timer = setTimeout(() => limit.abort(), ANSWER_LIMIT_MS);
    const slow = setTimeout(() => call.isLong === true || this.#connection.onSlow(waitingFor(base)), SLOW_MS);
    try {
      return await reading(await this.#fetchAt(base, path, { ...call, signal }));
    } catch (error) {
      if (call.signal?.aborted === true || error instanceof CommandFailure) throw error;
      throw unreachable(base, limit.signal.aborted ? new Error('no answer within a minute') : error);
    } finally {
      clearTimeout(timer);
      clearTimeout(slow);
    }
  }
}

const waitingFor = (url: string): string => `waiting for ${new URL(url).host} to answer, up to a minute`;
