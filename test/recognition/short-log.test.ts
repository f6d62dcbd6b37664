/** The logs of the databases of this room: a second after a commit all lies in the file, so that a log that is lost takes no more. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { Items } from '../../firmware/recognition/items/items.ts';
import { TemplatesFile } from '../../firmware/recognition/templates/templates-database.ts';
import { StillClock } from '../still-clock.ts';
import { each, temporaryFolder } from '../support.ts';

const test = suite('recognition: short logs');

const SECOND_MS = 1000;

const logBytes = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

const it = each<[{ readonly items: Items; readonly path: string; readonly clock: StillClock }]>(
  test,
  (run) => async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'items.db');
    const clock = new StillClock();
    const items = new Items(path, clock);
    items.file.checkpointAfterWrites(clock);
    await run({ items, path, clock });
    await items.close();
    assert.is(clock.waiting, 0);
  },
);

it('one quiet second after a commit all lies in the file, and none in the log', async ({ items, path, clock }) => {
  await items.put('a', { name: 'Apple' });
  clock.go(SECOND_MS - 1);
  assert.ok(logBytes(path) > 0);
  await items.put('b', { name: 'Bread' });
  clock.go(1);
  assert.ok(logBytes(path) > 0, 'the second has begun anew');
  clock.go(SECOND_MS - 1);
  assert.is(logBytes(path), 0);
});

test('each commit of templates.db, whatever it is of', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'templates.db');
  const clock = new StillClock();
  const file = new TemplatesFile(path, 16, clock.wall());
  file.checkpointAfterWrites(clock);
  await file.write(() => file.db.exec("INSERT INTO facts VALUES ('a', 'b')"));
  assert.ok(logBytes(path) > 0);
  clock.go(SECOND_MS);
  assert.is(logBytes(path), 0);
  await file.close();
});

test('what an earlier process, or making the tables, left in the log is in the file at start', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'items.db');
  const clock = new StillClock();
  const items = new Items(path, clock);
  assert.ok(logBytes(path) > 0);
  items.file.checkpointAfterWrites(clock);
  assert.is(logBytes(path), 0);
  await items.close();
});

it('a reader that is in the way is not waited for: a second later it is tried again', async (rig) => {
  const { items, path, clock } = rig;
  await items.put('a', { name: 'Apple' });
  using reader = openFile(path);
  reader.exec('BEGIN; SELECT * FROM items');
  clock.go(SECOND_MS);
  assert.ok(logBytes(path) > 0);
  reader.exec('ROLLBACK');
  clock.go(SECOND_MS);
  assert.is(logBytes(path), 0);
});

it('a log that is gone takes what was written in the last second, and nothing of before', async (rig) => {
  const { items, path, clock } = rig;
  await items.put('a', { name: 'Apple' });
  clock.go(SECOND_MS);
  rmSync(`${path}-wal`);
  const after = new Items(path, clock);
  assert.is(after.file.problem, null);
  assert.is(after.find('a')?.name, 'Apple');
  await after.close();
});

test.run();
