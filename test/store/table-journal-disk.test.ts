/** The journal of a table: what it holds outlives a full disk and a power cut. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { JournalContent } from '../../firmware/store/checked/journal-content.ts';
import { type Migration, openDatabase } from '../../firmware/store/database.ts';
import { writeFailure } from '../../firmware/store/write-failure.ts';
import { Disk, NO_POWER_CUTS } from '../disk.ts';
import { suiteNeeding } from '../needing.ts';
import { SmallDisk, whyNoSmallDisk } from '../small-disk.ts';
import { append, holds, opened } from './journal-rig.ts';

const OPEN_FILES = '/proc/self/fd';

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

onDisk('a database of which no copy fits is not changed for a new release, and the full disk is reported', () => {
  using disk = new SmallDisk(8);
  const path = join(disk.path, 'some.db');
  const migration = (schema: number, sql: string): Migration => ({
    schema,
    readableFrom: '0.1.0',
    sql,
  });
  const first = migration(1, 'CREATE TABLE one (bytes BLOB)');
  const second = migration(2, 'CREATE TABLE two (n INTEGER)');
  const { db } = openDatabase(path, [first], 0);
  db.exec('INSERT INTO one VALUES (zeroblob(3000000))');
  db.close();
  const filler = join(disk.path, 'filler');
  writeFileSync(filler, Buffer.alloc(3_000_000)); // room is left for logs, and for no second file of that size
  let caught: unknown = null;
  try {
    openDatabase(path, [first, second], 0).db.close();
  } catch (error) {
    caught = error;
  }
  assert.match(
    String(caught),
    'no copy of it can be kept before (the disk is full: free as much room as the file has)',
  );
  assert.is(writeFailure(caught), 'full');
  openDatabase(path, [first], 0).db.close();
  assert.equal(readdirSync(disk.path).sort(), ['filler', 'some.db']);
  rmSync(filler);
  openDatabase(path, [first, second], 0).db.close();
  assert.equal(readdirSync(disk.path).sort(), ['some.db', 'some.db.before']);
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

onDisk.run();
power.run();
