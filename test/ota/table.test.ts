/**
 * For every state of an update: an error there, and the updater killed there → which release runs afterwards. After
 * each, the device is asked to update again, without a fault: it must always come through.
 */
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { each } from '../support.ts';
import { NEW, NO_RELEASES, OLD, onDevice, type Rig } from './rig.ts';

const table = suiteNeeding(NO_RELEASES, 'table of states');
const it = each<[Rig]>(table, (run) => () => onDevice(run));

/** Exit codes of `ota.sh`. */
const FAILED = 1;
const WENT_BACK = 6;

interface Row {
  readonly state: string;
  /** The program whose failure is the error of this state. */
  readonly error: string;
  readonly afterError: { readonly runs: string; readonly code: number };
  readonly afterKill: string;
  /** Whether the device that runs is ever stopped on the way back. */
  readonly disturbs: boolean;
}

const ROWS: readonly Row[] = [
  { state: 'check', error: 'mktemp', afterError: { runs: OLD, code: FAILED }, afterKill: OLD, disturbs: false },
  { state: 'download', error: 'dd', afterError: { runs: OLD, code: FAILED }, afterKill: OLD, disturbs: false },
  { state: 'verify', error: 'sha256sum', afterError: { runs: OLD, code: FAILED }, afterKill: OLD, disturbs: false },
  { state: 'unpack', error: 'tar', afterError: { runs: OLD, code: FAILED }, afterKill: OLD, disturbs: false },
  {
    ...{ state: 'trial', error: 'systemd-run', afterError: { runs: OLD, code: WENT_BACK }, afterKill: OLD },
    disturbs: false,
  },
  { state: 'switch', error: 'ln', afterError: { runs: OLD, code: FAILED }, afterKill: OLD, disturbs: false },
  { state: 'restart', error: 'systemctl', afterError: { runs: OLD, code: WENT_BACK }, afterKill: OLD, disturbs: true },
  { state: 'gate', error: 'curl', afterError: { runs: OLD, code: WENT_BACK }, afterKill: OLD, disturbs: true },
  { state: 'commit', error: 'ln', afterError: { runs: OLD, code: FAILED }, afterKill: OLD, disturbs: true },
  { state: 'cleanup', error: 'rm', afterError: { runs: NEW, code: 0 }, afterKill: NEW, disturbs: true },
];

/** One release runs and is the good one, nothing of a trial is left, and the next update goes through. */
async function isWhole(rig: Rig, runs: string): Promise<void> {
  assert.is(await rig.answers(), runs, 'what answers');
  assert.equal([rig.link('good'), rig.link('current')], [runs, runs], 'what the links name');
  assert.is(rig.state(), 'idle');
  assert.not.ok(
    rig.releases().some((name) => name.startsWith('.')),
    'nothing half unpacked is left',
  );
  await rig.takes('1.2.0', ['--from', rig.release({ version: '1.2.0' })]);
}

/** With a trial that it passes. */
const tried = (rig: Rig): string => rig.release({ trial: '' });

for (const { state, error, afterError, afterKill, disturbs } of ROWS) {
  it(`${state}: an error ends in ${afterError.runs}`, async (rig) => {
    const before = rig.restarts();
    const { code, output } = await rig.ota(['update', '--from', tried(rig)], { FAULT: `fail:${state}:${error}` });
    assert.is(code, afterError.code, output);
    if (!disturbs) assert.is(rig.restarts(), before, 'the device was never stopped');
    await isWhole(rig, afterError.runs);
  });

  it(`${state}: killed there, the device ends in ${afterKill}`, async (rig) => {
    const before = rig.restarts();
    const { code } = await rig.ota(['update', '--from', tried(rig)], { FAULT: `state:${state}` });
    assert.is(code, null, 'the fault came');
    assert.is(rig.state(), state);
    const { code: recovered, output } = await rig.ota(['recover']);
    assert.is(recovered, 0, output);
    if (!disturbs) assert.is(rig.restarts(), before, 'the device was never stopped');
    await isWhole(rig, afterKill);
  });

  it(`${state}: killed there, at the next boot ${afterKill} is what is started`, async (rig) => {
    await rig.ota(['update', '--from', tried(rig)], { FAULT: `state:${state}` });
    rig.stopService();
    const before = rig.restarts();
    const { code, output } = await rig.ota(['recover', '--boot']);
    assert.is(code, 0, output);
    assert.is(rig.restarts(), before, 'starting the device is the boot’s own business');
    await rig.startService();
    await isWhole(rig, afterKill);
  });
}

it('restart: a release that does not start is undone, and is not tried again by itself', async (rig) => {
  const release = rig.release({ behaviour: 'exits' });
  const { code, output } = await rig.ota(['update', '--from', release]);
  assert.is(code, WENT_BACK, output);
  assert.match(output, '1.0.0 runs again; 1.1.0 was undone because it did not start');
  assert.match((await rig.ota(['update', '--from', release])).output, 'was undone before (it did not start)');
  await isWhole(rig, OLD);
});

const FAILING = [
  ['ends-soon', 'it ended by itself'],
  ['one-port', 'it does not answer on both ports'],
  ['wrong-version', 'it does not answer on both ports'],
  ['part-failed', 'it reports as failed: ledger'],
  ['sells-nothing', 'it does not sell: ledger'],
] as const;
for (const [behaviour, reason] of FAILING) {
  it(`gate: a release that starts but ${behaviour} is undone`, async (rig) => {
    rig.configure({ gate_seconds: '2', payment_wait_seconds: '0', sells_within_seconds: '2' });
    const { code, output } = await rig.ota(['update', '--from', rig.release({ behaviour })]);
    assert.is(code, WENT_BACK, output);
    assert.match(output, reason);
    rig.configure({ gate_seconds: '0', payment_wait_seconds: '0' });
    await isWhole(rig, OLD);
  });
}

it('undo: killed on the way back, the device still ends in the old release', async (rig) => {
  const { code } = await rig.ota(['update', '--from', rig.release({ behaviour: 'exits' })], { FAULT: 'state:undo' });
  assert.is(code, null);
  assert.is((await rig.ota(['recover'])).code, 0);
  await isWhole(rig, OLD);
});

for (const { state } of ROWS.filter((row) => row.afterKill === OLD)) {
  it(`${state}: a disk that takes nothing more from there on ends in ${OLD}`, async (rig) => {
    const { code } = await rig.ota(['update', '--from', tried(rig)], { FAULT: `fail:${state}:sync` });
    assert.ok(code !== 0 && code !== null);
    assert.equal([await rig.answers(), rig.link('current'), rig.link('good')], [OLD, OLD, OLD]);
    assert.is((await rig.ota(['recover'])).code, 0);
    await isWhole(rig, OLD);
  });
}

it('three trials of one version that were cut short count as its fault', async (rig) => {
  const release = rig.release();
  for (let round = 0; round < 3; round += 1) {
    await rig.ota(['update', '--from', release], { FAULT: 'state:gate' });
    await rig.ota(['recover']);
  }
  const { code, output } = await rig.ota(['update', '--from', release]);
  assert.is(code, 5);
  assert.match(output, 'its trial was cut short');
  assert.is((await rig.ota(['update', '--retry', '--from', release])).code, 0);
});

it('a state file that is rubbish is no obstacle', async (rig) => {
  for (const rubbish of ['', '\0\0\0', 'state=what\nversion=../../etc\n', 'state=commit\nversion=\nfrom=\n']) {
    rig.writeState(rubbish);
    assert.is((await rig.ota(['recover'])).code, 0);
    assert.is(rig.link('current'), OLD);
  }
  await isWhole(rig, OLD);
});

table.run();
