/** The state of one walk through the steps. */
import type { PartHealth } from '../../core/host/index.ts';

/** Verdicts from good to bad; `asked`: the person has skipped the question; `absent`: this lane has no such part. */
export const VERDICTS = Object.freeze(['absent', 'pass', 'asked', 'warn', 'fail'] as const);
export type Verdict = (typeof VERDICTS)[number];

export const worse = (one: Verdict, other: Verdict): Verdict =>
  VERDICTS.indexOf(one) < VERDICTS.indexOf(other) ? other : one;

/** Questions to a person: whether they see something; to confirm that all is laid out; to press the button. */
export type Asking = 'see' | 'ready' | 'press';
export type Answer = 'yes' | 'no' | 'skip';

/** A measurement, by a key that has words. */
export interface Said {
  readonly code: string;
  readonly about: Readonly<Record<string, string | number>>;
}

export interface Outcome {
  readonly verdict: Verdict;
  readonly says: Said[];
  /** The message of the system or a library about a failure, in English; else empty. */
  readonly detail: string;
}

export interface Result extends Outcome {
  readonly step: string;
  /** Reasons in `/health` about the parts of the step. */
  readonly reasons: PartHealth['reasons'];
}

/**
 * `sale`: a till has begun a payment; `stopped` by a person; `unanswered`: nobody answered a question; `unkept`: the
 * report could not be written.
 */
export type Why = 'sale' | 'stopped' | 'unanswered' | 'unkept';

/** One saved report in the list. */
export interface ReportLine {
  readonly number: number;
  /** When it was made, ISO 8601. */
  readonly at: string;
  readonly version: string;
  readonly verdict: Verdict;
}

export interface SelfTestState {
  readonly stage: 'rest' | 'running' | 'done' | 'broken';
  /** Names of all steps, in their order. */
  readonly steps: string[];
  /** The present step. */
  readonly step: string | null;
  /** The present question to the person. */
  readonly asks: Asking | null;
  readonly results: Result[];
  /** Why the walk was broken off. */
  readonly why: Why | null;
  /** Number of this walk's report, once the walk is done. */
  readonly report: number | null;
  /** Saved reports, the newest first. */
  readonly reports: ReportLine[];
}

export class Run {
  readonly results: Result[] = [];
  readonly #breaking = new AbortController();
  stage: SelfTestState['stage'] = 'running';
  step: string | null = null;
  why: Why | null = null;
  report: number | null = null;
  #question: { readonly kind: Asking; readonly answer: (answer: Answer) => void } | null = null;

  get signal(): AbortSignal {
    return this.#breaking.signal;
  }

  get asks(): Asking | null {
    return this.#question?.kind ?? null;
  }

  /** Breaks the walk off; the first reason stays. */
  breakOff(why: Why): void {
    if (this.stage !== 'running' || this.signal.aborted) return;
    this.why = why;
    this.#question = null;
    this.#breaking.abort();
  }

  /** @returns never, where the walk is broken off first */
  ask(kind: Asking): Promise<Answer> {
    return new Promise((resolve) => {
      if (!this.signal.aborted) this.#question = { kind, answer: resolve };
    });
  }

  /** Answers the question; an answer to an earlier question is ignored. */
  answer(step: string, answer: Answer): void {
    if (step !== this.step) return;
    const question = this.#question;
    this.#question = null;
    question?.answer(answer);
  }

  pressed(): void {
    if (this.asks === 'press' && this.step !== null) this.answer(this.step, 'yes');
  }
}
