/** The journal of a table: what it holds outlives a full disk and the moment between two files. */
import { mkdirSync, readdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JournalContent } from '../../firmware/store/checked/journal/journal-content.ts';
import { TableJournal } from '../../firmware/store/checked/journal/table-journal.ts';
import { checksumOf, type Version } from '../../firmware/store/checked/row.ts';
import { Disk, NO_POWER_CUTS } from '../disk.ts';
import { suiteNeeding } from '../skipping.ts';
import { SmallDisk, whyNoSmallDisk } from '../small-disk.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('the journal of a table');

const NOW = Date.parse('2026-11-20');
const TABLE = 7;
const OPEN_FILES = '/proc/self/fd';

function version(change: number): Version {
  const text = `{"change_no":${change},"id":${change},"purpose":"${'x'.repeat(1000)}"}`;
  return { id: change, change, checksum: checksumOf(text), text };
}

const opened = (path: string): TableJournal =>
  new TableJournal({ path, tableId: TABLE, found: JournalContent.read(path), now: NOW });
const append = (journal: TableJournal, first: number, last: number): void => {
  for (let change = first; change <= last; change += 1) journal.append([version(change)]);
};

/** It holds every change up to one, in order, and says so. */
function holds(path: string, last: number, after = 0): void {
  const content = JournalContent.read(path);
  assert.equal(
    content.versions.map(({ change }) => change),
    Array.from({ length: last - after }, (_, n) => after + 1 + n),
  );
  assert.not(content.damaged);
  assert.ok(content.covers(after));
  assert.is(content.head, last);
}

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

const onDisk = suiteNeeding(whyNoSmallDisk(), 'the journal of a table on a full disk');

onDisk('a new file for which there is no room: both files stay as they are, no handle is left, and it goes on', () => {
  using disk = new SmallDisk(4);
  const path = join(disk.path, 'ledger.journal');
  const journal = opened(path);
  append(journal, 1, 10);
  journal.rotate();
  append(journal, 11, 20);
  disk.fill();
  const handles = readdirSync(OPEN_FILES).length;
  for (const _ of [1, 2, 3]) {
    journal.rotate();
    assert.match(journal.problem ?? '', /ENOSPC/);
    assert.ok(readdirSync(OPEN_FILES).length <= handles);
    holds(path, 20);
  }
  disk.empty();
  append(journal, 21, 22);
  assert.is(journal.problem, null);
  holds(path, 22);
  journal.rotate();
  append(journal, 23, 23);
  journal.close();
  holds(path, 23, 10);
});

const power = suiteNeeding(NO_POWER_CUTS, 'the journal of a table and the power');

power('a cut right after the journal was closed, or a new file of it begun, loses no line', () => {
  for (const end of ['close', 'rotate'] as const) {
    using disk = new Disk();
    const path = join(disk.mount, 'ledger.journal');
    const journal = opened(path);
    append(journal, 1, 30);
    journal[end]();
    assert.is(journal.problem, null);
    disk.cutPower();
    journal.close();
    disk.unplug();
    disk.plugIn();
    holds(path, 30);
    if (end === 'rotate') assert.ok(JournalContent.read(path).covers(30));
  }
});

test.run();
onDisk.run();
power.run();
