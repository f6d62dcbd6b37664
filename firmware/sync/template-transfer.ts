/** Carries templates between this device and the centre: publishes them, and fetches them in batches. */
import type { Log } from '../core/host/index.ts';
import type { TemplateExchange, TemplateName, WholeTemplate } from '../recognition/index.ts';
import type { Centre, Mark } from './centre/centre.ts';
import type { Plan } from './centre/decide.ts';
import { requireGone, requireStored } from './centre/follow.ts';
import type { ViewedBucket } from './centre/store-view.ts';
import { entrySubject, identityOf } from './centre/subjects.ts';
import { SyncError } from './errors.ts';
import type { ItemDecider } from './item-decider.ts';
import { decodeTemplate, encodeTemplate, refuseEntry } from './template-format.ts';

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
      return this.#exchange.isMisfit(template) ? refuseEntry('its vector is not of the model that it names') : template;
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'garbage') throw error;
      this.#decider.ignoreEntry(entry);
      this.#log.warn({ err: error, ...ref, publisher: entry.publisher }, 'an entry of the centre was refused');
      return null;
    }
  }
}
