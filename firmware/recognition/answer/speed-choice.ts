/**
 * Measures which speed fits the board, for where none was set: `normal`, whose answers are better, where it is fast
 * enough. The result is stored for the model and its runtime. A board that was too slow is measured again at each start.
 */
import Type, { type Static } from 'typebox';
import { pause } from '../../../drivers/lib/async.ts';
import { SPEEDS, type Speed } from '../../core/config/index.ts';
import { JsonStore } from '../../core/files/index.ts';
import type { LogLine } from '../../core/host/index.ts';
import type { VectorSource } from './viewer.ts';

/** The longest answer at speed `normal`, picture to answer; a slower device stays at `fast`. */
const MOST_ANSWER_MS = 150;
/** The part of an answer apart from looks: decoding and cutting on a slow board, reading of codes, comparing. */
const AROUND_LOOKS_MS = 50;
/** How many answers are measured: their median counts, and one more before them warms up. */
const MEASURED_ANSWERS = 5;
/** How often a start measures a device that seems too slow, with a pause between, in case it was busy. */
const ATTEMPTS = 3;
const PAUSE_MS = 10_000;

const MeasuredSchema = Type.Object({
  /** Identity of the model that was measured. */
  model: Type.String(),
  /** Runtime that it ran in. */
  runtime: Type.String(),
  speed: Type.Enum(SPEEDS),
  lookMs: Type.Number({ minimum: 0 }),
});
type Measured = Static<typeof MeasuredSchema>;

/** The embedder, with its model loaded. */
type SpeedEmbedder = Pick<VectorSource, 'embed' | 'identity' | 'manifest' | 'runtime'>;

/** Milliseconds of all looks of an answer at speed `normal`, run together as in an answer; and of one alone. */
async function timesOf(
  embedder: SpeedEmbedder,
  { width, height, channels, closerLooks = [] }: Input,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
) {
  const pixels = new Uint8Array(width * height * channels);
  const timed = async (looks: number): Promise<number> => {
    const began = now();
    await Promise.all(Array.from({ length: looks }, () => embedder.embed(pixels)));
    return now() - began;
  };
  const answers: number[] = [];
  const looks: number[] = [];
  for (let round = 0; round <= MEASURED_ANSWERS && !signal.aborted; round++) {
    const [answer, look] = [await timed(1 + closerLooks.length), await timed(1)];
    if (round === 0) continue;
    answers.push(answer);
    looks.push(look);
  }
  return { answerMs: medianOf(answers), lookMs: medianOf(looks) };
}
type Input = NonNullable<SpeedEmbedder['manifest']>['input'];

const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.POSITIVE_INFINITY;

const tenth = (value: number): number => Math.round(value * 10) / 10;

export class SpeedChoice {
  readonly #embedder: SpeedEmbedder;
  readonly #log: LogLine;
  readonly #pauseMs: number;
  readonly #now: () => number;
  readonly #store: JsonStore<{ measured?: Measured }>;
  readonly #closing = new AbortController();
  #measuring: Promise<void> = Promise.resolve();

  /** @param now milliseconds, with fractions; the machine's when left out */
  constructor(
    path: string,
    embedder: SpeedEmbedder,
    log: LogLine,
    { pauseMs = PAUSE_MS, now = () => performance.now() }: { pauseMs?: number; now?: () => number } = {},
  ) {
    this.#embedder = embedder;
    this.#log = log;
    this.#pauseMs = pauseMs;
    this.#now = now;
    // a damaged file counts as none: the speed is measured again
    this.#store = JsonStore.open(path, Type.Object({ measured: Type.Optional(MeasuredSchema) }), {});
  }

  /** The measurement of the present model; null while there is none. */
  get measured(): Pick<Measured, 'speed' | 'lookMs'> | null {
    const { measured } = this.#store.value;
    const { identity, runtime } = this.#embedder;
    if (measured === undefined || measured.model !== identity || measured.runtime !== runtime?.name) return null;
    return measured;
  }

  /**
   * Measures the model that runs now, unless `normal` was measured before. Settles when the measurement has ended or
   * failed; never rejects.
   */
  start(): Promise<void> {
    this.#measuring = this.#measure();
    return this.#measuring;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#measuring;
  }

  async #measure(): Promise<void> {
    const { signal } = this.#closing;
    for (let attempt = 1; attempt <= ATTEMPTS && this.measured?.speed !== 'normal' && !signal.aborted; attempt++) {
      if (attempt > 1) await pause(this.#pauseMs, signal);
      try {
        if (!signal.aborted) await this.#measureOnce();
      } catch (error) {
        this.#log('the speed of recognition could not be measured', { reason: String(error), attempt });
      }
    }
  }

  async #measureOnce(): Promise<void> {
    const { signal } = this.#closing;
    const { identity: model, manifest, runtime } = this.#embedder;
    if (model === null || manifest === null || runtime === null) return;
    const { answerMs, lookMs } = await timesOf(this.#embedder, manifest.input, { now: this.#now, signal });
    if (signal.aborted) return; // an aborted measurement lacks answers
    const speed: Speed = AROUND_LOOKS_MS + answerMs <= MOST_ANSWER_MS ? 'normal' : 'fast';
    const times = { lookMs: tenth(lookMs), answerMs: tenth(answerMs) };
    this.#store.write({ measured: { model, runtime: runtime.name, speed, lookMs: times.lookMs } });
    this.#log('the speed of recognition was measured', { speed, runtime: runtime.name, ...times });
  }
}
