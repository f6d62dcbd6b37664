/** The profiles of banks as tills send them: optional fields, aliases, and what is never returned. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  CFT,
  call,
  each,
  keptText,
  onDevice,
  SANDBOX_SETTINGS,
  SCREEN,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
  writeUnkept,
} from '../support.ts';

const test = suite('terminal: profiles of each bank');
const it = each(test, onDevice);

interface Profile {
  readonly bankName: string;
  readonly [field: string]: string;
}

interface BankCase {
  /** A profile with nothing but what is required. */
  readonly profile: Profile;
  readonly category: string;
  /** Required fields, in the order of their codes. */
  readonly required: readonly string[];
  readonly secret: string;
  /** A field that says who is paid. */
  readonly identity: string;
  /** Whether the secret goes into an HTTP header as it is. */
  readonly isInHeader?: boolean;
}

const SECRET = 'made-up-secret';
const CASES: readonly BankCase[] = [
  {
    profile: { bankName: 'Raiffeisenbank', sbpMerchantId: 'MA0000000552', secretKey: SECRET },
    category: 'RaiffeisenbankSettings',
    required: ['sbpMerchantId', 'secretKey'],
    secret: 'secretKey',
    identity: 'sbpMerchantId',
    isInHeader: true,
  },
  {
    profile: { bankName: 'Gazprombank', account: '40702810293001099999', merchantId: 'MA0000084118' },
    category: 'GazprombankSettings',
    required: ['account', 'merchantId'],
    secret: 'password',
    identity: 'merchantId',
    isInHeader: true,
  },
  {
    profile: { bankName: 'YooKassa', shopId: '54401', secretKey: SECRET },
    category: 'YooKassaBankSettings',
    required: ['shopId', 'secretKey'],
    secret: 'secretKey',
    identity: 'shopId',
  },
];

const settingsOf = (profile: object) => ({
  bankProfile: 'p',
  bankProfiles: { p: profile },
  deviceConnection: SCREEN,
});
const send = ({ terminal }: TestDevice, profile: object) =>
  call(`${terminal}/updateDriverSettings`, { json: { settings: settingsOf(profile) } });

for (const { profile, category, required, secret, identity, isInHeader = false } of CASES) {
  const { bankName } = profile;

  it(`${bankName}: each required field is asked for by a code of its own`, async (device) => {
    for (const [index, field] of required.entries()) {
      for (const blank of [undefined, '', null]) {
        const { status, body } = await send(device, { ...profile, [field]: blank });
        assert.equal([status, body.error_category, body.error_code], [400, category, index + 1], field);
        assert.match(body.error_message, `settings.bankProfiles.p.${field} is required for a profile of ${bankName}`);
      }
    }
    assert.is((await send(device, profile)).status, 200);
  });

  it(`${bankName}: its secret is never shown, and kept for the same merchant only`, async (device) => {
    const whole = { ...profile, [secret]: SECRET };
    await send(device, whole);
    const { text } = await call(`${device.terminal}/getDriverSettings`);
    assert.not.match(text, SECRET);
    assert.is((await send(device, { ...profile, [secret]: '<PASSWORD>' })).status, 200);
    const moved = await send(device, { ...profile, [secret]: '<PASSWORD>', [identity]: 'other' });
    assert.is(moved.status, 400);
    assert.match(moved.body.error_message, `${secret} is <PASSWORD>`);
    assert.is((await send(device, { ...profile, baseUrl: 'http://bank.example' })).status, 400);
    if (!isInHeader) return;
    const unsendable = await send(device, { ...profile, [secret]: 'ключ-магазина' });
    assert.is(unsendable.status, 400);
    assert.match(unsendable.body.error_message, `${secret} cannot be used: it is sent in an HTTP header`);
    assert.not.match(unsendable.text, 'ключ-магазина');
  });
}

it("Raiffeisenbank's merchant may come as merchantId, as other drivers call it", async (device) => {
  const profile = { bankName: 'raiffeisen', merchantId: 'MA0000000552', secretKey: SECRET };
  assert.is((await send(device, profile)).status, 200);
  const { bankProfiles } = (await call(`${device.terminal}/getDriverSettings`)).body.settings;
  assert.equal(bankProfiles.p, { ...profile, bankName: 'Raiffeisenbank', secretKey: '<PASSWORD>' });
  // by either name it is the same merchant
  const masked = { ...profile, secretKey: '<PASSWORD>' };
  assert.is((await send(device, masked)).status, 200);
  const { merchantId, ...rest } = masked;
  assert.is((await send(device, { ...rest, sbpMerchantId: merchantId })).status, 200);
  assert.is((await send(device, { ...masked, merchantId: 'other' })).status, 400);
  assert.is((await send(device, { ...masked, merchantId: 'other', sbpMerchantId: merchantId })).status, 200);
});

it("YooKassa's confirmation is one of two, and a shop without a colon", async (device) => {
  const profile = { bankName: 'ЮKassa', shopId: '54401', secretKey: SECRET };
  assert.is((await send(device, { ...profile, confirmation: 'redirect' })).status, 200);
  for (const [changes, field] of [
    [{ confirmation: 'external' }, 'confirmation'],
    [{ shopId: '1:2' }, 'shopId'],
  ] as const) {
    const { status, body } = await send(device, { ...profile, ...changes });
    assert.is(status, 400);
    assert.match(body.error_message, field);
  }
});

test('a certificate path to anything but a plain file of its size is refused, and the device goes on', async () => {
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  execFileSync('mkfifo', [at('pipe')]);
  mkdirSync(at('folder'));
  writeFileSync(at('large'), '');
  truncateSync(at('large'), 10 * 1024 ** 3);
  writeFileSync(at('text'), 'no certificate');
  await using device = await startTestDevice();
  await setUp(device);
  const paths = [
    '/dev/zero',
    '/dev/ptmx',
    '/dev/random',
    at('pipe'),
    at('folder'),
    at('large'),
    at('text'),
    at('none'),
  ];
  for (const field of ['caPath', 'pfxPath']) {
    for (const path of paths) {
      const { status, body } = await send(device, { ...CFT, [field]: path });
      assert.equal([status, body.error_category], [400, 'RequestParams'], `${field} ${path}`);
      assert.match(body.error_message, new RegExp(`^${field} cannot be used: it `), path);
    }
  }
  const { bankProfiles } = (await call(`${device.terminal}/getDriverSettings`)).body.settings;
  assert.equal(bankProfiles, SANDBOX_SETTINGS.bankProfiles);
  assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
});

it('an address without encryption and a header that cannot be sent are refused by their field', async (device) => {
  for (const [changes, why] of [
    [{ baseUrl: 'http://bank.example' }, /^baseUrl cannot be used: it must begin with https:/],
    [{ authsp: 'банк' }, /^authsp cannot be used: it is sent in an HTTP header/],
  ] as const) {
    const { status, body } = await send(device, { ...CFT, ...changes });
    assert.equal([status, body.error_category], [400, 'RequestParams']);
    assert.match(body.error_message, why);
  }
  assert.is((await call(`${device.terminal}/getDriverSettings`)).body.settings.bankProfile, '');
});

test('stored settings that may no longer be set do not prevent the start: they stay, and /health reports it', async () => {
  using folder = temporaryFolder();
  {
    await using device = await startTestDevice({}, folder.path);
    assert.is((await send(device, CFT)).status, 200);
  }
  const file = join(folder.path, 'settings.json');
  for (const [changes, field] of [
    [{ authsp: 'банк' }, 'authsp'],
    [{ baseUrl: 'http://bank.example' }, 'baseUrl'],
    [{ caPath: '/dev/zero' }, 'caPath'],
  ] as const) {
    const stored = JSON.parse(keptText(file));
    const { p } = stored.settings.bankProfiles;
    writeUnkept(file, JSON.stringify({ settings: { ...stored.settings, bankProfiles: { p: { ...p, ...changes } } } }));
    await using device = await startTestDevice({}, folder.path);
    const reason = await until('the notice', async () => {
      const { parts } = (await call(`${device.terminal}/health`)).body.health;
      return parts.find(({ part }: { part: string }) => part === 'bank').reason;
    });
    assert.match(reason, `no payment can be registered: ${field} cannot be used: it `);
    const { settings } = (await call(`${device.terminal}/getDriverSettings`)).body;
    assert.is(settings.bankProfiles.p.accAlias, CFT.accAlias);
    const { status, body } = await call(`${device.terminal}/showQR`, { json: { amount: 100 } });
    assert.equal([status, body.error_category], [400, 'RequestParams']);
    assert.match(body.error_message, field);
    writeUnkept(file, JSON.stringify(stored));
  }
});

test.run();
