/** Any database that only newer releases read is refused with a sentence; one that is taken from the release before is copied. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { VERSION } from '../../drivers/lib/version.ts';
import { copyBefore, isWayBackOpen, requireReadable, schemaOf } from '../../firmware/core/files/before-migration.ts';
import { type Migration, migrate, openDatabase, openFile } from '../../firmware/core/files/database.ts';
import { StoreError } from '../../firmware/core/files/errors.ts';
import { writeFailure } from '../../firmware/core/files/write-failure.ts';
import { DATABASES as BACKED_UP } from '../../firmware/features/backup/contents.ts';
import { each, inFolder, temporaryFolder, thrown } from '../support.ts';
import { DATABASES, NOW, problemOf } from './openers.ts';

const test = suite('databases of other releases');
const it = each(test, inFolder);

const migration = (schema: number, table: string, readableFrom = 1): Migration => {
  return { schema, readableFrom, sql: `CREATE TABLE ${table} (n INTEGER)` };
};
const FIRST = migration(1, 'one');
const SECOND = migration(2, 'two');

/** What is wrong with a database, for a release that knows these. */
const opening = (path: string, migrations: readonly Migration[]): string =>
  problemOf(() => openDatabase(path, migrations, NOW).db);

function schemaIn(path: string): number {
  using db = openFile(path);
  return schemaOf(db);
}

/** As a release with one more migration leaves it. @param readableFrom the new schema itself when left out */
function changeByNewer(path: string, readableFrom?: number): number {
  const schema = schemaIn(path) + 1;
  using db = openFile(path);
  db.exec(`PRAGMA user_version = ${schema}`);
  db.prepare("UPDATE written_by SET schema = ?, release = '9.1.0', readable_from = ?").run(
    schema,
    readableFrom ?? schema,
  );
  return schema;
}

test('each database for newer releases alone is refused with a sentence, and left as it is', () => {
  assert.equal(Object.keys(DATABASES).sort(), BACKED_UP.map(({ name }) => name).sort());
  for (const [name, problemWith] of Object.entries(DATABASES)) {
    using folder = temporaryFolder();
    const path = join(folder.path, name);
    assert.not.match(problemWith(path), 'schema', name);
    const schema = changeByNewer(path);
    writeFileSync(copyBefore(path), 'as before');
    const bytes = readFileSync(path);
    const sentence = `${path} was written by release 9.1.0 with schema ${schema}, and release ${VERSION} knows up to ${schema - 1}: install the release 9.1.0 or newer (laneware-ota update --retry); a copy from before that release, without later changes, is ${path}.before`;
    for (const _ of ['once', 'and again']) assert.match(problemWith(path), sentence);
    assert.ok(readFileSync(path).equals(bytes), name);
    assert.equal(
      readdirSync(folder.path).filter((file) => file.includes('damaged')),
      [],
    );
  }
});

test('one changed by a newer release so that this one reads it is opened: going back works', () => {
  for (const [name, problemWith] of Object.entries(DATABASES)) {
    using folder = temporaryFolder();
    const path = join(folder.path, name);
    problemWith(path);
    changeByNewer(path, 1);
    assert.not.match(problemWith(path), 'schema', name);
  }
});

it('one that says nothing of who has written it is refused; one with two numbers is damaged', (folder) => {
  const path = join(folder.path, 'some.db');
  openDatabase(path, [FIRST, SECOND], NOW).db.close();
  assert.match(opening(path, [FIRST]), 'it opened');
  using db = openFile(path);
  for (const number of [3, 1, 0]) {
    db.exec(`PRAGMA user_version = ${number}`);
    assert.is(writeFailure(thrown(Error, () => requireReadable(db, 2))), 'damaged');
  }
  db.exec('PRAGMA user_version = 3');
  db.exec('DROP TABLE written_by');
  assert.is(thrown(StoreError, () => requireReadable(db, 2)).code, 'DATABASE_NEWER');
  assert.throws(() => requireReadable(db, 2), /was written with schema 3, .* install the release that wrote it/);
});

it('what a release must know to read a database follows from all that was changed in it', (folder) => {
  const path = join(folder.path, 'some.db');
  openDatabase(path, [FIRST, migration(2, 'two', 2), migration(3, 'three', 2)], NOW).db.close();
  assert.match(opening(path, [FIRST]), `install the release ${VERSION} or newer`);
  assert.is(opening(path, [FIRST, SECOND]), 'it opened');
});

/** Takes a database from the releases that know no schema but the first. */
const TAKING = migration(3, 'three', 2);

const migrated = (path: string, migrations: readonly Migration[], isOpen: boolean): void => {
  using db = openFile(path);
  migrate(db, migrations, { isWayBackOpen: () => isOpen });
};

it('a migration unreadable for the old release, and all after it, wait for the way back’s end', (folder) => {
  const path = join(folder.path, 'some.db');
  migrated(path, [FIRST], true);
  const steps = [FIRST, SECOND, TAKING, migration(4, 'four', 2)];
  for (const _ of ['at its gate', 'in its first day']) migrated(path, steps, true);
  assert.is(schemaIn(path), 2);
  assert.is(opening(path, [FIRST]), 'it opened');
  assert.not.ok(existsSync(copyBefore(path)), 'the release before needs none');
  migrated(path, steps, false);
  assert.is(schemaIn(path), 4);
  assert.match(opening(path, [FIRST]), `; a copy from before that release, without later changes, is ${path}.before`);
  assert.is(schemaIn(copyBefore(path)), 2);
  assert.is(opening(copyBefore(path), [FIRST]), 'it opened');
});

it('a new database is made so that the release before reads it, too', (folder) => {
  const path = join(folder.path, 'some.db');
  migrated(path, [FIRST, SECOND, TAKING], true);
  assert.is(opening(path, [FIRST]), 'it opened');
});

it('the copy has what only the log held, and stays until the next release that is not readable', (folder) => {
  const path = join(folder.path, 'some.db');
  const { db } = openDatabase(path, [FIRST, SECOND], NOW);
  db.exec('INSERT INTO one VALUES (4711)');
  migrated(path, [FIRST, SECOND, TAKING], false);
  db.close();
  const before = readFileSync(copyBefore(path));
  const later = [FIRST, SECOND, TAKING, migration(4, 'four', 2), migration(5, 'five', 5)];
  migrated(path, later, true);
  assert.is(schemaIn(path), 4);
  assert.ok(readFileSync(copyBefore(path)).equals(before));
  {
    using copy = openFile(copyBefore(path), { readOnly: true });
    assert.equal({ ...copy.prepare('SELECT n FROM one').get() }, { n: 4711 });
  }
  migrated(path, later, false);
  assert.is(schemaIn(copyBefore(path)), 4);
  assert.equal(readdirSync(folder.path).sort(), ['some.db', 'some.db.before']);
});

it('a step that fails, or a kill in it, leaves the database as it was, and the copy of that', (folder) => {
  const path = join(folder.path, 'some.db');
  migrated(path, [FIRST], false);
  const steps = [FIRST, migration(2, 'two', 2), migration(3, 'one', 3)];
  for (const _ of ['once', 'and again']) assert.throws(() => migrated(path, steps, false), /table one already exists/);
  assert.equal([schemaIn(path), schemaIn(copyBefore(path))], [1, 1]);
});

it('where no copy can be kept the database stays with the release before, and works', (folder) => {
  const path = join(folder.path, 'some.db');
  migrated(path, [FIRST], false);
  mkdirSync(copyBefore(path));
  migrated(path, [FIRST, SECOND, TAKING], false);
  assert.is(schemaIn(path), 2);
  assert.is(opening(path, [FIRST]), 'it opened');
  assert.equal(readdirSync(folder.path).sort(), ['some.db', 'some.db.before']);
});

/** What the updater keeps on a machine: its links, and what it has noted of the first day of release 2.0.0. */
const machine = (links: Readonly<Record<string, string>>, day: string | null) => {
  const folder = temporaryFolder();
  const [releases, ends] = ['opt/laneware', 'var/lib/laneware-update/ends'].map((name) => join(folder.path, name));
  for (const made of [releases, ends]) mkdirSync(made ?? '', { recursive: true });
  for (const [name, version] of Object.entries(links)) symlinkSync(`releases/${version}`, join(releases ?? '', name));
  if (day !== null) writeFileSync(join(ends ?? '', '2.0.0'), `ends=0\nran=5\nday=${day}\ncauses=\n`);
  return folder;
};

for (const [title, links, day, isOpen] of [
  ['no updater is there', {}, null, false],
  ['it is the first release', { good: '2.0.0', current: '2.0.0' }, null, false],
  ['it is tried, before it is started or at its gate', { good: '1.0.0', current: '2.0.0' }, null, true],
  ['its first day is not noted', { good: '2.0.0', current: '2.0.0', previous: '1.0.0' }, null, true],
  ['it is in its first day', { good: '2.0.0', current: '2.0.0', previous: '1.0.0' }, '', true],
  ['its first day is over', { good: '2.0.0', current: '2.0.0', previous: '1.0.0' }, '3', false],
  ['it was gone back to', { good: '2.0.0', current: '2.0.0', left: '3.0.0' }, '', false],
] as const)
  test(`the way back is ${isOpen ? 'open' : 'closed'} where ${title}`, () => {
    using root = machine(links, day);
    assert.is(isWayBackOpen(root.path, '2.0.0'), isOpen);
  });

test.run();
