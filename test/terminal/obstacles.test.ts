/** Pipes, sockets, devices, links and huge files in the place of what the book of money keeps. */

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OBSTACLES, putInPlaceOf } from '../obstacles.ts';
import { temporaryFolder } from '../support.ts';
import { contents, filledFolder, openKept, openMoney, pay } from './ledger-rig.ts';
import { paymentsAfter } from './ledger-rows.ts';

const test = suite('obstacles in the place of the files of the book of money');

const FILES = ['money.db', 'money.db-journal', 'money.db-wal', 'money.db-shm', 'money.db.rebuilding', 'money.journal'];

for (const obstacle of Object.keys(OBSTACLES)) {
  test(`${obstacle} in the book: payments are unchanged, and the next is taken`, async () => {
    using source = filledFolder(5);
    const expected = contents(openMoney(source.path).payments);
    for (const file of FILES) {
      using folder = temporaryFolder();
      cpSync(source.path, folder.path, { recursive: true });
      await putInPlaceOf(join(folder.path, file), obstacle);
      await using kept = await openKept(folder.path);
      assert.equal(contents(kept.payments), expected, file);
      pay(kept.payments, 6);
      await kept.keeper.compare();
      assert.equal(
        [kept.book.findings.of('payments', 'damaged'), paymentsAfter(kept.payments, 5, 9).length],
        [[], 1],
        file,
      );
    }
  });
}

test.run();
