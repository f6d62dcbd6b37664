/** Payments at the centre: each once, by the newest report of its device, in any order and with any repeats. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PENDING_EXAMPLE } from '../../firmware/terminal/http/payment-schemas.ts';
import { PaymentFold, paymentLine } from '../../scripts/chain/payments.ts';

const test = suite('payments at the centre');

const part = (serial: string): string => `i${Buffer.from(serial).toString('base64url')}`;
const subject = (serial: string, account = 'ACC'): string => `up.${account}.event.${part(serial)}.payment`;
const event = (number: number, payment: object) => Buffer.from(JSON.stringify({ number, type: 'payment.x', payment }));

test('the newest report counts, in any order, and repeated or not', () => {
  const fold = new PaymentFold();
  const accepted = { ...PENDING_EXAMPLE, state: 'ACCEPTED' };
  for (const [number, payment] of [
    [2, accepted],
    [1, PENDING_EXAMPLE],
    [2, accepted],
  ] as const)
    fold.take(subject('LW1'), event(number, payment));
  assert.equal(
    fold.payments.map(({ serial, number, payment }) => [serial, number, payment.state]),
    [['LW1', 2, 'ACCEPTED']],
  );
  assert.is(fold.unread, 0);
});

test('the same order id of another device, or store, is another payment', () => {
  const fold = new PaymentFold();
  fold.take(subject('LW1'), event(1, PENDING_EXAMPLE));
  fold.take(subject('LW2'), event(2, PENDING_EXAMPLE));
  fold.take(subject('LW1', 'OTHER'), event(3, PENDING_EXAMPLE));
  assert.is(fold.payments.length, 3);
});

test('gaps are named, and what is no word of a device is counted', () => {
  const fold = new PaymentFold();
  fold.take(subject('LW1'), Buffer.from('{"number":9,"type":"gap","after":4}'));
  fold.take(subject('LW1'), Buffer.from('{'));
  fold.take(subject('LW1'), event(1, { id: 'x' }));
  fold.take('up.ACC.event.nothing.payment', event(1, PENDING_EXAMPLE));
  assert.equal(fold.gaps, [{ account: 'ACC', serial: 'LW1', after: 4, upTo: 9 }]);
  assert.is(fold.unread, 3);
  assert.equal(fold.payments, []);
});

test('a line of the table begins with store and device, and nothing in it is taken for a formula', () => {
  const reported = { account: 'A', serial: 'LW1', number: 1, payment: { ...PENDING_EXAMPLE, purpose: '=1+1' } };
  const line = paymentLine(reported, 'M1');
  assert.match(line, /^M1[,;]LW1[,;]/);
  assert.not.match(line, /[,;]=1\+1/);
});

test.run();
