import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TBANK_PASSWORD, tbankToken } from '../banks/tbank.ts';
import { each } from '../support.ts';
import { type Body, bodyOf, MINUTE_MS, newest, payer, type Rig, sendJson, withBank } from './support.ts';

const test = suite('sandbox bank, T-Bank dialect');
const it = each<[Rig]>(test, (run) => () => withBank(run));

const TerminalKey = '1700000000001DEMO';

/** Signed here by hand, not by the bank's own function. */
function signed(fields: Record<string, unknown>, password = TBANK_PASSWORD): object {
  const all: Record<string, unknown> = { TerminalKey, ...fields };
  const names = Object.keys({ ...all, Password: '' }).filter((name) => typeof all[name] !== 'object');
  const text = names
    .sort()
    .map((name) => (name === 'Password' ? password : String(all[name])))
    .join('');
  return { ...all, Token: createHash('sha256').update(text).digest('hex') };
}

const ask = async ({ url }: Rig, name: string, fields: Record<string, unknown>): Promise<Body> =>
  bodyOf(await sendJson(`${url}/tbank/v2/${name}`, signed(fields)));

const order = (changes: object = {}) => ({
  Amount: 12_345,
  OrderId: 'order-1',
  Description: 'Кофе',
  PayType: 'O',
  ...changes,
});

async function shown(rig: Rig, changes: object = {}): Promise<{ PaymentId: string; Data: string }> {
  const { PaymentId } = await ask(rig, 'Init', order(changes));
  const { Data } = await ask(rig, 'GetQr', { PaymentId, DataType: 'PAYLOAD' });
  return { PaymentId, Data };
}

test("the token of the bank's own example", () => {
  const fields = {
    TerminalKey: 'MerchantTerminalKey',
    Amount: 19_200,
    OrderId: '21090',
    Description: 'Подарочная карта на 1000 рублей',
    DATA: { Phone: '+71234567890' },
    Receipt: { Items: [] },
    Token: 'is left out',
  };
  const expected = '0024a00af7c350a3a67ca168ce06502aa72772456662e38696d48b56ee9c97d9';
  assert.is(tbankToken(fields, 'usaf8fw8fsw21g'), expected);
  return withBank(async ({ url }) => {
    assert.is(bodyOf(await sendJson(`${url}/tbank/v2/Init`, { ...fields, Token: expected })).Status, 'NEW');
    const wrong = bodyOf(await sendJson(`${url}/tbank/v2/Init`, { ...fields, Token: expected.replace('0', '1') }));
    assert.equal([wrong.Success, wrong.ErrorCode], [false, '204']);
  });
});

it('a payment is begun, its code shown, paid, and reported', async (rig) => {
  const begun = await ask(rig, 'Init', order());
  assert.equal(
    [begun.Success, begun.ErrorCode, begun.Status, begun.Amount, begun.OrderId, begun.TerminalKey],
    [true, '0', 'NEW', 12_345, 'order-1', TerminalKey],
  );
  assert.match(begun.PaymentId, /^\d{10}$/);
  const { PaymentId } = begun;
  const code = await ask(rig, 'GetQr', { PaymentId, DataType: 'PAYLOAD' });
  assert.is(code.PaymentId, Number(PaymentId), 'a number here');
  assert.is((await ask(rig, 'GetState', { PaymentId })).Status, 'FORM_SHOWED');
  await payer(rig.url, code.Data);
  const state = await ask(rig, 'GetState/', { PaymentId });
  assert.equal([state.Status, state.Amount, state.OrderId], ['CONFIRMED', 12_345, 'order-1']);
});

it('a lost Init is found by its order; each Init of an unpaid order is a payment of its own', async (rig) => {
  const first = await ask(rig, 'Init', order());
  const second = await shown(rig);
  const found = await ask(rig, 'CheckOrder', { OrderId: 'order-1' });
  assert.equal(
    found.Payments.map(({ PaymentId, Status, Amount }: Body) => [PaymentId, Status, Amount]),
    [
      [first.PaymentId, 'NEW', 12_345],
      [second.PaymentId, 'FORM_SHOWED', 12_345],
    ],
  );
  assert.is((await ask(rig, 'CheckOrder', { OrderId: 'nothing' })).ErrorCode, '335');
  await payer(rig.url, second.Data);
  assert.is((await ask(rig, 'Init', order())).ErrorCode, '8', 'the order has been paid');
});

it('what the bank refuses, with HTTP 200 and in its own numbers', async (rig) => {
  for (const [changes, code] of [
    [{ Amount: 99 }, '251'],
    [{ Amount: 12.5 }, '251'],
    [{ OrderId: 'x'.repeat(37) }, '212'],
    [{ Description: 'x'.repeat(141) }, '213'],
    [{ TerminalKey: 'x'.repeat(21) }, '210'],
    [{ RedirectDueDate: 'tomorrow' }, '12'],
    [{ RedirectDueDate: '2026-11-20T03:16:40+03:00' }, '12'],
    [{ RedirectDueDate: '2027-11-20T03:16:40+03:00' }, '12'],
  ] as const) {
    assert.is((await ask(rig, 'Init', order(changes))).ErrorCode, code, JSON.stringify(changes));
  }
  const url = `${rig.url}/tbank/v2/Init`;
  assert.is(bodyOf(await sendJson(url, signed(order(), 'wrong'))).ErrorCode, '204');
  assert.is(bodyOf(await sendJson(url, { TerminalKey, ...order() })).ErrorCode, '9999');
  assert.is(bodyOf(await sendJson(url, [])).ErrorCode, '203');
  assert.is((await ask(rig, 'GetState', { PaymentId: '1' })).ErrorCode, '9999');
  assert.is(await newest(rig.url), undefined, 'nothing is booked');
  const { PaymentId } = await ask(rig, 'Init', order({ Amount: 999 }));
  assert.is((await ask(rig, 'GetQr', { PaymentId })).ErrorCode, '3016', 'a code is for 10 roubles at least');
});

it("one terminal does not see another's payment", async (rig) => {
  const { PaymentId } = await shown(rig);
  const other = { PaymentId, TerminalKey: '1700000000002DEMO' };
  assert.is((await ask(rig, 'GetState', other)).Success, false);
  assert.is((await ask(rig, 'Cancel', other)).Success, false);
  assert.is((await ask(rig, 'GetState', { PaymentId })).Status, 'FORM_SHOWED');
});

it('a code ends at its RedirectDueDate', async (rig) => {
  const due = new Date(rig.clock.wall() + 5 * MINUTE_MS + 3 * 3_600_000).toISOString().slice(0, 19);
  const { PaymentId } = await shown(rig, { RedirectDueDate: `${due}+03:00` });
  rig.clock.go(5 * MINUTE_MS - 1000);
  assert.is((await ask(rig, 'GetState', { PaymentId })).Status, 'FORM_SHOWED');
  rig.clock.go(1000);
  assert.is((await ask(rig, 'GetState', { PaymentId })).Status, 'DEADLINE_EXPIRED');
  assert.is((await ask(rig, 'Cancel', { PaymentId })).ErrorCode, '8');
});

it('Cancel takes an unpaid payment back, and refunds a paid one: the status shows which', async (rig) => {
  const open = await shown(rig);
  const cancelled = await ask(rig, 'Cancel', { PaymentId: open.PaymentId, Amount: 1 });
  assert.equal([cancelled.Status, cancelled.OriginalAmount, cancelled.NewAmount], ['CANCELED', 12_345, 0]);

  const paid = await shown(rig, { OrderId: 'order-2' });
  await payer(rig.url, paid.Data);
  const part = await ask(rig, 'Cancel', { PaymentId: paid.PaymentId, Amount: 345, ExternalRequestId: 'r1' });
  assert.equal([part.Success, part.Status, part.NewAmount], [true, 'PARTIAL_REFUNDED', 12_000]);
  const again = await ask(rig, 'Cancel', { PaymentId: paid.PaymentId, Amount: 345, ExternalRequestId: 'r1' });
  assert.equal([again.Status, again.OriginalAmount, again.NewAmount], ['PARTIAL_REFUNDED', 12_000, 11_655]);
  assert.is((await ask(rig, 'Cancel', { PaymentId: paid.PaymentId, Amount: 11_656 })).Success, false);
  assert.is((await ask(rig, 'Cancel', { PaymentId: paid.PaymentId })).Status, 'REFUNDED');
  assert.is((await ask(rig, 'Cancel', { PaymentId: paid.PaymentId })).ErrorCode, '8');
  const refund = await ask(rig, 'GetQrState', { PaymentId: paid.PaymentId });
  assert.equal([refund.Status, refund.Amount, refund.QrCancelCode], ['REFUNDED', 11_655, undefined]);
  assert.is((await newest(rig.url)).charges, 1);
});

it('SbpPayTest pays, expires or rejects a shown code', async (rig) => {
  for (const [fields, status] of [
    [{}, 'CONFIRMED'],
    [{ IsDeadlineExpired: true }, 'DEADLINE_EXPIRED'],
    [{ IsRejected: true }, 'REJECTED'],
  ] as const) {
    const { PaymentId } = await shown(rig, { OrderId: status });
    assert.is((await ask(rig, 'SbpPayTest', { PaymentId, ...fields })).Success, true);
    assert.is((await ask(rig, 'GetState', { PaymentId })).Status, status);
    assert.is((await ask(rig, 'SbpPayTest', { PaymentId })).ErrorCode, '8');
  }
});

test.run();
