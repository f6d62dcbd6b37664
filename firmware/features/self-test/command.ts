/**
 * `lanectl selftest`: walks a technician through a new lane step by step, after the checks of `doctor`; `lanectl
 * selftest report` saves the newest report.
 */

import { createInterface, type Interface } from 'node:readline';
import type { Command } from 'commander';
import { DEFAULT_LANGUAGE } from '../../../drivers/lib/languages.ts';
import {
  acting,
  CommandFailure,
  type ExitName,
  Interruption,
  type Output,
  type Tools,
  writeAnswer,
} from '../../core/cli/index.ts';
import type { Shell } from '../feature.ts';
import type { SelfTestState } from './run.ts';

const PATH = '/console/api/self-test';
const POLL_MS = 300;
const ANSWERS: Readonly<Record<string, string>> = { y: 'yes', yes: 'yes', n: 'no', no: 'no', s: 'skip', q: 'stop' };
const HOW = {
  see: '[y]es, [n]o, [s]kip, [q]uit',
  ready: 'Enter when ready, [s]kip, [q]uit',
  press: '[n]o, [s]kip, [q]uit',
};
const TONES = { pass: 'green', asked: 'yellow', warn: 'yellow', fail: 'red', absent: 'gray' } as const;

type Result = SelfTestState['results'][number];
type Say = (key: string, about?: Result['says'][number]['about']) => string;

async function translator({ words }: Shell): Promise<Say> {
  const { translatorIn, wordsIn } = await import('./report.ts');
  return translatorIn(await wordsIn(DEFAULT_LANGUAGE, words), DEFAULT_LANGUAGE).t;
}

/** Reads typed lines in their order; the end of the input counts as `q`. */
class Typed {
  readonly #lines: string[] = [];
  readonly #reading: Interface;

  constructor() {
    this.#reading = createInterface({ input: process.stdin });
    this.#reading.on('line', (line) => this.#lines.push(line.trim().toLowerCase()));
    this.#reading.once('close', () => this.#lines.push('q'));
  }

  /**
   * The next answer.
   * @param isReady whether an empty line counts as yes
   * @returns null where nothing was typed, or no answer
   */
  next(isReady: boolean): string | null {
    const line = this.#lines.shift();
    if (line === undefined) return null;
    return line === '' && isReady ? 'yes' : (ANSWERS[line] ?? null);
  }

  close(): void {
    this.#reading.close();
  }
}

function lineOf({ step, verdict, says, reasons, detail }: Result, out: Output, say: Say): string {
  const measured = says.map(({ code, about }) => say(`selfTest.says.${code}`, about));
  const faults = reasons.map(({ code, about }) => say(`reason.${code}`, about));
  const more = [...measured, ...faults, detail].filter((text) => text !== '');
  const mark = out.coloured(TONES[verdict], say(`selfTest.verdict.${verdict}`).padEnd(12));
  return [`${mark} ${say(`selfTest.step.${step}`)}`, ...more.map((text) => `             ${text}`)].join('\n');
}

/** Runs the self-test: prints the results, and sends typed answers to its questions. */
async function walk({ device, out }: Tools, say: Say): Promise<SelfTestState> {
  const call = async (path: string, method: 'GET' | 'POST' | 'PUT', body?: object): Promise<SelfTestState> =>
    (await device.call('recognition', path, { method, ...(body && { body }) })) as SelfTestState;
  const interruption = new Interruption();
  const typed = new Typed();
  let state = await call(PATH, 'POST', { language: DEFAULT_LANGUAGE });
  let shown = 0;
  let asked: string | null = null;
  try {
    for (;;) {
      for (const result of state.results.slice(shown)) out.print(lineOf(result, out, say));
      shown = state.results.length;
      const { stage, step, asks } = state;
      if (stage !== 'running') return state;
      if (asks !== null && step !== asked) out.printAside(`${say(`selfTest.ask.${step}`)} ${HOW[asks]}`);
      asked = asks === null ? null : step;
      const answer = interruption.isRaised ? 'stop' : asks && typed.next(asks === 'ready');
      if (answer === null) {
        await interruption.pause(POLL_MS);
        state = await call(PATH, 'GET');
      } else state = await call(`${PATH}/answer`, 'PUT', { step, answer });
    }
  } finally {
    typed.close();
  }
}

async function selftest(tools: Tools, shell: Shell): Promise<ExitName> {
  const { out } = tools;
  const { diagnose, faultLines } = shell;
  const { faults, answers } = await diagnose(tools);
  if (!answers) {
    out.result({ answers, faults }, faultLines(out, faults));
    return 'faults';
  }
  const say = await translator(shell);
  const state = await walk(tools, say);
  const { report, reports, why } = state;
  // faults of parts are left out: the last step of the self-test reports them
  const beside = faults.filter(({ code }) => !code.startsWith('part.'));
  const [kept] = reports.filter(({ number }) => number === report);
  const end = why === null ? say(`selfTest.end.${kept?.verdict}`) : say(`selfTest.why.${why}`);
  out.result({ ...state, faults: beside }, [
    ...faultLines(out, beside),
    end,
    ...(report === null ? [] : [`report ${report}: lanectl selftest report FILE`]),
  ]);
  if (why !== null) return why === 'stopped' ? 'interrupted' : 'failed';
  return kept?.verdict === 'fail' || beside.length > 0 ? 'faults' : 'ok';
}

/** Saves the newest report. */
async function report({ device, out }: Tools, file: string): Promise<undefined> {
  const { reports } = (await device.call('recognition', PATH)) as SelfTestState;
  const [newest] = reports;
  if (newest === undefined)
    throw new CommandFailure('refused', 'this device has made no report yet: lanectl selftest makes one');
  const answer = await device.opened('recognition', `${PATH}/reports/${newest.number}`);
  await writeAnswer(answer, file, { mode: 0o600, judge: async () => undefined });
  out.result({ file }, [file]);
}

export function addSelfTest(program: Command, shell: () => Promise<Shell>): void {
  const command = program.command('selftest').description('check a new lane step by step, and print the report');
  command
    .command('walk', { isDefault: true })
    .description('walk through a new lane step by step; exits with 9 if a step fails')
    .action(acting(async (tools) => selftest(tools, await shell())));
  command
    .command('report')
    .description('write the report as a page to print')
    .argument('<file>', 'as report.html')
    .action(acting(report));
}
