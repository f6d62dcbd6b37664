/** A database whose tables change has a new number: else a release meets tables that it does not know, and fails at a sale. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { startTestDevice, temporaryFolder } from '../support.ts';

const test = suite('numbers of schemas');

/** Of each database of a new device: its number, and a digest of its tables, indexes and triggers. */
const SCHEMAS = {
  'items.db': '1 057e7e088cef',
  'money.db': '3 549a35d57f5c',
  'sandbox.db': '1 64d5b241945d',
  'templates.db': '1 32a91e1b438d',
};

function schemaOf(path: string): string {
  const db = openFile(path, { readOnly: true });
  try {
    const version = Object.values(db.prepare('PRAGMA user_version').get() ?? {});
    const parts = db.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name').all();
    const text = parts.map(({ sql }) => String(sql).replaceAll(/--.*$|\s+/gm, ' ')).join('\n');
    return `${version} ${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
  } finally {
    db.close();
  }
}

test('the tables of a database and its number change together', async () => {
  using folder = temporaryFolder();
  await using device = await startTestDevice({}, folder.path);
  await device[Symbol.asyncDispose]();
  const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.db'));
  const found = Object.fromEntries(files.sort().map((name) => [name, schemaOf(join(folder.path, name))]));
  assert.equal(found, SCHEMAS, 'tables that have changed need another number of their schema, and a line here');
});

test.run();
