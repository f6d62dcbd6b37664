/** Money that does not move is TEST wherever a payment is seen: the name of its bank does not say it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBanks } from '../banks/banks.ts';
import { call, each, startTestDevice, type TestDevice, until } from '../support.ts';
import { healthOf, newestAtBank, payNewest, sendProfile } from './device-calls.ts';

const test = suite('terminal: play money');

interface Shop {
  readonly device: TestDevice;
  readonly profileOf: (secretKey: string) => object;
  /** Asks for a payment, and has it paid. */
  readonly sell: (amount: number) => Promise<{ readonly id: string; readonly test: boolean }>;
}

const it = each<[Shop]>(test, (run) => async () => {
  await using device = await startTestDevice();
  const bank = await startBanks({ port: 0, dataFile: `${device.dataDir}/bank.db` });
  try {
    const books = { sandbox: bank.url };
    await run({
      device,
      profileOf: (secretKey) => ({
        ...{ bankName: 'YooKassa', shopId: '54401', secretKey, baseUrl: `${bank.url}/yookassa/v3` },
      }),
      async sell(amount) {
        const asked = await call(`${device.terminal}/v1/payments`, {
          json: { amount },
          headers: { 'content-type': 'application/json', 'idempotency-key': `sale of ${amount}` },
        });
        assert.is(asked.status, 201, asked.text);
        assert.is((await newestAtBank(books)).amount, amount);
        await payNewest(books);
        const { body } = await until('ACCEPTED', async () => {
          const read = await call(`${device.terminal}/v1/payments/${asked.body.id}?wait=1`);
          return read.body.state === 'ACCEPTED' ? read : null;
        });
        return body;
      },
    });
  } finally {
    await bank.close();
  }
});

const textOf = async ({ terminal }: TestDevice, path: string): Promise<string> =>
  (await call(`${terminal}${path}`)).text;
const isMarked = async ({ recognition }: TestDevice): Promise<readonly boolean[]> => {
  const { settings, display } = (await call(`${recognition}/console/api/overview`)).body;
  return [settings.test, display.test];
};

it('a test shop is TEST on pages, /health, payments, paper and exports; money beside it is not', async ({
  device,
  profileOf,
  sell,
}) => {
  await sendProfile(device, profileOf('live_made-up'), 'shop');
  assert.equal([await isMarked(device), (await healthOf(device, 'bank')).state], [[false, false], 'ok']);
  assert.is((await sell(10_000)).test, false);

  await sendProfile(device, profileOf('test_made-up'), 'shop');
  assert.equal(await isMarked(device), [true, true]);
  const { state, reason } = await healthOf(device, 'bank');
  assert.is(state, 'degraded');
  assert.match(reason, /^TEST: no money moves\./);
  const played = await sell(20_000);
  assert.is(played.test, true);
  const back = await call(`${device.terminal}/v1/payments/${played.id}/refunds`, { json: { amount: 500, id: 'r1' } });
  assert.is(back.body.state, 'done', back.text);

  await sendProfile(device, profileOf('live_made-up'), 'shop');
  assert.equal([await isMarked(device), (await healthOf(device, 'bank')).state], [[false, false], 'ok']);
  assert.is((await call(`${device.terminal}/v1/payments/${played.id}`)).body.test, true, 'it stays what it was');

  const net = ({ bank, accepted, refunds }: { bank: string; accepted: { sum: number }; refunds: { sum: number } }) => [
    ...[bank, accepted.sum, refunds.sum],
  ];
  const { profiles } = (await call(`${device.terminal}/v1/reports/day`)).body;
  const apart = [
    ['YooKassa TEST', 20_000, 500],
    ['YooKassa', 10_000, 0],
  ];
  assert.equal(profiles.map(net), apart);
  const shift = (await call(`${device.terminal}/v1/shifts/current`)).body;
  assert.equal(shift.profiles.map(net), apart);
  for (const path of ['/v1/reports/day', '/v1/shifts/current']) {
    const page = await textOf(device, `${path}?format=html`);
    assert.match(page, /<h2>shop · YooKassa<\/h2>/, path);
    assert.match(page, /<h2>shop · YooKassa TEST<\/h2>/, path);
    assert.match(await textOf(device, `${path}?format=csv`), /shop,YooKassa TEST,/, path);
    assert.match(await textOf(device, `${path}?format=payments`), /,200\.00|,20000,.*,shop,YooKassa TEST,/, path);
  }
});

test.run();
