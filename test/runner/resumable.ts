/** Which suites have passed since the last change, so that a long run that was broken off goes on where it was. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../root.ts';
import type { Outcome } from './outcome.ts';

const FILE = join(ROOT, 'node_modules/.cache/laneware-tests.json');

/** Names the state of the checkout: its commit, and what differs from it. */
function stateOfCheckout(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, maxBuffer: 1 << 30 });
  const state = createHash('sha256').update(git('rev-parse', 'HEAD')).update(git('diff', 'HEAD'));
  const added = git('ls-files', '--others', '--exclude-standard').toString().split('\n').filter(Boolean);
  for (const path of added) state.update(path).update(readFileSync(join(ROOT, path)));
  return state.digest('hex');
}

interface Kept {
  readonly state: string;
  readonly suites: Readonly<Record<string, readonly Outcome[]>>;
}

export class Resumable {
  readonly #state = stateOfCheckout();
  #suites: Readonly<Record<string, readonly Outcome[]>> = {};

  /** @param resume whether what is kept counts; else the run begins anew */
  constructor(resume: boolean) {
    if (!resume || !existsSync(FILE)) return;
    const kept: Kept = JSON.parse(readFileSync(FILE, 'utf8'));
    if (kept.state === this.#state) this.#suites = kept.suites;
  }

  /** What came of a suite that has passed; null where it is to be run. */
  passed(suite: string): readonly Outcome[] | null {
    return this.#suites[suite] ?? null;
  }

  /** Keeps a suite that has passed. */
  keep(suite: string, outcomes: readonly Outcome[]): void {
    if (outcomes.some(({ failed }) => failed > 0)) return;
    this.#suites = { ...this.#suites, [suite]: outcomes.map((outcome) => ({ ...outcome, output: '' })) };
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(FILE, JSON.stringify({ state: this.#state, suites: this.#suites }));
  }
}
