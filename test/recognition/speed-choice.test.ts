/** Which speed a device takes where none was set. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SpeedChoice } from '../../firmware/recognition/answer/speed-choice.ts';
import type { VectorSource } from '../../firmware/recognition/answer/viewer.ts';
import { each, opening, temporaryFolder } from '../support.ts';
import { FakeModel, NO_MODEL, picture, type Rig, startRig } from './support.ts';

const choice = suite('choice of the speed');
const it = each(choice, opening(temporaryFolder));

const TOO_LONG_MS = 110;
function twoLooks(name = 'two'): FakeModel {
  const { input } = new FakeModel().manifest;
  return new FakeModel(name, 8, { input: { ...input, closerLooks: [0.5] } });
}
let passed = 0;
/** A look that takes so long, of a clock that nothing else moves. */
const taking = (ms: number) => (): void => {
  passed += ms;
};
const choiceOf = (embedder: VectorSource, folder: string) =>
  new SpeedChoice(join(folder, 'measured-speed.json'), embedder, () => undefined, { pauseMs: 0, now: () => passed });

choice('quick looks give normal, slow ones fast, and both are kept', async () => {
  // two looks of 50 ms beside the rest of an answer are as much as it may take
  for (const [lookMs, speed] of [
    [0, 'normal'],
    [50, 'normal'],
    [50.5, 'fast'],
  ] as const) {
    using folder = temporaryFolder();
    const model = twoLooks();
    model.before = taking(lookMs);
    const first = choiceOf(model, folder.path);
    assert.is(first.measured, null);
    await first.start();
    assert.equal([first.measured?.speed, first.measured?.lookMs], [speed, lookMs]);
    const again = choiceOf(model, folder.path);
    assert.equal(again.measured, first.measured, 'after a restart');
    assert.is(choiceOf(twoLooks('another'), folder.path).measured, null, 'of another model nothing is known');
  }
});

it('what was found to be quick is not measured again, what was slow is', async (folder) => {
  const model = twoLooks();
  let looks = 0;
  model.before = taking(TOO_LONG_MS);
  await choiceOf(model, folder.path).start();
  model.before = () => {
    looks += 1;
  };
  await choiceOf(model, folder.path).start();
  assert.is(looks, 6 * 3, 'it may have been busy');
  assert.is(choiceOf(model, folder.path).measured?.speed, 'normal');
  await choiceOf(model, folder.path).start();
  assert.is(looks, 6 * 3);
});

it('one that is busy or fails at first gets another chance, and three in all', async (folder) => {
  const model = twoLooks();
  let failures = 0;
  model.before = () => {
    failures += 1;
    if (failures <= 2) throw new Error('busy');
  };
  const lucky = choiceOf(model, folder.path);
  await lucky.start();
  assert.is(lucky.measured?.speed, 'normal');

  using other = temporaryFolder();
  let asked = 0;
  const broken = twoLooks();
  broken.before = () => {
    asked += 1;
    throw new Error('no vector');
  };
  const luckless = choiceOf(broken, other.path);
  await luckless.start();
  assert.equal([luckless.measured, asked], [null, 2 * 3]);
});

it('what was measured in one runtime says nothing of another', async (folder) => {
  const model = twoLooks();
  await choiceOf(model, folder.path).start();
  model.runtime = { name: 'native', nativeFault: null };
  const other = choiceOf(model, folder.path);
  assert.is(other.measured, null);
  await other.start();
  assert.is(other.measured?.speed, 'normal');
  model.runtime = { name: 'webassembly', nativeFault: 'it has crashed' };
  assert.is(other.measured, null);
});

it('without a model nothing is measured, and a damaged file is as none', async (folder) => {
  const blind = choiceOf(NO_MODEL, folder.path);
  await blind.start();
  assert.is(blind.measured, null);
  writeFileSync(join(folder.path, 'measured-speed.json'), '{"measured": {"model":');
  const mended = choiceOf(twoLooks(), folder.path);
  assert.is(mended.measured, null);
  await mended.start();
  assert.is(mended.measured?.speed, 'normal');
});

it('a measurement that is broken off leaves nothing', async (folder) => {
  const model = twoLooks();
  const closings: Promise<void>[] = [];
  let looks = 0;
  const own = choiceOf(model, folder.path);
  model.before = () => {
    looks += 1;
    if (looks === 5) closings.push(own.close());
  };
  await own.start();
  await Promise.all(closings);
  assert.equal([own.measured, looks], [null, 6], 'the round that was begun is ended');
});

const modelPart = async (rig: Rig) => await rig.part('model');
const speedOf = async (rig: Rig) => (await rig.get('/api/get_device_info')).body.data.predict_speed;

choice('the device uses and reports it, and the call of the original device returns its default', async () => {
  const model = twoLooks();
  await using rig = await startRig({ model });
  await rig.learn('a', await picture(1));
  let looks = 0;
  const looksOfOne = async () => {
    model.before = () => {
      looks += 1;
    };
    looks = 0;
    await rig.get('/api/get_result');
    return looks;
  };
  const { lookMs: none, ...before } = await modelPart(rig);
  assert.equal([before.speed, before.speedBy, none], ['fast', 'default', undefined]);
  assert.is(await looksOfOne(), 1);
  await rig.recognition.speedChoice.start();
  const { lookMs, ...after } = await modelPart(rig);
  assert.equal([after.speed, after.speedBy, typeof lookMs], ['normal', 'measured', 'number']);
  assert.is(await looksOfOne(), 2);
  assert.is(await speedOf(rig), 'fast');
  await rig.post('/api/set_predict_speed', { speed: 'fast' });
  const set = await modelPart(rig);
  assert.equal([set.speed, set.speedBy], ['fast', 'set']);
  assert.is(await looksOfOne(), 1);
});

choice('a speed that a person has written into the file stays', async () => {
  for (const speed of ['fast', 'normal'] as const) {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'recognition.json'), JSON.stringify({ speed, resultCount: 3 }));
    await using rig = await startRig({ model: twoLooks(), folder: folder.path });
    await rig.recognition.speedChoice.start();
    const part = await modelPart(rig);
    assert.equal(
      { speed: part.speed, speedBy: part.speedBy, asked: await speedOf(rig) },
      { speed, speedBy: 'set', asked: speed },
    );
  }
});

choice.run();
