import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KeptTime } from '../../firmware/sim/kept-time.ts';
import { SimulatedTime } from '../../firmware/sim/simulated-time.ts';
import { temporaryFolder, until } from '../support.ts';

const test = suite('simulated time');
const MINUTE_MS = 60_000;

test('passes as many times faster as it was told, on both clocks', async () => {
  const time = new SimulatedTime(1000);
  const [wall, monotonic, real] = [time.wall(), time.monotonic(), performance.now()];
  await pause(30);
  const [wallPassed, passed] = [time.wall() - wall, time.monotonic() - monotonic];
  const realPassed = performance.now() - real;
  assert.ok(passed >= 29_000 && passed <= realPassed * 1000, `${passed}`);
  assert.ok(Math.abs(wallPassed - passed) < 5_000, `${wallPassed} and ${passed}`);
});

test('a leap moves both clocks, and what was due in it happens in its order, never before its time', async () => {
  const time = new SimulatedTime(1);
  const done: string[] = [];
  const startedAt = time.monotonic();
  const note = (name: string) => () => done.push(`${name} ${time.monotonic() - startedAt >= 5 * MINUTE_MS}`);
  time.after(5 * MINUTE_MS, note('second'));
  time.after(4 * MINUTE_MS, note('first'));
  time.after(60 * MINUTE_MS, note('never'))();
  const callOff = time.after(61 * MINUTE_MS, note('later'));
  await pause(20);
  assert.equal(done, []);
  time.advance(5 * MINUTE_MS);
  assert.equal(done, [], 'not within the leap itself');
  await until('what was due', () => done.length === 2);
  assert.equal(done, ['first true', 'second true']);
  callOff();
  time.advance(120 * MINUTE_MS);
  await pause(20);
  assert.is(done.length, 2, 'what was called off does not come');
});

test('a change of speed takes what is waited for along, and turns no clock back', async () => {
  const time = new SimulatedTime(1);
  let isDone = false;
  time.after(20_000, () => {
    isDone = true;
  });
  const before = time.monotonic();
  time.speed = 1000;
  assert.is(time.speed, 1000);
  await until('the alarm', () => isDone);
  const at = time.monotonic();
  assert.ok(at - before >= 20_000, `${at - before}`);
  time.speed = 1;
  assert.ok(time.monotonic() >= at);
});

test('what is kept runs ahead of a fast clock until an orderly end, and a file of something else is named', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'time');
  const time = new KeptTime(1000, file);
  const kept = (): number => Number(readFileSync(file, 'utf8'));
  time.begin();
  const promised = kept();
  time.end();
  assert.ok(kept() < promised, `${kept()} and ${promised}`);
  writeFileSync(file, 'noon');
  assert.throws(() => new KeptTime(1, file), /holds no number of milliseconds: delete it/);
});

test('every process is a boot of its own', () => {
  assert.is.not(new SimulatedTime(1).bootId, new SimulatedTime(1).bootId);
});

test.run();
