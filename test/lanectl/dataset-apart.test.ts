/** `lanectl dataset record` as it is typed: what it keeps of a drawn tray, what it asks for, and a disk that is full. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/core/cli/exit-codes.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { SmallDisk } from '../small-disk.ts';
import { call, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { CAMERA, CONSENT, crop, filesOf, HEALTH, looksIn, recording, stateOf } from './dataset-rig.ts';
import { ends, lanectl, leadingTo, start } from './lanectl.ts';
import { scripted } from './stand-in.ts';

const test = suite('lanectl dataset, as it is typed');

async function lay({ recognition }: TestDevice, thing: string): Promise<void> {
  const json = { thing };
  const { status } = await call(`${recognition}/console/api/camera/drawn-tray`, { method: 'PUT', json });
  assert.is(status, 200);
}

/** With a drawn tray, which it has learned. */
async function deviceWithTray(): Promise<TestDevice> {
  const device = await startTestDevice({ LANEWARE_CAMERA_DRIVER: 'replay', LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST });
  const url = `${device.recognition}/console/api/camera`;
  await until('a picture', async () => (await call(url)).status === 200);
  await lay(device, 'nothing');
  assert.is((await call(`${url}/empty-tray`, { method: 'PUT' })).status, 200);
  return device;
}

test('each thing at rest is stored as the device cut it, with its label and the device’s answer', async () => {
  using temporary = temporaryFolder();
  const folder = join(temporary.path, 'set');
  await using device = await deviceWithTray();
  const env = leadingTo(device);
  const args = ['dataset', 'record', folder, '--item', '4011', '--looks', '2'];
  await using running = start([...args, '--conditions', 'bag,turned', ...CONSENT, '--json'], { env });
  await until('it waits', () => /0 of 2: lay the item down/.test(running.text()));
  await lay(device, 'banana');
  await until('a look', () => running.text().includes('"picture"'));
  await lay(device, 'nothing');
  await lay(device, 'orange');
  const { stdout, stderr } = await ends('ok', running.ended);
  assert.match(stderr, /never the whole frame[\s\S]*has 2 looks of 4011/);

  const looks = looksIn(folder);
  assert.equal(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    looks,
  );
  assert.equal(filesOf(folder), [
    'dataset.json',
    'looks.jsonl',
    'pictures',
    ...looks.map(({ picture }) => picture).sort(),
  ]);
  for (const { picture, item, conditions, device: by, answer } of looks) {
    assert.equal([item, conditions, answer.certain, answer.reason], ['4011', ['turned', 'bag'], false, 'no-templates']);
    assert.match(by.model, /^lane-embed-1 \d/);
    assert.equal([by.camera, ['normal', 'fast'].includes(by.speed)], ['replay', true]);
    const { width, height } = await sharp(join(folder, picture)).metadata();
    assert.ok(width === height && width <= 256, `${width}×${height}`);
  }
  const { by, use, licence, terms, at } = JSON.parse(readFileSync(join(folder, 'dataset.json'), 'utf8'));
  assert.equal([by, use, licence], ['Shop 7', 'anyone, to judge models', 'CC-BY-4.0']);
  assert.match(terms, /never the whole frame\. No face/);
  assert.ok(Math.abs(Date.now() - Date.parse(at)) < 3_600_000, at);

  const again = await lanectl([...args, '--conditions', 'turned,bag'], { env });
  assert.equal(
    { code: again.code, stdout: again.stdout, looks: looksIn(folder).length },
    { code: 0, stdout: '', looks: 2 },
    again.stderr,
  );
  assert.not.match(again.stderr, 'No face');
});

test('a full disk loses nothing', async () => {
  using disk = new SmallDisk(1);
  const folder = join(disk.path, 'set');
  await recording(folder, ['--looks', '1', ...CONSENT], stateOf(1, 1), crop('one'));
  const room = join(disk.path, 'room');
  writeFileSync(room, Buffer.alloc(4096));
  disk.fill();
  const before = filesOf(folder);
  const big = crop('x'.repeat(9000));
  // without room for the picture, then with room for it and none for its line
  for (const picture of [big, crop('small')]) {
    const full = await recording(folder, ['--looks', '2'], stateOf(1, 1), picture);
    assert.equal(
      { code: full.code, files: filesOf(folder), looks: looksIn(folder).length },
      { code: EXIT_CODES.failed, files: before, looks: 1 },
    );
    assert.match(full.stderr, /set cannot be written: no space left \(1 of 2 looks are kept/);
    rmSync(room, { force: true });
  }
  disk.empty();
  await ends('ok', recording(folder, ['--looks', '2'], stateOf(1, 1), big));
});

test('at a terminal it asks for missing options, once a set; Ctrl-C ends it with nothing lost', async () => {
  using folder = temporaryFolder();
  await using device = await scripted(CAMERA, HEALTH, stateOf(1, 1), crop('one'), stateOf(1, 1));
  const env = { LANEWARE_RECOGNITION_URL: device.env.LANEWARE_URL };
  await using running = start(['dataset', 'record', folder.path], { env, terminal: true });
  for (const [question, answer] of [
    ['PLU or id of the item?', '4011'],
    ['Who agrees?', 'Shop 7'],
    ['Who may use the pictures', 'anyone'],
    ['Under which licence?', 'CC0-1.0'],
  ] as const) {
    await until(question, () => running.text().includes(question));
    running.type(`${answer}\r`);
  }
  await until('a look', () => running.text().includes('1 of 10: 4011, certain'));
  running.signal('SIGINT');
  await ends('interrupted', running.ended);
  const { by, use, licence } = JSON.parse(readFileSync(join(folder.path, 'dataset.json'), 'utf8'));
  assert.equal([by, use, licence], ['Shop 7', 'anyone', 'CC0-1.0']);
  assert.is(looksIn(folder.path).length, 1);

  await using early = await scripted(CAMERA, HEALTH);
  const settings = { LANEWARE_RECOGNITION_URL: early.env.LANEWARE_URL };
  await using asking = start(['dataset', 'record', folder.path], { env: settings, terminal: true });
  await until('the question', () => asking.text().includes('PLU or id of the item?'));
  asking.signal('SIGINT');
  await ends('interrupted', asking.ended);
});

test.run();
