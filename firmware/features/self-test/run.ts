/** One run of the self-test: its state, and the question to the person. Also the types of results and reports. */
import type { PartHealth } from '../../core/host/index.ts';

/** Verdicts, the worst last. `absent`: this lane has no such part; `asked`: the person has skipped the question. */
export const VERDICTS = Object.freeze(['absent', 'pass', 'asked', 'warn', 'fail'] as const);
export type Verdict = (typeof VERDICTS)[number];

export const worseOf = (one: Verdict, other: Verdict): Verdict =>
  VERDICTS.indexOf(one) < VERDICTS.indexOf(other) ? other : one;

/**
 * Questions to a person: `see`: whether they see something; `ready`: to confirm that everything is in place; `press`:
 * to press the button.
 */
export type QuestionKind = 'see' | 'ready' | 'press';
export type Answer = 'yes' | 'no' | 'skip';

/** A measurement or remark, by the key of its words (`code`) and their parameters. */
export interface Remark {
  readonly code: string;
  readonly about: Readonly<Record<string, string | number>>;
}

export interface Outcome {
  readonly verdict: Verdict;
  readonly says: Remark[];
  /** The message of the system or a library about a failure, in English; else empty. */
  readonly detail: string;
}

export interface Result extends Outcome {
  readonly step: string;
  /** Reasons in `/health` about the parts of the step. */
  readonly reasons: PartHealth['reasons'];
}

/**
 * Why a run ended early. `sale`: a till has begun a payment; `stopped`: by a person; `unanswered`: nobody answered a
 * question; `unkept`: the report could not be written.
 */
export type EndReason = 'sale' | 'stopped' | 'unanswered' | 'unkept';

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
  /** The current step. */
  readonly step: string | null;
  /** The current question to the person. */
  readonly asks: QuestionKind | null;
  readonly results: Result[];
  /** Why the run ended early. */
  readonly why: EndReason | null;
  /** Number of this run's report, once the run is done. */
  readonly report: number | null;
  /** Saved reports, the newest first. */
  readonly reports: ReportLine[];
}

export class Run {
  readonly results: Result[] = [];
  readonly #abort = new AbortController();
  stage: SelfTestState['stage'] = 'running';
  step: string | null = null;
  why: EndReason | null = null;
  report: number | null = null;
  #question: { readonly kind: QuestionKind; readonly answer: (answer: Answer) => void } | null = null;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get asks(): QuestionKind | null {
    return this.#question?.kind ?? null;
  }

  /** Ends the run early; the first reason stays. */
  breakOff(why: EndReason): void {
    if (this.stage !== 'running' || this.signal.aborted) return;
    this.why = why;
    this.#question = null;
    this.#abort.abort();
  }

  /** Asks the person. The promise never settles where the run ends early. */
  ask(kind: QuestionKind): Promise<Answer> {
    return new Promise((resolve) => {
      if (!this.signal.aborted) this.#question = { kind, answer: resolve };
    });
  }

  /** Answers the current question; an answer to another step's question is ignored. */
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
