/** `lanectl dataset record`: what it goes on with, and how it ends where it cannot go on. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/core/cli/exit-codes.ts';
import { call, startTestDevice, temporaryFolder, until } from '../support.ts';
import { CONSENT, crop, filesOf, looksIn, recording, stateOf } from './dataset-rig.ts';
import { ends, lanectl, leadingTo } from './lanectl.ts';
import { answering } from './stand-in.ts';

const test = suite('lanectl dataset');

test('without a learned tray the frame would be kept: nothing is', async () => {
  using temporary = temporaryFolder();
  const folder = join(temporary.path, 'set');
  await using device = await startTestDevice({ LANEWARE_CAMERA_DRIVER: 'replay' });
  await until('a picture', async () => (await call(`${device.recognition}/console/api/camera`)).status === 200);
  const env = leadingTo(device);
  const { code, stderr } = await lanectl(['dataset', 'record', folder, '--item', '4011', ...CONSENT], { env });
  assert.equal([code, existsSync(folder)], [EXIT_CODES.refused, false]);
  assert.match(stderr, /learn the empty tray first/);
});

const LOST = stateOf(9, 0, { state: 'lost', reason: 'the camera is gone', candidates: [] });

test('a lost camera ends it with what is stored; a repeat goes on; several things are no look', async () => {
  using folder = temporaryFolder();
  const looks = ['--looks', '2'];
  const first = await ends(
    'refused',
    recording(folder.path, [...looks, ...CONSENT, '--json'], stateOf(1, 1), crop('one'), LOST),
  );
  assert.match(first.stderr, /the camera is gone \(1 of 2 looks are kept: the same command goes on\)/);
  assert.is(JSON.parse(first.stdout.split('\n')[1] ?? '').error.kept, 1);
  const before = readFileSync(join(folder.path, 'looks.jsonl'), 'utf8');
  const refused = answering(409, { code: 'Tray.Empty', message: 'the tray is empty' });
  const then = [stateOf(null, 1), stateOf(3, 2), stateOf(3, 1), stateOf(4, 1), refused, stateOf(5, 1), crop('two')];
  const second = await ends('ok', recording(folder.path, looks, ...then));
  assert.is(second.stdout, '2 of 2: 4011, certain\n');
  const [state, picture] = ['GET /v1/recognition?wait=20&after=', 'GET /console/api/camera/crop'];
  assert.equal(second.asked, [0, 0, 3, 3].map((after) => `${state}${after}`).concat(picture, `${state}4`, picture));
  assert.ok(readFileSync(join(folder.path, 'looks.jsonl'), 'utf8').startsWith(before), 'what was kept is unchanged');
  const kept = looksIn(folder.path).map(({ picture: file }) => readFileSync(join(folder.path, file), 'utf8'));
  assert.equal(kept, ['one', 'two']);
  // under other conditions, and of another item, the set has none yet
  const turned = await recording(folder.path, ['--looks', '1', '--conditions', 'turned'], stateOf(1, 1), crop('three'));
  assert.equal([turned.code, looksIn(folder.path).length], [0, 3], turned.stderr);
});

test('nothing is written before all is given, outside the folder, or over foreign lines', async () => {
  using folder = temporaryFolder();
  const set = join(folder.path, 'set');
  for (const [left, says] of [
    [2, /Who agrees\? --by says it/],
    [4, /for what\? --use says it/],
    [6, /licence\? --licence says it/],
  ] as const) {
    const silent = await recording(set, [...CONSENT.slice(0, left - 2), '--looks', '1'], stateOf(1, 1), crop('one'));
    assert.equal([silent.code, existsSync(set)], [EXIT_CODES.usage, false]);
    assert.match(silent.stderr, says);
  }
  const wrong = await recording(set, ['--conditions', 'turned,upside', ...CONSENT], stateOf(1, 1));
  assert.equal([wrong.code, existsSync(set)], [EXIT_CODES.usage, false]);
  assert.match(wrong.stderr, /There are turned, bag, hand, lamp/);

  const elsewhere = join(folder.path, 'elsewhere');
  for (const path of [set, elsewhere]) mkdirSync(path);
  symlinkSync(elsewhere, join(set, 'pictures'));
  const linked = await recording(set, ['--looks', '1', ...CONSENT], stateOf(1, 1), crop('one'));
  assert.equal([linked.code, filesOf(elsewhere), filesOf(set)], [EXIT_CODES.usage, [], ['pictures']]);
  assert.match(linked.stderr, /pictures is a link/);
  const unfinished = join(folder.path, 'unfinished');
  mkdirSync(unfinished);
  writeFileSync(join(elsewhere, 'file'), 'mine');
  symlinkSync(join(elsewhere, 'file'), join(unfinished, 'looks.jsonl.part'));
  await ends('ok', recording(unfinished, ['--looks', '1', ...CONSENT], stateOf(1, 1), crop('one')));
  assert.equal([readFileSync(join(elsewhere, 'file'), 'utf8'), looksIn(unfinished).length], ['mine', 1]);

  const other = join(folder.path, 'other');
  mkdirSync(other);
  for (const line of ['{"picture": "../../etc/passwd", "item": "a", "conditions": []}', '[', '{}']) {
    writeFileSync(join(other, 'looks.jsonl'), `${line}\n`);
    const { stderr } = await ends('usage', recording(other, ['--looks', '1', ...CONSENT], stateOf(1, 1), crop('one')));
    assert.match(stderr, /looks\.jsonl, line 1/);
    assert.is(readFileSync(join(other, 'looks.jsonl'), 'utf8'), `${line}\n`);
  }
});

test.run();
