/** What an export holds of the pictures that it has written. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { writePackage } from '../../firmware/recognition/templates/write-package.ts';
import { temporaryFolder } from '../support.ts';
import { seedTemplates } from '../sync/seeded-store.ts';

const memory = suite('memory of an export');
const COUNT = 3000;
const PICTURE_BYTES = 16_384;
/** A third of the pictures. */
const MOST_HELD_BYTES = 16 * 1024 * 1024;

memory('it does not grow with the number of templates', async () => {
  using folder = temporaryFolder();
  seedTemplates(folder.path, { count: COUNT, bytes: PICTURE_BYTES, origin: 'OTHER001' });
  const db = openFile(join(folder.path, 'templates.db'), { readOnly: true });
  const held: number[] = [];
  const { templates } = await writePackage(db, {
    file: join(folder.path, 'package.zip'),
    ...{ items: null, serial: 'OTHER001', now: 0, maxBytes: Number.MAX_SAFE_INTEGER },
    onProgress: () => {
      globalThis.gc?.();
      held.push(process.memoryUsage().arrayBuffers);
    },
  });
  db.close();
  assert.is(templates, COUNT);
  assert.ok(held.length > 10, `looked ${held.length} times`);
  const most = Math.max(...held) - Math.min(...held);
  assert.ok(most < MOST_HELD_BYTES, `${most} bytes are held at most`);
});

memory.run();
