/** After a restore ledger, days and shifts are compared, a piece in a turn of the event loop, and what differs is named. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { REGISTERING } from '../../firmware/payments/model/payment.ts';
import type { Shift } from '../../firmware/payments/model/shift.ts';
import type { SumOfShift } from '../../firmware/payments/money/accepted-payments.ts';
import { unbalanced } from '../../firmware/payments/reports/shifts/balance.ts';
import { Shifts } from '../../firmware/payments/reports/shifts/shifts.ts';
import { each, inFolder } from '../support.ts';
import { NO_CARE, NOW, newPayment, openMoney } from './ledger-rig.ts';

const test = suite('terminal: shifts and ledger compared');
const it = each(test, inFolder);

/** Rows, and shifts, that one turn may read: some milliseconds. */
const MOST_NUMBERS = 2000;
const MOST_SHIFTS = 10;

const shiftOf = (number: number): Shift => ({
  number,
  openedAt: NOW,
  closedAt: NOW,
  closedBy: null,
  report: { groups: [], earlier: [], returned: [], first: 0, last: 0 },
});

/** Of so many payments, and as many refunds: what is read in which turn. */
function counting(lastId: number, closed: number) {
  const pieces: { readonly what: string; readonly turn: number; readonly from: number; readonly to: number }[] = [];
  let turn = 0;
  let isCounting = true;
  const count = (): void => {
    turn += 1;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const note = (what: string, from: number, to: number): void => void pieces.push({ what, turn, from, to });
  const summed = (what: string) => ({
    sumsByShift: (after: number, last: number): SumOfShift[] => {
      note(what, after, last);
      return [{ shift: 1, sum: 1, withoutDay: 1 }];
    },
  });
  const shifts = {
    read: async () => shiftOf(closed + 1),
    list: (before: number, limit: number) => {
      const first = Math.min(before, closed + 1) - 1;
      const found = Array.from({ length: Math.min(limit, first) }, (_, n) => shiftOf(first - n));
      note('shifts', first - found.length, first);
      return found;
    },
  };
  return {
    books: {
      ledger: { isOpen: true, table: { lastId }, accepted: summed('payments') },
      refunds: { table: { lastId }, ...summed('refunds') },
      shifts,
    },
    pieces,
    [Symbol.dispose]: () => {
      isCounting = false;
    },
  };
}

test('each piece has a turn of its own and few rows, and all of them are read', async () => {
  using counted = counting(12_345, 37);
  const found = await unbalanced(counted.books);
  const turns = counted.pieces.map(({ turn }) => turn);
  assert.is(new Set(turns).size, turns.length, 'two pieces in one turn');
  for (const what of ['payments', 'refunds']) {
    const its = counted.pieces.filter((piece) => piece.what === what);
    assert.equal([its[0]?.from, (its.at(-1)?.to ?? 0) >= 12_345], [0, true]);
    for (const [n, { from, to }] of its.entries()) {
      assert.ok(to - from <= MOST_NUMBERS, `${to - from} rows`);
      if (n > 0) assert.is(from, its[n - 1]?.to);
    }
  }
  const shifts = counted.pieces.filter(({ what }) => what === 'shifts');
  assert.equal([shifts[0]?.to, shifts.at(-1)?.from], [37, 0]);
  for (const { from, to } of shifts) assert.ok(to - from <= MOST_SHIFTS, `${to - from} shifts`);
  assert.equal(found, [
    'shift 1: accepted 0.00, in the ledger 0.07',
    'shift 1: refunds 0.00, in the ledger 0.07',
    'on no day: accepted 0.00, in the ledger 0.07',
    'on no day: refunds 0.00, in the ledger 0.07',
  ]);
});

it('what differs is named by its shift, as in no shift, and as on no day', async ({ path }) => {
  using money = openMoney(path);
  const { payments: ledger, refunds, shifts: book } = money;
  const clock = { wall: () => NOW };
  const config = { shiftCloseAt: null };
  const shifts = new Shifts({ config, book, ledger, refunds, care: NO_CARE, clock, log: () => undefined });
  const accept = (n: number): void => {
    ledger.insert({ ...newPayment(n), amount: 100 * n });
    ledger.setStatus(`order-${n}`, { ...REGISTERING, seen: true, state: 'ACCEPTED' }, NOW);
  };
  for (const n of [1, 2, 3, 4]) accept(n);
  shifts.close({ till: null, cashier: null }, null);
  accept(5);
  assert.equal(await unbalanced({ ledger, refunds, shifts }), []);
  {
    using db = openFile(join(path, 'money.db'));
    db.exec(`UPDATE payments SET amount = 150 WHERE id = 1;
      UPDATE payments SET shift = 99 WHERE id = 2;
      UPDATE payments SET shift = NULL WHERE id = 3;
      UPDATE payments SET ended_at = NULL WHERE id = 4`);
  }
  assert.equal((await unbalanced({ ledger, refunds, shifts })).toSorted(), [
    'in no shift: accepted 0.00, in the ledger 2.00',
    'in no shift: accepted 0.00, in the ledger 3.00',
    'on no day: accepted 0.00, in the ledger 4.00',
    'shift 1: accepted 10.00, in the ledger 5.50',
  ]);
  money.book.close();
  assert.equal(await unbalanced({ ledger, refunds, shifts }), [], 'none while it is closed');
});

test.run();
