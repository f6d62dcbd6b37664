/** A device that is killed at any step of taking, proving or undoing what its chain wants: the old or the new, whole, and an end of it. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DesiredConfig, type Wanted } from '../../../../firmware/config/desired.ts';
import { loadConfig } from '../../../../firmware/config/load.ts';
import { COMPILED, temporaryFolder } from '../../../support.ts';
import { WANTED } from './killed-at.ts';

const test = suite('chain: configuration, killed');

const OLD: Wanted = { mark: 'm1', number: 1, settings: { 'terminal.symbolMs': 3000 } };
const PROGRAM = join(import.meta.dirname, 'killed-at.ts');
const MORE_THAN_IT_HAS = 40;

const taken = (wanted: Wanted) => ({ taken: wanted, trial: null, failure: null });
const trial = (starts: number) => ({ taken: OLD, trial: { wanted: WANTED, starts, ill: {} }, failure: null });
const undone = { mark: 'm2', number: 2, state: 'undone', reason: 'it is not well' };

/** What lies there before each action, what may lie there whenever it is killed, and what does when it is not. */
const ACTIONS: readonly (readonly [action: string, before: object, may: readonly object[], after: object])[] = [
  ['want', taken(OLD), [], trial(0)],
  ['start', trial(0), [], trial(1)],
  ['prove', trial(0), [trial(1)], taken(WANTED)],
  ['undo', trial(0), [trial(1)], { taken: OLD, trial: null, failure: undone }],
  ['end in order', trial(0), [trial(1)], trial(0)],
];

const load = (settings: Wanted['settings']) => loadConfig(null, {}, settings);

/** As a device that is started again and again, and ends each time: what it runs with, and what it reports. */
function startOften(path: string): string[] {
  return Array.from({ length: 4 }, () => {
    const desired = new DesiredConfig(path);
    const { config } = desired.choose(load);
    return `${config.terminal.symbolMs} ${desired.report?.state}`;
  });
}

for (const [action, before, may, after] of ACTIONS) {
  test(`${action}: the old or the new is there at each step, and a trial that is cut short ends undone`, () => {
    let step = 0;
    for (; step < MORE_THAN_IT_HAS; step++) {
      using folder = temporaryFolder();
      const path = join(folder.path, 'chain-config.json');
      writeFileSync(path, JSON.stringify(before));
      const env = { PATH: process.env.PATH, ...COMPILED };
      const { signal, status, stderr } = spawnSync(process.execPath, [PROGRAM, path, action, String(step)], { env });
      if (signal !== 'SIGKILL') assert.is(status, 0, String(stderr));
      const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
      const allowed = signal === null ? [after] : [before, ...may, after];
      assert.ok(
        allowed.some((each) => JSON.stringify(each) === JSON.stringify(found)),
        `${step}: ${JSON.stringify(found)}`,
      );
      const starts = startOften(path);
      for (const each of starts) assert.match(each, /^(3000 (taken|undone)|4000 (pending|taken))$/, `${step}`);
      // what is not proven is not in force for good
      assert.is(
        starts.at(-1),
        JSON.stringify(found) === JSON.stringify(taken(WANTED)) ? '4000 taken' : lastOf(found),
        `${step}`,
      );
      if (signal === null) break;
    }
    assert.ok(step >= 4 && step < MORE_THAN_IT_HAS, `${step} steps`);
  });
}

/** What a device that was wanted nothing new of runs with, or one whose trial has ended. */
const lastOf = (found: unknown): string =>
  JSON.stringify(found) === JSON.stringify(taken(OLD)) ? '3000 taken' : '3000 undone';

test.run();
