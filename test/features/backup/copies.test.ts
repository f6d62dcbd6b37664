/** What a backup takes of small files: what they hold, with either of their two copies whole. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../../firmware/core/store/database.ts';
import { JsonStore, KeptFile } from '../../../firmware/core/store/kept-file.ts';
import { copyInto, DATABASES } from '../../../firmware/features/backup/contents.ts';
import { openFilesIn, temporaryFolder } from '../../support.ts';

const test = suite('backups: small files');

const MAX_BYTES = 1000;
/** Begins as a learned tray does. */
const TRAY = Buffer.from('LWT2 of a tray');

const STATE = Type.Object({ n: Type.Integer() });
const KEPT = [
  {
    name: 'recognition.json',
    keep: (path: string) => JsonStore.open(path, STATE, { n: 0 }).write({ n: 7 }),
    isTaken: (bytes: Buffer) => assert.equal(JSON.parse(bytes.toString()), { n: 7 }),
  },
  {
    name: 'empty-tray.bin',
    keep: (path: string) => new KeptFile(path, MAX_BYTES, (bytes) => bytes).write(TRAY),
    isTaken: (bytes: Buffer) => assert.equal(bytes, TRAY),
  },
] as const;

for (const { name, keep, isTaken } of KEPT)
  for (const [title, damaged] of [
    ['as it is', []],
    ['from the copy', ['']],
    ['past a damaged copy', ['.copy']],
  ] as const)
    test(`${name} is taken ${title}`, () => {
      using folder = temporaryFolder();
      const file = join(folder.path, name);
      keep(file);
      for (const end of damaged) writeFileSync(file + end, '{"n":');
      const into = join(folder.path, 'into');
      mkdirSync(into);
      copyInto(folder.path, into);
      isTaken(readFileSync(join(into, name)));
      assert.is(existsSync(join(into, 'settings.json')), false);
    });

test('a learned tray without a whole copy is taken as it lies there', () => {
  using folder = temporaryFolder();
  const cells = Buffer.alloc(MAX_BYTES, 7);
  writeFileSync(join(folder.path, 'empty-tray.bin'), cells);
  const into = join(folder.path, 'into');
  mkdirSync(into);
  copyInto(folder.path, into);
  assert.equal(readFileSync(join(into, 'empty-tray.bin')), cells);
});

test('a database is copied with its tables, and is not held open', () => {
  using folder = temporaryFolder();
  const into = join(folder.path, 'into');
  mkdirSync(into);
  for (const { name } of DATABASES) {
    using db = openFile(join(folder.path, name));
    db.exec('CREATE TABLE made_up (n INTEGER)');
  }
  copyInto(folder.path, into);
  assert.equal(openFilesIn(folder.path), []);
  for (const { name } of DATABASES) {
    using db = openFile(join(into, name));
    assert.equal(db.prepare('SELECT n FROM made_up').all(), []);
  }
});

test.run();
