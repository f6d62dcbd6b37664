/**
 * An older image of the card takes from the second medium what it lacks, and is killed at each write: the next start has
 * all, also after one without the medium. Oracle: what was sold.
 */

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { catchUp } from '../../firmware/core/book/index.ts';
import { missingPrograms, suiteNeeding } from '../needing.ts';
import { ROOT } from '../root.ts';
import { Device, soldFrom } from '../store/book-device.ts';
import { temporaryFolder } from '../support.ts';
import { openMoney } from '../terminal/ledger-rig.ts';
import { paymentsAfter } from '../terminal/ledger-rows.ts';
import { FaultyStorage } from './storage.ts';

const LACK = process.platform === 'linux' ? missingPrograms('gcc') : 'it needs Linux';
const test = suiteNeeding(LACK, 'a second medium that is newer, and a kill at each write');

const DAY_MS = 86_400_000;
const CHILD = join(ROOT, 'test/faults/catch-up-process.ts');
/** There are more calls than this, or the test strikes nothing. */
const LEAST_CALLS = 10;
const SOLD = 7;

/** Whether the process has ended by itself. */
async function ends(folder: string, second: string, storage: FaultyStorage): Promise<boolean> {
  const env = { ...process.env, ...storage.environment(folder) };
  try {
    await promisify(execFile)(process.execPath, [CHILD, folder, second], { env });
    return true;
  } catch (error) {
    if ((error as { signal?: unknown }).signal !== 'SIGKILL') throw error;
    return false;
  }
}

function soldIn(folder: string, second: string | null): string[] {
  using money = openMoney(folder, second);
  assert.is(money.book.problem, null);
  return paymentsAfter(money.payments, 0, 100).map(({ orderId, amount }) => `${orderId} ${amount}`);
}

test('all is there after a kill at each write, and after a start without the medium between', async () => {
  using own = temporaryFolder();
  const [image, second, card] = ['image', 'second', 'card'].map((name) => join(own.path, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(second);
  {
    using device = new Device(second);
    device.sell(1, 3);
    await device.restart(() => cpSync(device.folder, image, { recursive: true }));
    device.sell(4, 5);
    await device.keeper.compare();
    device.now += DAY_MS;
    device.sell(6, SOLD);
    await device.keeper.compare();
  }
  using storage = new FaultyStorage(own.path);
  let calls = 0;
  for (let isStruck = true; isStruck; ) {
    rmSync(card, { recursive: true, force: true });
    cpSync(image, card, { recursive: true });
    storage.strike(calls + 1, 'kill');
    isStruck = !(await ends(card, second, storage));
    storage.heal();
    if (isStruck) calls += 1;
    const [one, ...rest] = soldIn(card, null);
    assert.equal([one, ...rest], soldFrom(1, rest.length + 1), `a start of its own, ${calls}`);
    await catchUp({ path: join(card, 'money.db'), secondFolder: second }, () => undefined);
    assert.equal(soldIn(card, second), soldFrom(1, SOLD), `killed at call ${calls}, ${storage.struck}`);
    assert.not(readdirSync(card).some((name) => name.includes('.other-')));
  }
  assert.ok(calls > LEAST_CALLS, `${calls} calls`);
});

test.run();
