/** The centre as a device sees it: requests and answers on one connection, each answer checked by its schema. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import Type, { type Static, type TSchema } from 'typebox';
import { encodePart } from '../../../drivers/lib/text.ts';
import { type Compiled, compiled, fits } from '../../core/schema/index.ts';
import { notReady, SyncError } from '../errors.ts';
import { syncFailure } from '../sync-failure.ts';
import type { Place } from './bucket-view.ts';
import { readListing } from './listing.ts';
import { type Bucket, bucketInfo, directGet, hintOf, MARKS_KEY, streamOf, subjectOf } from './subjects.ts';

const REQUEST_LIMIT_MS = 10_000;
const NOT_FOUND = 404;
/**
 * `nats-server` has no JetStream for an account for some milliseconds while it reloads its configuration (seen with
 * 2.9.10), thus whenever a device is paired or revoked. It then answers that there is no responder, or with these codes
 * (JSNotEnabledForAccountErr, JSNotEnabledErr). Each request to the centre may be repeated.
 */
const RELOADING: ReadonlySet<number | undefined> = new Set([10039, 10076]);
const READY_LIMIT_MS = 5000;
const ASK_AGAIN_MS = 25;
/**
 * Codes of a server whose storage is full: JSInsufficientResourcesErr, JSMemoryResourcesExceededErr,
 * JSStorageResourcesExceededErr, and JSStreamStoreFailedF, with which it refuses a message.
 */
const FULL: ReadonlySet<number | undefined> = new Set([10023, 10028, 10047, 10077]);
/** When a request is sent again: a reload loses answers that are on their way between accounts (seen with 2.9.10). */
const LOST_AFTER_MS = 2000;

const MarkDocument = Type.Object({
  item: Type.String({ minLength: 1, maxLength: 64 }),
  /** New each time an item is marked, so that progress never belongs to an earlier mark. */
  id: Type.String({ minLength: 1, maxLength: 64 }),
});
/** A mark "delete from all devices". */
export type Mark = Readonly<Static<typeof MarkDocument>>;

export const MarksDocument = Type.Object({
  /** The boot of the master that the marks belong to. */
  boot: Type.String({ minLength: 1, maxLength: 64 }),
  serial: Type.String({ minLength: 1, maxLength: 64 }),
  marks: Type.Array(MarkDocument),
  /** Number of the latest message up to which all templates are on the master's disk. */
  kept: Type.Object({ created: Type.String({ maxLength: 64 }), last: Type.Integer({ minimum: 0 }) }),
  /** The deletion of all items, and the devices that must forget them; absent: none was requested. */
  wipe: Type.Optional(
    Type.Object({
      id: Type.String({ minLength: 1, maxLength: 64 }),
      devices: Type.Array(Type.String({ minLength: 1, maxLength: 64 })),
    }),
  ),
});
export type MarksDocument = Static<typeof MarksDocument>;

export const ProgressDocument = Type.Object({
  /** Identifiers of the marks that the device has carried out. */
  done: Type.Array(Type.String({ minLength: 1, maxLength: 64 })),
});

export const DeviceDocument = Type.Object({
  /** New with each start of the process. */
  instance: Type.String({ minLength: 1, maxLength: 64 }),
  version: Type.String({ maxLength: 64 }),
  upload: Type.Boolean(),
  download: Type.Boolean(),
  templates: Type.Integer({ minimum: 0 }),
  pending: Type.Integer({ minimum: 0 }),
  /** Its address in the shop's network; absent where it has none. */
  address: Type.Optional(Type.String({ maxLength: 64 })),
  /** Whether it did not find a message that the centre lists or has acknowledged. */
  damaged: Type.Optional(Type.Boolean()),
});

/** The status that a device publishes. */
export type DeviceStatus = Readonly<Static<typeof DeviceDocument>>;

// compiled schemas: a synchronisation checks thousands of answers
const StreamInfo = compiled(
  Type.Object({
    created: Type.String(),
    config: Type.Object({ max_bytes: Type.Integer() }),
    state: Type.Object({
      bytes: Type.Integer(),
      messages: Type.Integer(),
      last_seq: Type.Integer(),
    }),
  }),
);
const Refusal = compiled(
  Type.Object({
    error: Type.Object({
      code: Type.Integer(),
      err_code: Type.Optional(Type.Integer()),
      description: Type.Optional(Type.String()),
    }),
  }),
);
const Purged = compiled(Type.Object({ success: Type.Literal(true) }));
const Acknowledgement = compiled(Type.Object({ stream: Type.String(), seq: Type.Integer() }));

/** A message of the centre with its number. */
export interface Numbered {
  readonly number: number;
  readonly subject: string;
  readonly data: Uint8Array;
}

export class Centre {
  readonly #connection: NatsConnection;

  constructor(connection: NatsConnection) {
    this.#connection = connection;
  }

  /** Id of the server's process: a killed process may have lost the last messages that it acknowledged. */
  get server(): string {
    return this.#connection.info?.server_id ?? '';
  }

  /** The state of a bucket. @throws {SyncError} `not-ready` where the bucket is not there */
  async place(bucket: Bucket): Promise<Place> {
    const { created, state } = checkedMessage(await this.#info(bucket, null), StreamInfo);
    return { created, last: state.last_seq, messages: state.messages };
  }

  /** Bytes that a bucket holds, and how many it may hold. @throws {SyncError} */
  async fill(bucket: Bucket): Promise<{ bytes: number; room: number }> {
    const { config, state } = checkedMessage(await this.#info(bucket, null), StreamInfo);
    return { bytes: state.bytes, room: config.max_bytes };
  }

  /** Every subject of a bucket, and the bucket's state before the listing. @throws {SyncError} */
  async list(bucket: Bucket): Promise<{ place: Place; subjects: readonly string[] }> {
    const place = await this.place(bucket);
    const subjects: string[] = [];
    for (;;) {
      const { rest, names } = await readListing((await this.#info(bucket, subjects.length)).data);
      checkedAnswer(rest, bucketInfo(bucket), StreamInfo);
      for (const name of names) subjects.push(name);
      if (names.length < PAGE_SUBJECTS) return { place, subjects };
    }
  }

  /** The message under a number; null where there is none. @throws {SyncError} */
  async at(bucket: Bucket, number: number): Promise<Numbered | null> {
    return await this.#getDirectly(directGet(bucket), JSON.stringify({ seq: number }));
  }

  /** @throws {SyncError} `not-ready` before the master has published them */
  async marks(): Promise<MarksDocument> {
    // first: the server does not answer a request for a message of a missing bucket
    await this.place('marks');
    const document = await this.document('marks', MARKS_KEY, MarksDocument);
    if (document === null) throw notReady();
    return document;
  }

  /** Reads a document; null where there is none. @throws {SyncError} also `garbage` */
  async document<S extends TSchema>(bucket: Bucket, key: string, schema: S): Promise<Static<S> | null> {
    const bytes = await this.get(bucket, subjectOf(bucket, key));
    return bytes === null ? null : parse(bytes, schema, `${bucket} ${key}`);
  }

  /** The message under a subject; null where there is none. @throws {SyncError} */
  async get(bucket: Bucket, subject: string): Promise<Uint8Array | null> {
    return (await this.latest(bucket, subject))?.data ?? null;
  }

  /** As `get`, with the message's number: a damaged bucket may still have an older message. @throws {SyncError} */
  async latest(bucket: Bucket, subject: string): Promise<Numbered | null> {
    return await this.#getDirectly(`${directGet(bucket)}.${subject}`);
  }

  async #getDirectly(request: string, payload = ''): Promise<Numbered | null> {
    const { headers, data } = await untilReady(() => this.#request(request, payload));
    const status = headers?.code ?? 0;
    if (status === NOT_FOUND) return null;
    if (status !== 0) throw new SyncError('refused', `the centre answers ${status} ${headers?.description}`);
    const subject = headers?.get('Nats-Subject');
    return subject ? { number: Number(headers?.get('Nats-Sequence')), subject, data } : null;
  }

  /** Resolves when the centre has acknowledged the message. @returns its number there @throws {SyncError} */
  async put(subject: string, bytes: Uint8Array | string): Promise<number> {
    return (await this.#ask(subject, Acknowledgement, bytes)).seq;
  }

  /** Removes the messages whose subjects match a filter, except the latest `keep`. @throws {SyncError} */
  async purge(bucket: Bucket, filter: string, keep = 0): Promise<void> {
    const request = JSON.stringify({ filter: subjectOf(bucket, filter), ...(keep > 0 && { keep }) });
    await this.#ask(`$JS.API.STREAM.PURGE.${streamOf(bucket)}`, Purged, request);
  }

  /** Publishes this device's one document in a bucket. @throws {SyncError} */
  async putOwn(bucket: 'progress' | 'devices', serial: string, document: object): Promise<void> {
    await this.put(subjectOf(bucket, encodePart(serial)), JSON.stringify(document));
  }

  /** Tells the other devices of a change; without the hint they learn of it at their next round. */
  hint(serial: string): void {
    if (!this.#connection.isClosed()) this.#connection.publish(hintOf(serial));
  }

  #info(bucket: Bucket, offset: number | null): Promise<Msg> {
    const request = offset === null ? '' : JSON.stringify({ subjects_filter: '>', offset });
    return untilReady(async () => unlessRefused(await this.#request(bucketInfo(bucket), request)));
  }

  #ask<T>(subject: string, schema: Compiled<T>, payload: Uint8Array | string): Promise<T> {
    return untilReady(async () => checkedMessage(await this.#request(subject, payload), schema));
  }

  /** Sends the request a second time where no answer comes in `LOST_AFTER_MS`; the first answer to either counts. */
  async #request(subject: string, payload: Uint8Array | string): Promise<Msg> {
    const ask = (timeout: number): Promise<Msg> => this.#connection.request(subject, payload, { timeout });
    const second = Promise.withResolvers<Msg>();
    const timer = setTimeout(
      () => ask(REQUEST_LIMIT_MS - LOST_AFTER_MS).then(second.resolve, second.reject),
      LOST_AFTER_MS,
    );
    try {
      return await Promise.race([ask(REQUEST_LIMIT_MS), second.promise]);
    } catch (error) {
      throw syncFailure(error);
    } finally {
      clearTimeout(timer);
      second.promise.catch(() => undefined); // the first request has settled the race
    }
  }
}

/** Repeats a request for some seconds while the server reloads its configuration or does not have the bucket yet. */
async function untilReady<T>(ask: () => Promise<T>): Promise<T> {
  const end = performance.now() + READY_LIMIT_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'not-ready' || performance.now() > end) throw error;
      await pause(ASK_AGAIN_MS);
    }
  }
}

/** How many subjects the server lists in one answer. */
const PAGE_SUBJECTS = 100_000;
const MAX_REFUSAL_BYTES = 4096;

/** @throws {SyncError} `garbage` */
export function parse<S extends TSchema>(bytes: Uint8Array, schema: S, what: string): Static<S> {
  const value = readJson(bytes, what);
  if (!fits(schema, value)) throw new SyncError('garbage', `what lies under ${what} is not what belongs there`);
  return value;
}

function readJson(bytes: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch (cause) {
    throw new SyncError('garbage', `what lies under ${what} is no JSON`, { cause });
  }
}

const checkedMessage = <T>({ data, subject }: Msg, schema: Compiled<T>): T => checkedAnswer(data, subject, schema);

function checkedAnswer<T>(bytes: Uint8Array, subject: string, schema: Compiled<T>): T {
  const answer = readJson(bytes, subject);
  requireNotRefused(answer);
  if (!schema.fits(answer)) throw new SyncError('garbage', 'the centre answers what it should not');
  return answer;
}

/** Returns an answer that is no refusal. Refusals are small, so only small answers are parsed. @throws {SyncError} */
function unlessRefused(message: Msg): Msg {
  if (message.data.length < MAX_REFUSAL_BYTES) requireNotRefused(readJson(message.data, message.subject));
  return message;
}

/** @throws {SyncError} where the answer is a refusal */
function requireNotRefused(answer: unknown): void {
  if (!Refusal.fits(answer)) return;
  const { code, err_code, description } = answer.error;
  if (code === NOT_FOUND || RELOADING.has(err_code)) throw notReady();
  throw FULL.has(err_code)
    ? new SyncError('full', `the storage of the master is full: ${description ?? code}; delete templates`)
    : new SyncError('refused', `the centre refuses: ${description ?? code}`);
}
