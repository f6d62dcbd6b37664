import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, call, each } from '../support.ts';
import { type Body, bodyOf, MINUTE_MS, newest, noAnswer, payer, type Rig, sendJson, withBank } from './support.ts';

const test = suite('sandbox bank, Gazprombank dialect');
const it = each<[Rig]>(test, (run) => () => withBank(run));

const AUTH = { login: 'LA0000000001', password: 'made-up' };
const order = (changes: object = {}) => ({
  ...{ account: '40702810000000000001', merchantId: 'MA0000000001', templateVersion: '01', qrcType: '02' },
  ...{ amount: '25350', currency: 'RUB', paymentPurpose: 'Кофе', qrTtl: '5' },
  ...changes,
});

const send = ({ url }: Rig, path: string, body: object, auth: Record<string, string> = AUTH): Promise<Answer> =>
  sendJson(`${url}/gpb/${path}`, body, auth);
const put = ({ url }: Rig, body: object): Promise<Answer> =>
  call(`${url}/gpb/payment/v1/qrc-status`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...AUTH },
    body: JSON.stringify(body),
  });

async function registered(rig: Rig, changes: object = {}): Promise<{ qrcId: string; payload: string }> {
  const { code, data } = bodyOf(await send(rig, 'merchant/qrc-data', order(changes)));
  assert.is(code, '000');
  return data;
}

const stateOf = async (rig: Rig, qrcId: string): Promise<Body> =>
  bodyOf(await send(rig, 'merchant/qrc-status', { qrcIds: [qrcId] })).data[0];

it("a code is registered, paid, and reported by both of the status calls, in the form of the client's samples", async (rig) => {
  const made = bodyOf(await send(rig, 'merchant/qrc-data', order()));
  assert.equal([made.code, made.message, made.data.status], ['000', 'Запрос обработан успешно', 'CREATED']);
  assert.match(made.transactionId, /^\d{12}$/);
  const { qrcId, payload } = made.data;
  assert.equal(await stateOf(rig, qrcId), {
    ...{ qrcId, code: 'RQ00000', message: 'Запрос обработан успешно', status: 'NOT_STARTED' },
  });
  await payer(rig.url, payload);
  const paid = await stateOf(rig, qrcId);
  assert.is(paid.status, 'ACCEPTED');
  assert.is.not(paid.trxId, undefined);
  assert.equal(bodyOf(await put(rig, { qrcIds: [qrcId] })).data, [paid]);
  assert.is((await registered(rig, { amount: 25_350 })).qrcId === qrcId, false, 'each call is a code of its own');
});

it('where nothing names an order, a script begins anew with each payment', async (rig) => {
  for (let sale = 0; sale < 2; sale++) {
    await noAnswer(registered(rig, { amount: '5004' }));
    await registered(rig, { amount: '5004' });
  }
});

it('one of the status paths may be missing', async (rig) => {
  const { qrcId } = await registered(rig);
  for (const [kind, status] of [
    ['gone', 404],
    ['not-allowed', 405],
  ] as const) {
    rig.sandbox.faults.set([{ call: 'state', kind, times: 9, only: 'POST /gpb/merchant/qrc-status' }]);
    assert.is((await send(rig, 'merchant/qrc-status', { qrcIds: [qrcId] })).status, status);
    assert.is(bodyOf(await put(rig, { qrcIds: [qrcId] })).data[0].status, 'NOT_STARTED');
  }
});

it('what the bank refuses has another code than 000', async (rig) => {
  for (const changes of [
    { account: '1' },
    { merchantId: undefined },
    { templateVersion: '02' },
    { qrcType: '01' },
    { amount: '0' },
    { amount: '12.50' },
    { amount: 100_000_001 },
    { currency: 'USD' },
    { qrTtl: '129601' },
    { paymentPurpose: 'x'.repeat(141) },
  ]) {
    const answer = bodyOf(await send(rig, 'merchant/qrc-data', order(changes)));
    assert.is(answer.code, '001', JSON.stringify(changes));
  }
  for (const auth of [{}, { login: 'LA0000000001' }, { ...AUTH, password: 'wrong' }] as const) {
    bodyOf(await send(rig, 'merchant/qrc-data', order(), { ...auth }), 401);
  }
  assert.is(await newest(rig.url), undefined, 'nothing is booked');
  assert.is.not((await stateOf(rig, 'AD1')).code, 'RQ00000');
});

it("one merchant does not see another's code", async (rig) => {
  const { qrcId } = await registered(rig);
  const other = { ...AUTH, login: 'LA0000000002' };
  const [state] = bodyOf(await send(rig, 'merchant/qrc-status', { qrcIds: [qrcId] }, other)).data;
  assert.is(state.status, undefined);
  assert.is.not(bodyOf(await send(rig, 'merchant/qrc-block', { qrcId }, other)).code, '000');
});

it('only an unpaid code in its time is blocked', async (rig) => {
  const block = async (qrcId: string): Promise<string> => bodyOf(await send(rig, 'merchant/qrc-block', { qrcId })).code;
  const open = await registered(rig);
  assert.is(await block(open.qrcId), '000');
  assert.is((await newest(rig.url)).state, 'cancelled');
  const paid = await registered(rig);
  await payer(rig.url, paid.payload);
  assert.is(await block(paid.qrcId), '011');
  const late = await registered(rig);
  rig.clock.go(5 * MINUTE_MS);
  assert.is(await block(late.qrcId), '011');
  assert.is((await stateOf(rig, late.qrcId)).status, 'NOT_STARTED');
});

it('a refund is prepared, and done once it is confirmed, once however often', async (rig) => {
  const { qrcId, payload } = await registered(rig);
  await payer(rig.url, payload);
  const { trxId } = await stateOf(rig, qrcId);
  const part = { transactionId: trxId, amount: '350', currency: 'RUB' };
  const { code, transactionId } = bodyOf(await send(rig, 'merchant/transfer/return/prepare', part));
  assert.is(code, '000');
  const info = async (): Promise<string> => bodyOf(await send(rig, 'operation/info', { transactionId })).status;
  assert.is(await info(), 'DRAFT');
  assert.is((await newest(rig.url)).refunded, 0);
  for (let turn = 0; turn < 2; turn++) {
    assert.is(bodyOf(await send(rig, 'merchant/transfer/return/confirm', { transactionId })).code, '000');
  }
  assert.is((await newest(rig.url)).refunded, 350);
  assert.is(await info(), 'PERFORMED');
  const more = bodyOf(await send(rig, 'merchant/transfer/return/prepare', { ...part, amount: '25001' }));
  assert.is(more.code, '012');
  assert.is(bodyOf(await send(rig, 'operation/info', { transactionId: 'nothing' })).code, '002');
});

test.run();
