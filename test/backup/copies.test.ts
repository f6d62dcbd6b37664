/** What a backup takes of small files: what they hold, with either of their two copies whole. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { copyInto } from '../../firmware/backup/copies.ts';
import { JsonStore } from '../../firmware/store/json-store.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('backups: small files');

for (const [title, damaged] of [
  ['as it is', []],
  ['from the copy', ['']],
  ['past a damaged copy', ['.copy']],
] as const)
  test(`a document is taken ${title}`, () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'recognition.json');
    JsonStore.open(file, Type.Object({ n: Type.Integer() }), { n: 0 }).write({ n: 7 });
    for (const end of damaged) writeFileSync(file + end, '{"n":');
    const into = join(folder.path, 'into');
    mkdirSync(into);
    copyInto(folder.path, into);
    assert.equal(JSON.parse(readFileSync(join(into, 'recognition.json'), 'utf8')), { n: 7 });
    assert.is(existsSync(join(into, 'settings.json')), false);
  });

test.run();
