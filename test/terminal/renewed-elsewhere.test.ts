/** Certificates of a merchant that are renewed, under the same path or another: which one the bank is shown for a new payment and for an open one. */
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  call,
  each,
  SANDBOX_SETTINGS,
  SCREEN,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../support.ts';
import { type FakeBank, startFakeBank } from './banks/fake-bank.ts';
import { certify } from './certify.ts';
import { healthOf, untilAccepted } from './device-calls.ts';

const test = suite('terminal: open payments and the credentials of now');

interface Rig {
  readonly bank: FakeBank;
  readonly dataDir: string;
  /** A profile of the shop with a certificate of that name. */
  profile(certificate: string, changes?: object): object;
  removeFiles(certificate: string): void;
  /** Puts another one in its place. */
  install(certificate: string): void;
}

async function withRig(work: (rig: Rig) => Promise<void>): Promise<void> {
  using temporary = temporaryFolder();
  const folder = temporary.path;
  for (const name of ['bank', 'old', 'new']) certify(folder, name);
  const files = { cert: readFileSync(join(folder, 'bank.crt')), key: readFileSync(join(folder, 'bank.key')) };
  await using bank = await startFakeBank({ ...files, requestCert: true, rejectUnauthorized: false });
  await work({
    bank,
    dataDir: join(folder, 'data'),
    profile: (certificate, changes = {}) => ({
      bankName: 'CFT',
      accAlias: 'a',
      extEntityId: 'e',
      merchantId: 'm',
      password: 'made-up',
      baseUrl: bank.url,
      caPath: join(folder, 'bank.crt'),
      certPath: join(folder, `${certificate}.crt`),
      keyPath: join(folder, `${certificate}.key`),
      ...changes,
    }),
    removeFiles: (certificate) => {
      for (const kind of ['crt', 'key']) rmSync(join(folder, `${certificate}.${kind}`));
    },
    install: (certificate) => {
      for (const kind of ['crt', 'key'])
        copyFileSync(join(folder, `${certificate}.${kind}`), join(folder, `till.${kind}`));
    },
  });
}

async function send({ terminal }: TestDevice, bankProfile: string, bankProfiles: object): Promise<void> {
  const settings = { bankProfile, bankProfiles, deviceConnection: SCREEN };
  const { status, text } = await call(`${terminal}/updateDriverSettings`, { json: { settings } });
  assert.is(status, 200, text);
}

/** A payment that the bank was asked about with the old certificate. */
async function openPayment(device: TestDevice, { bank, profile }: Rig): Promise<void> {
  await send(device, 'p', { p: profile('old') });
  assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
  await until('a question', () => bank.calls.some((each) => each.startsWith('GET')));
  assert.equal([...new Set(bank.callers)], ['old']);
}

const it = each<[Rig, TestDevice]>(
  test,
  (run) => () =>
    withRig(async (rig) => {
      await using device = await startTestDevice({}, rig.dataDir);
      await openPayment(device, rig);
      await run(rig, device);
    }),
);

/** Who asks the bank about the payment from now on; the question that is under way may still be the one of before. */
async function nextCallers({ bank }: Rig): Promise<string[]> {
  const before = bank.calls.length;
  await until('three more questions', () => bank.calls.length >= before + 3);
  return [...new Set(bank.callers.slice(before + 1))];
}

test('a payment is asked about with the certificate of now, and found paid, also after a restart', () =>
  withRig(async (rig) => {
    {
      await using device = await startTestDevice({}, rig.dataDir);
      await openPayment(device, rig);
      await send(device, 'p', { p: rig.profile('new') });
      rig.removeFiles('old');
      assert.equal(await nextCallers(rig), ['new']);
    }
    await using device = await startTestDevice({}, rig.dataDir);
    assert.equal(await nextCallers(rig), ['new']);
    rig.bank.payStatus = 'ACWP';
    await untilAccepted(device);
  }));

it('the profile may have another name or spelling of its address, and need not be in use', async (rig, device) => {
  const renamed = rig.profile('new', { baseUrl: `${rig.bank.url.replace('https', 'HTTPS')}/` });
  await send(device, 'other', { other: { bankName: 'Sandbox' }, broken: { bankName: 'CFT' }, renamed });
  rig.removeFiles('old');
  assert.equal(await nextCallers(rig), ['new']);
});

it('of several profiles of the merchant the one in use is taken', async (rig, device) => {
  await send(device, 'b', { a: rig.profile('old'), b: rig.profile('new') });
  assert.equal(await nextCallers(rig), ['new']);
});

for (const [field, changes] of [
  ['merchantId', { merchantId: 'another' }],
  ['extEntityId', { extEntityId: 'another' }],
  ['accAlias', { accAlias: 'another' }],
  ['authsp', { authsp: 'another.bank' }],
] as const) {
  it(`another ${field} is another merchant: the payment is asked about with its own profile`, async (rig, device) => {
    await send(device, 'p', { p: rig.profile('new', changes) });
    assert.equal(await nextCallers(rig), ['old']);
  });
}

it('a merchant gone or unopenable: the payment is asked about with its original profile', async (rig, device) => {
  await send(device, 'sandbox', SANDBOX_SETTINGS.bankProfiles);
  assert.equal(await nextCallers(rig), ['old']);
  await send(device, 'sandbox', { ...SANDBOX_SETTINGS.bankProfiles, p: rig.profile('missing') });
  assert.equal(await nextCallers(rig), ['old']);
});

it("a certificate that the bank disowns gives way to another profile's, and is in /health", async (rig, device) => {
  const { bank } = rig;
  const denied = { status: 403, body: { error: 'the certificate is revoked' } };
  bank.onState = (honest) => (bank.callers.at(-1) === 'old' ? denied : { body: honest });
  await send(device, 'stale', { stale: rig.profile('old'), good: rig.profile('new') });
  await until('the other certificate', () => bank.callers.at(-1) === 'new');
  assert.equal(await nextCallers(rig), ['new']);
  const { reason } = await healthOf(device, 'bank');
  assert.match(reason, /does not accept the profile’s password, key or certificate\. \(.*the certificate is revoked/);
  bank.payStatus = 'ACWP';
  await untilAccepted(device);
});

/** A device whose bank is asked about a payment once: what that hears is what a test makes. */
const startQuiet = ({ dataDir }: Rig) => startTestDevice({}, dataDir, { tuning: { pace: { askingSpeed: 1 / 3600 } } });
const pay = ({ terminal }: TestDevice, amount: number) => call(`${terminal}/showQR`, { json: { amount } });

test('same path, sent again: the next payment shows the new one; a bank no more set up is let go', () =>
  withRig(async (rig) => {
    await using device = await startQuiet(rig);
    const noneLeft = () => until('the connections to end', async () => (await rig.bank.connections()) === 0);
    for (const [certificate, amount] of [
      ['old', 100],
      ['new', 200],
    ] as const) {
      rig.install(certificate);
      await send(device, 'p', { p: rig.profile('till') });
      await noneLeft();
      const before = rig.bank.calls.length;
      assert.is((await pay(device, amount)).status, 200);
      assert.equal([...new Set(rig.bank.callers.slice(before))], [certificate]);
      assert.ok((await rig.bank.connections()) > 0);
    }
    await setUp(device);
    await noneLeft();
  }));

test('a payment that is being registered meanwhile is registered once', () =>
  withRig(async (rig) => {
    await using device = await startQuiet(rig);
    rig.install('old');
    await send(device, 'p', { p: rig.profile('till') });
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    rig.bank.onRegister = (honest) => answered.then(() => ({ body: honest }));
    const paying = pay(device, 100);
    await until('the bank is asked', () => rig.bank.sales.length === 1);
    rig.install('new');
    await send(device, 'p', { p: rig.profile('till') });
    answer();
    assert.is((await paying).status, 200);
    assert.equal(rig.bank.callers, ['old']);
  }));

test.run();
