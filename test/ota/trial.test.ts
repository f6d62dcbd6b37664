/** A release that does not sell or does not recognise is undone before the device changes over to it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { WireDisplay } from '../../drivers/display/wire/wire-display.ts';
import { suiteNeeding } from '../needing.ts';
import { ROOT } from '../root.ts';
import { each } from '../support.ts';
import { giveTrial, NEW, NO_RELEASES, OLD, onDevice, REFUSED, type Rig, WENT_BACK } from './rig.ts';

const trial = suiteNeeding(NO_RELEASES, 'a release that is tried before it is started');
const it = each<[Rig]>(trial, (run) => () => onDevice(run));

const SELLS = "console.log('starting')";
const SELLS_NOT = "console.log('it cannot ask for a payment: HTTP 500'); process.exitCode = 3";

/** What came of an update by such a trial, with the old release never stopped. */
async function isUndone(rig: Rig, program: string, reason: string): Promise<void> {
  const release = rig.release({ trial: program });
  const before = rig.restarts();
  const { code, output } = await rig.ota(['update', '--from', release]);
  assert.is(code, WENT_BACK, output);
  assert.match(output, `1.0.0 runs on; 1.1.0 was undone because ${reason}`);
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), restarts: rig.restarts(), releases: rig.releases() },
    { good: OLD, current: OLD, restarts: before, releases: [OLD] },
  );
  const again = await rig.ota(['update', '--from', release]);
  assert.is(again.code, REFUSED, 'the next night leaves it alone');
  assert.match(again.output, `1.1.0 was undone before (${reason})`);
}

/** A trial of this clone with a display that draws nothing. The type has the method follow its name. */
const DRAW: keyof WireDisplay = 'draw';
const DRAWS_NOTHING = `const { WireDisplay } = await import('${join(ROOT, 'drivers/display/wire/wire-display.ts')}');
  WireDisplay.prototype.${DRAW} = async () => {};
  await import('${join(ROOT, 'firmware/tools/trial/main.ts')}');`;

it('one whose frames never reach the display', (rig) =>
  isUndone(rig, DRAWS_NOTHING, 'it sends no code of a payment to the display'));

it('one whose trial is killed is named by the step that it was killed in', (rig) =>
  isUndone(
    rig,
    "console.log('learning an item'); process.kill(process.pid, 'SIGKILL')",
    'its trial ended at: learning an item',
  ));

for (const [what, spoilt, words] of [
  ['does not parse', 'lib/update.sh', 'if then (\n'],
  ['lacks a part', 'lib/load.sh', '. "$HERE/../lib/gone.sh"\n'],
  ['is no program', 'update/ota.sh', 'rollback\n'],
] as const)
  it(`one whose updater ${what}: no later release and no way back would come through`, async (rig) => {
    const release = rig.release({ extra: (folder) => writeFileSync(join(folder, 'scripts', spoilt), words) });
    const before = rig.restarts();
    const output = await rig.ends(WENT_BACK, ['update', '--from', release]);
    assert.match(output, '1.0.0 runs on; 1.1.0 was undone because its updater does not start: ');
    assert.equal(
      { good: rig.link('good'), current: rig.link('current'), restarts: rig.restarts() },
      { good: OLD, current: OLD, restarts: before },
    );
    await rig.takes('1.2.0', ['--from', rig.release({ version: '1.2.0' })]);
  });

it('one whose updater hangs, with all that it has started, is undone and holds no lock', async (rig) => {
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '0', trial_seconds: '5' });
  const hangs = "#!/bin/bash\ntrap '' TERM\nwhile :; do /bin/sleep 600; done\n";
  const extra = (folder: string): void => writeFileSync(join(folder, 'scripts/update/ota.sh'), hangs, { mode: 0o755 });
  const output = await rig.ends(WENT_BACK, ['update', '--from', rig.release({ extra })]);
  assert.match(output, '1.0.0 runs on; 1.1.0 was undone because its updater does not start: ');
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '0' });
  await rig.takes('1.2.0', ['--from', rig.release({ version: '1.2.0' })]);
});

it('one that sells is installed; it runs apart from the device, with limits, and never as root', async (rig) => {
  assert.match(
    await rig.takes(NEW, ['--from', rig.release({ trial: SELLS })]),
    '[4/6] Having 1.1.0 sell and look once',
  );
  const asked = readFileSync(join(rig.root, 'systemd-run.log'), 'utf8');
  for (const property of [
    'DynamicUser=yes',
    'PrivateNetwork=yes',
    'PrivateTmp=yes',
    'MemoryMax=400M',
    'RuntimeMaxSec=300',
  ])
    assert.match(asked, `--property=${property}\n`);
});

it('a machine on which the release that works does no better undoes nothing', async (rig) => {
  giveTrial(join(rig.root, 'opt/laneware/releases', OLD), SELLS_NOT);
  const said = await rig.takes(NEW, ['--from', rig.release({ trial: SELLS_NOT })]);
  assert.match(said, 'says nothing, for 1.0.0 does no better');
});

it('an earlier release, which has no trial, is installed and gone back to as before', async (rig) => {
  await rig.takes(NEW, ['--from', rig.release({ trial: SELLS })]);
  await rig.takes('1.0.1', ['--allow-downgrade', '--from', rig.release({ version: '1.0.1' })]);
  await rig.ends(0, ['rollback']);
  assert.is(await rig.answers(), NEW);
});

trial.run();
