/** The sandbox bank's books over its starts: the oldest payments go, and only those. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { startBanks } from '../banks/banks.ts';
import { StillClock } from '../still-clock.ts';
import { temporaryFolder } from '../support.ts';
import { registered } from './support.ts';

const test = suite("sandbox bank's books");

/** As many payments as are kept. */
const KEPT = 20_000;
const ORDERS = ['oldest', 'next', 'newest'];

test('the oldest payments beyond those that are kept go at a start, and no other', async () => {
  using folder = temporaryFolder();
  const dataFile = join(folder.path, 'sandbox.db');
  const clock = new StillClock();
  const before = await startBanks({ port: 0, dataFile, clock });
  for (const orderNumber of ORDERS) await registered(before, { orderNumber });
  await before.close();
  const db = openFile(dataFile);
  db.prepare('UPDATE sale SET seq = ? WHERE seq = 3').run(KEPT + 1); // as if the bank had taken so many meanwhile
  db.close();
  const next = await startBanks({ port: 0, dataFile, clock });
  const left = next.payments.list(9).map(({ orderId }) => orderId);
  await next.close();
  assert.equal(left, ['newest', 'next']);
});

test('on a disk that became read-only its books are in memory, and it starts', async () => {
  using folder = temporaryFolder();
  const dataFile = join(folder.path, 'sandbox.db');
  const clock = new StillClock();
  const before = await startBanks({ port: 0, dataFile, clock });
  await registered(before, { orderNumber: 'one' });
  await before.close();
  const bytes = readFileSync(dataFile);
  bytes[18] = 3; // a version that may be read alone (SQLite's file format, 1.3.3), as a file on such a disk
  writeFileSync(dataFile, bytes);
  const next = await startBanks({ port: 0, dataFile, clock });
  assert.match(next.payments.problem ?? '', /readonly/);
  await registered(next, { orderNumber: 'two' });
  await next.close();
  assert.equal(readFileSync(dataFile), bytes);
});

test.run();
