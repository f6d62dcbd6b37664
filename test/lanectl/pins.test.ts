/** `lanectl pins`: a lost PIN is replaced on the machine itself, its sessions end, and the audit trail records it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../ports.ts';
import { call, startTestDevice, temporaryFolder } from '../support.ts';
import { ends, lanectlHere, leadingTo } from './lanectl.ts';

const test = suite('lanectl pins');

test('a lost PIN: another is set, its sessions end, and the trail has a line without it', async () => {
  await using device = await startTestDevice();
  using folder = temporaryFolder();
  const file = join(folder.path, 'pin');
  const env = leadingTo(device);
  const run = (...args: string[]) => lanectlHere(['pins', ...args], env);
  const set = (role: string, pin: string, ...more: string[]) => {
    writeFileSync(file, `${pin}\n`);
    return run('set', role, file, ...more);
  };
  assert.match(
    (await run()).stdout,
    /cashier: has none\nsupervisor: has none\ntechnician: has none\nPages on the device itself need no sign-in/,
  );
  const early = await ends('refused', set('cashier', '4826', '--json'));
  assert.is(JSON.parse(early.stdout).error.code, 'SignIn.TechnicianFirst');
  await ends('ok', set('technician', '739105'));
  const two = (await set('cashier', '4826')).stdout;
  assert.match(two, /^cashier: has a PIN\nsupervisor: has none\ntechnician: has a PIN\n$/);

  const session = (cookie = '', json: object | null = null) =>
    call(`${device.recognition}/console/api/session`, {
      headers: { 'sec-fetch-site': 'same-origin', cookie },
      ...(json && { json }),
    });
  const signIn = async (pin: string) => {
    const { headers, status } = await session('', { pin });
    return status === 200 ? (headers.get('set-cookie')?.split(';')[0] ?? '') : null;
  };
  const technician = await signIn('739105');
  const cashier = await signIn('4826');
  assert.is((await session(technician ?? '')).body.role, 'technician');
  await ends('ok', set('technician', '905317'));
  assert.is((await session(technician ?? '')).body.role, null, 'the session of the lost PIN has ended');
  assert.is((await session(cashier ?? '')).body.role, 'cashier');
  assert.is(await signIn('739105'), null);
  assert.ok(await signIn('905317'));

  await ends('refused', run('remove', 'technician'));
  await ends('ok', run('remove', 'cashier'));
  const gone = await run('remove', 'technician', '--json');
  assert.equal(JSON.parse(gone.stdout).pins, [
    { role: 'cashier', set: false },
    { role: 'supervisor', set: false },
    { role: 'technician', set: false },
  ]);
  const { lines } = (await call(`${device.recognition}/console/api/audit`)).body;
  const events = lines
    .filter(({ deed, outcome }: { deed: string; outcome: string }) => deed.startsWith('pin-') && outcome === 'done')
    .map(({ deed }: { deed: string }) => deed);
  assert.equal(events, ['pin-removed', 'pin-removed', 'pin-set', 'pin-set', 'pin-set']);
  assert.not.match(JSON.stringify(lines), /739105|905317|4826/);
});

test('a wrong PIN, role or file is reported and ends with 2; without a device it is 3', async () => {
  await using device = await startTestDevice();
  using folder = temporaryFolder();
  const env = leadingTo(device);
  const set = (role: string, pin: string) => {
    const file = join(folder.path, 'pin');
    writeFileSync(file, pin);
    return lanectlHere(['pins', 'set', role, file], env);
  };
  const easy = await ends('refused', set('technician', '1234'));
  assert.not.match(easy.stderr, '1234');
  for (const wrong of ['abc', '12', '12345678901', '']) {
    await ends('usage', set('technician', wrong), /^lanectl: pin must have four to ten digits\n$/);
  }
  await ends('usage', set('boss', '4826'));
  await ends('usage', lanectlHere(['pins', 'set', 'cashier', '/no/such/file'], env));
  const address = `http://127.0.0.1:${await freePort()}`;
  const closed = { ...env, LANEWARE_URL: address, LANEWARE_RECOGNITION_URL: address };
  await ends('unreachable', lanectlHere(['pins'], closed));
});

test.run();
