/** `/health` says that no payment can be registered, or soon will not, and what to do about it. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import { bankProblems, otherBankProblems } from '../../firmware/banks/bank-health.ts';
import type { WatchedCertificate } from '../../firmware/banks/certificate-watch.ts';
import type { BankHealth } from '../../firmware/banks/open-banks.ts';
import { CFT, each, fieldsOf, inFolder, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { startFakeBank } from './banks/fake-bank.ts';
import { certify, type Validity } from './certify.ts';
import { healthOf, sendProfile, showQR } from './device-calls.ts';

const test = suite('terminal: the bank in /health');
const it = each(test, inFolder);

const DAY_MS = 86_400_000;
const fromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS);

const bankPart = (device: TestDevice) => healthOf(device, 'bank');

/** A profile with a certificate of some dates. */
function profileOf(folder: string, validity: Validity): object {
  certify(folder, 'till', validity);
  return {
    ...CFT,
    baseUrl: 'https://127.0.0.1:9',
    certPath: join(folder, 'till.crt'),
    keyPath: join(folder, 'till.key'),
  };
}

it('a certificate that has expired is taken, and /health says so, after a restart too', async (folder) => {
  const data = join(folder.path, 'data');
  const profile = profileOf(folder.path, { from: fromNow(-30), to: fromNow(-1) });
  const expected =
    /^The shop’s certificate for the bank .* expired on \d.*If today is not .*, set the clock\. \(certPath\)$/;
  {
    await using device = await startTestDevice({}, data);
    assert.is((await sendProfile(device, profile)).status, 200);
    assert.match((await bankPart(device)).reason, expected);
  }
  await using device = await startTestDevice({}, data);
  await until('the notice', async () => (await bankPart(device)).state === 'degraded');
  assert.match((await bankPart(device)).reason, expected);
});

const CERTIFICATE = {
  kind: 'client',
  field: 'pfxPath',
  name: 'till',
  validFrom: 1000 * DAY_MS,
  validTo: 2000 * DAY_MS,
} as const;
const knownOf = (...certificates: WatchedCertificate[]): BankHealth => ({
  isOpen: true,
  openProblem: null,
  certificates,
  failures: null,
  unauthorized: null,
  silence: null,
  unusualLink: null,
  isReached: null,
  address: null,
});
const listAt = (health: BankHealth, wall: number): string[] =>
  bankProblems(health, { wall: () => wall, monotonic: () => 0, bootId: '' }).map(String);
const problemsAt = (health: BankHealth, wall: number): string => listAt(health, wall).join('. ');

test('links in another form are reported in yellow, without an id', () => {
  const [reason] = bankProblems(
    { ...knownOf(), unusualLink: 'no checksum (crc)' },
    { wall: () => 0, monotonic: () => 0, bootId: '' },
  );
  assert.is(reason?.code, 'bank-link-unusual');
  assert.is(reason?.sales, 'sells-look-later');
  assert.match(
    String(reason),
    'payment links look different now. Codes are shown and paid as before; if payers report errors, ask the bank. (no checksum (crc))',
  );
});

test('a profile that the bank rejects is reported: the one in use, and another by its name', () => {
  const error = new BankError('refused', 'the bank refused (HTTP 401)', { isUnauthorized: true });
  const health: BankHealth = { ...knownOf(), unauthorized: error };
  assert.match(
    problemsAt(health, 0),
    /^The bank does not accept the profile’s password, key or certificate\. \(the bank refused \(HTTP 401\)\)$/,
  );
  const failed = { ...health, failures: { payments: 1, error } };
  assert.is(listAt(failed, 0).length, 1, 'not twice');
  const unreachable = { payments: 1, error: new BankError('unreachable', 'no answer') };
  assert.is(listAt({ ...health, failures: unreachable }, 0).length, 2);
  const broken = { ...knownOf(), isOpen: false, openProblem: 'pfxPath cannot be used' };
  const others = otherBankProblems([
    { profileName: 'a', health },
    { profileName: 'b', health: broken },
    { profileName: 'c', health: knownOf() },
  ]);
  assert.is(others.length, 2);
  assert.match(String(others[0]), /certificate of the profile “a”, not in use/);
  assert.match(String(others[1]), /profile “b”, not in use, cannot be opened\. \(pfxPath/);
});

test('the notice begins thirty days before the end, and changes with it to the moment', () => {
  const at = (wall: number) => problemsAt(knownOf(CERTIFICATE), wall);
  assert.match(at(1000 * DAY_MS - 1), /is not valid before/);
  assert.is(at(1000 * DAY_MS), '');
  assert.is(at(1970 * DAY_MS - 1), '');
  assert.match(at(1970 * DAY_MS), /expires on .*\(pfxPath\)$/);
  assert.match(at(2000 * DAY_MS - 1), /expires on/);
  assert.match(at(2000 * DAY_MS), /expired on/);
});

test("the expiry of the bank's authorities is reported too, each by its name", () => {
  const root = { ...CERTIFICATE, kind: 'authority', field: 'banks.caPath', name: 'Russian Trusted Root CA' } as const;
  const before = listAt(knownOf(CERTIFICATE, root), 1980 * DAY_MS);
  assert.is(before.length, 2);
  assert.match(before[0] ?? '', /^The shop’s certificate for the bank .* expires on .*\(pfxPath\)$/);
  assert.match(
    before[1] ?? '',
    /bank’s authority \(Russian Trusted Root CA\) expires on .*Get a new one in time\. \(banks\.caPath\)$/,
  );
  assert.match(problemsAt(knownOf(root), 2001 * DAY_MS), /bank’s authority .* expired on .*: payments fail/);
});

test('of many authorities the next to expire is reported, and none that has been replaced', () => {
  const root = (name: string, validTo: number): WatchedCertificate => ({
    ...CERTIFICATE,
    kind: 'authority',
    name,
    validTo,
  });
  const [old, next, last] = [root('old', 1500 * DAY_MS), root('next', 1990 * DAY_MS), root('last', 1995 * DAY_MS)];
  assert.match(problemsAt(knownOf(last, old, next), 1980 * DAY_MS), /\(next\) expires on/);
  assert.not.match(problemsAt(knownOf(last, old, next), 1980 * DAY_MS), /old|last/);
  assert.is(problemsAt(knownOf(old, next), 1600 * DAY_MS), '');
  assert.match(problemsAt(knownOf(old, next), 1991 * DAY_MS), /\(next\) expired on/);
});

for (const [which, days, pattern] of [
  ['has expired', [-20, -1], /has expired \(CERT_HAS_EXPIRED\)/],
  ['is not valid yet', [2, 20], /is not valid yet \(CERT_NOT_YET_VALID\)/],
] as const) {
  it(`a bank whose own certificate ${which} is reported, with who has to renew it`, async (folder) => {
    const at = (name: string) => join(folder.path, name);
    certify(folder.path, 'bank', { from: fromNow(days[0]), to: fromNow(days[1]) });
    await using bank = await startFakeBank({ cert: readFileSync(at('bank.crt')), key: readFileSync(at('bank.key')) });
    await using device = await startTestDevice();
    assert.is((await sendProfile(device, { ...CFT, baseUrl: bank.url, caPath: at('bank.crt') })).status, 200);
    const { status, body } = await showQR(device, 100);
    assert.is(status, 500);
    assert.match(body.error_message, pattern);
    const { reason } = await bankPart(device);
    assert.match(reason, pattern);
    assert.match(
      reason,
      /the bank’s certificate is not valid now, or the device’s date \(\d.*\) is wrong\. \(.*its own certificate, /,
    );
    assert.not.match(reason, /internet connection/);
  });
}

it('a certificate file that is gone after a restart is reported until the next good settings', async (folder) => {
  const data = join(folder.path, 'data');
  const profile = profileOf(folder.path, { from: fromNow(-1), to: fromNow(60) });
  {
    await using device = await startTestDevice({}, data);
    assert.is((await sendProfile(device, profile)).status, 200);
  }
  const key = join(folder.path, 'till.key');
  copyFileSync(key, `${key}.kept`);
  rmSync(key);
  await using device = await startTestDevice({}, data);
  const notice = await until('the notice', async () => {
    const { state, reason } = await bankPart(device);
    return state === 'degraded' ? reason : null;
  });
  assert.match(
    notice,
    /^Payments cannot be registered: the bank profile does not work\. \(keyPath cannot be used: it cannot be read \(ENOENT\)\)$/,
  );
  const refused = await showQR(device, 100);
  assert.equal([refused.status, refused.body.error_category], [400, 'DriverSettings']);
  assert.match(refused.body.error_message, 'keyPath cannot be used');
  copyFileSync(`${key}.kept`, key);
  await showQR(device, 100);
  assert.not.match((await bankPart(device)).reason, 'keyPath');
  assert.is((await sendProfile(device, profile)).status, 200);
  assert.equal((await bankPart(device)).state, 'ok');
});

it('a broken new file beside settings in use is reported: they end with the next restart', async (folder) => {
  const profile = profileOf(folder.path, { from: fromNow(-1), to: fromNow(60) });
  await using device = await startTestDevice();
  await sendProfile(device, profile);
  writeFileSync(join(folder.path, 'till.crt'), 'garbage');
  assert.is((await sendProfile(device, profile)).status, 400);
  const { state, reason } = await bankPart(device);
  assert.is(state, 'degraded');
  assert.match(reason, /the previous ones are used until a restart\. \(certPath cannot be used: /);
  assert.is((await sendProfile(device, { ...profile, merchantId: 'other' })).status, 400);
  certify(folder.path, 'till');
  assert.is((await sendProfile(device, profile)).status, 200);
  assert.not.match((await bankPart(device)).reason, 'cannot be used');
});

test('a bank that refuses, or answers nonsense, is reported in its words until a registration', async () => {
  await using bank = await startFakeBank();
  await using device = await startTestDevice();
  await sendProfile(device, { ...CFT, baseUrl: bank.url });
  assert.is((await bankPart(device)).state, 'ok');
  bank.onRegister = () => ({ status: 403, body: { errorCode: 'E7', error: 'the point of sale is blocked' } });
  await showQR(device, 100);
  assert.match(
    (await bankPart(device)).reason,
    /^The bank refused to register the last payment\. \(the bank refused \(HTTP 403: the point of sale is blocked\) \(bank code E7\)\)$/,
  );
  bank.onRegister = (honest) => ({ body: { ...honest, payload: 'https://example.org' } });
  await showQR(device, 300);
  assert.match(
    (await bankPart(device)).reason,
    /^The bank’s answers to the last 2 payments contradict themselves: ask the bank\./,
  );
  bank.onRegister = (honest) => ({ body: honest });
  assert.is((await showQR(device, 500)).status, 200);
  assert.equal(await bankPart(device), { part: 'bank', state: 'ok', sales: 'sells', reason: '', reasons: [] });
});

test('another bank has nothing to do with what the one before refused', async () => {
  await using bank = await startFakeBank();
  await using device = await startTestDevice();
  assert.is(await bankPart(device), undefined, 'nothing is set up yet');
  const profile = { ...CFT, baseUrl: bank.url };
  await sendProfile(device, profile);
  bank.onRegister = () => ({ status: 400, body: {} });
  await showQR(device, 100);
  assert.is((await bankPart(device)).state, 'degraded');
  await setUp(device);
  assert.is((await bankPart(device)).state, 'ok');
  await sendProfile(device, profile);
  assert.is((await bankPart(device)).state, 'ok', 'the same settings, sent again, are a new try');
});

test("a profile without an address asks the bank at the device's own setting", async () => {
  await using bank = await startFakeBank();
  await using device = await startTestDevice({ LANEWARE_BANKS_CFT_BASEURL: bank.url });
  const { baseUrl: _, ...profile } = CFT;
  assert.is((await sendProfile(device, profile)).status, 200);
  assert.is((await showQR(device, 500)).status, 200);
  assert.equal(fieldsOf(bank.sales, 'amount'), [500]);
});

test.run();
