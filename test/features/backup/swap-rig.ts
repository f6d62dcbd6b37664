/** A device of old files with a backup of new ones ready, and a change that is broken off. */
import fs, { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { BOOK_SCHEMA } from '../../../firmware/core/book/index.ts';
import { openFile } from '../../../firmware/core/files/database.ts';
import { lastRestore, type Mark, makeReady, READY, UNPACKING } from '../../../firmware/features/backup/swap.ts';

export const FILES = ['money.db', 'templates.db', 'settings.json'];
export const MARK: Mark = {
  ...{ version: '0.1.0', device: 'TEST0001', madeAt: '2026-11-21T00:00:00.000Z', isOwn: false, unopened: 0 },
  ...{ at: 1_795_000_000_000, isForced: false, before: 'before-restore-2026-11-21T00-00-00-000Z', files: FILES },
};

export function database(path: string, ...ids: readonly string[]): void {
  using db = openFile(path);
  db.exec(`CREATE TABLE payments (order_id TEXT, change_no INTEGER);
    CREATE TABLE refunds (refund_id TEXT, change_no INTEGER); CREATE TABLE shifts (number INTEGER, change_no INTEGER);
    ${BOOK_SCHEMA}`);
  for (const id of ids) db.prepare('INSERT INTO payments VALUES (?, 1)').run(id);
}

/** A device of old files, and a backup of new ones that is ready. */
export function prepared(folder: string, mark: Mark = MARK): void {
  database(join(folder, 'money.db'), 'a');
  for (const name of ['templates.db', 'money.journal', 'settings.json', 'settings.json.last-good'])
    writeFileSync(join(folder, name), 'old');
  for (const name of ['webhooks.db', 'chain-payments.json', 'secret.key', 'tokens.json'])
    writeFileSync(join(folder, name), 'of the board');
  const unpacked = join(folder, UNPACKING);
  mkdirSync(unpacked);
  database(join(unpacked, 'money.db'), 'a', 'b');
  for (const name of ['templates.db', 'settings.json']) writeFileSync(join(unpacked, name), 'new');
  makeReady(folder, mark);
}

export const idsIn = (path: string): unknown[] => {
  using db = openFile(path);
  return db
    .prepare('SELECT order_id AS id FROM payments')
    .all()
    .map(({ id }) => id);
};

export function mustBeNew(folder: string): void {
  assert.equal(idsIn(join(folder, 'money.db')), ['a', 'b']);
  for (const name of ['templates.db', 'settings.json']) assert.is(readFileSync(join(folder, name), 'utf8'), 'new');
  assert.equal(
    ['money.journal', 'settings.json.last-good', 'webhooks.db', 'chain-payments.json', READY].filter((name) =>
      existsSync(join(folder, name)),
    ),
    [],
    'nothing newer is left for the device to put back',
  );
  for (const name of ['secret.key', 'tokens.json'])
    assert.is(readFileSync(join(folder, name), 'utf8'), 'of the board', name);
  const before = join(folder, MARK.before);
  assert.equal(idsIn(join(before, 'money.db')), ['a']);
  assert.equal(readFileSync(join(before, 'settings.json'), 'utf8'), 'old');
  assert.equal(lastRestore(folder), { ...MARK, lost: null });
}

/** Breaks off at the n-th step that changes the disk. @returns whether there was such a step */
export function brokenOff(steps: number, work: () => void): boolean {
  const names = ['renameSync', 'rmSync', 'mkdirSync'] as const;
  const real = names.map((name) => [name, fs[name]] as const);
  let left = steps;
  const mine =
    <Rest extends readonly unknown[]>(step: (...rest: Rest) => unknown) =>
    (...rest: Rest): unknown => {
      if (left === 0) throw new Error('broken off');
      left -= 1;
      return step(...rest);
    };
  for (const [name, step] of real) Object.assign(fs, { [name]: mine(step as (...rest: unknown[]) => unknown) });
  syncBuiltinESMExports();
  try {
    work();
    return false;
  } catch (error) {
    assert.match(String(error), 'broken off');
    return true;
  } finally {
    for (const [name, step] of real) Object.assign(fs, { [name]: step });
    syncBuiltinESMExports();
  }
}
