/** Pipes, sockets, devices, links and huge files in the place of what a device keeps: it starts, and takes payments. */
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OBSTACLES, putInPlaceOf } from '../obstacles.ts';
import { startFirmware } from '../process.ts';
import { call, setUp, startTestDevice, temporaryFolder } from '../support.ts';
import { contents, keepCopies, openLedger, pay, payMany } from './ledger-rig.ts';

const test = suite('obstacles in the place of files');

const LEDGER_FILES = [
  'ledger.db',
  'ledger.db-journal',
  'ledger.db-wal',
  'ledger.db-shm',
  'ledger.db.rebuilding',
  'ledger.db.rebuilding-journal',
  'ledger.db.rebuilt',
  'ledger.journal',
  'ledger.journal.before',
  'ledger.copy.db',
  'ledger.copy.db-journal',
];

for (const obstacle of Object.keys(OBSTACLES)) {
  test(`${obstacle} among the files of the ledger: every payment is as it was, and the next one is taken`, async () => {
    using source = temporaryFolder();
    const before = openLedger(source.path);
    payMany(before, 1, 5);
    keepCopies(before);
    const expected = contents(before);
    before.close();
    for (const file of LEDGER_FILES) {
      using folder = temporaryFolder();
      cpSync(source.path, folder.path, { recursive: true });
      await putInPlaceOf(join(folder.path, file), obstacle);
      const ledger = openLedger(folder.path);
      assert.equal(contents(ledger), expected, file);
      pay(ledger, 6);
      assert.equal(
        keepCopies(ledger).map(({ problem, suspects }) => [problem, suspects]),
        [[null, []]],
        file,
      );
      assert.is(ledger.table.journalProblem, null, file);
      ledger.close();
    }
  });
}

/** Every file of a device, and what may lie beside it. */
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

for (const obstacle of Object.keys(OBSTACLES)) {
  for (const where of ['in the place of', 'beside'] as const) {
    test(`${obstacle} ${where} every file of a device: it starts, both ports answer, and payments are taken`, async () => {
      using folder = temporaryFolder();
      const data = join(folder.path, 'data');
      mkdirSync(data);
      {
        await using device = await startTestDevice({}, data);
        for (const _ of [1, 2]) await setUp(device);
        assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
      }
      for (const file of filesOf(data)) {
        const suffixes = where === 'beside' ? ['-wal', '-shm', '-journal', '.copy', '.last-good', '.before'] : [''];
        for (const suffix of suffixes) await putInPlaceOf(file + suffix, obstacle);
      }
      const { program, urls } = await startFirmware(data);
      await using _ = program;
      for (const url of [urls.terminal, urls.recognition]) assert.is((await call(`${url}/health`)).status, 200);
      assert.is((await call(`${urls.recognition}/v1/overview`)).status, 200);
      await setUp(urls);
      assert.is((await call(`${urls.terminal}/showQR`, { json: { amount: 200 } })).status, 200);
    });
  }
}

test.run();
