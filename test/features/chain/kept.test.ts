/** Events are kept until the chain has them, however old they are; a device without a chain lets them go. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../../firmware/core/files/database.ts';
import { call, setUp, startTestDevice, temporaryFolder, until } from '../../support.ts';

const test = suite('events that the chain has not taken yet');

/** Of a chain that is not there. */
const CHAIN = { LANEWARE_CHAIN_URLS: 'nats://127.0.0.1:1', LANEWARE_CHAIN_CREDENTIALS: '/nowhere/chain.creds' };
const MONTH_MS = 30 * 86_400_000;

/** Numbers of the events that a ledger keeps. */
function withLedger<T>(folder: string, work: (db: DatabaseSync) => T): T {
  using db = openFile(join(folder, 'money.db'));
  return work(db);
}
const numbersIn = (folder: string): number[] =>
  withLedger(folder, (db) =>
    db
      .prepare('SELECT number FROM events ORDER BY number')
      .all()
      .map((row) => Number(row.number)),
  );

/** A device that has sold thrice, a month ago. */
async function monthOld(folder: string): Promise<number[]> {
  {
    await using device = await startTestDevice({}, folder);
    await setUp(device);
    for (const amount of [100, 200, 300]) await call(`${device.terminal}/showQR`, { json: { amount } });
  }
  withLedger(folder, (db) => db.exec(`UPDATE events SET at = at - ${MONTH_MS}`));
  return numbersIn(folder);
}

for (const [what, tellsTo] of [
  ['those that the chain has not acknowledged are kept, the others go', 2],
  ['those for a chain that was never reached are kept all', 0],
] as const)
  test(what, async () => {
    using folder = temporaryFolder();
    const numbers = await monthOld(folder.path);
    const toldTo = numbers[tellsTo - 1] ?? null;
    writeFileSync(join(folder.path, 'chain-payments.json'), JSON.stringify({ toldTo }));
    {
      await using device = await startTestDevice(CHAIN, folder.path);
      assert.ok(device.terminal);
      await until('the old ones to go', () => numbersIn(folder.path)[0] === numbers[tellsTo]);
    }
    const kept = numbersIn(folder.path).filter((number) => numbers.includes(number));
    assert.equal(kept, numbers.slice(tellsTo));
  });

test('without a chain all of them go', async () => {
  using folder = temporaryFolder();
  const numbers = await monthOld(folder.path);
  await using device = await startTestDevice({}, folder.path);
  assert.ok(device.terminal);
  await until('all to go', () => !numbersIn(folder.path).some((number) => numbers.includes(number)) || null);
});

test.run();
