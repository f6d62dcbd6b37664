import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KeptTime, SimulatedTime, type Source } from '../../firmware/tools/sim/simulated-time.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('simulated time');
const MINUTE_MS = 60_000;

/** A machine whose time a test moves. */
class Machine implements Source {
  now = 0.5;
  /** How much too early its timers wake, milliseconds. */
  early = 0;
  readonly #timers = new Set<{ readonly at: number; readonly task: () => void }>();

  wall = (): number => Date.parse('2026-11-20') + Math.floor(this.now);
  monotonic = (): number => this.now;
  after = (ms: number, task: () => void): (() => void) => {
    const timer = { at: this.now + ms, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** Lets time pass, and wakes what is due in it. */
  pass(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const [next] = [...this.#timers].sort((one, other) => one.at - other.at);
      if (next === undefined || next.at - this.early > end) break;
      this.#timers.delete(next);
      this.now = Math.max(this.now, next.at - this.early);
      next.task();
    }
    this.now = end;
  }
}

function timeOf(speed: number) {
  const machine = new Machine();
  return { machine, time: new SimulatedTime(speed, 0, machine) };
}

test('passes as many times faster as was set, on both clocks', () => {
  const { machine, time } = timeOf(1000);
  const [wall, monotonic] = [time.wall(), time.monotonic()];
  machine.pass(30);
  assert.equal([time.wall() - wall, time.monotonic() - monotonic], [30_000, 30_000]);
});

test('a leap moves both clocks, and what was due in it happens in order, never before its time', () => {
  const { machine, time } = timeOf(1);
  const done: string[] = [];
  const note = (name: string) => () => done.push(`${name} ${time.monotonic() / MINUTE_MS}`);
  time.after(5 * MINUTE_MS, note('second'));
  time.after(4 * MINUTE_MS, note('first'));
  time.after(60 * MINUTE_MS, note('never'))();
  const callOff = time.after(61 * MINUTE_MS, note('later'));
  machine.pass(20);
  assert.equal(done, []);
  time.advance(5 * MINUTE_MS - 20);
  assert.equal(done, [], 'not within the leap itself');
  machine.pass(0);
  assert.equal(done, ['first 5', 'second 5']);
  callOff();
  time.advance(120 * MINUTE_MS);
  machine.pass(MINUTE_MS);
  assert.is(done.length, 2, 'what was called off does not come');
});

test('a change of speed takes what is waited for along, and turns no clock back', () => {
  const { machine, time } = timeOf(1);
  let at = 0;
  time.after(20_000, () => {
    at = time.monotonic();
  });
  machine.pass(1000);
  time.speed = 1000;
  assert.equal([time.speed, time.monotonic()], [1000, 1000]);
  machine.pass(18);
  assert.is(at, 0);
  machine.pass(1);
  assert.is(at, 20_000);
  time.speed = 1;
  assert.is(time.monotonic(), 20_000);
});

test('an alarm waits on where a timer of the machine wakes too early', () => {
  const { machine, time } = timeOf(1000);
  machine.early = 0.2;
  const woken: number[] = [];
  time.after(20_000, () => woken.push(time.monotonic()));
  machine.pass(19.9);
  assert.equal(woken, []);
  machine.pass(2);
  assert.is(woken.length, 1);
  assert.ok((woken[0] ?? 0) >= 20_000, `${woken}`);
});

test('the stored time runs ahead of a fast clock until an orderly end; a foreign file is named', () => {
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
