/**
 * For every state of an update: an error there, and the updater killed there → which release runs afterwards. After
 * each, the device is asked to update again, without a fault: it must always come through.
 */
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { each } from '../support.ts';
import { FAILED, NEW, NO_RELEASES, OLD, onDevice, type Rig, WENT_BACK } from './rig.ts';

const table = suiteNeeding(NO_RELEASES, 'table of states');
const it = each<[Rig]>(table, (run) => () => onDevice(run));

/** Each state, the program whose failure is the error there, how that ends, and whether the device that runs is ever stopped on the way back. */
const ROWS = [
  ['check', 'mktemp', FAILED, false],
  ['download', 'dd', FAILED, false],
  ['verify', 'sha256sum', FAILED, false],
  ['unpack', 'tar', FAILED, false],
  ['trial', 'systemd-run', WENT_BACK, false],
  ['switch', 'ln', FAILED, false],
  ['restart', 'systemctl', WENT_BACK, true],
  ['gate', 'curl', WENT_BACK, true],
  ['commit', 'ln', FAILED, true],
  ['cleanup', 'rm', 0, true],
] as const;
/** What runs after an error, and after a kill. */
const afterwards = (state: string): string => (state === 'cleanup' ? NEW : OLD);

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

for (const [state, error, code, disturbs] of ROWS) {
  const runs = afterwards(state);
  it(`${state}: an error ends in ${runs}`, async (rig) => {
    const before = rig.restarts();
    await rig.ends(code, ['update', '--from', tried(rig)], { FAULT: `fail:${state}:${error}` });
    if (!disturbs) assert.is(rig.restarts(), before, 'the device was never stopped');
    await isWhole(rig, runs);
  });

  it(`${state}: killed there, the device ends in ${runs}`, async (rig) => {
    const before = rig.restarts();
    const killed = await rig.ota(['update', '--from', tried(rig)], { FAULT: `state:${state}` });
    assert.is(killed.code, null, 'the fault came');
    assert.is(rig.state(), state);
    const { code: recovered, output } = await rig.ota(['recover']);
    assert.is(recovered, 0, output);
    if (!disturbs) assert.is(rig.restarts(), before, 'the device was never stopped');
    await isWhole(rig, runs);
  });

  it(`${state}: killed there, at the next boot ${runs} is what is started`, async (rig) => {
    await rig.ota(['update', '--from', tried(rig)], { FAULT: `state:${state}` });
    rig.stopService();
    const before = rig.restarts();
    await rig.ends(0, ['recover', '--boot']);
    assert.is(rig.restarts(), before, 'starting the device is the boot’s own business');
    await rig.startService();
    await isWhole(rig, runs);
  });
}

it('restart: a release that does not start is undone, and is not tried again by itself', async (rig) => {
  const release = rig.release({ behaviour: 'exits' });
  const output = await rig.ends(WENT_BACK, ['update', '--from', release]);
  assert.match(output, '1.0.0 runs again; 1.1.0 was undone because it did not start');
  assert.match((await rig.ota(['update', '--from', release])).output, 'was undone before (it did not start)');
  await isWhole(rig, OLD);
});

const FAILING = [
  ['ends-soon', 'it ended by itself'],
  ['one-port', 'it does not answer on both ports'],
  ['wrong-version', 'it does not answer on both ports'],
  ['part-failed', 'it reports as failed: ledger'],
  ['sells-nothing', 'it does not sell: storage-full'],
] as const;
for (const [behaviour, reason] of FAILING) {
  it(`gate: a release that starts but ${behaviour} is undone`, async (rig) => {
    rig.configure({ gate_seconds: '2', payment_wait_seconds: '0', sells_within_seconds: '2' });
    assert.match(await rig.ends(WENT_BACK, ['update', '--from', rig.release({ behaviour })]), reason);
    rig.configure({ gate_seconds: '0', payment_wait_seconds: '0' });
    await isWhole(rig, OLD);
  });
}

it('undo: killed on the way back, the device still ends in the old release', async (rig) => {
  const { code } = await rig.ota(['update', '--from', rig.release({ behaviour: 'exits' })], { FAULT: 'state:undo' });
  assert.is(code, null);
  await rig.ends(0, ['recover']);
  await isWhole(rig, OLD);
});

it('switch: killed there, a device that started the new release itself gets the old one back', async (rig) => {
  await rig.ota(['update', '--from', rig.release()], { FAULT: 'state:restart' });
  rig.writeState(`state=switch\nversion=${NEW}\nfrom=${OLD}\n`);
  await rig.startService();
  assert.is(await rig.answers(), NEW);
  await rig.ends(0, ['recover']);
  await isWhole(rig, OLD);
});

for (const [state] of ROWS.filter(([each]) => afterwards(each) === OLD)) {
  it(`${state}: a disk that takes nothing more from there on ends in ${OLD}`, async (rig) => {
    const { code } = await rig.ota(['update', '--from', tried(rig)], { FAULT: `fail:${state}:sync` });
    assert.ok(code !== 0 && code !== null);
    assert.equal(
      { answers: await rig.answers(), current: rig.link('current'), good: rig.link('good') },
      { answers: OLD, current: OLD, good: OLD },
    );
    await rig.ends(0, ['recover']);
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
  await rig.ends(0, ['update', '--retry', '--from', release]);
});

it('a state file that is rubbish is no obstacle', async (rig) => {
  for (const rubbish of ['', '\0\0\0', 'state=what\nversion=../../etc\n', 'state=commit\nversion=\nfrom=\n']) {
    rig.writeState(rubbish);
    await rig.ends(0, ['recover']);
    assert.is(rig.link('current'), OLD);
  }
  await isWhole(rig, OLD);
});

table.run();
