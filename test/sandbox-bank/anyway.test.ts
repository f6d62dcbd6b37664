import { generateKeyPairSync, sign } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, each } from '../support.ts';
import { type Body, bodyOf, MINUTE_MS, newest, payer, type Rig, sendJson, withBank } from './support.ts';
import { anyWayCommand, introduce, SIGNER } from './tills.ts';

const test = suite('sandbox bank, AnyWay dialect');
const it = each<[Rig]>(test, (run) => () => withBank(run));

const ask = async ({ url }: Rig, command: string, fields: object, name?: string): Promise<Body> =>
  bodyOf(await anyWayCommand(url, command, fields, name));
const sale = (changes: object = {}) => ({
  ...{ amount: 15_050, currency: 'RUB', qrcType: '02', paymentPurpose: 'Кофе', qrTtl: 5 },
  ...changes,
});
/** What `%u0423` stands for. */
const worded = (message: string): string =>
  message.replaceAll(/%u([0-9A-F]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

it('a code is asked for, paid, and reported by its id and by its reference', async (rig) => {
  await introduce(rig.url);
  const made = await ask(rig, 'GetQRCd', sale());
  assert.equal([made.ErrorCode, made.TermNo, worded(made.message)], [0, 10_000_001, 'Успешно']);
  assert.match(made.payrrn, /^\d{12}$/);
  const { status, trxId } = await ask(rig, 'GetQRCstatus', { qrcId: made.qrcId });
  assert.equal([status, trxId], ['NTST', null]);
  await payer(rig.url, made.payload);
  for (const which of [{ qrcId: made.qrcId }, { payrrn: made.payrrn }]) {
    const paid = await ask(rig, 'GetQRCstatus', which);
    assert.equal(
      [paid.status, paid.amount, paid.currency, paid.qrcId, paid.payrrn],
      ['ACWP', 15_050, 'RUB', made.qrcId, made.payrrn],
    );
    assert.ok(paid.trxId);
    assert.match(paid.trxDT, /^20261120\d{6}$/);
  }
});

it('the signature is that of the very bytes, by the key of that name: PKCS #1 v1.5, SHA-256', async (rig) => {
  assert.is((await ask(rig, 'GetQRCd', sale())).ErrorCode, 3, 'the bank does not know the key yet');
  await introduce(rig.url);
  assert.is((await ask(rig, 'GetQRCd', sale(), 'another-name')).ErrorCode, 3);
  const body = JSON.stringify({ command: 'GetQRCd', TermNo: '1', ...sale() });
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const send = (text: string, authorization: string) =>
    call(`${rig.url}/anyway`, { method: 'POST', headers: { 'key-name': SIGNER, authorization }, body: text });
  const foreign = sign('sha256', Buffer.from(body), stranger).toString('base64');
  for (const authorization of [foreign, '', 'nonsense']) {
    assert.is(bodyOf(await send(body, authorization)).ErrorCode, 3);
  }
  assert.is(await newest(rig.url), undefined);
  assert.is((await sendJson(`${rig.url}/anyway/keys`, { keyName: 'x', publicKey: 'none' })).status, 400);
});

it('what is refused', async (rig) => {
  await introduce(rig.url);
  for (const changes of [
    { amount: 0 },
    { amount: 1.5 },
    { currency: 'USD' },
    { qrcType: '01' },
    { paymentPurpose: undefined },
    { qrTtl: 0 },
    { qrTtl: 129_601 },
    { messageID: 'no GUID' },
  ]) {
    assert.is((await ask(rig, 'GetQRCd', sale(changes))).ErrorCode, 1, JSON.stringify(changes));
  }
  assert.is((await ask(rig, 'Sabotage', {})).ErrorCode, 2);
  assert.is((await ask(rig, 'GetQRCstatus', { qrcId: 'AD1' })).ErrorCode, 5);
  assert.is(await newest(rig.url), undefined, 'nothing is booked');
});

it("one merchant does not see another's code", async (rig) => {
  await introduce(rig.url);
  await introduce(rig.url, 'other-key');
  const { qrcId, payrrn } = await ask(rig, 'GetQRCd', sale());
  assert.is((await ask(rig, 'GetQRCstatus', { qrcId }, 'other-key')).ErrorCode, 5);
  assert.is((await ask(rig, 'GetQRCstatus', { payrrn }, 'other-key')).ErrorCode, 5);
});

it('a refund is asked about, then done, once for its messageID', async (rig) => {
  await introduce(rig.url);
  const { qrcId, payload } = await ask(rig, 'GetQRCd', sale());
  const part = { qrcId, amount: 5050, currency: 'RUB', messageID: 'refund-1' };
  assert.is((await ask(rig, 'GetQRCreversalData', part)).ErrorCode, 6, 'not paid yet');
  await payer(rig.url, payload);
  const data = await ask(rig, 'GetQRCreversalData', part);
  assert.equal([data.ErrorCode, data.messageID], [0, 'refund-1']);
  assert.is((await newest(rig.url)).refunded, 0);
  for (let turn = 0; turn < 2; turn++) assert.is((await ask(rig, 'QRCreversal', part)).ErrorCode, 0);
  assert.is((await newest(rig.url)).refunded, 5050);
  assert.is((await ask(rig, 'QRCreversal', { ...part, amount: 10_001, messageID: 'refund-2' })).ErrorCode, 6);
});

it('a printed code takes orders of 5 to 20 minutes, which are taken back', async (rig) => {
  await introduce(rig.url);
  const { qrcId, payload } = await ask(rig, 'RegCashQRc', {});
  assert.match(payload, qrcId);
  const order = { qrcId, amount: 15_050, currency: 'RUB', paymentPurpose: 'Кофе' };
  assert.is((await ask(rig, 'ActivateCashQRc', { ...order, qrTtl: 4 })).ErrorCode, 1);
  assert.is((await ask(rig, 'ActivateCashQRc', { ...order, qrTtl: 21 })).ErrorCode, 1);
  const { payrrn, ErrorCode } = await ask(rig, 'ActivateCashQRc', order);
  assert.is(ErrorCode, 0);
  assert.is((await ask(rig, 'GetQRCstatus', { payrrn })).qrcId, qrcId);
  assert.is((await ask(rig, 'DelCashQRc', { qrcId })).ErrorCode, 0);
  assert.is((await newest(rig.url)).state, 'cancelled');
  const second = await ask(rig, 'ActivateCashQRc', order);
  rig.clock.go(5 * MINUTE_MS);
  assert.is((await newest(rig.url)).state, 'expired');
  assert.is((await ask(rig, 'DelCashQRc', { qrcId })).ErrorCode, 7);
  assert.is((await ask(rig, 'GetQRCstatus', { payrrn: second.payrrn })).status, 'NTST');
});

test.run();
