/** One synchronisation: look at both sides, decide, carry out in batches. Broken off anywhere, the next one goes on. */
import type { Log } from '../../host/log.ts';
import type { TemplateExchange } from '../../recognition/templates/exchange.ts';
import type { TemplateName, WholeTemplate } from '../../recognition/templates/template-name.ts';
import type { Centre } from '../centre/centre.ts';
import { ProgressDocument } from '../centre/centre.ts';
import { syncFailure } from '../centre/connect.ts';
import { type CentreState, decide, type LocalState } from '../centre/decide.ts';
import { type Entry, encodePart, entrySubject, identityOf } from '../centre/subjects.ts';
import { SyncError } from '../errors.ts';
import { decodeTemplate, encodeTemplate } from './codec.ts';

/** Requests that are under way at once. */
const AT_ONCE = 64;
/** What has come in is written when it is as much, so that a megabyte or two go with one commit. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_TEMPLATES = 256;

export interface RoundSettings {
  readonly upload: boolean;
  readonly download: boolean;
  readonly limit: number;
}

export interface RoundOptions {
  readonly serial: string;
  readonly max: number;
  readonly exchange: TemplateExchange;
  /** Milliseconds that no clock setting changes. */
  readonly monotonic: () => number;
  /** How long an entry must have been at the centre, or missing there, before that counts. */
  readonly settleMs: number;
  readonly log: Pick<Log, 'warn'>;
}

export interface RoundResult {
  readonly put: number;
  readonly fetched: number;
  readonly deleted: number;
  /** Templates that the limit leaves for the next synchronisation. */
  readonly left: number;
  readonly templates: number;
  readonly masterSerial: string;
  /** Why not all that is here could be shared, or null. */
  readonly failure: SyncError | null;
}

/** What this process has seen of the centre; a power cut of the master makes it worthless. */
class Memory {
  readonly refused = new Set<string>();
  #boot = '';
  #seen = new Map<string, number>();
  #lacking = new Map<string, number>();

  notice(now: number, boot: string, centre: ReadonlySet<string>, local: Iterable<string>): void {
    const isSame = boot === this.#boot;
    const since = (known: Map<string, number>, identities: Iterable<string>): Map<string, number> =>
      new Map([...identities].map((identity) => [identity, (isSame ? known.get(identity) : undefined) ?? now]));
    this.#seen = since(this.#seen, centre);
    this.#lacking = since(
      this.#lacking,
      [...local].filter((identity) => !centre.has(identity)),
    );
    this.#boot = boot;
  }

  settled = (before: number): Set<string> => longSince(this.#seen, before);
  orphaned = (before: number): Set<string> => longSince(this.#lacking, before);
}

const longSince = (known: Map<string, number>, before: number): Set<string> =>
  new Set([...known].filter(([, since]) => since <= before).map(([identity]) => identity));

/** Entries by what they hold: a template may have been put by several devices. */
function byIdentity(entries: readonly Entry[], isRefused: (subject: string) => boolean): Map<string, Entry> {
  const usable = new Map<string, Entry>();
  for (const entry of entries) if (!isRefused(entry.subject)) usable.set(identityOf(entry.ref), entry);
  return usable;
}

export class Rounds {
  readonly #options: RoundOptions;
  readonly #memory = new Memory();

  constructor(options: RoundOptions) {
    this.#options = options;
  }

  /** @throws {SyncError} or the storage's errors; what was done until then stays done */
  async run(centre: Centre, settings: RoundSettings, signal: AbortSignal): Promise<RoundResult> {
    const { serial, exchange } = this.#options;
    const { boot, serial: masterSerial, marks } = await centre.marks();
    const progress = await centre.document('progress', encodePart(serial), ProgressDocument);
    const tombstones = await centre.entries('tombstones');
    const offered = byIdentity(await centre.entries('templates'), (subject) => this.#memory.refused.has(subject));
    const state: CentreState = {
      templates: [...offered.values()].map(({ ref }) => ref),
      tombstones: tombstones.map(({ ref }) => ref),
      published: new Set(
        tombstones.filter(({ publisher }) => publisher === encodePart(serial)).map(({ ref }) => identityOf(ref)),
      ),
      marks,
      reported: progress?.done ?? [],
    };
    const plan = decide(this.#localState(boot, state, settings), state);
    await exchange.keepTombstones(plan.keepTombstones);
    await exchange.drop(plan.drop);
    if (plan.report !== null) await centre.putOwn('progress', serial, { done: plan.report });
    const failures = [
      ...(await inFlight(each(plan.publishTombstones), signal, (ref) =>
        centre.put(entrySubject('tombstones', serial, ref), '{}'),
      )),
      ...(await inFlight(each(plan.put), signal, (ref) => this.#put(centre, ref))),
    ];
    // a centre that takes nothing more still gives
    await exchange.drop(plan.evict);
    const fetched = await this.#fetch(centre, plan.fetch, offered, signal);
    if (plan.put.length + plan.publishTombstones.length + (plan.report?.length ?? 0) > 0) centre.hint(serial);
    return {
      put: plan.put.length,
      fetched,
      left: plan.left,
      masterSerial,
      failure: failures.map(syncFailure)[0] ?? null,
      deleted: plan.keepTombstones.length + plan.drop.length + plan.evict.length,
      templates: exchange.names().length,
    };
  }

  #localState(boot: string, centre: CentreState, settings: RoundSettings): LocalState {
    const { serial, max, exchange, monotonic, settleMs } = this.#options;
    const templates = exchange.names();
    const now = monotonic();
    this.#memory.notice(now, boot, new Set(centre.templates.map(identityOf)), templates.map(identityOf));
    return {
      serial,
      max,
      ...settings,
      templates,
      tombstones: exchange.tombstones(),
      settled: this.#memory.settled(now - settleMs),
      orphaned: this.#memory.orphaned(now - settleMs),
    };
  }

  async #put(centre: Centre, ref: TemplateName): Promise<void> {
    const { serial, exchange } = this.#options;
    const template = exchange.read(ref);
    // deleted meanwhile: the next round sees it
    if (template !== null) await centre.put(entrySubject('templates', serial, ref), encodeTemplate(template));
  }

  /** While one batch is written, the next is on its way, and no more. */
  async #fetch(
    centre: Centre,
    refs: readonly TemplateName[],
    offered: ReadonlyMap<string, Entry>,
    signal: AbortSignal,
  ): Promise<number> {
    const left = refs.values();
    const load = async (): Promise<WholeTemplate[]> => {
      const found: WholeTemplate[] = [];
      let bytes = 0;
      const [failure] = await inFlight(
        () => (bytes < BATCH_BYTES && found.length < BATCH_TEMPLATES ? left.next().value : undefined),
        signal,
        async (ref) => {
          const template = await this.#get(centre, ref, offered.get(identityOf(ref)));
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
      requireOpen(signal);
      if (batch.length === 0) return fetched;
      coming = load();
      coming.catch(() => undefined); // awaited above, at the next turn, or given up with the round
      await this.#options.exchange.receive(batch);
      fetched += batch.length;
    }
  }

  /** Null where it is gone meanwhile, or no template: that is logged, and not asked for again. */
  async #get(centre: Centre, ref: TemplateName, entry: Entry | undefined): Promise<WholeTemplate | null> {
    if (entry === undefined) return null;
    const message = await centre.get('templates', entry.subject);
    try {
      return message === null ? null : decodeTemplate(message, ref);
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'garbage') throw error;
      this.#memory.refused.add(entry.subject);
      this.#options.log.warn({ err: error, ...ref, publisher: entry.publisher }, 'an entry of the centre was refused');
      return null;
    }
  }
}

function requireOpen(signal: AbortSignal): void {
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
