/** Pipes, sockets, devices, links and huge files in the place of what the ledger keeps. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OBSTACLES, putInPlaceOf } from '../obstacles.ts';
import { temporaryFolder } from '../support.ts';
import { contents, keepCopies, openLedger, pay, payMany } from './ledger-rig.ts';

const test = suite('obstacles in the place of the files of a ledger');

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
  test(`${obstacle} among the files of the ledger: every payment is unchanged, and the next one is taken`, async () => {
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
      using ledger = openLedger(folder.path);
      assert.equal(contents(ledger), expected, file);
      pay(ledger, 6);
      assert.equal(
        keepCopies(ledger).map(({ problem, suspects }) => [problem, suspects]),
        [[null, []]],
        file,
      );
      assert.is(ledger.table.journalProblem, null, file);
    }
  });
}

test.run();
