/** Pipes, sockets, devices, links and huge files in the place of what a device keeps: it starts, and takes payments. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OBSTACLES, putInPlaceOf } from './obstacles.ts';
import { startFirmware } from './process.ts';
import { call, setUp, startTestDevice, temporaryFolder, until } from './support.ts';

const test = suite('obstacles in the place of files');

const BESIDE = ['-wal', '-shm', '-journal', '.copy', '.last-good', '.before'];

/** Every file of a device, and what may lie beside it. */
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

for (const obstacle of Object.keys(OBSTACLES)) {
  test(`${obstacle} beside or in place of each file: both ports answer, and sell`, async () => {
    using folder = temporaryFolder();
    {
      await using device = await startTestDevice({}, folder.path);
      for (const _ of [1, 2]) await setUp(device);
      assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
    }
    for (const suffixes of [BESIDE, ['']]) {
      for (const file of filesOf(folder.path))
        for (const suffix of suffixes) await putInPlaceOf(file + suffix, obstacle);
      // a process that can be ended, should it wait for ever
      const { program, urls } = await startFirmware(folder.path);
      await using _ = program;
      for (const url of [urls.terminal, urls.recognition]) assert.is((await call(`${url}/health`)).status, 200);
      assert.is((await call(`${urls.recognition}/console/api/overview`)).status, 200);
      await setUp(urls);
      // while the book of money is made anew a till gets the storage's error
      const sale = () => call(`${urls.terminal}/showQR`, { json: { amount: 200 } });
      await until('a sale', async () => (await sale()).status === 200);
      await program.kill('SIGTERM');
    }
  });
}

test.run();
