/** The refunds of the book of money: what a person and the bank say of one, and a day ends where the next begins. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type NewRefund, NOBODY, type Refund } from '../../firmware/payments/refunds/refund.ts';
import { temporaryFolder } from '../support.ts';
import { openMoney } from './ledger-rig.ts';

const test = suite('terminal: the ledger of refunds');

const NOW = Date.parse('2026-11-21');
const refund = (name: string): NewRefund => ({
  refundId: `r-${name}`,
  tillId: name,
  orderId: 'order',
  profile: 'main',
  bank: 'Sandbox',
  amount: 400,
  refundedBefore: 0,
  createdAt: NOW,
  refundedBy: null,
  asker: NOBODY,
});
const doneAt = (endedAt: number) => ({ state: 'done', bankRefundId: null, reason: null, endedAt }) as const;

test('what the bank reports after a person has decided: what has gone back stays so, with its time, and each report is marked', () => {
  using folder = temporaryFolder();
  using money = openMoney(folder.path);
  const ledger = money.refunds;
  ledger.insert(refund('a'));
  const looks = ({ state, endedAt, told, toldAt }: Refund) => [state, endedAt, told, toldAt];
  const decided = ledger.decide('r-a', { outcome: 'refused', note: 'n', at: NOW + 1 });
  assert.equal(looks(decided), ['refused', NOW + 1, 'asked', null]);
  const heard = ledger.hear('r-a', { ...doneAt(NOW), state: 'pending', endedAt: null });
  assert.equal(looks(heard), ['refused', NOW + 1, 'pending', null]);
  assert.equal(looks(ledger.hear('r-a', doneAt(NOW + 2))), ['done', NOW + 2, 'done', NOW + 2]);
  assert.equal(looks(ledger.hear('r-a', doneAt(NOW + 3))), ['done', NOW + 2, 'done', NOW + 3]);
  const again = ledger.decide('r-a', { outcome: 'refused', note: 'n', at: NOW + 4 });
  assert.equal(looks(again), ['done', NOW + 2, 'done', NOW + 3]);
  assert.throws(() => ledger.keep('r-b', doneAt(NOW)), /refund r-b is not in the ledger/);
});

test('a refund is of the day in which it was done: from its first moment, and before the first of the next', () => {
  using folder = temporaryFolder();
  using money = openMoney(folder.path);
  const ledger = money.refunds;
  for (const [name, at] of Object.entries({ first: NOW, last: NOW + 99, next: NOW + 100, before: NOW - 1 })) {
    ledger.insert(refund(name));
    ledger.keep(`r-${name}`, doneAt(at));
  }
  ledger.insert(refund('refused'));
  ledger.keep('r-refused', { ...doneAt(NOW), state: 'refused' });
  const names = ledger.doneBetween(NOW, NOW + 100).map(({ tillId }) => tillId);
  assert.equal(names.sort(), ['first', 'last']);
});

test.run();
