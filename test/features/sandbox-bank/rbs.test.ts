import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, each } from '../../support.ts';
import { ask, booked, newest, order, payer, type Rig, registered, withBank } from './support.ts';

const test = suite('sandbox bank, RBS dialect');
const it = each<[Rig]>(test, (run) => () => withBank(run));

it('a payment that has no code yet can be taken back, and neither be paid nor declined', async (rig) => {
  const { orderId } = await ask(rig, 'register.do', order());
  const { qrcId } = await newest(rig);
  for (const action of ['pay', 'decline'])
    assert.is((await call(`${rig.url}/sandbox/payments/${qrcId}/${action}`, { method: 'POST' })).status, 409);
  assert.is((await newest(rig)).charges, 0);
  assert.is((await ask(rig, 'decline.do', { orderId })).errorCode, '0');
  assert.is((await newest(rig)).state, 'cancelled');
});

it("a payer names a payment by its code, by the bank's id, or by the till's order, of which the newest counts", async (rig) => {
  const action = async (id: string, name: string) => {
    const { status, body } = await call(`${rig.url}/sandbox/payments/${id}/${name}`, { method: 'POST' });
    return [status, body.state ?? JSON.stringify(body)];
  };
  await registered(rig);
  assert.equal(await action('order-1', 'pay'), [200, 'paid']);
  const { qrcId, bankId } = await newest(rig);
  assert.not.equal(bankId, qrcId);
  for (const id of [qrcId, bankId]) assert.equal(await action(id, 'pay'), [200, 'paid']);
  assert.equal((await call(`${rig.url}/sandbox/payments/order-1/refunds`)).body, []);
  await registered(rig, { orderNumber: 'order-2' });
  assert.equal(await action('order-2', 'decline'), [200, 'declined']);
  const [status, says] = await action('order-3', 'pay');
  assert.is(status, 404);
  assert.match(says, /no payment whose code \(qrcId\), id at the bank \(bankId\) or order/);
});

it('an order is registered, its code shown, paid, and reported by every status call', async (rig) => {
  const answer = await ask(rig, 'register.do', order());
  assert.match(answer.orderId, /^[0-9a-f-]{36}$/);
  assert.is(answer.errorCode, undefined);
  const mdOrder = answer.orderId;
  const code = await ask(rig, 'sbp/c2b/qr/dynamic/get.do', { mdOrder, paymentPurpose: 'Кофе' });
  assert.is(code.qrStatus, 'STARTED');
  assert.match(code.qrId, /^AD/);
  const qr = { mdOrder, qrId: code.qrId };
  for (const name of ['sbp/c2b/qr/status.do', 'sbp/c2b/qr/dynamic/status.do']) {
    const state = await ask(rig, name, qr);
    assert.equal([state.qrType, state.qrStatus, state.transactionState], ['DYNAMIC', 'STARTED', 'CREATED']);
  }
  await payer(rig, code);
  const state = await ask(rig, 'sbp/c2b/qr/status.do', qr);
  assert.equal([state.qrStatus, state.transactionState], ['ACCEPTED', 'DEPOSITED']);
  for (const by of [{ orderId: mdOrder }, { orderNumber: 'order-1' }]) {
    const extended = await ask(rig, 'getOrderStatusExtended.do', by);
    assert.equal(
      [extended.orderStatus, extended.amount, extended.orderNumber, extended.currency],
      [2, 12_345, 'order-1', '643'],
    );
    assert.is(extended.paymentAmountInfo.depositedAmount, 12_345);
    assert.equal(extended.attributes, [{ name: 'mdOrder', value: mdOrder }]);
  }
  const { state: booked, charges } = await newest(rig);
  assert.equal([booked, charges], ['paid', 1]);
});

it('an order number stands for one order: a repeat is error 1, and the order is found by its number', async (rig) => {
  const { mdOrder, payload } = await registered(rig);
  const repeat = await ask(rig, 'register.do', order());
  assert.is(repeat.errorCode, '1');
  assert.match(repeat.errorMessage, 'не был оплачен');
  const found = await ask(rig, 'getOrderStatusExtended.do', { orderNumber: 'order-1' });
  assert.equal([found.orderStatus, found.attributes[0]?.value], [0, mdOrder]);
  await payer(rig, { payload });
  assert.match((await ask(rig, 'register.do', order())).errorMessage, 'уже обработан');
});

it('what the gateway refuses, in its own numbers and with HTTP 200', async (rig) => {
  for (const [changes, code] of [
    [{ orderNumber: '' }, '4'],
    [{ amount: '' }, '4'],
    [{ returnUrl: '' }, '4'],
    [{ amount: '0' }, '5'],
    [{ amount: '12.5' }, '5'],
    [{ amount: '1234567890123' }, '5'],
    [{ currency: '840' }, '3'],
    [{ orderNumber: 'x'.repeat(37) }, '1'],
    [{ description: 'x'.repeat(513) }, '5'],
    [{ sessionTimeoutSecs: '0' }, '5'],
  ] as const) {
    assert.is((await ask(rig, 'register.do', order(changes))).errorCode, code, JSON.stringify(changes));
  }
  for (const login of [{ password: 'x' }, { userName: 'shop-api' }, { userName: 'shop-api', password: 'wrong' }]) {
    assert.is((await ask(rig, 'register.do', order(), login)).errorCode, '5');
  }
  assert.is((await ask(rig, 'getOrderStatusExtended.do', { orderId: 'nothing' })).errorCode, '6');
  assert.equal(await booked(rig), [], 'nothing is booked');
});

it("one merchant does not see another's order", async (rig) => {
  const { mdOrder } = await registered(rig);
  const other = { userName: 'other-api', password: 'made-up' };
  assert.is((await ask(rig, 'getOrderStatusExtended.do', { orderId: mdOrder }, other)).errorCode, '6');
  assert.is((await ask(rig, 'getOrderStatusExtended.do', { orderNumber: 'order-1' }, other)).errorCode, '6');
  assert.is((await ask(rig, 'decline.do', { orderId: mdOrder }, other)).errorCode, '6');
  const renewed = { userName: 'shop-api', password: 'renewed' };
  assert.is((await ask(rig, 'getOrderStatusExtended.do', { orderId: mdOrder }, renewed)).orderStatus, 0);
});

it('an unpaid order is taken back by its code or as a whole; a paid one is not', async (rig) => {
  const first = await registered(rig);
  assert.is(
    (await ask(rig, 'sbp/c2b/qr/dynamic/reject.do', { mdOrder: first.mdOrder, qrId: first.qrId })).rejected,
    true,
  );
  assert.is((await ask(rig, 'sbp/c2b/qr/status.do', { mdOrder: first.mdOrder })).qrStatus, 'REJECTED_BY_USER');

  const second = await registered(rig, { orderNumber: 'order-2' });
  const mixed = { mdOrder: second.mdOrder, qrId: first.qrId };
  assert.is((await ask(rig, 'sbp/c2b/qr/status.do', mixed)).errorCode, '6', "another order's code");
  assert.is((await ask(rig, 'decline.do', { orderNumber: 'order-2' })).errorCode, '0');
  assert.is((await ask(rig, 'getOrderStatusExtended.do', { orderId: second.mdOrder })).orderStatus, 3);

  const third = await registered(rig, { orderNumber: 'order-3' });
  await payer(rig, third);
  for (const name of ['decline.do', 'sbp/c2b/qr/dynamic/reject.do', 'reverse.do']) {
    assert.is((await ask(rig, name, { orderId: third.mdOrder })).errorCode, '7', name);
  }
  assert.is((await ask(rig, 'getOrderStatusExtended.do', { orderId: third.mdOrder })).orderStatus, 2);
});

it('an order ends with its session', async (rig) => {
  const { mdOrder } = await registered(rig, { sessionTimeoutSecs: '90' });
  rig.clock.go(89_999);
  assert.is((await ask(rig, 'sbp/c2b/qr/status.do', { mdOrder })).qrStatus, 'STARTED');
  rig.clock.go(1);
  assert.is((await ask(rig, 'sbp/c2b/qr/status.do', { mdOrder })).transactionState, 'DECLINED');
  assert.is((await ask(rig, 'getOrderStatusExtended.do', { orderId: mdOrder })).orderStatus, 6);
});

it('a refund of the same externalRefundId is done once; one that expects another deposited amount is refused', async (rig) => {
  const { mdOrder: orderId, payload } = await registered(rig);
  const part = { orderId, amount: '345', externalRefundId: 'r1', expectedDepositedAmount: '12345' };
  assert.is((await ask(rig, 'refund.do', part)).errorCode, '7', 'not paid yet');
  await payer(rig, { payload });
  assert.is((await ask(rig, 'refund.do', part)).errorCode, '0');
  assert.is((await ask(rig, 'refund.do', part)).errorCode, '0');
  assert.is((await newest(rig)).refunded, 345);
  assert.is((await ask(rig, 'refund.do', { ...part, amount: '346' })).errorCode, '5');
  assert.is((await ask(rig, 'refund.do', { ...part, externalRefundId: 'r2' })).errorCode, '7');
  assert.is((await ask(rig, 'refund.do', { orderId, amount: '12001' })).errorCode, '5');
  assert.is(
    (await ask(rig, 'refund.do', { orderId, amount: '12000', externalRefundId: 'x'.repeat(31) })).errorCode,
    '5',
  );
  assert.is((await ask(rig, 'refund.do', { orderId, amount: '12000' })).errorCode, '0');
  const { orderStatus, paymentAmountInfo, refunds } = await ask(rig, 'getOrderStatusExtended.do', { orderId });
  assert.equal([orderStatus, paymentAmountInfo.depositedAmount, paymentAmountInfo.refundedAmount], [4, 0, 12_345]);
  assert.equal(
    refunds.map(({ amount }: { amount: number }) => amount),
    [345, 12_000],
  );
  assert.equal(
    refunds.map(({ externalRefundId }) => externalRefundId),
    ['r1', undefined],
    'one that was made in the account at the bank has no id of the shop',
  );
});

test.run();
