/** `/health` and `/metrics` ask how many templates there are: they are counted again only after a change. */

import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { TemplateReader } from '../../firmware/recognition/templates/template-reader.ts';
import { TemplatesFile } from '../../firmware/recognition/templates/templates-database.ts';
import { each, inFolder } from '../support.ts';

const test = suite('counts of templates');
const it = each(test, inFolder);

function learn(db: DatabaseSync, item: string, sid: string, model: string): void {
  const sql = `INSERT INTO templates (batch, item, sid, origin, created_at, model, vector) VALUES (1, ?, ?, 'S', 0, ?, x'')`;
  db.prepare(sql).run(item, sid, model);
}

it('are read once, and again after a change by anybody', async ({ path: folder }) => {
  const path = join(folder, 'templates.db');
  const file = new TemplatesFile(path, 10, 0);
  const reader = new TemplateReader(file.db);
  const asked = () => [reader.itemCount(), reader.templateCount(), reader.counts('one').foreign];
  learn(file.db, 'apple', '1', 'one');
  learn(file.db, 'apple', '2', 'other');
  assert.equal(asked(), [1, 2, 1]);
  const { prepare } = file.db;
  file.db.prepare = () => {
    throw new Error('it is counted again');
  };
  assert.equal(asked(), [1, 2, 1]);
  file.db.prepare = prepare;
  learn(file.db, 'pear', '3', 'one');
  assert.equal(asked(), [2, 3, 1]);
  using another = openFile(path);
  learn(another, 'plum', '4', 'other');
  assert.equal(asked(), [3, 4, 2]);
  file.db.exec("UPDATE batches SET state = 'dropped'");
  assert.equal(asked(), [0, 0, 0]);
  await file.close();
});

test.run();
