import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LibcameraCamera } from '../../../drivers/camera/libcamera-stream.ts';
import { until } from '../../support.ts';
import { removeFolders } from '../folders.ts';
import { type FakeCamera, fakeCamera, isRunning, patience } from './support.ts';

const orphans = suite('camera processes');
orphans.after(removeFolders);
const HOLDER = fileURLToPath(new URL('camera-holder.ts', import.meta.url));

/** Fields of /proc/PID/stat behind the name: state, parent, process group. */
function statOf(pid: number): { parent: number; group: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { parent: Number(fields[1]), group: Number(fields[2]) };
  } catch {
    return null; // ended meanwhile
  }
}

function membersOf(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.group === group && isRunning(pid));
}

/** A process of its own that holds the camera, and the group of the camera's processes. */
async function holder(fake: FakeCamera, ...args: string[]) {
  const child = spawn(process.execPath, [HOLDER, ...args], { env: fake.env, stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  await once(child.stdout, 'data');
  const group = statOf(fake.pids()[0] ?? 0)?.group ?? 0;
  return { child, gone, group };
}

for (const [name, faults] of [
  ['streams', {}],
  ['ignores signals and broken pipes', { FAKE_STUBBORN: '1' }],
  ['hangs without writing', { FAKE_STUBBORN: '1', FAKE_STALL_AFTER: '1' }],
] as const) {
  orphans(`none outlives us when we are killed while the camera ${name}`, async () => {
    const fake = await fakeCamera(faults);
    const { child, gone, group } = await holder(fake);
    assert.ok(group > 1 && membersOf(group).length >= 2, 'the camera runs in a group of its own');
    child.kill('SIGKILL');
    await gone;
    await until('the group is empty', () => membersOf(group).length === 0);
  });
}

orphans('none outlives us when we end without closing the camera', async () => {
  const fake = await fakeCamera({ FAKE_STUBBORN: '1' });
  const child = spawn(process.execPath, [HOLDER, 'exit'], { env: fake.env, stdio: 'ignore' });
  await once(child, 'exit');
  const [pid] = fake.pids();
  await until('the camera has ended', () => !isRunning(pid ?? 0));
});

orphans('none is left, and the camera restarts, when its guarding shell is killed', async () => {
  const fake = await fakeCamera({ FAKE_STUBBORN: '1' });
  const camera = new LibcameraCamera({}, { firstDelayMs: 5 }, fake.env);
  const first = await camera.next(patience());
  const [pid = 0] = fake.pids();
  const stat = statOf(pid);
  assert.ok(stat !== null && stat.parent === stat.group, 'the shell leads the group');
  process.kill(stat?.parent ?? 0, 'SIGKILL');
  await until('the first process has ended', () => !isRunning(pid));
  await until('a second one runs', () => fake.pids().length === 2);
  await camera.next(patience(), first.sequence);
  await camera.close();
  await until('all have ended', () => !fake.pids().some(isRunning));
  await until('the group is empty', () => membersOf(stat?.group ?? 0).length === 0);
});

orphans('closing a hundred times at once ends everything once', async () => {
  const fake = await fakeCamera();
  const camera = new LibcameraCamera({}, {}, fake.env);
  await camera.next(patience());
  const group = statOf(fake.pids()[0] ?? 0)?.group ?? 0;
  await Promise.all(Array.from({ length: 100 }, () => camera.close()));
  await until('the group is empty', () => membersOf(group).length === 0);
});

orphans('closing right after opening leaves nothing', async () => {
  const fake = await fakeCamera();
  const camera = new LibcameraCamera({}, {}, fake.env);
  await camera.close();
  await until('all have ended', () => !fake.pids().some(isRunning));
});

orphans.run();
