/** A caller that hangs up, at any moment, leaves no backup in between: nothing is left of it, or it is restored. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pause } from '../../../drivers/lib/async.ts';
import { until } from '../../support.ts';
import { AFTER_FILE, BEFORE_FILE, headOf, madeBy, sendWhole, startRig } from './callers-rig.ts';

const test = suite('callers of backups who hang up');

for (const [where, share] of [
  ['with the first bytes of its file', 0.0001],
  ['in the middle of its file', 0.5],
  ['after its file, before the end of the form', 1],
] as const)
  test(`a hang-up ${where}: nothing is left, the next is made`, async () => {
    await using rig = await startRig({}, { bytes: 1024 * 1024 });
    const file = await madeBy(rig);
    const socket = rig.send(headOf(BEFORE_FILE.length + file.length + AFTER_FILE.length), BEFORE_FILE);
    socket.write(file.subarray(0, Math.round(file.length * share)));
    await until('it is being unpacked', () => rig.copies().length > 0);
    await rig.hangUp(socket);
    await until('nothing is left', () => rig.copies().length === 0);
    assert.is((await rig.make()).status, 200);
    assert.equal([rig.isReady(), rig.restarts()], [false, 0]);
  });

test('a caller who hangs up during the check of its whole backup has asked for it: a restart', async () => {
  await using rig = await startRig({}, { bytes: 1024, isHeld: true });
  const socket = sendWhole(rig, await madeBy(rig));
  await until('it is ready', () => rig.isReady());
  await rig.hangUp(socket);
  assert.is(rig.restarts(), 0);
  rig.endChecks();
  await until('the device restarts', () => rig.restarts() === 1);
});

test('a caller who hangs up just before the answer has the device restart too', async () => {
  const [due, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const onAnswer = (): Promise<void> => {
    due.resolve();
    return answer.promise;
  };
  await using rig = await startRig({}, { bytes: 1024 });
  const file = await madeBy(rig);
  await using held = await startRig({}, { bytes: 1024, onAnswer });
  const socket = sendWhole(held, file);
  await due.promise;
  assert.ok(held.isReady());
  await held.hangUp(socket);
  answer.resolve();
  await until('the device restarts', () => held.restarts() === 1);
});

test('checks that last longer than an upload may pause are no slow upload', async () => {
  await using rig = await startRig(
    { upload: { sampleMs: 10, samples: 5, leastBytes: 1 } },
    { bytes: 1024, isHeld: true },
  );
  const socket = sendWhole(rig, await madeBy(rig)).resume();
  const answered: Buffer[] = [];
  socket.on('data', (piece) => answered.push(piece));
  await until('it is ready', () => rig.isReady());
  await pause(200);
  rig.endChecks();
  await until('an answer', () => answered.length > 0);
  assert.match(String(answered[0]), /^HTTP\/1\.1 200 /);
});

test('a backup that is ready is begun with, or given up, by hand', async () => {
  await using rig = await startRig({}, { bytes: 1024 });
  const file = await madeBy(rig);
  assert.is((await rig.ready('POST')).status, 404);
  assert.is((await rig.ready('DELETE')).status, 404);
  sendWhole(rig, file).resume();
  await until('the device restarts', () => rig.restarts() === 1);
  assert.ok(rig.isReady());
  const begun = await rig.ready('POST');
  assert.equal([begun.status, begun.body], [200, { restarts: true }]);
  await until('it restarts again', () => rig.restarts() === 2);
  const gone = await rig.ready('DELETE');
  assert.equal([gone.status, gone.body.ready], [200, false]);
  assert.equal(rig.copies(), []);
  sendWhole(rig, file).resume();
  await until('the next is taken', () => rig.restarts() === 3);
});

test.run();
