/** What somebody can do who cuts the shop's line at any moment, or has sales fail: no good release is lost for good, and no bad one is kept. */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { isWayBackOpen } from '../../firmware/core/files/before-migration.ts';
import { suiteNeeding } from '../needing.ts';
import { ROOT as PROJECT } from '../root.ts';
import { each, until } from '../support.ts';
import { type Behaviour, NEW, NO_RELEASES, OLD, onDevice, REFUSED, type Rig, WENT_BACK } from './rig.ts';

const suite = suiteNeeding(NO_RELEASES, 'updates: somebody at the line');
const it = each<[Shop]>(suite, (run) => () => onDevice((rig) => inShop(rig, run)));

const HOUR = 3600;
const DAY = 24 * HOUR;

/** The line to the bank: `open`, `cut`, or cut as soon as anything is asked (`mute`), which leaves the way open. */
type Line = 'open' | 'cut' | 'mute';

interface Shop {
  readonly rig: Rig;
  line: Line;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const LIB = join(PROJECT, 'scripts/lib');

async function inShop(rig: Rig, run: (shop: Shop) => Promise<void>): Promise<void> {
  const [key, cert] = ['bank.key', 'bank.pem'].map((name) => join(rig.folder, name)) as [string, string];
  const subject = ['-subj', '/CN=bank.example', '-days', '3650'];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject];
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const shop: Shop = { rig, line: 'open' };
  const bank = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    if (shop.line === 'open') response.end('{}');
    else request.socket.destroy();
  });
  bank.on('connection', (socket) => {
    if (shop.line === 'cut') socket.destroy();
  });
  bank.listen(0, '127.0.0.1');
  await once(bank, 'listening');
  const port = portOf(bank);
  writeFileSync(join(rig.root, 'bank'), JSON.stringify({ host: '127.0.0.1', port }));
  rig.configure({ gate_seconds: '1', payment_wait_seconds: '0', sells_within_seconds: '1' });
  machine(rig, 0);
  await rig.startService();
  await reached(rig);
  try {
    await run(shop);
  } finally {
    rig.stopService();
    bank.closeAllConnections();
    bank.close();
  }
}

function machine(rig: Rig, uptime: number): void {
  mkdirSync(join(rig.root, 'proc/sys/kernel/random'), { recursive: true });
  writeFileSync(join(rig.root, 'proc/uptime'), `${uptime}.25 1.00\n`);
  writeFileSync(join(rig.root, 'proc/sys/kernel/random/boot_id'), 'boot-1\n');
}

async function metrics(rig: Rig): Promise<string> {
  const url = /^terminal=(.*)$/m.exec(readFileSync(join(rig.root, 'run/laneware/endpoints'), 'utf8'))?.[1];
  return (await fetch(`${url}/metrics`)).text();
}

/** The device says that it reaches the bank. */
const reached = (rig: Rig) => until('the bank', async () => / 1$/m.test(await metrics(rig)));

const tick = (rig: Rig) => rig.ota(['update', '--when-closed']);
const install = (rig: Rig, behaviour: Behaviour = 'good') => rig.ota(['update', '--from', rig.release({ behaviour })]);

it('a release that cannot reach the bank is found out although the line is cut all first day', async (shop) => {
  const { rig } = shop;
  // the line is open when the bank is noted, and cut from the first look at the new release on
  await cutOnceRestarted(shop, () => install(rig, 'reaches-no-bank'));
  assert.is(rig.link('good'), NEW);
  machine(rig, DAY + HOUR);
  await rig.ends(0, ['ended'], { SERVICE_RESULT: 'exit-code', EXIT_STATUS: '1' });
  await tick(rig);
  assert.is(rig.link('good'), NEW);
  assert.ok(isWayBackOpen(rig.root, NEW), 'no form that the release before cannot read is written yet');
  shop.line = 'open';
  machine(rig, DAY + 2 * HOUR);
  await tick(rig);
  assert.equal([rig.link('good'), await rig.answers()], [OLD, OLD]);
});

/** Cuts the line from the moment on at which the service has been started anew. */
async function cutOnceRestarted<T>(shop: Shop, during: () => Promise<T>): Promise<T> {
  const restarts = shop.rig.restarts();
  const timer = setInterval(() => {
    if (shop.rig.restarts() > restarts) shop.line = 'cut';
  }, 1);
  try {
    return await during();
  } finally {
    clearInterval(timer);
  }
}

it('a line cut while the old release is tried ends no first day of one without the bank', async (shop) => {
  const { rig } = shop;
  await cutOnceRestarted(shop, () => install(rig, 'reaches-no-bank'));
  assert.is(rig.link('good'), NEW);
  shop.line = 'open';
  machine(rig, HOUR);
  await cutOnceRestarted(shop, () => tick(rig));
  assert.is(rig.link('good'), NEW);
  shop.line = 'open';
  machine(rig, 2 * HOUR);
  await tick(rig);
  assert.equal([rig.link('good'), await rig.answers()], [OLD, OLD]);
});

const WEEK = 7 * DAY;
const at = (seconds: number) => ({ LANEWARE_TEST_NOW: String(Math.floor(Date.now() / 1000) + seconds) });
const retried = (rig: Rig, file: string, seconds: number) => rig.ota(['update', '--from', file], at(seconds));

it('what a line can cause keeps a release off for a week, not for good', async ({ rig }) => {
  const file = rig.release({ behaviour: 'reaches-no-bank' });
  const codes: (number | null)[] = [];
  for (const seconds of [0, DAY, 2 * DAY, 3 * DAY, 2 * DAY + WEEK - HOUR, 2 * DAY + WEEK + HOUR, 3 * DAY + WEEK])
    codes.push((await retried(rig, file, seconds)).code);
  assert.equal(codes, [WENT_BACK, WENT_BACK, WENT_BACK, REFUSED, REFUSED, WENT_BACK, REFUSED]);
});

it('a release that is undone by a fault of its own is kept off for good', async ({ rig }) => {
  const file = rig.release({ behaviour: 'part-failed' });
  const codes: (number | null)[] = [];
  for (const seconds of [0, DAY, 2 * WEEK]) codes.push((await retried(rig, file, seconds)).code);
  assert.equal(codes, [WENT_BACK, REFUSED, REFUSED]);
});

for (const code of ['sales-failing', 'display-lost'])
  it(`a release with ${code} day after day is not installed every night again`, async ({ rig }) => {
    const file = rig.release();
    const damaged = join(rig.root, 'damaged-data');
    const ran: (string | null)[] = [];
    for (let night = 0; night < 4; night += 1) {
      machine(rig, night * DAY);
      await rig.ota(['update', '--from', file]);
      machine(rig, night * DAY + HOUR);
      await tick(rig); // at night nothing is sold, and nothing fails
      ran.push(rig.link('good'));
      writeFileSync(damaged, `stops-by-${code} ${NEW}`);
      await rig.startService();
      machine(rig, night * DAY + 8 * HOUR);
      await tick(rig);
      ran.push(rig.link('good'));
      rmSync(damaged);
      await rig.startService();
    }
    assert.equal(ran, [NEW, OLD, NEW, OLD, NEW, OLD, OLD, OLD]);
  });

it('attempts are forgotten once a release has got through its first day', async ({ rig }) => {
  mkdirSync(join(rig.root, 'var/lib/laneware-update/failures'));
  writeFileSync(
    join(rig.root, 'var/lib/laneware-update/failures', NEW),
    'count=2\nreason=it does not sell: sales-failing\n',
  );
  await install(rig);
  machine(rig, DAY - HOUR);
  await tick(rig);
  assert.match((await rig.ota(['status'])).output, `failed     ${NEW}`);
  machine(rig, DAY + HOUR);
  await tick(rig);
  assert.not.match((await rig.ota(['status'])).output, `failed     ${NEW}`);
});

it('failing sales beside a display that is pulled count as one attempt', async ({ rig }) => {
  const said = rig.bash(
    `MAX_ATTEMPTS=3; . ${LIB}/service.sh; . ${LIB}/reach.sh; eval "$(sed -n '/^attempts_of()/,/^}/p' ${LIB}/way-back.sh)"
    for codes in sales-failing display-lost 'display-held, sales-failing' 'display-lost, storage-full' storage-full \
      refunds-failing 'looks-failing, refunds-failing'; do attempts_of "$(unsold_in_words "\${codes//, /$'\n'}")"; done`,
    [],
  );
  assert.equal(said.trim().split('\n'), ['1', '1', '1', '3', '3', '1', '1']);
});

for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
  it(`a bank that demands a client certificate shows that the line is open, by ${maxVersion}`, async ({ rig }) => {
    const [key, cert] = ['bank.key', 'bank.pem'].map((name) => readFileSync(join(rig.folder, name)));
    const settings = { key, cert, maxVersion, requestCert: true, rejectUnauthorized: true };
    const server = createServer(settings).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const script = `set -euo pipefail; . ${LIB}/service.sh; . ${LIB}/reach.sh; certificate_of "$1"`;
    const asked = promisify(execFile)('bash', ['-c', script, 'bash', `127.0.0.1:${portOf(server)}`]);
    const { stdout } = await asked.finally(() => server.close());
    assert.match(stdout, /^([0-9A-F]{2}:){31}[0-9A-F]{2}\n$/);
  });

it('a release that looks for its bank at another address, in vain, does not reach it', async ({ rig }) => {
  const lines = ['1 bank.example:443', '0 bank.example:443', '1 other.example:443', '0 other.example:443', '0', ''];
  const said = rig.bash(
    `. ${LIB}/service.sh; . ${LIB}/reach.sh
    for line in "$@"; do bank_in_use() { echo "$line"; }; if reaches_bank; then echo yes; else echo no; fi; done`,
    lines,
  );
  assert.equal(said.trim().split('\n'), ['yes', 'no', 'yes', 'no', 'yes', 'no']);
});

it('a bank that was reached while the release was watched speaks against it no more', async (shop) => {
  const { rig } = shop;
  await install(rig);
  shop.line = 'mute';
  machine(rig, HOUR);
  await until('silence', async () => / 0$/m.test(await metrics(rig)));
  await tick(rig);
  assert.equal([rig.link('good'), rig.restarts()], [NEW, 3]);
});

it('a bank that was silent behind its open door before the switch is asked of no release', async (shop) => {
  const { rig } = shop;
  shop.line = 'mute';
  await until('silence', async () => / 0$/m.test(await metrics(rig)));
  assert.is((await install(rig, 'reaches-no-bank')).code, 0);
});

suite.run();
