/**
 * Carries templates between this device and the centre: publishes them, fetches them in batches, and reads and writes
 * their format.
 */

import { hash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { Log } from '../core/host/index.ts';
import { compiled } from '../core/schema/index.ts';
import type { TemplateExchange, TemplateName, WholeTemplate } from '../recognition/index.ts';
import { isCleanId, isTemplateCrop, isTemplateVector, PackageLineSchema } from '../recognition/index.ts';
import type { Centre, Mark } from './centre/centre.ts';
import type { Plan } from './centre/decide.ts';
import { requireGone, requireStored } from './centre/follow.ts';
import type { ViewedBucket } from './centre/store-view.ts';
import { entrySubject, identityOf } from './centre/subjects.ts';
import { SyncError } from './errors.ts';
import type { ItemDecider } from './item-decider.ts';

/**
 * The format of a template: a length of four bytes (little-endian), a head of that many bytes in JSON, the vector, the
 * crop. A template of another device is checked completely before it is used.
 */
const FORMAT = 1;
const LENGTH_BYTES = 4;
const FLOAT_BYTES = 4;

const HeadSchema = Type.Object({
  ...PackageLineSchema.properties,
  format: Type.Literal(FORMAT),
  vectorSha256: PackageLineSchema.properties.cropSha256,
});
type Head = Static<typeof HeadSchema>;
/** Compiled, because a round checks thousands of templates. */
const headCheck = compiled(HeadSchema);

export function encodeTemplate(template: WholeTemplate): Buffer {
  const { item, sid, origin, createdAt, model, vector, crop, cropSha256 } = template;
  const head: Head = {
    format: FORMAT,
    item,
    sid,
    origin,
    createdAt,
    model,
    dimension: vector.length / FLOAT_BYTES,
    // `cropSha256` is of the time when the crop was stored: so the receiver detects later damage
    cropBytes: crop.length,
    cropSha256: Buffer.from(cropSha256).toString('hex'),
    vectorSha256: hash('sha256', vector),
  };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, vector, crop]);
}

const refuse = (why: string): never => {
  throw new SyncError('garbage', `the centre's entry is no template: ${why}`);
};

function headOf(bytes: Buffer): { head: Head; end: number } {
  if (bytes.length < LENGTH_BYTES) return refuse('it is too short');
  const end = LENGTH_BYTES + bytes.readUInt32LE();
  if (end > bytes.length) return refuse('it is cut off');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end));
  } catch {
    return refuse('its head is no JSON');
  }
  return headCheck.Check(value) ? { head: value, end } : refuse('its head is not whole');
}

/** Reads and checks a template. @param ref the requested template @throws {SyncError} `garbage` */
export function decodeTemplate(message: Uint8Array, ref: TemplateName): WholeTemplate {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const { head, end } = headOf(bytes);
  const { item, sid, origin, createdAt, model, dimension, cropBytes, cropSha256, vectorSha256 } = head;
  if (item !== ref.item || sid !== ref.sid || origin !== ref.origin) return refuse('its name is another');
  if (!isCleanId(origin)) return refuse('its name holds control characters');
  const vector = bytes.subarray(end, end + dimension * FLOAT_BYTES);
  const crop = bytes.subarray(end + dimension * FLOAT_BYTES);
  if (crop.length !== cropBytes || hash('sha256', crop) !== cropSha256) return refuse('its crop is damaged');
  if (hash('sha256', vector) !== vectorSha256) return refuse('its vector is damaged');
  if (!isTemplateVector(vector)) return refuse('its vector is not of length 1');
  if (!isTemplateCrop(crop)) return refuse('its crop is no JPEG of a template');
  return {
    item,
    sid,
    origin,
    createdAt,
    model,
    cropSha256: Buffer.from(cropSha256, 'hex'),
    // copies with buffers of their own, which can be transferred to a thread, and which do not keep the whole message
    // in memory
    vector: new Uint8Array(vector),
    crop: new Uint8Array(crop),
  };
}

/** Bytes after which a batch of fetched templates is written, so that one commit holds a megabyte or two. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_TEMPLATES = 256;
/** Most requests that wait for an answer at the same time. */
const AT_ONCE = 64;

/** @throws {SyncError} `closed` once the round is interrupted */
export function requireOpen(signal: AbortSignal): void {
  if (signal.aborted) throw new SyncError('closed', 'the synchronisation was broken off; the next one goes on');
}

function each<T>(list: readonly T[]): () => T | undefined {
  const left = list.values();
  return () => left.next().value;
}

/**
 * Does `work` for each template of `next`, until `next` returns undefined; `AT_ONCE` workers run at the same time.
 * @returns the failures: a worker stops at its first failure, the others continue
 */
async function inFlight(
  next: () => TemplateName | undefined,
  signal: AbortSignal,
  work: (ref: TemplateName) => Promise<void>,
): Promise<unknown[]> {
  const lane = async (): Promise<void> => {
    for (let ref = next(); ref !== undefined; ref = next()) {
      requireOpen(signal);
      await work(ref);
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
  return lanes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
}

/** The centre, and what this round knows of it. */
export interface Meeting {
  readonly centre: Centre;
  readonly signal: AbortSignal;
  /** Messages received while following the centre, by subject. */
  readonly arrived: Map<string, Uint8Array>;
}

export class TemplateTransfer {
  readonly #serial: string;
  readonly #exchange: TemplateExchange;
  readonly #decider: ItemDecider;
  readonly #log: Pick<Log, 'warn'>;

  constructor(serial: string, exchange: TemplateExchange, decider: ItemDecider, log: Pick<Log, 'warn'>) {
    this.#serial = serial;
    this.#exchange = exchange;
    this.#decider = decider;
    this.#log = log;
  }

  /** Publishes tombstones and templates of this device. @returns the failures @throws {SyncError} `damaged` */
  async share({ centre, signal }: Meeting, plan: Pick<Plan, 'publishTombstones' | 'put'>): Promise<unknown[]> {
    const { view } = this.#decider;
    const last = new Map<ViewedBucket, { readonly subject: string; readonly number: number }>();
    const put = async (bucket: ViewedBucket, ref: TemplateName, bytes: Uint8Array | string): Promise<void> => {
      const subject = entrySubject(bucket, this.#serial, ref);
      const number = await centre.put(subject, bytes);
      view[bucket].recordOwn(subject, number);
      if (number > (last.get(bucket)?.number ?? 0)) last.set(bucket, { subject, number });
    };
    const bury = (ref: TemplateName): Promise<void> => put('tombstones', ref, '{}');
    const give = async (ref: TemplateName): Promise<void> => {
      const template = this.#exchange.read(ref);
      // null: it was deleted meanwhile, and the next round decides its item again
      if (template !== null) await put('templates', ref, encodeTemplate(template));
    };
    const failures = [
      ...(await inFlight(each(plan.publishTombstones), signal, bury)),
      ...(await inFlight(each(plan.put), signal, give)),
    ];
    for (const [bucket, { subject, number }] of last) await requireStored(centre, bucket, subject, number);
    return failures;
  }

  /**
   * Fetches and stores templates: while one batch is written, the next is being fetched.
   * @param ownMarks on a master: its current marks; null on another device
   * @returns how many were stored
   * @throws {SyncError} `damaged` where the centre lists templates that it does not return
   */
  async fetch(
    meeting: Meeting,
    refs: readonly TemplateName[],
    ownMarks: () => readonly Mark[] | null,
  ): Promise<number> {
    const left = refs.values();
    const missing: string[] = [];
    const load = async (): Promise<WholeTemplate[]> => {
      const found: WholeTemplate[] = [];
      let bytes = 0;
      const [failure] = await inFlight(
        () => (bytes < BATCH_BYTES && found.length < BATCH_TEMPLATES ? left.next().value : undefined),
        meeting.signal,
        async (ref) => {
          const template = await this.#get(meeting, ref, missing);
          if (template === null) return;
          found.push(template);
          bytes += template.crop.length;
        },
      );
      if (failure !== undefined) throw failure;
      return found;
    };
    let fetched = 0;
    let following = load();
    for (;;) {
      const batch = await following;
      requireOpen(meeting.signal);
      if (batch.length === 0) break;
      following = load();
      following.catch(() => undefined); // it is awaited at the next turn of the loop, or the round has failed
      // a master has already deleted the items that were marked since the round began
      const marked = new Set(ownMarks()?.map(({ item }) => item));
      const wanted = batch.filter(({ item }) => !marked.has(item));
      await this.#exchange.receive(wanted);
      fetched += wanted.length;
    }
    const { templates } = this.#decider.view;
    if (missing.length > 0)
      await requireGone({ centre: meeting.centre, bucket: 'templates', view: templates }, missing);
    return fetched;
  }

  /**
   * Null where the centre has no such template, or where the entry is no template: that is logged, and not requested
   * again.
   * @param missing gets the subject of an entry that was not found
   */
  async #get({ centre, arrived }: Meeting, ref: TemplateName, missing: string[]): Promise<WholeTemplate | null> {
    const entry = this.#decider.offersOf(ref.item).get(identityOf(ref));
    if (entry === undefined) return null;
    const message = arrived.get(entry.subject) ?? (await centre.get('templates', entry.subject));
    if (message === null) {
      missing.push(entry.subject);
      return null;
    }
    try {
      const template = decodeTemplate(message, ref);
      return this.#exchange.isMisfit(template) ? refuse('its vector is not of the model that it names') : template;
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'garbage') throw error;
      this.#decider.refuse(entry);
      this.#log.warn({ err: error, ...ref, publisher: entry.publisher }, 'an entry of the centre was refused');
      return null;
    }
  }
}
