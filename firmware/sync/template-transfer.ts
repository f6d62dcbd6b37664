/** Templates on their way between this device and the centre: what it gives, and what it takes in batches. */
import type { Log } from '../core/host/index.ts';
import type { TemplateExchange, TemplateName, WholeTemplate } from '../recognition/index.ts';
import type { Centre, Mark } from './centre/centre.ts';
import type { Plan } from './centre/decide.ts';
import type { ViewedBucket } from './centre/store-view.ts';
import { entrySubject, identityOf } from './centre/subjects.ts';
import { SyncError } from './errors.ts';
import type { ItemDecider } from './item-decider.ts';
import { decodeTemplate, encodeTemplate } from './template-codec.ts';

/** What has come in is written when it is as much, so that a megabyte or two go with one commit. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_TEMPLATES = 256;
/** Requests that are under way at once. */
const AT_ONCE = 64;

export function requireOpen(signal: AbortSignal): void {
  if (signal.aborted) throw new SyncError('closed', 'the synchronisation was broken off; the next one goes on');
}

function each<T>(list: readonly T[]): () => T | undefined {
  const left = list.values();
  return () => left.next().value;
}

/**
 * Deals with what `next` gives until it gives nothing, so many at once; the next one is begun as soon as one is done.
 * @returns what went wrong: who meets a failure goes no further, and the others do
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

/** A centre as one round meets it. */
export interface Meeting {
  readonly centre: Centre;
  readonly signal: AbortSignal;
  /** What came while the centre was followed, by subject. */
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

  /** Tombstones and templates of this device. @returns what went wrong */
  async share({ centre, signal }: Meeting, plan: Pick<Plan, 'publishTombstones' | 'put'>): Promise<unknown[]> {
    const { view } = this.#decider;
    const put = async (bucket: ViewedBucket, ref: TemplateName, bytes: Uint8Array | string): Promise<void> => {
      const subject = entrySubject(bucket, this.#serial, ref);
      view[bucket].noteOwn(subject, await centre.put(subject, bytes));
    };
    const bury = (ref: TemplateName): Promise<void> => put('tombstones', ref, '{}');
    const give = async (ref: TemplateName): Promise<void> => {
      const template = this.#exchange.read(ref);
      // deleted meanwhile: the next round sees it
      if (template !== null) await put('templates', ref, encodeTemplate(template));
    };
    return [
      ...(await inFlight(each(plan.publishTombstones), signal, bury)),
      ...(await inFlight(each(plan.put), signal, give)),
    ];
  }

  /** While one batch is written, the next is on its way, and no more. @param ownMarks on a master: its marks of now */
  async fetch(
    meeting: Meeting,
    refs: readonly TemplateName[],
    ownMarks: () => readonly Mark[] | null,
  ): Promise<number> {
    const left = refs.values();
    const load = async (): Promise<WholeTemplate[]> => {
      const found: WholeTemplate[] = [];
      let bytes = 0;
      const [failure] = await inFlight(
        () => (bytes < BATCH_BYTES && found.length < BATCH_TEMPLATES ? left.next().value : undefined),
        meeting.signal,
        async (ref) => {
          const template = await this.#get(meeting, ref);
          if (template === null) return;
          found.push(template);
          bytes += template.crop.length;
        },
      );
      if (failure !== undefined) throw failure;
      return found;
    };
    let fetched = 0;
    let coming = load();
    for (;;) {
      const batch = await coming;
      requireOpen(meeting.signal);
      if (batch.length === 0) return fetched;
      coming = load();
      coming.catch(() => undefined); // awaited above, at the next turn, or given up with the round
      // a master has deleted by now what was marked since the round began
      const marked = new Set(ownMarks()?.map(({ item }) => item));
      const wanted = batch.filter(({ item }) => !marked.has(item));
      await this.#exchange.receive(wanted);
      fetched += wanted.length;
    }
  }

  /** Null where it is gone meanwhile, or no template: that is logged, and not asked for again. */
  async #get({ centre, arrived }: Meeting, ref: TemplateName): Promise<WholeTemplate | null> {
    const entry = this.#decider.offersOf(ref.item).get(identityOf(ref));
    if (entry === undefined) return null;
    const message = arrived.get(entry.subject) ?? (await centre.get('templates', entry.subject));
    try {
      return message === null ? null : decodeTemplate(message, ref);
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'garbage') throw error;
      this.#decider.refuse(entry);
      this.#log.warn({ err: error, ...ref, publisher: entry.publisher }, 'an entry of the centre was refused');
      return null;
    }
  }
}
