import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CameraError, type CameraOptions } from '../../../drivers/camera/contract.ts';
import { LibcameraCamera } from '../../../drivers/camera/libcamera-stream.ts';
import { thrown, until } from '../../support.ts';
import { removeFolders, tempFolder } from '../folders.ts';
import { fakeCamera, frames, isRunning, patience, recordStates } from './support.ts';

const libcamera = suite('libcamera');
libcamera.after(removeFolders);
const open: LibcameraCamera[] = [];

function start({
  env,
  timing,
  ...options
}: CameraOptions & { env: NodeJS.ProcessEnv; timing?: Partial<typeof QUICK & { failures: number }> }): LibcameraCamera {
  const camera = new LibcameraCamera(options, timing, env);
  open.push(camera);
  return camera;
}

/** Quick restarts, and patience with a busy machine where a test is not about waiting. */
const QUICK = { firstDelayMs: 5, slowDelayMs: 20, frameAgeLimitMs: 15_000, firstFrameLimitMs: 25_000 };

libcamera.after.each(async () => void (await Promise.all(open.splice(0).map((camera) => camera.close()))));

libcamera('gives whole frames of the camera with their size, counted from 1', async () => {
  const fake = await fakeCamera();
  const camera = start({ env: fake.env });
  assert.is(camera.state.name, 'starting');
  const first = await camera.next(patience());
  assert.is(first.sequence, 1);
  assert.is(first.width, 1280);
  assert.is(first.height, 720);
  assert.ok(first.ageMs >= 0 && first.takenAt <= performance.now());
  assert.ok(fake.frames.some((frame) => frame.equals(first.jpeg)));
  const second = await camera.next(patience(), first.sequence);
  assert.ok(second.sequence > first.sequence);
  assert.is(camera.state.name, 'ready');
  assert.ok(camera.streaming);
});

libcamera('uses the older name of the program where only that is installed', async () => {
  const fake = await fakeCamera({}, 'libcamera-vid');
  const camera = start({ env: fake.env });
  assert.is((await camera.next(patience())).width, 1280);
});

libcamera('has no frame before the first one, and says so', async () => {
  const fake = await fakeCamera({ FAKE_STALL_AFTER: '0' });
  const camera = start({ env: fake.env });
  assert.is(thrown(CameraError, () => camera.latest()).code, 'no-frame');
});

libcamera('without a camera program is lost with a plain reason, and comes alive when it is installed', async () => {
  const fake = await fakeCamera();
  const empty = tempFolder();
  const env: NodeJS.ProcessEnv = { ...fake.env, PATH: empty };
  const camera = start({ env, timing: QUICK });
  assert.is(camera.state.name, 'lost');
  const why = camera.state.name === 'lost' ? camera.state.reason : '';
  assert.match(why, /neither rpicam-vid nor libcamera-vid.*install the package rpicam-apps$/);
  assert.is(thrown(CameraError, () => camera.latest()).code, 'lost');
  env.PATH = fake.env.PATH;
  await until('ready', () => camera.state.name === 'ready');
});

libcamera('passes over half frames and rubbish between frames', async () => {
  const fake = await fakeCamera({ FAKE_HALF_EVERY: '3', FAKE_RUBBISH: '1', FAKE_FPS: '200' });
  const camera = start({ env: fake.env });
  for (const jpeg of await frames(camera, 40)) {
    assert.ok(fake.frames.some((frame) => frame.equals(jpeg)));
  }
});

libcamera('restarts a camera that died, and its frames go on counting', async () => {
  const fake = await fakeCamera({ FAKE_DIE_AFTER: '3', FAKE_FAULT_RUNS: '2' });
  const { onState, states, names } = recordStates();
  const camera = start({ env: fake.env, timing: QUICK, onState });
  const frame = await camera.next(patience(), 6);
  assert.is(frame.sequence, 7);
  assert.equal(names(), ['ready', 'starting', 'ready', 'starting', 'ready']);
  const [, restart] = states;
  assert.match(restart?.name === 'starting' ? (restart.reason ?? '') : '', /ended \(7\): .*made to die/);
  assert.is(fake.pids().length, 3);
});

libcamera('restarts a camera that hangs, and leaves no process of it', async () => {
  const fake = await fakeCamera({ FAKE_STALL_AFTER: '2', FAKE_FAULT_RUNS: '1', FAKE_STUBBORN: '1' });
  const { onState, names } = recordStates();
  const camera = start({ env: fake.env, timing: { ...QUICK, frameAgeLimitMs: 400 }, onState });
  await camera.next(patience(), 1);
  await until('hung', () => names().includes('starting'));
  assert.is(thrown(CameraError, () => camera.latest()).code, 'stale');
  await camera.next(patience(), 2);
  const [hung] = fake.pids();
  await until('it has ended', () => !isRunning(hung ?? 0));
  assert.ok(fake.pids().length >= 2);
});

libcamera('restarts a camera that never gives a first frame', async () => {
  const fake = await fakeCamera({ FAKE_STALL_AFTER: '0', FAKE_FAULT_RUNS: '1' });
  const camera = start({ env: fake.env, timing: { ...QUICK, firstFrameLimitMs: 1500 } });
  await camera.next(patience());
  assert.ok(fake.pids().length >= 2);
});

libcamera('is lost when restarts do not help, refuses those who wait, and is still tried', async () => {
  const fake = await fakeCamera({ FAKE_DIE_AFTER: '0', FAKE_FAULT_RUNS: '5' });
  const { onState, names } = recordStates();
  const camera = start({ env: fake.env, timing: { ...QUICK, failures: 2 }, onState });
  const refusal = await camera.next(patience()).catch((error: unknown) => error);
  assert.ok(refusal instanceof CameraError && refusal.code === 'lost');
  assert.match(refusal.message, /made to die/);
  assert.is(fake.pids().length, 3);
  await until('back again', () => camera.state.name === 'ready');
  assert.equal(names().slice(-2), ['lost', 'ready']);
  assert.is(fake.pids().length, 6);
});

libcamera('a camera held by another program is named so, not its cable, and returns when let go', async () => {
  const fake = await fakeCamera({ FAKE_HELD: '1', FAKE_FAULT_RUNS: '4' });
  const { onState, states, names } = recordStates();
  const camera = start({ env: fake.env, timing: { ...QUICK, failures: 2 }, onState });
  await until('it is there', () => camera.state.name === 'ready');
  const [first] = states;
  assert.ok(first?.name === 'starting' && first.isHeld, 'at once');
  const lost = states[names().indexOf('lost')];
  assert.ok(lost?.name === 'lost' && lost.isHeld);
  assert.match(lost.reason, /failed to acquire camera.*another program holds the camera: end it$/);
});

libcamera('close ends the process even when it ignores every polite signal', async () => {
  const fake = await fakeCamera({ FAKE_STUBBORN: '1' });
  const camera = start({ env: fake.env });
  await camera.next(patience());
  const waiting = camera.next(patience(), Number.MAX_SAFE_INTEGER).catch((error: unknown) => error);
  await camera.close();
  const [pid] = fake.pids();
  await until('it has ended', () => !isRunning(pid ?? 0));
  assert.is(camera.state.name, 'closed');
  const refusal = await waiting;
  assert.ok(refusal instanceof CameraError && refusal.code === 'closed');
  assert.is(thrown(CameraError, () => camera.latest()).code, 'closed');
});

libcamera('a caller that gives up waiting gets its own reason', async () => {
  const fake = await fakeCamera({ FAKE_STALL_AFTER: '0' });
  const camera = start({ env: fake.env });
  const giveUp = new AbortController();
  const waiting = camera.next(giveUp.signal).catch((error: unknown) => error);
  const reason = new Error('the customer left');
  giveUp.abort(reason);
  assert.is(await waiting, reason);
});

libcamera('a program that repeats itself on standard error fills no log', async () => {
  const fake = await fakeCamera({ FAKE_STDERR: 'WARN the same thing again', FAKE_FPS: '200' });
  const lines: string[] = [];
  const camera = start({
    env: fake.env,
    log: (message, details) => lines.push(`${message} ${JSON.stringify(details)}`),
  });
  await frames(camera, 50);
  await camera.close();
  assert.is(lines.filter((line) => line.includes('the same thing again')).length, 1);
  assert.ok(lines.some((line) => line.includes('left out')));
  assert.ok(lines.some((line) => line.includes('libcamera v0.3.2')));
});

libcamera.run();
