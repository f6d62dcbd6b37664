/** A payment is found by the bank's id of it, and by that of its link, which stands on the payer's receipt: at most banks they are two. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../firmware/core/files/database.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { MONEY_MIGRATIONS } from '../../firmware/payments/money/money-schema.ts';
import { newPayment, payMany } from './ledger-rig.ts';
import { paymentsAfter } from './ledger-rows.ts';

const test = suite('terminal: payments by the ids that people have');

const NEWEST = Number.MAX_SAFE_INTEGER;

test('by the id of the bank, by that of the link, and by none that only begins so', () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const { payments: ledger } = Money.over(db);
  payMany(ledger, 1, 4);
  const [a, b, c] = paymentsAfter(ledger, 0, 10);
  const show = (payment: typeof a, id: string, payload: string) =>
    ledger.intendToShow(payment?.orderId ?? '', payload, { id });
  show(
    a,
    '7f1c9a00-0000-4000-8000-000000000001',
    'https://qr.nspk.ru/AD10AAAA?type=02&bank=1&sum=100&cur=RUB&crc=AB75',
  );
  show(b, 'AD10BBBB', 'https://qr.nspk.ru/AD10BBBB?type=02&bank=1&sum=100&cur=RUB&crc=AB75');
  show(c, 'made-up-3', 'https://qr.nspk.ru/AS10CCCC');
  const found = (qrcId: string) => ledger.queries.search({ qrcId }, NEWEST, 10).payments.map(({ id }) => id);
  assert.equal(found('7f1c9a00-0000-4000-8000-000000000001'), [a?.id]);
  assert.equal(found('AD10AAAA'), [a?.id]);
  assert.equal(found('AD10BBBB'), [b?.id], 'once, where both are one');
  assert.equal([found('made-up-3'), found('AS10CCCC')], [[c?.id], [c?.id]], 'a link may be nothing but its id');
  for (const other of ['AD10', 'AD10AAA', 'AD10AAAA?type=02', 'ad10aaaa', '']) assert.equal(found(other), [], other);
});

test('by a part of a purpose, receipt or cashier, in any letters; by a long enough part of an id', () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  const { payments: ledger } = Money.over(db);
  payMany(ledger, 1, 3);
  const sought = { orderId: 'LW000042-1763712000000-9', purpose: 'Ёлка, Яблоки', cashier: 'Анна' };
  ledger.insert({ ...newPayment(9), ...sought });
  const last = ledger.find(sought.orderId);
  const found = (text: string) => ledger.queries.search({ text }, NEWEST, 10).payments.map(({ id }) => id);
  for (const text of ['яблоки', 'ЕЛКА', 'ёлка, я', 'анна', '1763712000000-9', 'lw000042'])
    assert.equal(found(text), [last?.id], text);
  assert.equal(found('1763'), [], 'a few digits are no part of an id');
  assert.equal(found('груши'), []);
});

test.run();
