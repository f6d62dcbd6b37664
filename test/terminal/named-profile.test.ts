/** Several merchants on one lane: each sale may name the profile that it is paid with. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Sealer } from '../../firmware/core/secrets/sealer.ts';
import { openBase, openLog } from '../../firmware/device/composition/base.ts';
import { buildTerminal } from '../../firmware/device/composition/build-terminal.ts';
import { loadConfig } from '../../firmware/device/composition/config.ts';
import { besideSuccess } from '../../firmware/payments/service/sale/calls.ts';
import type { Terminal } from '../../firmware/payments/terminal.ts';
import { startBanks } from '../banks/banks.ts';
import { TBANK_PASSWORD } from '../banks/tbank.ts';
import { call, each, QUICK, SCREEN, temporaryFolder, testEnvironment, until } from '../support.ts';
import { payNewest } from './device-calls.ts';
import { callerNamed, refusal } from './harness.ts';
import { paymentsAfter } from './ledger-rows.ts';

const test = suite('terminal: a profile named by the sale');

interface Shop {
  readonly terminal: Terminal;
  readonly sandbox: string;
}

const settingsFor = (sandbox: string) => ({
  bankProfile: 'main',
  bankProfiles: {
    main: { bankName: 'Sandbox' },
    second: { bankName: 't-bank', terminalKey: 'SECOND', password: TBANK_PASSWORD, baseUrl: `${sandbox}/tbank/v2` },
    third: { bankName: 'Tinkoff', terminalKey: 'THIRD', password: TBANK_PASSWORD, baseUrl: `${sandbox}/tbank/v2` },
    half: { bankName: 'CFT', accAlias: 'alias' },
    piggy: { bankName: 'Piggy Bank' },
  },
  deviceConnection: SCREEN,
});

const withProfiles = (run: (shop: Shop) => Promise<void>) => async () => {
  using folder = temporaryFolder();
  const { config } = loadConfig(null, testEnvironment(`${folder.path}/device`));
  const base = openBase(config, openLog('silent'));
  const sandbox = await startBanks({ port: 0, dataFile: `${folder.path}/bank.db` });
  const terminal = buildTerminal(base, new Sealer(Buffer.alloc(32, 7)), sandbox.url, QUICK);
  try {
    await terminal.start();
    await terminal.updateSettings(settingsFor(sandbox.url));
    await run({ terminal, sandbox: sandbox.url });
  } finally {
    await terminal.close();
    await sandbox.close();
    base.dataDir.release();
  }
};
const it = each(test, withProfiles);

const sell = ({ terminal }: Shop, amount: number, profile: string | null) =>
  terminal.sell({ amount, profile }, callerNamed(null)).then(({ warnings }) => besideSuccess(warnings));
const rows = ({ terminal }: Shop) =>
  paymentsAfter(terminal.ledger, 0, 10).map(({ profile, bank, status }) => [profile, bank, status.state]);

it('each is paid to its own merchant, and asked about there, even if the settings change later', async (shop) => {
  await sell(shop, 3000, 'main');
  await sell(shop, 2000, 'second');
  assert.equal(
    rows(shop).map(([profile, bank]) => [profile, bank]),
    [
      ['main', 'Sandbox'],
      ['second', 'Tinkoff'],
    ],
  );
  const settings = settingsFor(shop.sandbox);
  await shop.terminal.updateSettings({ ...settings, bankProfiles: { main: settings.bankProfiles.main } });
  await payNewest(shop);
  await until('the end', () => shop.terminal.ledger.byId(2)?.status.state === 'ACCEPTED');
});

it('a profile that is not set up is refused with the names of others; a half one by its field', async (shop) => {
  const unknown = await refusal(sell(shop, 2000, 'secnd'));
  assert.equal([unknown.status, unknown.member], [400, 'InvalidField']);
  assert.is(unknown.message, 'profile is "secnd", which is not set up; these are: main, second, third');
  assert.match((await refusal(sell(shop, 2000, 'half'))).message, /half\.extEntityId/);
  assert.is((await refusal(sell(shop, 2000, 'piggy'))).member, 'UnknownBank');
  assert.match(
    (await refusal(sell(shop, 999, 'second'))).message,
    /amount must be at least 1000 kopecks \(10\.00 roubles\) at Tinkoff/,
  );
  assert.match((await refusal(sell(shop, 2000, '__proto__'))).message, /not set up/);
  assert.equal(rows(shop), []);
});

it('settings that are sent meanwhile take its bank from no sale', async (shop) => {
  const faults = [{ call: 'code', kind: 'delay', ms: 300 }];
  await call(`${shop.sandbox}/sandbox/faults`, { json: { faults } });
  const sale = sell(shop, 2000, 'second');
  await until('the registration', () => shop.terminal.ledger.byId(1)?.ref != null);
  await shop.terminal.updateSettings(settingsFor(shop.sandbox));
  assert.is(await sale, null);
  assert.equal(rows(shop), [['second', 'Tinkoff', 'PENDING']]);
});

test.run();
