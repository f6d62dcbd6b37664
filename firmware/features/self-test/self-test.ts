/**
 * Runs the steps of the self-test, one run at a time, and then restores the display and the lamp. A run that reaches
 * its end makes a report, of which the last few are stored.
 */

import Type, { type Static } from 'typebox';
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { Language } from '../../../drivers/lib/languages.ts';
import type { SALES } from '../../../drivers/lib/records.ts';
import { JsonStore } from '../../core/files/index.ts';
import { DeviceRefusal, type HealthBoard, type Log, type Timekeeper } from '../../core/host/index.ts';
import type { Terminal } from '../../payments/index.ts';
import type { TrayPins } from '../../recognition/index.ts';
import { type Dictionary, reportPage, wordsIn } from './report.ts';
import {
  type Answer,
  type Outcome,
  type ReportLine,
  type Result,
  Run,
  type SelfTestState,
  VERDICTS,
  type Verdict,
  worseOf,
} from './run.ts';
import { type Bench, STEPS, type Step } from './steps.ts';

/** How many reports are stored, some 15 kB each. */
const KEPT = 5;

const Report = Type.Object({
  number: Type.Integer(),
  at: Type.String(),
  version: Type.String(),
  verdict: Type.Enum([...VERDICTS]),
  page: Type.String({ description: 'as it is printed' }),
});
type Kept = Static<typeof Report>;

/** The last reports, in one document that is written atomically. */
class KeptReports {
  readonly #store: JsonStore<{ reports: Kept[] }>;

  constructor(path: string) {
    this.#store = JsonStore.open(path, Type.Object({ reports: Type.Array(Report) }), { reports: [] });
  }

  /** The stored reports, the newest first. */
  get lines(): ReportLine[] {
    return this.#store.value.reports.map(({ number, at, version, verdict }) => ({ number, at, version, verdict }));
  }

  page(number: number): string | null {
    return this.#store.value.reports.find((report) => report.number === number)?.page ?? null;
  }

  /** @throws the file system's error: nothing has changed then */
  keep(report: Kept): void {
    this.#store.write({ reports: [report, ...this.#store.value.reports].slice(0, KEPT) });
  }
}

/** A question that nobody answers ends the run after this time, so that the lane can work again. */
const ANSWER_LIMIT_MS = 10 * 60_000;

export interface SelfTestOptions extends Omit<Bench, 'terminal' | 'pins' | 'clock' | 'ask' | 'signal'> {
  readonly terminal: Bench['terminal'] & Pick<Terminal, 'isAtRest' | 'onSale'>;
  readonly panel: Pick<TrayPins, 'lend'>;
  readonly health: Pick<HealthBoard, 'report'>;
  readonly clock: Pick<Timekeeper, 'after' | 'wall'>;
  /** Words that all pages share. */
  readonly words: (language: Language) => Promise<Dictionary>;
  /** File of the stored reports. */
  readonly path: string;
  readonly device: string;
  readonly version: string;
  /** Log for warnings. */
  readonly log: Pick<Log, 'warn'>;
}

/** Verdict on a step by the level of a part's reason in `/health`. */
const VERDICT_OF_SALES: Readonly<Record<(typeof SALES)[number], Verdict>> = {
  sells: 'absent',
  'sells-look-later': 'warn',
  'does-not-sell': 'fail',
};
const NAMED = new Set(STEPS.flatMap(({ parts }) => parts ?? []));

export class SelfTest {
  readonly #options: SelfTestOptions;
  readonly #reports: KeptReports;
  readonly #steps: readonly Step[];
  #run: Run | null = null;
  #done: Promise<void> = Promise.resolve();

  constructor(options: SelfTestOptions, steps = STEPS) {
    this.#options = options;
    this.#steps = steps;
    this.#reports = new KeptReports(options.path);
  }

  get state(): SelfTestState {
    const run = this.#run;
    return {
      stage: run?.stage ?? 'rest',
      steps: this.#steps.map(({ name }) => name),
      step: run?.step ?? null,
      asks: run?.asks ?? null,
      results: run?.results ?? [],
      why: run?.why ?? null,
      report: run?.report ?? null,
      reports: this.#reports.lines,
    };
  }

  /** Begins a run; does nothing where one is in progress. @throws {DeviceRefusal} `SaleRuns` */
  begin(language: Language): void {
    if (this.#run?.stage === 'running') return;
    if (!this.#options.terminal.isAtRest)
      throw new DeviceRefusal(
        'SaleRuns',
        'a payment is in progress, or its outcome is on the display: try again afterwards',
      );
    const run = new Run();
    this.#run = run;
    this.#done = this.#walk(run, language);
  }

  /** @param step of the question; an answer for another step is ignored */
  answer(step: string, answer: Answer): void {
    this.#run?.answer(step, answer);
  }

  stop(): void {
    this.#run?.breakOff('stopped');
  }

  /** The report as a page to print. @throws {DeviceRefusal} `NoReport` */
  report(number: number): string {
    const page = this.#reports.page(number);
    if (page === null) throw new DeviceRefusal('NoReport', `there is no report of the number ${number}`);
    return page;
  }

  /** Ends the run; resolves when display and lamp are restored. */
  async close(): Promise<void> {
    this.stop();
    await this.#done;
  }

  async #walk(run: Run, language: Language): Promise<void> {
    const { terminal, panel, log } = this.#options;
    const { screen } = terminal;
    const stops = [
      terminal.onSale(() => run.breakOff('sale')),
      // a till may show something else on the display, and an earlier payment may change it
      screen.onChange(() => screen.isIdle || run.breakOff('sale')),
    ];
    const pins = panel.lend(() => run.pressed());
    try {
      for (const step of this.#steps) {
        run.step = step.name;
        const result = await this.#result(step, run, pins);
        if (run.signal.aborted) break;
        run.results.push(result);
      }
    } finally {
      for (const stop of stops) stop();
      pins.release();
      screen.endTest();
    }
    if (!run.signal.aborted)
      await this.#keep(run, language).catch((err: unknown) => {
        log.warn({ err }, 'the report of the self-test could not be kept');
        run.breakOff('unkept');
      });
    run.step = null;
    if (run.report === null) run.stage = 'broken';
  }

  /** Runs a step. Resolves at once where the run ends early; the step's later result is ignored. */
  async #result(step: Step, run: Run, pins: Bench['pins']): Promise<Result> {
    const broken = new Promise<Outcome>((resolve) =>
      run.signal.addEventListener('abort', () => resolve({ verdict: 'asked', says: [], detail: '' }), { once: true }),
    );
    const outcome = await Promise.race([this.#outcome(step, run, pins), broken]);
    const reasons = this.#reasonsOf(step);
    const verdict = reasons.map(({ sales }) => VERDICT_OF_SALES[sales]).reduce(worseOf, outcome.verdict);
    const isIll = outcome.verdict === 'warn' || outcome.verdict === 'fail';
    // where `/health` has reasons, they come with their own remedy
    const advice = isIll && reasons.length === 0 ? [{ code: `advice-${step.name}`, about: {} }] : [];
    return { ...outcome, says: [...outcome.says, ...advice], step: step.name, verdict, reasons };
  }

  async #outcome(step: Step, run: Run, pins: Bench['pins']): Promise<Outcome> {
    const { clock } = this.#options;
    const ask: Bench['ask'] = async (kind) => {
      const callOff = clock.after(ANSWER_LIMIT_MS, () => run.breakOff('unanswered'));
      run.signal.addEventListener('abort', callOff, { once: true });
      const answer = await run.ask(kind);
      callOff();
      return answer;
    };
    try {
      return await step.run({ ...this.#options, pins, ask, signal: run.signal });
    } catch (error) {
      return { verdict: 'fail', says: [], detail: messageOf(error) };
    }
  }

  #reasonsOf({ parts }: Step): Result['reasons'] {
    const own = this.#options.health.report().parts.filter(({ part }) => parts?.includes(part) ?? !NAMED.has(part));
    return own.flatMap(({ reasons }) => reasons.filter(({ sales }) => sales !== 'sells'));
  }

  async #keep(run: Run, language: Language): Promise<void> {
    const { device, version, board, clock, words } = this.#options;
    const [last] = this.#reports.lines;
    const number = (last?.number ?? 0) + 1;
    const verdict = run.results.map((result) => result.verdict).reduce(worseOf, 'absent');
    const about = { number, at: new Date(clock.wall()).toISOString(), version, verdict };
    const report = { ...about, device, model: board.model, results: run.results };
    const page = reportPage(report, await wordsIn(language, words), language);
    if (run.signal.aborted) return; // a sale has begun
    this.#reports.keep({ ...about, page });
    run.report = number;
    run.stage = 'done';
  }
}
