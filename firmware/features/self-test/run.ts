/** One walk through the steps, as it stands. */
import type { PartHealth } from '../../core/host/index.ts';

/** From well to ill; `asked`: the person has passed the question over; `absent`: this lane has no such thing. */
export const VERDICTS = Object.freeze(['absent', 'pass', 'asked', 'warn', 'fail'] as const);
export type Verdict = (typeof VERDICTS)[number];

export const worse = (one: Verdict, other: Verdict): Verdict =>
  VERDICTS.indexOf(one) < VERDICTS.indexOf(other) ? other : one;

/** What a person is asked: whether they see it; to say when all is laid out; to press the button. */
export type Asking = 'see' | 'ready' | 'press';
export type Answer = 'yes' | 'no' | 'skip';

/** What was measured, by a code that has words. */
export interface Said {
  readonly code: string;
  readonly about: Readonly<Record<string, string | number>>;
}

export interface Outcome {
  readonly verdict: Verdict;
  readonly says: Said[];
  /** What the system or a library has said of a failure, in English; else empty. */
  readonly detail: string;
}

export interface Result extends Outcome {
  readonly step: string;
  /** What `/health` finds wrong with the parts of the step. */
  readonly reasons: PartHealth['reasons'];
}

/** `sale`: a till has asked for a payment; `stopped` by a person; `unanswered`: a question was left; `unkept`: the report could not be written. */
export type Why = 'sale' | 'stopped' | 'unanswered' | 'unkept';

/** Of a report that is kept. */
export interface ReportLine {
  readonly number: number;
  /** ISO 8601. */
  readonly at: string;
  readonly version: string;
  readonly verdict: Verdict;
}

export interface SelfTestState {
  readonly stage: 'rest' | 'running' | 'done' | 'broken';
  /** Names of all, in order. */
  readonly steps: string[];
  /** The one that is taken now. */
  readonly step: string | null;
  /** What the person is asked now. */
  readonly asks: Asking | null;
  readonly results: Result[];
  /** Why it was broken off. */
  readonly why: Why | null;
  /** Number of the report of this one, once it is done. */
  readonly report: number | null;
  /** Those that are kept, the newest first. */
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

  /** The first reason stays. */
  breakOff(why: Why): void {
    if (this.stage !== 'running' || this.signal.aborted) return;
    this.why = why;
    this.#question = null;
    this.#breaking.abort();
  }

  /** @returns never, where the walk is broken off before */
  ask(kind: Asking): Promise<Answer> {
    return new Promise((resolve) => {
      if (!this.signal.aborted) this.#question = { kind, answer: resolve };
    });
  }

  /** Of a question that is not asked any more it is passed over. */
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
