/** The hash of a journal up to any of its commits: in a log, in any frame of a packed day, and where a day has ended. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { journalOf, lineFiles } from '../../firmware/core/book/journal-files.ts';
import { packEnded } from '../../firmware/core/book/journal-packing.ts';
import { hashAt } from '../../firmware/core/book/journal-reading.ts';
import { tailOf } from '../../firmware/core/book/journal-tail.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { each, inFolder } from '../support.ts';
import { NOW, newPayment, note } from './ledger-rig.ts';

const test = suite('ledger: places of its journal');
const it = each(test, inFolder);

const DAY_MS = 86_400_000;
/** A packed day has some frames, of 64 KiB each. */
const [NOTES_A_DAY, LONG_NOTE] = [40, 5000];

it('each commit has the hash that it had when it was made, and any other number has none', async ({ path }) => {
  let now = NOW;
  using money = Money.open({ path: join(path, 'money.db'), secondFolder: null, now: () => now });
  const folder = journalOf(join(path, 'money.db'));
  const { payments: ledger, book } = money;
  const places = [book.place];
  for (const day of [1, 2, 3]) {
    ledger.insert(newPayment(day));
    places.push(book.place);
    for (let n = 0; n < NOTES_A_DAY; n += 1) {
      note(ledger, `order-${day}`, `${n} ${'x'.repeat(LONG_NOTE)}`);
      places.push(book.place);
    }
    now += DAY_MS;
  }
  const assertAll = async (): Promise<void> => {
    for (const { commit, hash } of places) assert.is(await hashAt(folder, commit), hash, `commit ${commit}`);
    assert.is(await hashAt(folder, book.head + 1), null);
  };
  await assertAll();
  packEnded(folder);
  assert.equal(
    lineFiles(folder).map(({ kind }) => kind),
    ['packed', 'packed', 'log'],
  );
  await assertAll();
});

it('its end goes on where one line was cut; behind two or an unreadable file a new log begins', async ({ path }) => {
  let now = NOW;
  {
    using money = Money.open({ path: join(path, 'money.db'), secondFolder: null, now: () => now });
    money.payments.insert(newPayment(1));
    now += DAY_MS;
    for (const n of [2, 3, 4]) money.payments.insert(newPayment(n));
  }
  const folder = journalOf(join(path, 'money.db'));
  const log = lineFiles(folder).at(-1)?.path ?? '';
  const whole = readFileSync(log, 'latin1');
  const damaged = (...orders: readonly number[]) =>
    orders.reduce((text, n) => text.replace(`order-${n}`, 'order-x'), whole);
  const tailWith = (text: string) => {
    writeFileSync(log, text, 'latin1');
    const tail = tailOf(folder);
    return [tail?.commit, tail !== null && tail.log !== null];
  };
  const last = tailOf(folder)?.commit ?? 0;
  assert.equal(tailWith(whole), [last, true]);
  assert.equal(tailWith(damaged(4)), [last - 1, true]);
  assert.equal(tailWith(damaged(3, 4)), [last - 2, false]);
  assert.equal(tailWith(''), [last - 3, false]);
});

test.run();
