/**
 * What a technician asks of the machine by the page of the device, under a real systemd: an update, the way back, a backup
 * put back, a reset, a restart. `test/lane/test-lane.sh machine`
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prepare } from '../prepare.ts';
import { Lane, sh } from './lane.ts';
import { PUBLIC_KEY, release, sibling } from './releases.ts';
import { RECOGNITION, setUpBank, TERMINAL } from './till.ts';

const machine = suite('what the page of the device asks of the machine');
const lane = new Lane('machine', 24);
const RELEASE = '/mnt/new.release';
const SETTINGS = '/etc/laneware/config.json';
const UPDATE = 'laneware-update-now.service';
const HERE = `http://127.0.0.1:${RECOGNITION}`;
const SANDBOX = 'http://127.0.0.1:1280';
const PASSPHRASE = 'seven lamps over the counter';
const BACKUP = '/mnt/lane.backup';
const FIRST_SALE = 77_700;
const SECOND_SALE = 88_800;
const THIRD_SALE = 99_900;
const FOURTH_SALE = 55_500;

interface Said<T> {
  readonly status: number;
  readonly body: T;
}
type Fields = Record<string, unknown>;

/** By the device itself, as its own screen does. */
function ask<T = Fields>(method: 'GET' | 'POST', url: string, ...more: string[]): Said<T> {
  const text = lane.in('curl', '-s', '-X', method, '-w', '\n%{http_code}', ...more, url);
  const [status = '', ...lines] = text.split('\n').reverse();
  return { status: Number(status), body: JSON.parse(lines.reverse().join('\n')) as T };
}
const json = (body: object): string[] => ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)];
const press = (action: string, body?: object): Said<Fields> =>
  ask('POST', `${HERE}/console/api/device/${action}`, ...(body === undefined ? [] : json(body)));

function begins(action: string): void {
  const { status, body } = press(action);
  assert.is(status, 200, JSON.stringify(body));
}

interface Update {
  readonly doing: string;
  readonly outcome: { readonly code: string; readonly version: string | null } | null;
  readonly previous: string | null;
  readonly source: string | null;
}
function restore(...more: string[]): Said<Fields> {
  const form = ['-F', `passphrase=${PASSPHRASE}`, ...more, '-F', `file=@${BACKUP}`];
  return ask('POST', `${HERE}/console/api/backups/restore`, ...form);
}
const update = (): Update => ask('GET', `${HERE}/console/api/device`).body.update as Update;
/** What the updater leaves behind is read once a second. */
const outcomeIs = (outcome: string): Promise<void> =>
  lane.until(outcome, async () => `${update().outcome?.code} ${update().outcome?.version}` === outcome);

/** Has a unit started by what is pressed, and waits for its end: a job of systemd may stand in its queue for a moment. */
async function runs(unit: string, during: () => void): Promise<void> {
  const ends = () =>
    lane.in('journalctl', '-b', '-u', unit, '--no-pager', '-o', 'cat').split(/^Finished|^Failed/m).length;
  const before = ends();
  during();
  const isOver = () => ends() > before;
  await lane.until(`the end of ${unit}`, async () => isOver());
}

async function sales(): Promise<number[]> {
  const { text } = await lane.get(TERMINAL, '/v1/payments');
  return (JSON.parse(text) as { payments: { amount: number }[] }).payments.map(({ amount }) => amount);
}

async function sell(amount: number): Promise<void> {
  const { status, text } = await lane.post(TERMINAL, '/showQR', { amount });
  assert.is(status, 200, text);
}

async function pay(): Promise<void> {
  const [newest] = ask<{ qrcId: string }[]>('GET', `${SANDBOX}/sandbox/payments`).body;
  assert.is(ask('POST', `${SANDBOX}/sandbox/payments/${newest?.qrcId}/pay`).status, 200);
  await lane.until('ACCEPTED', async () =>
    (await lane.get(TERMINAL, '/getDynamicQRStatus')).text.includes('"ACCEPTED"'),
  );
}

prepare(machine, async () => {
  lane.install('x64', release('x64'), PUBLIC_KEY);
  cpSync(sibling('x64', '1.1.0'), join(lane.mount, RELEASE));
  // a shop that is open at this hour, and updates that wait only a little for a payment
  const hours = (later: number) => `${String((new Date().getUTCHours() + later) % 24).padStart(2, '0')}:00`;
  const lines = { source: RELEASE, closed: `${hours(3)}-${hours(8)}`, payment_wait_seconds: 2, gate_seconds: 5 };
  for (const [key, value] of Object.entries(lines))
    sh('sed', '-i', `s|^${key}=.*|${key}=${value}|`, join(lane.mount, 'etc/laneware/update.conf'));
  sh('sed', '-i', 's/"sandboxBank": .*/"sandboxBank": { "enabled": true },/', join(lane.mount, SETTINGS));
});
machine.after(() => lane.remove());

machine('boots, and sells', async () => {
  await lane.boot();
  await setUpBank(lane, 'Sandbox');
  await sell(FIRST_SALE);
  await pay();
  assert.is(update().previous, null);
  assert.is.not(update().source, null);
});

machine('there is no way back yet', () => {
  const { status, body } = press('rollback');
  assert.equal([status, body.code], [409, 'Device.NoReleaseBefore']);
});

machine('no update while a customer pays; it says so', async () => {
  await sell(SECOND_SALE);
  await runs(UPDATE, () => begins('update'));
  await outcomeIs('payment-open null');
  await lane.answers('1.0.0');
  await pay();
});

machine('is updated at an hour at which the shop may be open; pressed twice, it runs once', async () => {
  await runs(UPDATE, () => {
    begins('update');
    const again = press('update');
    assert.ok(again.status === 200 || again.body.code === 'Device.UpdateRuns', JSON.stringify(again));
  });
  await lane.answers('1.1.0');
  await outcomeIs('installed 1.1.0');
  assert.is(update().previous, '1.0.0');
  assert.equal(await sales(), [SECOND_SALE, FIRST_SALE]);
});

machine('goes back, and does not install again what was left', async () => {
  await runs('laneware-rollback.service', () => begins('rollback'));
  await lane.answers('1.0.0');
  await outcomeIs('left 1.1.0');
  assert.is(update().previous, null);
  await runs(UPDATE, () => begins('update'));
  await lane.answers('1.0.0');
});

machine('a backup is put back by another process, which systemd starts, and which is no crash', async () => {
  const passphrase = json({ passphrase: PASSPHRASE });
  const made = lane.in('curl', '-sf', '-o', BACKUP, '-w', '%{http_code}', ...passphrase, `${HERE}/console/api/backups`);
  assert.is(made, '200');
  await sell(THIRD_SALE);
  await pay();
  const { status, body } = restore();
  assert.equal([status, body.code], [409, 'Backups.NewerPayments']);
  await lane.anotherProcess(() => {
    const forced = restore('-F', 'overNewerPayments=true');
    assert.equal([forced.status, forced.body.restarts], [200, true], JSON.stringify(forced));
  });
  await lane.answers('1.0.0');
  assert.equal(await sales(), [SECOND_SALE, FIRST_SALE]);
  assert.is((ask('GET', `${HERE}/console/api/backups`).body.last as { restored: boolean }).restored, true);
  assert.is(lane.property('Result'), 'success');
  assert.match(lane.in('/usr/local/sbin/laneware-ota', 'status'), /^good +1\.0\.0$/m);
});

machine('a reset wants the name; then the device is as delivered, and the payments are put aside', async () => {
  const { body } = ask('GET', `${HERE}/console/api/device`);
  assert.is(press('reset', { name: 'another' }).body.code, 'Device.WrongName');
  assert.equal(await sales(), [SECOND_SALE, FIRST_SALE]);
  await lane.anotherProcess(() => assert.is(press('reset', { name: String(body.name) }).status, 200));
  await lane.answers('1.0.0');
  assert.match((await lane.get(TERMINAL, '/health')).text, 'Not set up yet: neither a bank nor a display.');
  assert.is(lane.try('sh', '-c', 'ls /var/lib/laneware/kept/*/money.db').code, 0);
});

machine('and takes its backup, with the settings of the bank: it sells again', async () => {
  await lane.anotherProcess(() => assert.is(restore().status, 200));
  await lane.answers('1.0.0');
  assert.equal(await sales(), [SECOND_SALE, FIRST_SALE]);
  await sell(FOURTH_SALE);
  await pay();
});

machine('the machine is started anew, and has all of it', async () => {
  await lane.startsAnew(() => begins('reboot'));
  await lane.answers('1.0.0');
  assert.equal(await sales(), [FOURTH_SALE, SECOND_SALE, FIRST_SALE]);
  await lane.powerOff();
});

machine.run();
