/** The databases of this room where their place cannot be looked at, as on a card that fails, or where they were moved away. */
import fs, { type PathLike, renameSync, type StatSyncOptions, symlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeOf } from '../../drivers/lib/errors.ts';
import { Items } from '../../firmware/recognition/items/items.ts';
import { ItemsFile } from '../../firmware/recognition/items/items-file.ts';
import { RecognitionError } from '../../firmware/recognition/model/recognition-error.ts';
import type { OwnDatabase } from '../../firmware/recognition/storage/own-database.ts';
import { TemplatesFile } from '../../firmware/recognition/templates/templates-database.ts';
import { StillClock } from '../still-clock.ts';
import { atEnd, temporaryFolder } from '../support.ts';

const test = suite('recognition: databases of the room');

const OPEN: Readonly<Record<string, (path: string) => OwnDatabase>> = {
  'items.db': (path) => new ItemsFile(path, Date.now()),
  'templates.db': (path) => new TemplatesFile(path, 16, Date.now()),
};

/** Runs `work` while the place cannot be looked at. */
async function withEio<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  const { statSync } = fs;
  const failing = (place: PathLike, options: StatSyncOptions): unknown => {
    if (place === path) throw Object.assign(new Error('EIO: i/o error, stat'), { code: 'EIO', syscall: 'stat' });
    return statSync(place, options);
  };
  const put = (made: unknown): void => {
    Reflect.set(fs, 'statSync', made);
    syncBuiltinESMExports();
  };
  put(failing);
  using _end = atEnd(() => put(statSync));
  return await work();
}

const refusal = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error);

for (const [name, open] of Object.entries(OPEN)) {
  test(`${name} whose place cannot be looked at is a problem of it, and ends nothing`, async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, name);
    symlinkSync('x'.repeat(300), path);
    const linked = open(path);
    assert.match(linked.problem ?? '', /ENAMETOOLONG/);
    await linked.close();
    const sound = join(folder.path, `sound-${name}`);
    await open(sound).close();
    const failing = await withEio(sound, () => open(sound));
    assert.match(failing.problem ?? '', /EIO/);
    assert.not(failing.isGone);
    await failing.close();
  });
}

test('an item that is written while the card fails is refused by its code', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'items.db');
  const items = new Items(path, new StillClock());
  await items.put('a', { name: 'A' });
  const refused = await withEio(path, () => refusal(items.put('b', { name: 'B' })));
  assert.instance(refused, RecognitionError);
  assert.is(refused instanceof RecognitionError && refused.codeName, 'Internal.StorageRefused');
  await items.close();
});

test('where items.db was moved away, a call’s own fault is named first, and nothing is taken', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'items.db');
  const items = new Items(path, new StillClock());
  await items.put('a', { name: 'A', barcodes: ['4006381333931'] });
  renameSync(path, `${path}.moved`);
  assert.is(codeOf(await refusal(items.patch('none', { name: 'x' }))), 'NotFound');
  assert.is(codeOf(await refusal(items.put('b', { name: 'x', barcodes: ['4006381333931'] }))), 'BarcodeTaken');
  const refused = await refusal(items.put('b', { name: 'x' }));
  assert.is(refused instanceof RecognitionError && refused.codeName, 'Internal.StorageRefused');
  await items.close();
});

test.run();
