/** The power goes right after something was said to be done: it is there when the power is back, whole. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { replaceFile } from '../../firmware/core/files/durable-file.ts';
import { setAside } from '../../firmware/core/files/set-aside.ts';
import { Sealer } from '../../firmware/core/secrets/sealer.ts';
import { childJudge } from '../../firmware/features/backup/child-process.ts';
import { makeBackup } from '../../firmware/features/backup/make.ts';
import { prepareRestore } from '../../firmware/features/backup/prepare.ts';
import { finishRestore } from '../../firmware/features/backup/swap.ts';
import { featureDatabases } from '../../firmware/features.ts';
import { PackageStore } from '../../firmware/recognition/templates/package-store.ts';
import { Disk, NO_POWER_CUTS } from '../disk.ts';
import { suiteNeeding } from '../needing.ts';

const power = suiteNeeding(NO_POWER_CUTS, 'files and the power');
/** More than the journal holds by itself. */
const TEXT = 'a line of a file that must not be lost\n'.repeat(500);

power('a cut loses what was not synced: the disk of these tests forgets', () => {
  using disk = new Disk();
  writeFileSync(join(disk.mount, 'file'), TEXT);
  disk.losePower();
  assert.equal(readdirSync(disk.mount), ['lost+found']);
});

power('a new file is there with all its bytes', () => {
  using disk = new Disk();
  const file = join(disk.mount, 'file');
  replaceFile(file, TEXT);
  disk.losePower();
  assert.is(readFileSync(file, 'utf8'), TEXT);
});

power('what was set aside is not back in its old place', () => {
  using disk = new Disk();
  const file = join(disk.mount, 'file');
  replaceFile(file, TEXT);
  const aside = setAside(file, Date.UTC(2026, 10, 20));
  disk.losePower();
  assert.equal(readdirSync(disk.mount).sort(), [aside.split('/').at(-1), 'lost+found'].sort());
  assert.is(readFileSync(aside, 'utf8'), TEXT);
});

power('a backup that is ready is whole: the next start has all of it', async () => {
  using disk = new Disk();
  const [from, folder] = [join(disk.mount, 'from'), join(disk.mount, 'data')];
  for (const path of [from, folder]) mkdirSync(path);
  const passphrase = 'seven lamps over the counter';
  const sealer = new Sealer(Buffer.alloc(32, 1));
  const documents = ['settings.json', 'recognition.json'];
  for (const name of documents) writeFileSync(join(from, name), JSON.stringify({ text: TEXT }));
  const about = { version: '0.1.0', device: 'A', madeAt: '2026-11-20T00:00:00.000Z' };
  using made = await makeBackup(from, sealer, passphrase, about, async (source, into) => {
    for (const name of documents) copyFileSync(join(source, name), join(into, name));
    return [];
  });
  const incoming = { file: made.content, passphrase, isForced: true };
  await prepareRestore(
    incoming,
    { folder, sealer, version: '0.1.0', databases: featureDatabases },
    0,
    { ...childJudge(), judge: async () => ({}) },
    '',
  );
  disk.losePower();
  assert.is(finishRestore(folder)?.lost, null);
  for (const name of documents) assert.is(JSON.parse(readFileSync(join(folder, name), 'utf8')).text, TEXT, name);
});

power('a package that was put into the store is there by its name', async () => {
  using disk = new Disk();
  const folder = join(disk.mount, 'packages');
  const packageStore = new PackageStore(folder, 1_000_000);
  const name = packageStore.nameFor('TEST0001', Date.UTC(2026, 10, 20));
  replaceFile(await packageStore.begin(name), TEXT);
  packageStore.finish(name);
  disk.losePower();
  assert.is(readFileSync(join(folder, name), 'utf8'), TEXT);
});

power.run();
