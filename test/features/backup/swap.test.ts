/** A change that is broken off at any step is gone on with: the device has all of the one or all of the other. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../../firmware/core/files/database.ts';
import { discardReady, finishRestore, makeReady, READY, UNPACKING } from '../../../firmware/features/backup/swap.ts';
import { each, opening, temporaryFolder } from '../../support.ts';
import { brokenOff, idsIn, MARK, mustBeNew, prepared } from './swap-rig.ts';

const test = suite('the change to a backup');
const it = each(test, opening(temporaryFolder));

test('broken off after any number of steps, the next start goes on to the same end', () => {
  let steps = 0;
  for (let isBroken = true; isBroken; steps++) {
    using folder = temporaryFolder();
    prepared(folder.path);
    isBroken = brokenOff(steps, () => finishRestore(folder.path));
    finishRestore(folder.path);
    mustBeNew(folder.path);
    assert.is(finishRestore(folder.path), null, 'it is not done again');
  }
  assert.ok(steps > 10, `${steps} steps`);
});

test('what is not ready, or has no whole mark, is cleared away and nothing changes', () => {
  for (const broken of ['', '{', JSON.stringify({ ...MARK, files: ['../secret.key'] })]) {
    using folder = temporaryFolder();
    prepared(folder.path);
    writeFileSync(join(folder.path, READY, 'restore.json'), broken);
    mkdirSync(join(folder.path, '.backup-abc'));
    mkdirSync(join(folder.path, UNPACKING));
    assert.is(finishRestore(folder.path), null);
    assert.equal(idsIn(join(folder.path, 'money.db')), ['a']);
    const left = readdirSync(folder.path).filter((name) => /^(restore-|\.backup-|before-)/.test(name));
    assert.equal(left, []);
  }
});

for (const [what, action] of [
  ['a payment that came in', "INSERT INTO payments VALUES ('c', 2)"],
  ['a payment that changed', "UPDATE payments SET change_no = 2 WHERE order_id = 'a'"],
] as const)
  test(`${what} after the backup was checked stops the restore, unless forced`, () => {
    for (const isForced of [false, true]) {
      using folder = temporaryFolder();
      prepared(folder.path, { ...MARK, isForced });
      {
        using db = openFile(join(folder.path, 'money.db'));
        db.exec(action);
      }
      const before = idsIn(join(folder.path, 'money.db'));
      assert.equal(finishRestore(folder.path)?.lost, isForced ? null : { payments: 1 });
      assert.equal(idsIn(join(folder.path, 'money.db')), isForced ? ['a', 'b'] : before);
      assert.is(existsSync(join(folder.path, MARK.before)), isForced);
      assert.is(existsSync(join(folder.path, 'webhooks.db')), !isForced);
      assert.not.ok(existsSync(join(folder.path, READY)));
    }
  });

it('a file that the backup has none of is moved beside, and what is none of a backup stays', async (folder) => {
  const at = (...names: string[]) => join(folder.path, ...names);
  const gone = ['settings.json', 'settings.json.copy', 'empty-tray.bin'];
  const own = ['secret.key', 'pins.json'];
  for (const name of [...gone, ...own, 'recognition.json']) writeFileSync(at(name), `present ${name}`);
  mkdirSync(at(UNPACKING));
  writeFileSync(at(UNPACKING, 'recognition.json'), 'of the backup');
  makeReady(folder.path, { ...MARK, isOwn: true, files: ['recognition.json'] });
  finishRestore(folder.path);
  assert.is(readFileSync(at('recognition.json'), 'utf8'), 'of the backup');
  for (const name of gone) {
    assert.not.ok(existsSync(at(name)), name);
    assert.is(readFileSync(at(MARK.before, name), 'utf8'), `present ${name}`);
  }
  for (const name of own) assert.is(readFileSync(at(name), 'utf8'), `present ${name}`);
});

it('the board that has made the backup keeps which events it has delivered', async (folder) => {
  prepared(folder.path, { ...MARK, isOwn: true });
  finishRestore(folder.path);
  for (const name of ['webhooks.db', 'chain-payments.json']) assert.ok(existsSync(join(folder.path, name)), name);
});

it('a discarded backup loses its mark first: broken off there, its rest never takes its place', async (folder) => {
  prepared(folder.path);
  assert.ok(brokenOff(1, () => discardReady(folder.path)));
  assert.ok(existsSync(join(folder.path, READY, 'money.db')));
  assert.is(finishRestore(folder.path), null);
  assert.equal(idsIn(join(folder.path, 'money.db')), ['a']);
});

test('a book of money that cannot be read is restored over, and nothing of it is kept', () => {
  const mark = { ...MARK, isOwn: true, isForced: true };
  for (const content of ['no database', null]) {
    using folder = temporaryFolder();
    prepared(folder.path, mark);
    const present = join(folder.path, 'money.db');
    if (content === null) rmSync(present);
    else writeFileSync(present, content);
    assert.is(finishRestore(folder.path)?.lost, null);
    assert.equal(idsIn(present), ['a', 'b']);
  }
});

it('what cannot be read is not taken for what was never in force', async (folder) => {
  prepared(folder.path);
  rmSync(join(folder.path, READY, 'restore.json'));
  mkdirSync(join(folder.path, READY, 'restore.json'));
  assert.throws(() => finishRestore(folder.path), /EISDIR/);
  assert.ok(existsSync(join(folder.path, READY, 'money.db')));
});

test.run();
