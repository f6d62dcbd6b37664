import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, call, each } from '../support.ts';
import { type Body, bodyOf, MINUTE_MS, newest, payer, type Rig, sendJson, withBank } from './support.ts';

const test = suite('sandbox bank, YooKassa dialect');
const it = each<[Rig]>(test, (run) => () => withBank(run));

const basic = (shopId: string, secretKey: string) => ({
  authorization: `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`,
});
const AUTH = basic('100500', 'made-up');
const wish = (changes: object = {}) => ({
  amount: { value: '100.50', currency: 'RUB' },
  capture: true,
  payment_method_data: { type: 'sbp' },
  confirmation: { type: 'qr' },
  description: 'Кофе',
  metadata: { order: 'order-1' },
  ...changes,
});

let keys = 0;
const post = ({ url }: Rig, path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> => {
  keys += 1;
  return sendJson(`${url}/yookassa/v3/${path}`, body, { ...AUTH, 'idempotence-key': `key-${keys}`, ...headers });
};
const get = ({ url }: Rig, path: string, auth = AUTH): Promise<Answer> =>
  call(`${url}/yookassa/v3/${path}`, { headers: auth });
const rub = (value: string) => ({ value, currency: 'RUB' });

it('a payment is created with a code, paid, and reported', async (rig) => {
  const made = bodyOf(await post(rig, 'payments', wish()));
  assert.equal(
    [made.status, made.paid, made.amount, made.confirmation.type, made.metadata, made.test],
    ['pending', false, rub('100.50'), 'qr', { order: 'order-1' }, true],
  );
  assert.is(made.id.length, 36);
  assert.equal(bodyOf(await get(rig, `payments/${made.id}`)), made);
  await payer(rig.url, made.confirmation.confirmation_data);
  const paid = bodyOf(await get(rig, `payments/${made.id}`));
  assert.equal(
    [paid.status, paid.paid, paid.refundable, paid.confirmation, paid.payment_method.type],
    ['succeeded', true, true, undefined, 'sbp'],
  );
  assert.match(paid.captured_at, /Z$/);
});

it('a shop without codes pays by redirect', async (rig) => {
  rig.sandbox.faults.set([{ call: 'register', kind: 'refuse', times: 9, only: 'confirmation=qr' }]);
  const { type, code, parameter } = bodyOf(await post(rig, 'payments', wish()), 400);
  assert.equal([type, code, parameter], ['error', 'invalid_request', 'confirmation.type']);
  const confirmation = { type: 'redirect', return_url: 'https://shop.example/' };
  const made = bodyOf(await post(rig, 'payments', wish({ confirmation })));
  await payer(rig.url, made.confirmation.confirmation_url);
  assert.is(bodyOf(await get(rig, `payments/${made.id}`)).status, 'succeeded');
});

it('a request that is still processed is asked again with its key', async (rig) => {
  rig.sandbox.faults.set([{ call: 'register', kind: 'accepted' }]);
  const key = { 'idempotence-key': 'slow' };
  const { type, retry_after } = bodyOf(await post(rig, 'payments', wish(), key), 202);
  assert.equal([type, retry_after], ['processing', 1800]);
  const made = bodyOf(await post(rig, 'payments', wish(), key));
  assert.is((await newest(rig.url)).bankId, made.id);
  assert.is(bodyOf(await call(`${rig.url}/sandbox/payments`)).length, 1);
});

it('one idempotence key stands for one request, for a day', async (rig) => {
  const key = { 'idempotence-key': 'the-key' };
  const made = bodyOf(await post(rig, 'payments', wish(), key));
  await payer(rig.url, made.confirmation.confirmation_data);
  assert.equal(bodyOf(await post(rig, 'payments', wish(), key)), made, 'the first answer');
  const other = bodyOf(await post(rig, 'payments', wish({ amount: rub('100.60') }), key), 400);
  assert.equal([other.code, other.parameter], ['invalid_request', 'Idempotence-Key']);
  rig.clock.go(24 * 60 * MINUTE_MS);
  assert.is.not(bodyOf(await post(rig, 'payments', wish(), key)).id, made.id);
});

it("what is refused, in the bank's words, with the parameter", async (rig) => {
  for (const [changes, parameter] of [
    [{ amount: rub('0.99') }, 'amount.value'],
    [{ amount: rub('700000.01') }, 'amount.value'],
    [{ amount: rub('1.001') }, 'amount.value'],
    [{ amount: { value: '100.50', currency: 'USD' } }, 'amount.currency'],
    [{ capture: false }, 'capture'],
    [{ confirmation: { type: 'redirect' } }, 'confirmation.return_url'],
    [{ description: 'x'.repeat(129) }, 'description'],
  ] as const) {
    const { code, parameter: named } = bodyOf(await post(rig, 'payments', wish(changes)), 400);
    assert.equal([code, named], ['invalid_request', parameter], JSON.stringify(changes));
  }
  const longKey = { 'idempotence-key': 'x'.repeat(65) };
  assert.is(bodyOf(await post(rig, 'payments', wish(), longKey), 400).parameter, 'Idempotence-Key');
  for (const auth of [basic('100500', 'wrong'), basic('', 'x'), { authorization: 'Bearer x' }]) {
    assert.is(bodyOf(await post(rig, 'payments', wish(), auth), 401).code, 'invalid_credentials');
  }
  assert.is(bodyOf(await get(rig, 'payments/1'), 404).code, 'not_found');
  assert.is(await newest(rig.url), undefined, 'nothing is booked');
});

it("one shop does not see another's payment", async (rig) => {
  const { id } = bodyOf(await post(rig, 'payments', wish()));
  bodyOf(await get(rig, `payments/${id}`, basic('100501', 'made-up')), 404);
  bodyOf(await get(rig, `payments/${id}`, basic('100500', 'renewed')));
});

it('a pending payment cannot be canceled and ends after an hour; a declined one says so', async (rig) => {
  const made = bodyOf(await post(rig, 'payments', wish()));
  assert.is(bodyOf(await post(rig, `payments/${made.id}/cancel`, {}), 400).code, 'invalid_request');
  rig.clock.go(60 * MINUTE_MS - 1);
  assert.is(bodyOf(await get(rig, `payments/${made.id}`)).status, 'pending');
  rig.clock.go(1);
  const ended = bodyOf(await get(rig, `payments/${made.id}`));
  assert.equal([ended.status, ended.cancellation_details.reason], ['canceled', 'expired_on_confirmation']);
  const second = bodyOf(await post(rig, 'payments', wish()));
  await payer(rig.url, second.confirmation.confirmation_data, 'decline');
  const declined = bodyOf(await get(rig, `payments/${second.id}`));
  assert.equal([declined.status, declined.cancellation_details.reason], ['canceled', 'general_decline']);
});

it('refunds: part and rest, once for each key, never more than was paid', async (rig) => {
  const { id, confirmation } = bodyOf(await post(rig, 'payments', wish()));
  const give = (value: string, key: Record<string, string> = {}): Promise<Answer> =>
    post(rig, 'refunds', { payment_id: id, amount: rub(value) }, key);
  assert.is(bodyOf(await give('0.50'), 400).parameter, 'payment_id', 'not paid yet');
  await payer(rig.url, confirmation.confirmation_data);
  const key = { 'idempotence-key': 'refund-1' };
  const first = bodyOf(await give('0.50', key));
  assert.equal([first.status, first.payment_id, first.amount], ['succeeded', id, rub('0.50')]);
  assert.equal(bodyOf(await give('0.50', key)), first);
  assert.is(bodyOf(await give('0.60', key), 400).parameter, 'Idempotence-Key');
  assert.is(bodyOf(await give('100.01'), 400).parameter, 'amount.value');
  bodyOf(await give('100.00'));
  assert.equal(bodyOf(await get(rig, `refunds/${first.id}`)), first);
  bodyOf(await get(rig, `refunds/${first.id}`, basic('100501', 'made-up')), 404);
  const paid: Body = bodyOf(await get(rig, `payments/${id}`));
  assert.equal([paid.status, paid.refunded_amount, paid.refundable], ['succeeded', rub('100.50'), false]);
});

it('the refunds of a payment are listed, the newest first, page by page, with what the till keeps beside them', async (rig) => {
  const { id, confirmation } = bodyOf(await post(rig, 'payments', wish()));
  await payer(rig.url, confirmation.confirmation_data);
  for (const value of ['1.00', '2.00', '3.00']) {
    bodyOf(await post(rig, 'refunds', { payment_id: id, amount: rub(value), metadata: { refund: value } }));
  }
  const refundsIn = ({ items }: Body) => items.map(({ metadata, amount }: Body) => [metadata.refund, amount.value]);
  const first = bodyOf(await get(rig, `refunds?payment_id=${id}&limit=2`));
  assert.equal(refundsIn(first), [
    ['3.00', '3.00'],
    ['2.00', '2.00'],
  ]);
  const rest = bodyOf(await get(rig, `refunds?payment_id=${id}&limit=2&cursor=${first.next_cursor}`));
  assert.equal([refundsIn(rest), rest.next_cursor], [[['1.00', '1.00']], undefined]);
  assert.equal(bodyOf(await get(rig, `refunds?payment_id=${id}`, basic('100501', 'made-up'))).items, []);
  assert.is(bodyOf(await get(rig, 'refunds?limit=2'), 400).parameter, 'payment_id');
});

test.run();
