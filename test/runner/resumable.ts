/** Which suites have passed since the last change, so that a long run that was broken off goes on where it was. */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../root.ts';
import { addedPaths, git } from './git.ts';
import type { Outcome } from './outcome.ts';

const FILE = join(ROOT, 'node_modules/.cache/laneware-tests.json');

/** Names the state of the checkout: its commit, and what differs from it. @throws {Error} of `git.ts` */
export function stateOfCheckout(root: string): string {
  const state = createHash('sha256')
    .update(git(root, 'rev-parse', 'HEAD'))
    .update(git(root, 'diff', 'HEAD'));
  for (const path of addedPaths(root)) {
    const { size, mtimeMs } = lstatSync(join(root, path)); // it may be a folder, or a link to nowhere
    state.update(`${path}\0${size} ${mtimeMs}\0`);
  }
  return state.digest('hex');
}

interface Kept {
  readonly state: string;
  readonly suites: Readonly<Record<string, readonly Outcome[]>>;
}

export class Resumable {
  /** Null where nothing can be kept: without git it is unknown what changes. */
  readonly #state = existsSync(join(ROOT, '.git')) ? stateOfCheckout(ROOT) : null;
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
    if (this.#state === null || outcomes.some(({ failed }) => failed > 0)) return;
    this.#suites = { ...this.#suites, [suite]: outcomes.map((outcome) => ({ ...outcome, output: '' })) };
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(`${FILE}.new`, JSON.stringify({ state: this.#state, suites: this.#suites }));
    renameSync(`${FILE}.new`, FILE); // a run may be broken off here, too
  }
}
