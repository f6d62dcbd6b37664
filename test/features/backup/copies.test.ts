/** What a backup takes of small files: what they hold, with either of their two copies whole. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../../firmware/core/files/database.ts';
import { JsonStore, TwoCopyFile } from '../../../firmware/core/files/two-copy-file.ts';
import { DATABASES, DOCUMENTS } from '../../../firmware/features/backup/contents.ts';
import { copyInto } from '../../../firmware/features/backup/copies.ts';
import { openFilesIn, temporaryFolder } from '../../support.ts';

const test = suite('backups: small files');

const MAX_BYTES = 1000;
/** A learned tray of one pixel. */
const TRAY = Buffer.from('LWT2\x01\0\x01\0abct', 'latin1');

const STATE = Type.Object({ resultCount: Type.Integer() });
const KEPT = [
  {
    name: 'recognition.json',
    keep: (path: string) => JsonStore.open(path, STATE, { resultCount: 0 }).write({ resultCount: 7 }),
    isTaken: (bytes: Buffer) => assert.equal(JSON.parse(bytes.toString()), { resultCount: 7 }),
  },
  {
    name: 'empty-tray.bin',
    keep: (path: string) => new TwoCopyFile(path, MAX_BYTES, (bytes) => bytes).write(TRAY),
    isTaken: (bytes: Buffer) => assert.equal(bytes, TRAY),
  },
] as const;

for (const { name, keep, isTaken } of KEPT)
  for (const [title, damaged] of [
    ['as it is', []],
    ['from the copy', ['']],
    ['past a damaged copy', ['.copy']],
  ] as const)
    test(`${name} is taken ${title}`, async () => {
      using folder = temporaryFolder();
      const file = join(folder.path, name);
      keep(file);
      for (const end of damaged) writeFileSync(file + end, '{"n":');
      const into = join(folder.path, 'into');
      mkdirSync(into);
      await copyInto(folder.path, into);
      isTaken(readFileSync(join(into, name)));
      assert.is(existsSync(join(into, 'settings.json')), false);
    });

test('a document without a whole copy is left out and named: it would replace a good one', async () => {
  using folder = temporaryFolder();
  for (const name of DOCUMENTS) writeFileSync(join(folder.path, name), '{"a":1}');
  for (const name of ['shop.json', 'empty-tray.bin'])
    writeFileSync(join(folder.path, name), Buffer.alloc(MAX_BYTES, 7));
  const into = join(folder.path, 'into');
  mkdirSync(into);
  // members of later releases; what a feature reads by itself
  const whole = ['recognition.json', 'voice.json'];
  assert.equal(
    await copyInto(folder.path, into),
    DOCUMENTS.filter((name) => !whole.includes(name)),
  );
  assert.equal(readdirSync(into).sort(), whole);
});

test('a database is copied with its tables, and is not held open', async () => {
  using folder = temporaryFolder();
  const into = join(folder.path, 'into');
  mkdirSync(into);
  for (const { name } of DATABASES) {
    using db = openFile(join(folder.path, name));
    db.exec('CREATE TABLE made_up (n INTEGER)');
  }
  await copyInto(folder.path, into);
  assert.equal(openFilesIn(folder.path), []);
  for (const { name } of DATABASES) {
    using db = openFile(join(into, name));
    assert.equal(db.prepare('SELECT n FROM made_up').all(), []);
  }
});

test.run();
