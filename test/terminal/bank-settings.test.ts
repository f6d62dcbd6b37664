/** The profiles of banks as tills send them: optional fields, aliases, and what is never returned. */

import { join } from 'node:path';
import { Type } from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type BankAdapter, identityOf } from '../../firmware/banks/adapter.ts';
import { offeredMethods, PAYMENT_METHODS } from '../../firmware/banks/profile-fields.ts';
import { BANKS, fileKindOf, requiredFields } from '../../firmware/banks/registry.ts';
import { fits } from '../../firmware/core/schema/index.ts';
import {
  CFT,
  call,
  each,
  keptText,
  onDevice,
  SCREEN,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
  writeUnkept,
} from '../support.ts';
import { profileOf, SECRET } from './banks/profiles.ts';
import { healthOf, sendProfile } from './device-calls.ts';

const test = suite('terminal: profiles of each bank');
const it = each(test, onDevice);

/** Where the interface has codes of its own for required fields that are missing, in their order. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Static: 'StaticBankSettings',
  CFT: 'CFTBankSettings',
  'Alfa Bank': 'AlfaBankSettings',
  Tinkoff: 'TinkoffBankSettings',
  Raiffeisenbank: 'RaiffeisenbankSettings',
  Gazprombank: 'GazprombankSettings',
  YooKassa: 'YooKassaBankSettings',
};
const ADAPTERS: readonly BankAdapter[] = BANKS;
/** Whether any text may stand in a field. */
const isText = ({ schema }: BankAdapter, field: string): boolean =>
  field !== 'baseUrl' && field !== 'cashLink' && fileKindOf(field) === null && schema.properties[field] !== undefined;
/** Of a bank, as a till sends it. */
const wholeOf = (name: string, { dataDir }: TestDevice) => ({ ...profileOf(name, 'http://127.0.0.1:9', dataDir) });

it('each required field of each bank is asked for by a code of its own', async (device) => {
  for (const bank of ADAPTERS) {
    const { name } = bank;
    const profile = wholeOf(name, device);
    const [category, first] = CATEGORIES[name] === undefined ? ['RequestParams', null] : [CATEGORIES[name], 1];
    for (const [index, field] of requiredFields(bank).entries())
      for (const blank of [undefined, null, ...(bank.mayBeBlank?.(field, profile) === true ? [] : [''])]) {
        const { status, body } = await sendProfile(device, { ...profile, [field]: blank });
        const what = `${name}: ${field} ${JSON.stringify(blank)}`;
        assert.equal([status, body.error_category], [400, category], what);
        if (first !== null) assert.is(body.error_code, first + index, what);
        assert.match(body.error_message, `settings.bankProfiles.p.${field} is required for a profile of ${name}`);
      }
    assert.is((await sendProfile(device, profile)).status, 200, name);
  }
});

it('the secret of each bank is never shown, and kept for the same merchant only', async (device) => {
  for (const bank of ADAPTERS) {
    const { name } = bank;
    const [secret] = bank.secretFields;
    if (secret === undefined) continue;
    const profile = { ...wholeOf(name, device), [secret]: SECRET };
    assert.is((await sendProfile(device, profile)).status, 200, name);
    assert.not.match((await call(`${device.terminal}/getDriverSettings`)).text, SECRET, name);
    const masked = { ...profile, [secret]: '<PASSWORD>' };
    assert.is((await sendProfile(device, masked)).status, 200, name);
    for (const payee of identityOf(bank).filter((field) => isText(bank, field))) {
      const moved = await sendProfile(device, { ...masked, [payee]: 'other' });
      assert.is(moved.status, 400, `${name}: ${payee}`);
      assert.match(moved.body.error_message, `${secret} is <PASSWORD>`, `${name}: ${payee}`);
    }
    assert.is((await sendProfile(device, { ...masked, baseUrl: 'http://bank.example' })).status, 400, name);
  }
});

for (const [name, secret] of [
  ['Raiffeisenbank', 'secretKey'],
  ['Gazprombank', 'password'],
  ['Tochka', 'token'],
] as const)
  it(`${name}: a secret that no HTTP header can hold is refused, and not repeated`, async (device) => {
    const { status, body, text } = await sendProfile(device, { ...wholeOf(name, device), [secret]: 'ключ-магазина' });
    assert.is(status, 400);
    assert.match(body.error_message, `${secret} cannot be used: it is sent in an HTTP header`);
    assert.not.match(text, 'ключ-магазина');
  });

it('printed code, subscription and methods are refused by field at each bank without them', async (device) => {
  const link = 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G?type=01&bank=100000000007&crc=F0A8';
  const all = ADAPTERS.flatMap((bank) => [
    { bank, field: 'cashLink', value: link },
    { bank, field: 'subscriptionPurpose', value: 'Кофе каждый день' },
    { bank, field: 'paymentMethods', value: 'sbp' },
  ]);
  const having = all.filter(({ bank, field }) => Object.hasOwn(bank.schema.properties, field));
  assert.equal(
    having.map(({ bank, field }) => [bank.name, field]),
    [
      ['Raiffeisenbank', 'cashLink'],
      ['Tochka', 'paymentMethods'],
    ],
  );
  for (const { bank, field, value } of all.filter((each) => !having.includes(each))) {
    const profile = wholeOf(bank.name, device);
    assert.is((await sendProfile(device, { ...profile, [field]: null })).status, 200, 'a form is sent whole');
    const { status, body } = await sendProfile(device, { ...profile, [field]: value });
    assert.equal([status, body.error_category], [400, 'RequestParams'], bank.name);
    assert.match(body.error_message, `settings.bankProfiles.p.${field} is not offered at ${bank.name}`);
    const kept = (await call(`${device.terminal}/getDriverSettings`)).body.settings.bankProfiles.p;
    assert.is(kept[field] ?? null, null, 'nothing of it is kept');
    const tried = await call(`${device.recognition}/console/api/settings/bank-test`, {
      json: { profile: { ...profile, [field]: value } },
    });
    assert.equal([tried.status, tried.body.field], [400, field], tried.text);
  }
});

test('the choice of methods is one of three texts, and the bank decides where it is left out', () => {
  const profile = Type.Object(PAYMENT_METHODS);
  const taken = ['sbp', 'digital-rouble', 'sbp+digital-rouble'] as const;
  for (const paymentMethods of taken) {
    assert.ok(fits(profile, { paymentMethods }));
    assert.is(offeredMethods(paymentMethods)?.join('+'), paymentMethods);
  }
  for (const paymentMethods of ['card', '', 'digital-rouble+sbp', ['sbp'], null])
    assert.not.ok(fits(profile, { paymentMethods }), JSON.stringify(paymentMethods));
  assert.ok(fits(profile, {}));
  assert.is(offeredMethods(undefined), null);
});

test("another bank's printed code stays where a shop had it, and moves to no bank without", async () => {
  using folder = temporaryFolder();
  const cashLink = 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G';
  {
    await using device = await startTestDevice({}, folder.path);
    const bankProfiles = { s: { bankName: 'Sandbox' }, idle: { ...wholeOf('Alfa Bank Token', device), cashLink } };
    const send = (bankProfile: string) =>
      call(`${device.terminal}/updateDriverSettings`, {
        json: { settings: { bankProfile, bankProfiles, deviceConnection: SCREEN } },
      });
    assert.is((await send('s')).status, 200, 'what is not in use is not judged');
    assert.is((await send('idle')).status, 200, 'what was kept before goes on selling');
  }
  await using device = await startTestDevice({}, folder.path);
  const { bankProfile, bankProfiles } = (await call(`${device.terminal}/getDriverSettings`)).body.settings;
  assert.equal([bankProfile, bankProfiles.idle.cashLink], ['idle', cashLink], 'a release that judges it stops no lane');
  const tried = await call(`${device.recognition}/console/api/settings/bank-test`, { json: {} });
  assert.is(tried.status, 503, 'its bank is asked, and is not there');
  assert.is((await sendProfile(device, { ...wholeOf('Raiffeisenbank', device), baseUrl: '', cashLink })).status, 200);
  const moved = await sendProfile(device, { ...wholeOf('Tinkoff', device), cashLink });
  assert.is(moved.status, 400);
  assert.match(moved.body.error_message, 'p.cashLink is not offered at Tinkoff');
});

it("Raiffeisenbank's merchant may come as merchantId, as other drivers call it", async (device) => {
  const profile = { bankName: 'raiffeisen', merchantId: 'MA0000000552', secretKey: SECRET };
  assert.is((await sendProfile(device, profile)).status, 200);
  const { bankProfiles } = (await call(`${device.terminal}/getDriverSettings`)).body.settings;
  assert.equal(bankProfiles.p, { ...profile, bankName: 'Raiffeisenbank', secretKey: '<PASSWORD>' });
  // by either name it is the same merchant
  const masked = { ...profile, secretKey: '<PASSWORD>' };
  assert.is((await sendProfile(device, masked)).status, 200);
  const { merchantId, ...rest } = masked;
  assert.is((await sendProfile(device, { ...rest, sbpMerchantId: merchantId })).status, 200);
  assert.is((await sendProfile(device, { ...masked, merchantId: 'other' })).status, 400);
  assert.is((await sendProfile(device, { ...masked, merchantId: 'other', sbpMerchantId: merchantId })).status, 200);
});

it("YooKassa's confirmation is one of two, and a shop without a colon", async (device) => {
  const profile = { bankName: 'ЮKassa', shopId: '54401', secretKey: SECRET };
  assert.is((await sendProfile(device, { ...profile, confirmation: 'redirect' })).status, 200);
  for (const [changes, field] of [
    [{ confirmation: 'external' }, 'confirmation'],
    [{ shopId: '1:2' }, 'shopId'],
  ] as const) {
    const { status, body } = await sendProfile(device, { ...profile, ...changes });
    assert.is(status, 400);
    assert.match(body.error_message, field);
  }
});

test('stored settings that may no longer be set let the device start: kept, and in /health', async () => {
  using folder = temporaryFolder();
  {
    await using device = await startTestDevice({}, folder.path);
    assert.is((await sendProfile(device, CFT)).status, 200);
  }
  const file = join(folder.path, 'settings.json');
  for (const [changes, field] of [
    [{ authsp: 'банк' }, 'authsp'],
    [{ baseUrl: 'http://bank.example' }, 'baseUrl'],
    [{ caPath: '/dev/zero' }, 'caPath'],
  ] as const) {
    const stored = JSON.parse(keptText(file));
    const { p } = stored.settings.bankProfiles;
    const settingsThen = { ...stored.settings, bankProfiles: { p: { ...p, ...changes } } };
    writeUnkept(file, JSON.stringify({ ...stored, settings: settingsThen }));
    await using device = await startTestDevice({}, folder.path);
    // a file is read a moment after the start
    const notice = `does not work. (${field} cannot be used: it `;
    await until('the notice', async () => String((await healthOf(device, 'bank')).reason).includes(notice));
    const { settings } = (await call(`${device.terminal}/getDriverSettings`)).body;
    assert.is(settings.bankProfiles.p.accAlias, CFT.accAlias);
    const { status, body } = await call(`${device.terminal}/showQR`, { json: { amount: 100 } });
    assert.equal([status, body.error_category], [400, 'DriverSettings']);
    assert.match(body.error_message, field);
    writeUnkept(file, JSON.stringify(stored));
  }
});

test.run();
