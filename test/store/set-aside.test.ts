/** Files that were set aside: the newest few are kept. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allSetAside, lastSetAside, MOST_KEPT, setAside } from '../../firmware/core/files/set-aside.ts';
import { each, inFolder } from '../support.ts';

const test = suite('files that were set aside');
const it = each(test, inFolder);

const NOW = Date.parse('2026-11-20');
const DAY_MS = 86_400_000;
const ROUNDS = 12;

it('the newest are kept, with what belongs to them, in the order in which they were set aside', (folder) => {
  const path = join(folder.path, 'some.db');
  for (let n = 1; n <= ROUNDS; n += 1) {
    for (const end of ['', '-wal', '-journal']) writeFileSync(path + end, `${n}${end}`);
    setAside(path, NOW);
  }
  const kept = allSetAside(path);
  assert.equal(
    kept.map((aside) => readFileSync(aside, 'utf8')),
    Array.from({ length: MOST_KEPT }, (_, n) => String(ROUNDS - MOST_KEPT + 1 + n)),
  );
  assert.is(readdirSync(folder.path).length, 3 * MOST_KEPT);
  assert.is(lastSetAside(path), kept.at(-1));
});

it('the last one is kept, though the clock says that it is the oldest', (folder) => {
  const path = join(folder.path, 'some.json');
  let last = '';
  for (let n = 1; n <= ROUNDS; n += 1) {
    writeFileSync(path, String(n));
    last = setAside(path, NOW - n * DAY_MS);
    assert.is(readFileSync(last, 'utf8'), String(n));
  }
  assert.is(allSetAside(path).length, MOST_KEPT);
});

it('a folder that somebody put there stays, and so does what a link leads to', (folder) => {
  const path = join(folder.path, 'some.json');
  const theirs = join(folder.path, 'theirs');
  writeFileSync(theirs, 'x');
  mkdirSync(path);
  writeFileSync(join(path, 'inner'), 'x');
  const first = setAside(path, NOW);
  for (let n = 1; n <= ROUNDS; n += 1) {
    symlinkSync(theirs, path);
    setAside(path, NOW);
  }
  assert.ok(lstatSync(first).isDirectory());
  assert.is(readFileSync(theirs, 'utf8'), 'x');
  assert.ok(allSetAside(path).length <= MOST_KEPT + 1);
});

test.run();
