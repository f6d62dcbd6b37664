/**
 * Reads the codes in a picture, in a separate thread. It never makes a recognition fail or wait long: a reader that is
 * late or lost returns nothing, and the answer is by looks alone.
 */

import { LostWorker, WorkerThread } from '../../../drivers/lib/asked-worker.ts';
import { Backoff, within } from '../../../drivers/lib/async.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import type { LogLine } from '../../core/host/index.ts';
import type { Area } from '../model/area.ts';
import type { ReadCode, ReaderAnswer } from './barcode-worker.ts';
import { greyArea, type Source } from './frame.ts';
import type { GreyPicture } from './straightened-patch.ts';

const WORKER_FILE = new URL('./barcode-worker.ts', import.meta.url);

interface ReaderLimits {
  /** Time limit of `read`: an answer by looks waits no longer. */
  readonly patienceMs: number;
  /** A worker that reads for so long hangs, and is replaced. */
  readonly hangMs: number;
  readonly startMs: number;
  /** The first wait before a lost worker is replaced; it doubles with each loss in a row, up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
}

const LIMITS: ReaderLimits = Object.freeze({
  patienceMs: 150,
  hangMs: 3_000,
  startMs: 30_000,
  backoffMs: 100,
  maxBackoffMs: 60_000,
});

export type ReaderState = { readonly name: 'starting' | 'ready' } | { readonly name: 'lost'; readonly reason: string };

/** A reader of codes, or a test's replacement. */
export interface CodeSource {
  readonly state: ReaderState;
  /** The codes in an area of a picture; null where none were looked for, or they were not read in time. Never fails. */
  read(source: Source, area: Area): Promise<readonly ReadCode[] | null>;
  /** The listener is called once the reader can read again, after `read` returned null because it was late or lost. */
  onCaughtUp(listener: () => void): void;
  start(): Promise<void>;
  close(): Promise<void>;
}

export class BarcodeReader implements CodeSource {
  readonly #log: LogLine;
  readonly #limits: ReaderLimits;
  readonly #worker: URL;
  readonly #closing = new AbortController();
  readonly #queue = new SerialQueue();
  #state: ReaderState = { name: 'starting' };
  #thread: WorkerThread<GreyPicture, ReaderAnswer> | null = null;
  #starting: Promise<void> | null = null;
  #restart: NodeJS.Timeout | null = null;
  readonly #backoff: Backoff;
  readonly #listeners: (() => void)[] = [];
  /** Whether a picture was left unread since the reader could last read. */
  #isBehind = false;

  /** @param worker file of the worker; tests give a worker that misbehaves */
  constructor(log: LogLine, limits: Partial<ReaderLimits> = {}, worker = WORKER_FILE) {
    this.#log = log;
    this.#limits = { ...LIMITS, ...limits };
    this.#backoff = new Backoff({ minMs: this.#limits.backoffMs, maxMs: this.#limits.maxBackoffMs });
    this.#worker = worker;
  }

  get state(): ReaderState {
    return this.#state;
  }

  /** Starts the worker, once: the first picture does, too. Settles when the attempt is over. Never fails. */
  start(): Promise<void> {
    this.#starting ??= this.#attempt();
    return this.#starting;
  }

  async read(source: Source, area: Area): Promise<readonly ReadCode[] | null> {
    if (this.#closing.signal.aborted) return null;
    const { patienceMs } = this.#limits;
    const tooLate = () => new LostWorker(`nothing was read within ${patienceMs} ms`);
    const late = AbortSignal.timeout(patienceMs);
    const work = this.#queue.run(async () => {
      if (late.aborted) throw tooLate();
      return await this.#ask(source, area);
    });
    try {
      return await within(work, patienceMs, tooLate);
    } catch (error) {
      this.#log('no code was looked for in a picture', { reason: messageOf(error) });
      this.#isBehind = true;
      // a late reading catches up when it succeeds; after a loss the next worker does with its `ready`
      void work.then(
        () => this.#catchUp(),
        () => undefined,
      );
      return null;
    }
  }

  onCaughtUp(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Settles when the worker is gone. Never fails. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#restart !== null) clearTimeout(this.#restart);
    await this.#starting;
    await this.#thread?.end();
  }

  async #ask(source: Source, area: Area): Promise<readonly ReadCode[]> {
    const [picture] = await Promise.all([greyArea(source, area), this.start()]);
    if (this.#thread === null) throw new LostWorker('the reader of codes is being replaced');
    // transferred, because a copy would leave the collector two pictures
    const answer = await this.#thread.ask(picture, this.#limits.hangMs, [picture.pixels.buffer]);
    if (answer.kind === 'read') {
      this.#backoff.reset();
      return answer.codes;
    }
    throw new Error(answer.kind === 'error' ? answer.message : 'the reader of codes started twice');
  }

  async #attempt(): Promise<void> {
    const thread = new WorkerThread<GreyPicture, ReaderAnswer>(this.#worker, undefined, {
      name: 'reader of codes',
      signal: this.#closing.signal,
      onLost: (reason) => this.#replace(reason),
    });
    try {
      await thread.hear(this.#limits.startMs);
      this.#thread = thread;
      this.#enter({ name: 'ready' });
    } catch (error) {
      await thread.end(); // a worker that hangs may still run
      if (!(error instanceof LostWorker)) throw error; // `onLost` has had it replaced, unless the reader is closed
    }
  }

  #replace(reason: string): void {
    this.#thread = null;
    if (this.#closing.signal.aborted) return;
    this.#restart = setTimeout(() => {
      this.#restart = null;
      this.#starting = this.#attempt();
    }, this.#backoff.next());
    this.#enter({ name: 'lost', reason });
  }

  #enter(state: ReaderState): void {
    this.#state = Object.freeze(state);
    this.#log(`reader of codes ${state.name}`, { ...state });
    if (state.name === 'ready') this.#catchUp();
  }

  #catchUp(): void {
    if (!this.#isBehind || this.#closing.signal.aborted) return;
    this.#isBehind = false;
    for (const listener of this.#listeners) listener();
  }
}
