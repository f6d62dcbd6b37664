/** Any database of a newer release is refused with a sentence; one that is migrated is copied before. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { VERSION } from '../../drivers/lib/version.ts';
import { copyBefore, requireReadable, schemaOf } from '../../firmware/core/store/before-migration.ts';
import { type Migration, openDatabase, openFile } from '../../firmware/core/store/database.ts';
import { StoreError } from '../../firmware/core/store/errors.ts';
import { DATABASES as BACKED_UP } from '../../firmware/features/backup/contents.ts';
import { openBooks } from '../../firmware/features/sandbox-bank/payments.ts';
import { DeliveryBook } from '../../firmware/features/webhooks/delivery-book.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { LanePayments } from '../../firmware/payments/reports/lane-payments.ts';
import { ItemsFile } from '../../firmware/recognition/items/items-file.ts';
import { TemplatesFile } from '../../firmware/recognition/templates/templates-database.ts';
import { each, inFolder, temporaryFolder, thrown } from '../support.ts';

const test = suite('databases of other releases');
const it = each(test, inFolder);

const NOW = Date.parse('2026-11-20');
const migration = (schema: number, table: string, readableFrom = '0.1.0'): Migration => {
  return { schema, readableFrom, sql: `CREATE TABLE ${table} (n INTEGER)` };
};
const FIRST = migration(1, 'one');
const SECOND = migration(2, 'two');

function problemOf(open: () => { readonly close: () => void }): string {
  try {
    open().close();
    return 'it opened';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

/** What is wrong with a database, for a release that knows these. */
const opening = (path: string, migrations: readonly Migration[]): string =>
  problemOf(() => openDatabase(path, migrations, NOW).db);

const beside = { secondFolder: null, now: () => NOW };

/** Each opens its database and answers what is wrong with it, as the device reports it. */
const DATABASES: Readonly<Record<string, (path: string) => string>> = {
  'money.db': (path) => {
    using money = Money.open({ path, ...beside });
    return money.book.problem?.message ?? '';
  },
  'lanes.db': (path) =>
    problemOf(() => {
      const payments = new LanePayments({ path, clock: { wall: () => NOW, monotonic: () => 0 } });
      payments.search({ trxId: 'A1' }, 1);
      return payments;
    }),
  'webhooks.db': (path) => problemOf(() => DeliveryBook.open(path, NOW)),
  'sandbox.db': (path) => {
    const { db, problem } = openBooks(path, NOW);
    db.close();
    return problem ?? '';
  },
  'items.db': (path) => {
    const { db, problem } = new ItemsFile(path, NOW);
    db.close();
    return problem ?? '';
  },
  'templates.db': (path) => {
    const { db, problem } = new TemplatesFile(path, 100, NOW);
    db.close();
    return problem ?? '';
  },
};

function schemaIn(path: string): number {
  using db = openFile(path);
  return schemaOf(db);
}

/** As a release with one more migration leaves it. */
function changeByNewer(path: string, readableFrom: string): number {
  const schema = schemaIn(path) + 1;
  using db = openFile(path);
  db.exec(`PRAGMA user_version = ${schema}`);
  db.prepare("UPDATE written_by SET schema = ?, release = '9.1.0', readable_from = ?").run(schema, readableFrom);
  return schema;
}

test('every database of the device: one that only newer releases read is refused with a sentence, and left as it is', () => {
  assert.equal(Object.keys(DATABASES).sort(), BACKED_UP.map(({ name }) => name).sort());
  for (const [name, problemWith] of Object.entries(DATABASES)) {
    using folder = temporaryFolder();
    const path = join(folder.path, name);
    assert.not.match(problemWith(path), 'schema', name);
    const schema = changeByNewer(path, '9.0.0');
    writeFileSync(copyBefore(path), 'as before');
    const bytes = readFileSync(path);
    const sentence = `${path} was written by release 9.1.0 with schema ${schema}, and release ${VERSION} knows up to ${schema - 1}: install the release 9.0.0 or newer (ota.sh update --retry); a copy from before that release, without later changes, is ${path}.before`;
    for (const _ of ['once', 'and again']) assert.match(problemWith(path), sentence);
    assert.ok(readFileSync(path).equals(bytes), name);
    assert.equal(
      readdirSync(folder.path).filter((file) => file.includes('damaged')),
      [],
    );
  }
});

test('one that a newer release has changed so that this one reads it is opened: a release can be gone back to', () => {
  for (const [name, problemWith] of Object.entries(DATABASES)) {
    using folder = temporaryFolder();
    const path = join(folder.path, name);
    problemWith(path);
    changeByNewer(path, VERSION);
    assert.not.match(problemWith(path), 'schema', name);
  }
});

it('one that says nothing of who has written it, or speaks of another schema, is refused', (folder) => {
  const path = join(folder.path, 'some.db');
  openDatabase(path, [FIRST, SECOND], NOW).db.close();
  assert.match(opening(path, [FIRST]), 'it opened');
  using db = openFile(path);
  db.exec('PRAGMA user_version = 3');
  assert.is(thrown(StoreError, () => requireReadable(db, 2)).code, 'DATABASE_NEWER');
  db.exec('DROP TABLE written_by');
  assert.throws(
    () => requireReadable(db, 2, '99.0.0'),
    /was written with schema 3, .* install the release that wrote it/,
  );
});

it('what a release must be to read a database follows from all that was changed in it', (folder) => {
  const path = join(folder.path, 'some.db');
  openDatabase(path, [migration(1, 'zero', '9.0.0'), SECOND], NOW).db.close();
  assert.match(opening(path, [FIRST]), 'install the release 9.0.0 or newer');
});

it('a migration keeps one copy of the file before it, with what only its log held', (folder) => {
  const path = join(folder.path, 'some.db');
  const { db } = openDatabase(path, [FIRST], NOW);
  assert.not.ok(existsSync(copyBefore(path)), 'there was nothing before');
  db.exec('INSERT INTO one VALUES (4711)');
  const open = (migrations: readonly Migration[]): void => openDatabase(path, migrations, NOW).db.close();
  open([FIRST, SECOND]);
  db.close();
  const before = readFileSync(copyBefore(path));
  open([FIRST, SECOND]);
  assert.ok(readFileSync(copyBefore(path)).equals(before), 'only a migration makes one');
  {
    using copy = openFile(copyBefore(path), { readOnly: true });
    assert.equal({ ...copy.prepare('SELECT n FROM one').get() }, { n: 4711 });
    assert.equal({ ...copy.prepare('PRAGMA user_version').get() }, { user_version: 1 });
  }
  open([FIRST, SECOND, migration(3, 'three')]);
  using copy = openFile(copyBefore(path), { readOnly: true });
  assert.equal({ ...copy.prepare('PRAGMA user_version').get() }, { user_version: 2 });
  assert.equal(readdirSync(folder.path).sort(), ['some.db', 'some.db.before']);
});

it('where no copy can be kept nothing is changed, and it is said', (folder) => {
  const path = join(folder.path, 'some.db');
  openDatabase(path, [FIRST], NOW).db.close();
  mkdirSync(copyBefore(path));
  assert.match(
    opening(path, [FIRST, SECOND]),
    `some.db is not changed for release ${VERSION}, for no copy of it can be kept before (`,
  );
  openDatabase(path, [FIRST], NOW).db.close();
  assert.equal(readdirSync(folder.path).sort(), ['some.db', 'some.db.before']);
});

test.run();
