/**
 * The way from any device of a store to its chain, over the connection that the device has to its master anyway. Everything
 * ends in bounded time: what is sent is acknowledged by the stream of the chain's hub, or fails with a code.
 */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import Type from 'typebox';
import { jsonFitting } from '../store/index.ts';
import { ChainError, type ChainErrorCode } from './errors.ts';
import { eventSubject, newsSubject, readSubject, SCOPES, type Scope, stateSubject, WORDS } from './subjects.ts';

const REQUEST_LIMIT_MS = 10_000;
/** As much as a hub's streams take of one message. */
export const MAX_BODY_BYTES = 512 * 1024;
/** What the chain may or may not have put down: that it answers at all is what is asked. */
export const PROBE = 'hello';
const NOT_FOUND = 404;
/** A hub that is choosing another leader: the same is taken a moment later. */
const UNAVAILABLE = 503;
/** What a server says that has no room: JSInsufficientResourcesErr, JSStorageResourcesExceededErr, JSStreamStoreFailedF. */
const FULL: ReadonlySet<number | undefined> = new Set([10023, 10047, 10077]);

const Acknowledgement = Type.Object({
  stream: Type.Optional(Type.String()),
  seq: Type.Optional(Type.Integer()),
  error: Type.Optional(
    Type.Object({
      code: Type.Optional(Type.Integer()),
      err_code: Type.Optional(Type.Integer()),
      description: Type.Optional(Type.String()),
    }),
  ),
});

type Body = string | Uint8Array;

interface ChainDocument {
  readonly data: Uint8Array;
  /** Of the chain's stream: another one whenever the document is another one. */
  readonly sequence: number;
}

export type NewsListener = (scope: Scope, key: string) => void;

interface LinkOptions {
  /** Encoded serial number of this device. */
  readonly part: string;
  /** A name that no other device can guess of an event: who knew it could send something else under it before. */
  readonly nameOf: (event: string) => string;
  readonly limitMs?: number;
}

function failureOf(error: unknown): ChainError {
  if (error instanceof ChainError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const cause = { cause: error };
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause.name : '';
  if (name === 'TimeoutError' || inner === 'TimeoutError')
    return new ChainError('timeout', 'the chain did not answer in time', cause);
  return new ChainError('no-line', `there is no way to the chain: ${message}`, cause);
}

function requireWords(name: string): void {
  if (!WORDS.test(name))
    throw new ChainError('name', `${JSON.stringify(name)} is no name: letters, digits, _, - and .`);
}

export class ChainLink {
  readonly #options: LinkOptions;
  readonly #listeners = new Set<NewsListener>();
  readonly #lineListeners = new Set<() => void>();
  #connection: NatsConnection | null = null;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Takes a connection to the master up, until there is another one. */
  follow(connection: NatsConnection): void {
    this.#connection = connection;
    for (const scope of SCOPES) {
      const prefix = newsSubject(scope, '');
      connection.subscribe(newsSubject(scope, '>'), {
        callback: (error, { subject }) => {
          if (error === null) this.#notify(scope, subject.slice(prefix.length));
        },
      });
    }
    for (const listener of this.#lineListeners) listener();
  }

  /** Listeners are called when there may be a way to the chain again. @returns what ends that */
  onLine(listener: () => void): () => void {
    this.#lineListeners.add(listener);
    return () => void this.#lineListeners.delete(listener);
  }

  /**
   * Reports a state: the newest report of a device about a kind replaces the one before.
   * @throws {ChainError} `no-line`, `timeout`, `refused`, `full`, `name`
   */
  async report(kind: string, body: Body): Promise<void> {
    requireWords(kind);
    await this.#publish(stateSubject(this.#options.part, kind), body, {});
  }

  /**
   * Sends what is kept. It lies at the chain when this settles; the same id sent again within two hours is stored once.
   * @param id names it among all of its kind that this device ever sends
   * @throws {ChainError} `no-line`, `timeout`, `refused`, `full`, `name`
   */
  async send(kind: string, body: Body, { id }: { readonly id: string }): Promise<void> {
    requireWords(kind);
    const name = this.#options.nameOf(`${kind}\n${id}`);
    await this.#publish(eventSubject(this.#options.part, kind), body, { 'Nats-Msg-Id': name });
  }

  /** What the chain has put under a key; null where there is nothing. @throws {ChainError} `no-line`, `timeout`, `refused`, `name` */
  async read(scope: Scope, key: string): Promise<ChainDocument | null> {
    requireWords(key);
    const answer = await this.#request(readSubject(scope, key), new Uint8Array(), {});
    const code = answer.headers?.code ?? 0;
    if (code === NOT_FOUND) return null;
    const sequence = Number(answer.headers?.get('Nats-Sequence'));
    if (code !== 0 || !Number.isInteger(sequence) || sequence < 1)
      throw new ChainError(
        'refused',
        `the chain does not return what is stored under ${key}: ${answer.headers?.description ?? ''}`,
      );
    return { data: answer.data, sequence };
  }

  /** Asks the device's own master, under a subject that stays in the store. @throws {ChainError} `no-line`, `timeout` */
  async askMaster(subject: string, body: string, limitMs: number): Promise<Msg> {
    return await this.#request(subject, Buffer.from(body), {}, limitMs);
  }

  /** Listeners are called with what is new, and must read it; news without a line are not repeated. */
  onNews(listener: NewsListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async #publish(subject: string, body: Body, headers: Readonly<Record<string, string>>): Promise<void> {
    const data = typeof body === 'string' ? Buffer.from(body) : body;
    if (data.length > MAX_BODY_BYTES)
      throw new ChainError('refused', `${data.length} bytes are more than the ${MAX_BODY_BYTES} of one message`);
    const answer = await this.#request(subject, data, headers);
    const said = jsonFitting(Acknowledgement, answer.string());
    if (said?.error === undefined && said?.seq !== undefined) return;
    throw new ChainError(
      refusalOf(said?.error),
      `the chain does not take ${subject}: ${said?.error?.description ?? 'what answers is no stream'}`,
    );
  }

  async #request(
    subject: string,
    data: Uint8Array,
    headers: Readonly<Record<string, string>>,
    timeout = this.#options.limitMs ?? REQUEST_LIMIT_MS,
  ): Promise<Msg> {
    const connection = this.#connection;
    if (connection === null || connection.isClosed())
      throw new ChainError('no-line', 'this device is not connected to a master');
    const { headers: newHeaders } = await import('../../drivers/lib/nats.ts');
    const sent = newHeaders();
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    try {
      return await connection.request(subject, data, { timeout, headers: sent });
    } catch (error) {
      throw failureOf(error);
    }
  }

  #notify(scope: Scope, key: string): void {
    for (const listener of this.#listeners) listener(scope, key);
  }
}

function refusalOf(error: { readonly code?: number; readonly err_code?: number } | undefined): ChainErrorCode {
  if (FULL.has(error?.err_code)) return 'full';
  return error?.code === UNAVAILABLE ? 'no-line' : 'refused';
}
