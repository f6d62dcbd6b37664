/** What a device has got since its backup was made goes when that is put back, also where the backup has nothing of it. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { finishRestore, makeReady, UNPACKING } from '../../firmware/backup/swap.ts';

test('a file that the backup has none of is moved beside, and what is none of a backup stays', () => {
  const folder = mkdtempSync(join(tmpdir(), 'laneware-absent-'));
  for (const name of [
    'settings.json',
    'settings.json.copy',
    'recognition.json',
    'empty-tray.bin',
    'secret.key',
    'pins.json',
  ])
    writeFileSync(join(folder, name), `present ${name}`);
  mkdirSync(join(folder, UNPACKING));
  writeFileSync(join(folder, UNPACKING, 'recognition.json'), 'of the backup');
  const before = 'before-restore-2026-11-22T00-00-00-000Z';
  makeReady(folder, {
    ...{ version: '0.1.0', device: 'lane', madeAt: '2026-11-21T00:00:00.000Z', isOwn: true, unopened: 0 },
    ...{ at: 0, isForced: false, before, files: ['recognition.json'] },
  });

  finishRestore(folder);

  assert.equal(readFileSync(join(folder, 'recognition.json'), 'utf8'), 'of the backup');
  for (const name of ['settings.json', 'settings.json.copy', 'empty-tray.bin']) {
    assert.ok(!existsSync(join(folder, name)), name);
    assert.equal(readFileSync(join(folder, before, name), 'utf8'), `present ${name}`);
  }
  for (const name of ['secret.key', 'pins.json'])
    assert.equal(readFileSync(join(folder, name), 'utf8'), `present ${name}`);
  rmSync(folder, { recursive: true, force: true });
});

test.run();
