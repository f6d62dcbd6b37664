/** The power goes right after something was said to be done: it is there when the power is back, whole. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { PackageStore } from '../../firmware/recognition/templates/package-store.ts';
import { replaceFile } from '../../firmware/store/durable-file.ts';
import { setAside } from '../../firmware/store/set-aside.ts';
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
