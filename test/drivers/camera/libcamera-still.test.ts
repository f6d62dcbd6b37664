import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CameraError, type CameraOptions } from '../../../drivers/camera/contract.ts';
import { LibcameraStillCamera } from '../../../drivers/camera/libcamera-still.ts';
import { until } from '../../support.ts';
import { removeFolders, tempFolder } from '../folders.ts';
import { fakeCamera, isRunning, patience, recordStates } from './support.ts';

const still = suite('libcamera-still');
still.after(removeFolders);
const open: LibcameraStillCamera[] = [];
const QUICK = { intervalMs: 5, firstDelayMs: 5, slowDelayMs: 20 };

function start({
  env,
  timing = QUICK,
  ...options
}: CameraOptions & { env: NodeJS.ProcessEnv; timing?: object }): LibcameraStillCamera {
  const camera = new LibcameraStillCamera(options, timing, env);
  open.push(camera);
  return camera;
}

still.after.each(async () => void (await Promise.all(open.splice(0).map((camera) => camera.close()))));

for (const program of ['libcamera-still', 'rpicam-still']) {
  still(`takes picture after picture with ${program}, one process each`, async () => {
    const fake = await fakeCamera({}, program);
    const camera = start({ env: fake.env });
    const first = await camera.next(patience());
    assert.ok(fake.frames[0]?.equals(first.jpeg));
    assert.equal(
      { sequence: first.sequence, width: first.width, height: first.height },
      { sequence: 1, width: 1280, height: 720 },
    );
    assert.is((await camera.next(patience())).sequence, 2);
    assert.not(camera.streaming);
    await camera.close();
    await until('all have ended', () => !fake.pids().some(isRunning));
  });
}

still('without a camera program is lost with a plain reason', async () => {
  const camera = start({ env: { PATH: tempFolder() } });
  await until('lost', () => camera.state.name === 'lost');
  const why = camera.state.name === 'lost' ? camera.state.reason : '';
  assert.match(why, /neither libcamera-still nor rpicam-still.*install the package rpicam-apps$/);
});

still('says what the program said when no picture can be taken, and recovers', async () => {
  const fake = await fakeCamera({ FAKE_FAIL: '1', FAKE_FAULT_RUNS: '3' }, 'libcamera-still');
  const { onState, states, names } = recordStates();
  const camera = start({ env: fake.env, onState, timing: { ...QUICK, failures: 1 } });
  await until('ready', () => camera.state.name === 'ready');
  assert.is(names().filter((name) => name === 'lost').length >= 1, true);
  const lost = states.find(({ name }) => name === 'lost');
  assert.match(lost?.name === 'lost' ? lost.reason : '', /no cameras available.*check the cable of the camera$/);
});

still('a camera that another program holds is named so', async () => {
  const fake = await fakeCamera({ FAKE_HELD: '1', FAKE_FAULT_RUNS: '1' }, 'libcamera-still');
  const { onState, states } = recordStates();
  const camera = start({ env: fake.env, onState });
  await camera.next(patience());
  assert.ok(states.some((state) => 'isHeld' in state));
});

still('a picture without end is not read', async () => {
  const fake = await fakeCamera({ FAKE_LONG: '1', FAKE_FAULT_RUNS: '1' }, 'libcamera-still');
  const { onState, states } = recordStates();
  const camera = start({ env: fake.env, onState });
  assert.ok(fake.frames[0]?.equals((await camera.next(patience())).jpeg));
  assert.match(JSON.stringify(states), /the picture has 2147483648 bytes, more than 8388608/);
});

still('half a picture is never given out', async () => {
  const fake = await fakeCamera({ FAKE_HALF: '1', FAKE_FAULT_RUNS: '1' }, 'libcamera-still');
  const { onState, names } = recordStates();
  const camera = start({ env: fake.env, onState });
  assert.ok(fake.frames[0]?.equals((await camera.next(patience())).jpeg));
  assert.equal(names(), ['starting', 'ready']);
});

still('a capture that hangs is given up, and leaves no process', async () => {
  const fake = await fakeCamera({ FAKE_HANG: '1', FAKE_FAULT_RUNS: '1' }, 'libcamera-still');
  const camera = start({ env: fake.env, timing: { ...QUICK, captureLimitMs: 1500 } });
  await camera.next(patience());
  await until('it has ended', () => !isRunning(fake.pids()[0] ?? 0));
});

still('close ends a capture that hangs', async () => {
  const fake = await fakeCamera({ FAKE_HANG: '1' }, 'libcamera-still');
  const camera = start({ env: fake.env });
  await until('capturing', () => fake.pids().length === 1);
  const waiting = camera.next(patience()).catch((error: unknown) => error);
  await camera.close();
  await until('it has ended', () => !isRunning(fake.pids()[0] ?? 0));
  const refusal = await waiting;
  assert.ok(refusal instanceof CameraError && refusal.code === 'closed');
});

still.run();
