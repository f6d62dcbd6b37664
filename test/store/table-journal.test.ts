/** The journal of a table: what it holds outlives the moment between two files. */
import { mkdirSync, readdirSync, renameSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JournalContent } from '../../firmware/store/checked/journal-content.ts';
import { checksumOf, type Version } from '../../firmware/store/checked/row.ts';
import { TableJournal } from '../../firmware/store/checked/table-journal.ts';
import { temporaryFolder, until } from '../support.ts';
import { append, holds, opened } from './journal-rig.ts';

const test = suite('the journal of a table');

test('a crash between the two renames of a new file loses nothing', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'ledger.journal');
  const before = opened(path);
  append(before, 1, 3);
  before.close();
  renameSync(path, `${path}.before`);
  writeFileSync(`${path}.new`, 'unfinished');
  const after = opened(path);
  append(after, 4, 5);
  assert.is(after.problem, null);
  after.close();
  holds(path, 5);
  assert.equal(readdirSync(folder.path).sort(), ['ledger.journal', 'ledger.journal.before']);
});

test('where the present file cannot be opened for a while, nothing takes its place, nor that of the one before', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'ledger.journal');
  const journal = opened(path);
  append(journal, 1, 3);
  journal.rotate();
  append(journal, 4, 6);
  // a folder in the place of the one before: the present file cannot be put there
  renameSync(`${path}.before`, `${path}.kept`);
  mkdirSync(`${path}.before`);
  journal.rotate();
  assert.match(journal.problem ?? '', /EISDIR|ENOTEMPTY|ENOTDIR/);
  append(journal, 7, 7);
  assert.is(journal.problem, null);
  rmdirSync(`${path}.before`);
  renameSync(`${path}.kept`, `${path}.before`);
  append(journal, 8, 8);
  journal.close();
  holds(path, 8);
});

test('a journal that no copy has taken in for long is given up before it cannot be read any more', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'ledger.journal');
  const journal = opened(path);
  const text = 'x'.repeat(1024 * 1024);
  const large = (change: number): Version => {
    const row = `{"change_no":${change},"id":${change},"purpose":"${text}"}`;
    return { id: change, change, checksum: checksumOf(row), text: row };
  };
  for (let change = 1; change <= 70; change += 1) journal.append([large(change)]);
  assert.is(journal.problem, null);
  journal.close();
  const content = JournalContent.read(path);
  assert.not(content.damaged);
  assert.is(content.head, 70);
  assert.not(content.covers(0));
  const [first] = content.versions;
  assert.ok(first !== undefined && content.covers(first.change - 1));
});

test('lines that cannot be synced are reported, and counted', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'ledger.journal');
  symlinkSync('/dev/null', path); // it takes what is written, and cannot be synced
  const journal = new TableJournal({ path, tableId: 7, found: JournalContent.NONE, now: 0 });
  append(journal, 1, 1);
  assert.equal([journal.problem, journal.failures], [null, 0]);
  await until('the sync', () => journal.problem !== null);
  assert.is(journal.failures, 1);
  journal.close();
});

test.run();
