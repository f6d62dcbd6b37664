/** A release and the shop's bank: what a line, a bank or a till can cause undoes no release; one that cannot reach the bank goes. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { ReasonRecords } from '../../drivers/lib/records.ts';
import { gaugeReachability } from '../../firmware/banks/bank-figures.ts';
import type { BankHealth } from '../../firmware/banks/open-banks.ts';
import { REASONS } from '../../firmware/console/page-data.ts';
import { HEALTH_EXAMPLE } from '../../firmware/core/host/health.ts';
import { Metrics } from '../../firmware/core/host/metrics.ts';
import { HOST_REASONS } from '../../firmware/core/host/records.ts';
import { suiteNeeding } from '../needing.ts';
import { each, until } from '../support.ts';
import { NEW, NO_RELEASES, OLD, onDevice, REFUSED, type Rig, WENT_BACK } from './rig.ts';

const reach = suiteNeeding(NO_RELEASES, 'updates: whether the bank is reached');

const HOUR = 3600;
const NO_BANK = 'it does not reach the bank, which the release before reached, though the way is open';

/** The shop's bank, and the line to it. */
class ShopBank {
  readonly #rig: Rig;
  #server: Server | null = null;
  #port = 0;
  /** Whether it answers at all behind its door. */
  isWell = true;
  #certificate = 'bank';

  constructor(rig: Rig) {
    this.#rig = rig;
    for (const name of ['bank', 'other']) this.#certify(name);
  }

  /** The line is whole; the bank shows that certificate. */
  async open(certificate = this.#certificate): Promise<void> {
    const [key, cert] = ['key', 'crt'].map((end) => readFileSync(join(this.#rig.folder, `${certificate}.${end}`)));
    this.#certificate = certificate;
    this.#server = createServer({ key, cert }, (_request, response) => {
      if (this.isWell) response.end('{}');
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
    writeFileSync(join(this.#rig.root, 'bank'), JSON.stringify({ host: '127.0.0.1', port: this.#port }));
  }

  cut(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.#server = null;
  }

  #certify(name: string): void {
    const [key = '', cert = ''] = ['key', 'crt'].map((end) => join(this.#rig.folder, `${name}.${end}`));
    const what = ['-x509', '-newkey', 'ed25519', '-nodes', '-subj', `/CN=${name}`, '-days', '9'];
    execFileSync('openssl', ['req', ...what, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  }
}

/** A lane that sells, with a bank that it reaches. */
const withBank = (body: (rig: Rig, bank: ShopBank) => Promise<void>): Promise<void> =>
  onDevice(async (rig) => {
    rig.configure({ gate_seconds: '1', payment_wait_seconds: '0', sells_within_seconds: '2' });
    const bank = new ShopBank(rig);
    await bank.open();
    try {
      await rig.startService();
      await until('the bank is reached', () => reachedBy(rig));
      machine(rig, 0);
      await body(rig, bank);
    } finally {
      bank.cut();
    }
  });
const it = each<[Rig, ShopBank]>(reach, (run) => () => withBank(run));

async function reachedBy(rig: Rig): Promise<boolean> {
  const [, url] = /^terminal=(.*)$/m.exec(readFileSync(join(rig.root, 'run/laneware/endpoints'), 'utf8')) ?? [];
  return /\} 1$/m.test(await (await fetch(`${url}/metrics`)).text());
}

/** How long the machine is on. */
function machine(rig: Rig, uptime: number): void {
  mkdirSync(join(rig.root, 'proc/sys/kernel/random'), { recursive: true });
  writeFileSync(join(rig.root, 'proc/uptime'), `${uptime}.25 1.00\n`);
  writeFileSync(join(rig.root, 'proc/sys/kernel/random/boot_id'), 'boot\n');
}

/** What the updater's timer does, the shop being open, so many hours after the installation. */
async function judged(rig: Rig, hours: number): Promise<string> {
  machine(rig, hours * HOUR);
  return (await rig.ota(['update', '--when-closed'])).output;
}

const isBlamed = async (rig: Rig): Promise<boolean> => /^failed /m.test((await rig.ota(['status'])).output);

/** Installs it, and does something once it is started. */
async function updatedWhile(rig: Rig, release: string, disturb: () => void) {
  const updater = rig.start(['update', '--from', release]);
  const ended = once(updater, 'exit');
  await until('the gate', () => rig.state() === 'gate');
  disturb();
  await ended;
}

/** Nothing that is judged in the first day takes the release off. */
async function stays(rig: Rig, ...hours: number[]): Promise<void> {
  const restarts = rig.restarts();
  for (const hour of hours) await judged(rig, hour);
  assert.equal(
    { good: rig.link('good'), answers: await rig.answers(), restarts: rig.restarts() },
    { good: NEW, answers: NEW, restarts },
  );
  assert.not.ok(await isBlamed(rig));
}

it('without the bank on an open line it is undone in a night without sales, left after three', async (rig) => {
  const release = rig.release({ behaviour: 'reaches-no-bank' });
  for (const night of [1, 2, 3]) {
    const output = await rig.ends(WENT_BACK, ['update', '--from', release]);
    assert.match(output, `1.0.0 runs again; 1.1.0 was undone because ${NO_BANK}`, `night ${night}`);
    assert.equal([rig.link('good'), await rig.answers()], [OLD, OLD]);
  }
  assert.match(await rig.ends(REFUSED, ['update', '--from', release]), `1.1.0 was undone before (${NO_BANK})`);
});

it('with the bank it is installed, and its earlier failures end after its first day', async (rig) => {
  await rig.ends(WENT_BACK, ['update', '--from', rig.release({ behaviour: 'reaches-no-bank' })]);
  await rig.takes(NEW, ['--from', rig.release()]);
  await stays(rig, 1, 25);
});

it('a line that is cut while a good release is watched, and all day, undoes nothing', async (rig, bank) => {
  await updatedWhile(rig, rig.release(), () => bank.cut());
  assert.is(rig.link('good'), NEW);
  await stays(rig, 1, 2);
  await bank.open();
  await until('the bank is reached', () => reachedBy(rig));
  await stays(rig, 3);
  bank.isWell = false;
  await until('the bank is silent', async () => !(await reachedBy(rig)));
  await stays(rig, 4);
});

it('without the bank, and come while the line was cut, it is undone once the line is whole', async (rig, bank) => {
  await updatedWhile(rig, rig.release({ behaviour: 'reaches-no-bank' }), () => bank.cut());
  assert.is(rig.link('good'), NEW, 'nobody can tell');
  await judged(rig, 1);
  assert.is(rig.link('good'), NEW, 'nor now');
  await bank.open();
  assert.match(await judged(rig, 2), `1.1.0 gives way to 1.0.0: ${NO_BANK}`);
  assert.equal([rig.link('good'), await rig.answers()], [OLD, OLD]);
});

it('a bank silent behind its open port blames no release: the one before fails alike', async (rig, bank) => {
  await updatedWhile(rig, rig.release({ behaviour: 'reaches-no-bank' }), () => {
    bank.isWell = false;
  });
  assert.is(rig.link('good'), OLD);
  assert.not.ok(await isBlamed(rig));
  assert.match((await rig.ota(['status'])).output, '1.1.0 was undone, and 1.0.0 does no better');
});

it('a stranger who answers at the address of the bank opens no way', async (rig, bank) => {
  await updatedWhile(rig, rig.release({ behaviour: 'reaches-no-bank' }), () => bank.cut());
  await bank.open('other');
  await stays(rig, 1);
  bank.cut();
  await bank.open('bank');
  assert.match(await judged(rig, 2), NO_BANK);
});

it('a release is not asked for a bank that the one before did not reach', async (rig, bank) => {
  bank.cut();
  await until('the bank is not reached', async () => !(await reachedBy(rig)));
  await rig.takes(NEW, ['--from', rig.release({ behaviour: 'reaches-no-bank' })]);
  await bank.open();
  await stays(rig, 1);
});

const FROM_OUTSIDE = [
  ...['bank-silent', 'bank-unreachable', 'bank-refuses', 'bank-unauthorised', 'bank-contradicts'],
  ...['bank-certificate-doubted', 'certificate-client-ended', 'certificate-authority-early', 'payments-unanswered'],
];
it('what line, bank, hour or refused sales cause undoes no release, by day or when installed', async (rig) => {
  const damage = join(rig.root, 'damaged-data');
  await rig.takes(NEW, ['--from', rig.release()]);
  for (const [at, code] of FROM_OUTSIDE.entries()) {
    writeFileSync(damage, `stops-by-${code} ${NEW}`);
    await rig.startService();
    await until('the bank is reached', () => reachedBy(rig));
    await stays(rig, at + 1);
  }
  writeFileSync(damage, 'stops-by-bank-refuses 1.2.0');
  await rig.takes('1.2.0', ['--from', rig.release({ version: '1.2.0' })]);
});

it('a bank that only the new release cannot open undoes it for good', async (rig) => {
  writeFileSync(join(rig.root, 'damaged-data'), `stops-by-bank-closed ${NEW}`);
  const release = rig.release();
  await rig.ends(WENT_BACK, ['update', '--from', release]);
  assert.match(await rig.ends(REFUSED, ['update', '--from', release]), 'it does not sell: bank-closed');
});

for (const [what, code] of [
  ['a cable pulled for minutes', 'display-lost'],
  ['a display held for minutes', 'display-held'],
  ['sales failing by the program', 'sales-failing'],
] as const)
  it(`${what} on the first day: back to the old one, the new one at night`, async (rig) => {
    const release = rig.release();
    await rig.takes(NEW, ['--from', release]);
    writeFileSync(join(rig.root, 'damaged-data'), `stops-by-${code} ${NEW}`);
    await rig.startService();
    assert.match(await judged(rig, 1), `1.1.0 gives way to 1.0.0: it does not sell: ${code}`);
    rmSync(join(rig.root, 'damaged-data'));
    await rig.takes(NEW, ['--from', release]);
    await until('the bank is reached', () => reachedBy(rig));
    await stays(rig, 2, 26);
  });

/** What the scripts read of an answer of the firmware. */
const readBy = (rig: Rig, command: string, answer: string): string[] =>
  rig
    .bash(
      `. "$1/opt/laneware/good/scripts/lib/service.sh"; . "$1/opt/laneware/good/scripts/lib/reach.sh"
      answer=$2; ask() { printf '%s\\n' "$answer"; }; ${command} || :`,
      [rig.root, answer],
    )
    .split('\n')
    .filter((line) => line !== '');

reach('each reason of the firmware not to sell is known to come from outside, or is judged', () =>
  onDevice(async (rig) => {
    const records: ReasonRecords = REASONS;
    const stopping = Object.keys(records).filter((code) => records[code]?.level === 'blocking');
    const [first, ...rest] = HEALTH_EXAMPLE.parts[1]?.reasons ?? [];
    assert.ok(first !== undefined && rest.length === 0);
    const part = { ...HEALTH_EXAMPLE.parts[1], reasons: stopping.map((code) => ({ ...first, code })) };
    const judged = readBy(rig, 'unsold_reasons', JSON.stringify({ ...HEALTH_EXAMPLE, parts: [part] }));
    const NO_DISPLAY = ['display-held', 'display-lost'];
    const JUDGED = [
      'bank-closed',
      ...NO_DISPLAY,
      'root-absent',
      'sales-failing',
      'storage-full',
      'storage-refused',
      'storage-foreign',
    ];
    const settings = ['settings-missing', 'settings-unconfirmed', 'settings-unreadable'];
    assert.equal(judged.toSorted(), [...JUDGED, ...settings].toSorted());
    const working = {
      ...part,
      reasons: Object.keys(HOST_REASONS).map((code) => ({ ...first, code, sales: 'sells-look-later' })),
    };
    const failing = readBy(rig, 'unsold_reasons', JSON.stringify({ ...HEALTH_EXAMPLE, parts: [working] }));
    assert.equal(failing, ['cancellations-failing', 'looks-failing', 'refunds-failing', 'synchronisation-failing']);
    assert.equal(stopping.toSorted(), [...judged, ...FROM_OUTSIDE, 'certificate-authority-ended'].toSorted());
  }),
);

reach('the updater reads whether the bank is reached from the figures of the firmware', () =>
  onDevice(async (rig) => {
    const figures = async (health: Partial<BankHealth> | null): Promise<string[]> => {
      const metrics = new Metrics();
      gaugeReachability(metrics, () => health as BankHealth | null);
      return readBy(rig, 'bank_in_use', await metrics.registry.metrics());
    };
    const open = { isOpen: true, isReached: true };
    assert.equal(await figures({ ...open, address: 'https://pay.bank.example/api' }), ['1 pay.bank.example:443']);
    assert.equal(await figures({ ...open, address: 'https://b.example:8443/', isReached: false }), [
      '0 b.example:8443',
    ]);
    assert.equal(await figures({ ...open, address: 'https://b.example/', isReached: null }), ['0 b.example:443']);
    assert.equal(await figures({ ...open, address: 'http://127.0.0.1:1290/rbs' }), ['1 ']);
    assert.equal(await figures({ ...open, address: null, isReached: null }), ['0 '], 'a printed code');
    assert.equal(await figures({ isOpen: false, address: null, isReached: null }), []);
    assert.equal(await figures(null), []);
    const figure = 'laneware_bank_reached{server="-x:1"} 1';
    assert.equal(readBy(rig, 'bank_in_use', `${figure}\nlaneware_bank_reached{server="a b:1"} 1`), []);
  }),
);

reach.run();
