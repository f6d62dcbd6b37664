/** A lane at Tochka: what a till reads of how a code was paid, and what goes back, while answers are lost. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Banks, startBanks } from '../banks/banks.ts';
import { call, each, startTestDevice, type TestDevice, until } from '../support.ts';
import { introduce, profileOf } from './banks/profiles.ts';
import { sendProfile } from './device-calls.ts';

const test = suite('terminal: a lane at Tochka');

interface Shop {
  readonly device: TestDevice;
  readonly bank: Banks;
  readonly offers: (paymentMethods: string) => Promise<void>;
}

const AMOUNT = 30_000;
const keyed = (key: string, json: object) => ({ json, headers: { 'idempotency-key': key } });

const it = each<[Shop]>(test, (run) => async () => {
  await using device = await startTestDevice({ LANEWARE_SANDBOXBANK_ENABLED: 'false' });
  const bank = await startBanks({ port: 0, dataFile: `${device.dataDir}/bank.db` });
  introduce(bank);
  try {
    const offers = async (paymentMethods: string): Promise<void> => {
      const profile = { ...profileOf('Tochka', bank.url, device.dataDir), paymentMethods };
      const { status, text } = await sendProfile(device, profile);
      assert.is(status, 200, text);
    };
    await run({ device, bank, offers });
  } finally {
    await bank.close();
  }
});

/** Sells, and has the newest code paid. */
async function paid({ device, bank }: Shop, key: string) {
  const asked = await call(`${device.terminal}/v1/payments`, keyed(key, { amount: AMOUNT }));
  assert.is(asked.status, 201, asked.text);
  const [newest] = bank.payments.list(1);
  assert.is(newest?.amount, AMOUNT);
  bank.payments.pay(newest?.qrcId ?? '');
  return until('ACCEPTED', async () => {
    const { body } = await call(`${device.terminal}/v1/payments/${asked.body.id}?wait=1`);
    return body.state === 'ACCEPTED' ? body : null;
  });
}

const goBack = (shop: Shop, id: string, key: string, amount: number) =>
  until('the end of the refund', async () => {
    const { body } = await call(`${shop.device.terminal}/v1/payments/${id}/refunds`, keyed(key, { amount }));
    return body.state === 'done' || body.state === 'refused' ? body : null;
  });

for (const [offered, method, word] of [
  ['sbp', 'sbp', 'SBP'],
  ['digital-rouble', 'digital-rouble', 'DIGITAL_RUBLE'],
  ['sbp+digital-rouble', 'sbp', 'SBP'],
] as const)
  it(`a code that offers ${offered} is paid by ${method}, and goes back so, part after part`, async (shop) => {
    await shop.offers(offered);
    const payment = await paid(shop, 'sale-1');
    const [atBank] = shop.bank.payments.list(1);
    assert.equal([payment.method, payment.methodWord, payment.trxId], [method, word, atBank?.trxId]);
    assert.is(payment.qrcId, atBank?.qrcId);
    const first = await goBack(shop, payment.id, 'r1', 10_000);
    assert.equal([first.state, first.method, first.methodWord], ['done', method, word]);
    assert.is.not(first.trxId, payment.trxId, 'an operation of its own');
    assert.is((await goBack(shop, payment.id, 'r2', 20_000)).state, 'done');
    assert.is(shop.bank.payments.list(1)[0]?.refunded, AMOUNT);
  });

it('a sale and a refund whose answers are lost happen once', async (shop) => {
  await shop.offers('sbp');
  for (const [at, kind] of (['drop', 'drop-before', 'half', 'error', 'nonsense'] as const).entries()) {
    shop.bank.faults.set([{ call: 'register', kind }]);
    const asked = await call(`${shop.device.terminal}/v1/payments`, keyed(kind, { amount: AMOUNT }));
    // an answer that is no JSON is not repeated: its code was never shown
    assert.is(asked.status, kind === 'nonsense' ? 502 : 201, `${kind}: ${asked.text}`);
    assert.is(shop.bank.payments.list(100).length, at + 1, kind);
  }
  const payment = await paid(shop, 'sale');
  for (const [at, kind] of (
    ['drop', 'drop-before', 'half', 'error', 'nonsense', 'too-many-untimed'] as const
  ).entries()) {
    shop.bank.faults.set([{ call: 'refund', kind }]);
    const { state } = await goBack(shop, payment.id, `${kind}-1`, 1_000);
    // the bank has done nothing, and says so: the till asks again with another key
    if (state === 'refused') assert.is((await goBack(shop, payment.id, `${kind}-2`, 1_000)).state, 'done', kind);
    assert.is(shop.bank.payments.list(1)[0]?.refunded, 1_000 * (at + 1), kind);
  }
});

test.run();
