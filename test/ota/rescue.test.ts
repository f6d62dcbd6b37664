/** The rescue of a device that cannot stay up: what its unit must allow, and what a cut or a fault on the way leaves. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { ROOT } from '../root.ts';
import { each, until } from '../support.ts';
import { NEW, NO_RELEASES, NOT_NOW, OLD, onDevice, type Rig, type Run } from './rig.ts';
import { serveReleases } from './server.ts';

const rescue = suiteNeeding(NO_RELEASES, 'the rescue of a device');
const it = each<[Rig]>(rescue, (run) => () => onDevice(run));

const unitOf = (name: string): string => readFileSync(join(ROOT, 'systemd', `laneware-${name}.service`), 'utf8');

for (const name of ['rescue', 'rollback', 'update', 'update-now'])
  rescue(`${name} may ask the ports of the device, on which a release proves itself`, () => {
    const families = /^RestrictAddressFamilies=(.*)$/m.exec(unitOf(name))?.[1]?.split(' ') ?? [];
    for (const family of ['AF_INET', 'AF_INET6']) assert.ok(families.includes(family), family);
  });

rescue('one that ended before the device’s start begins anew, and the lock leaves it time', () => {
  const unit = unitOf('rescue');
  assert.match(unit, /^Restart=on-failure$/m);
  const [, lock = ''] =
    /WAY_BACK_SECONDS=(\d+)$/m.exec(readFileSync(join(ROOT, 'scripts/lib/update-state.sh'), 'utf8')) ?? [];
  const [, minutes = ''] = /^TimeoutStartSec=(\d+)min$/m.exec(unit) ?? [];
  // two starts of 90 s, a gate and a search for the bank of 60 s each, and a pause
  assert.ok(Number(minutes) * 60 > Number(lock) + 2 * 90 + 3 * 60, `${minutes} min`);
});

rescue('a release is judged in its first day on a device without update.conf, too', () => {
  assert.not.match(unitOf('update'), /^Condition/m);
});

it('one that is cut while the release before proves itself leaves what is good to start', async (rig) => {
  await rig.takes(NEW, ['--from', rig.release()]);
  rig.configure({ gate_seconds: '60', payment_wait_seconds: '0' });
  rig.stopService();
  const child = rig.start(['rescue']);
  await until('the release before answers', async () => (await rig.answers()) === OLD);
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  rig.stopService();
  await rig.ends(0, ['recover', '--boot']);
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), previous: rig.link('previous'), state: rig.state() },
    { good: NEW, current: NEW, previous: OLD, state: 'idle' },
  );
});

it('a way back cut once the old release was good leaves none to that release itself', async (rig) => {
  symlinkSync(`releases/${OLD}`, join(rig.root, 'opt/laneware/previous'));
  rig.stopService();
  const output = await rig.ends(0, ['rescue']);
  assert.not.match(output, 'going back');
  assert.not.match((await rig.ota(['status'])).output, /^failed /m);
  assert.is(await rig.answers(), OLD);
});

it('where the release before cannot be made the good one, the way back to it is kept', async (rig) => {
  await rig.takes(NEW, ['--from', rig.release()]);
  rig.stopService();
  const inTheWay = join(rig.root, 'opt/laneware/good.new');
  mkdirSync(inTheWay);
  await rig.ota(['rescue']);
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), previous: rig.link('previous') },
    { good: NEW, current: NEW, previous: OLD },
  );
  rmSync(inTheWay, { recursive: true });
  rig.stopService();
  await rig.ends(0, ['rescue']);
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), answers: await rig.answers() },
    { good: OLD, current: OLD, answers: OLD },
  );
});

it('a disk on which no state can be noted stops no way back', async (rig) => {
  rig.configure({ gate_seconds: '0', payment_wait_seconds: '0', sells_within_seconds: '0' });
  await rig.takes(NEW, ['--from', rig.release()]);
  writeFileSync(join(rig.root, 'damaged-data'), `sells-nothing ${NEW}`);
  await rig.startService();
  mkdirSync(join(rig.root, 'var/lib/laneware-update/state.new'));
  await rig.ends(0, ['update', '--when-closed']);
  assert.equal(
    { good: rig.link('good'), current: rig.link('current'), answers: await rig.answers() },
    { good: OLD, current: OLD, answers: OLD },
  );
});

it('a state that a worn card cannot read stops no way back, and the next update rewrites it', async (rig) => {
  await rig.takes(NEW, ['--from', rig.release()]);
  const state = join(rig.root, 'var/lib/laneware-update/state');
  rmSync(state);
  symlinkSync('/proc/self/mem', state); // opens, and gives EIO
  await rig.ends(0, ['recover', '--boot']);
  rig.stopService();
  await rig.ends(0, ['rescue']);
  assert.equal([rig.link('good'), await rig.answers()], [OLD, OLD]);
  rmSync(state);
  symlinkSync('/proc/self/mem', state);
  await rig.takes('1.2.0', ['--from', rig.release({ version: '1.2.0' })]);
  assert.is(rig.state(), 'idle');
});

/** While 1.2.0 comes over a slow line. @returns how its update has ended */
async function duringDownload(rig: Rig, meanwhile: (from: string) => Promise<void>): Promise<Run> {
  using server = await serveReleases(rig.release({ version: '1.2.0', filling: 100_000 }));
  const line = Promise.withResolvers<void>();
  server.held = line.promise;
  const update = rig.ota(['update', '--from', server.url]);
  await until('it is downloaded', async () => server.starts.length === 2);
  await meanwhile(server.url);
  line.resolve();
  return await update;
}

it('does not wait for a download, which is kept where another release runs by then', async (rig) => {
  await rig.takes(NEW, ['--from', rig.release()]);
  const { code, output } = await duringDownload(rig, async () => {
    rig.stopService();
    await rig.ends(0, ['rescue']);
    assert.equal([rig.link('good'), await rig.answers()], [OLD, OLD]);
  });
  assert.is(code, NOT_NOW, output);
  assert.match(output, `${OLD} runs by now, no longer ${NEW}`);
  assert.equal(
    { good: rig.link('good'), answers: await rig.answers(), state: rig.state(), downloaded: rig.downloaded() },
    { good: OLD, answers: OLD, state: 'idle', downloaded: 1 },
  );
});

it('a download goes on where the device was only started anew, and is installed', async (rig) => {
  const { code, output } = await duringDownload(rig, async () => {
    rig.stopService();
    await rig.ends(0, ['rescue']);
    assert.equal([await rig.answers(), rig.state()], [OLD, 'download']);
  });
  assert.is(code, 0, output);
  assert.is(await rig.answers(), '1.2.0');
});

it('during a download rollback by hand works, another update ends, recovery leaves it alone', async (rig) => {
  await rig.takes(NEW, ['--from', rig.release()]);
  const { code } = await duringDownload(rig, async (from) => {
    assert.match(await rig.ends(NOT_NOW, ['update', '--from', from]), 'another update runs on this device');
    await rig.ends(0, ['recover']);
    assert.is(rig.state(), 'download');
    assert.is(readdirSync(join(rig.root, 'run/laneware-update')).filter((name) => name.startsWith('head.')).length, 1);
    await rig.ends(0, ['rollback']);
  });
  assert.equal([code, await rig.answers()], [NOT_NOW, OLD]);
});

for (const [what, end] of [
  ['comes to its end', () => undefined],
  ['is ended', (pid: number) => process.kill(-pid, 'SIGTERM')],
] as const)
  it(`a download that ${what} waits for a way back that is under way`, async (rig) => {
    await rig.takes(NEW, ['--from', rig.release()]);
    rig.configure({ gate_seconds: '5', payment_wait_seconds: '0' });
    let back = Promise.resolve<Run>({ code: null, output: '' });
    const { code } = await duringDownload(rig, async () => {
      const update = rig.latest;
      back = rig.ota(['rollback']);
      await until('the release before answers', async () => (await rig.answers()) === OLD);
      end(update);
    });
    assert.is((await back).code, 0);
    assert.is.not(code, 0);
    assert.equal(
      { good: rig.link('good'), current: rig.link('current'), answers: await rig.answers() },
      { good: OLD, current: OLD, answers: OLD },
    );
  });

it('one that was cut during a download ends in what is good, and that is what runs', async (rig) => {
  await rig.takes(NEW, ['--from', rig.release()]);
  rig.configure({ gate_seconds: '60', payment_wait_seconds: '0' });
  await duringDownload(rig, async () => {
    rig.stopService();
    const child = rig.start(['rescue']);
    await until('the release before answers', async () => (await rig.answers()) === OLD);
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await rig.ends(0, ['recover']);
    assert.equal(
      { good: rig.link('good'), current: rig.link('current'), answers: await rig.answers() },
      { good: NEW, current: NEW, answers: NEW },
    );
    rig.configure({ gate_seconds: '0', payment_wait_seconds: '0' });
  });
});

it('systemd reads the units of the good release once another is the good one', async (rig) => {
  const last = (): string | undefined => rig.systemctl(/^(restart|daemon-reload)/).at(-1);
  await rig.takes(NEW, ['--from', rig.release()]);
  assert.is(last(), 'daemon-reload');
  await rig.ends(0, ['rollback']);
  assert.is(last(), 'daemon-reload');
});

rescue.run();
