/** What the device knows of the disk that its ledger lies on, and how often it tries it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { StorageProbe } from '../../firmware/payments/money/ledgers.ts';
import { each, inFolder } from '../support.ts';
import { HandClock } from './harness.ts';

const test = suite('terminal: the disk of the ledger');
const it = each(test, inFolder);

const MINUTE_MS = 60_000;

/** What a probe says of a ledger whose writes end as the test says, and how often it has written. */
function probing(folder: string) {
  const clock = new HandClock();
  const state = { failure: null as Error | null, writes: 0 };
  const write = () => {
    state.writes += 1;
    if (state.failure !== null) throw state.failure;
  };
  return { clock, state, probe: new StorageProbe(folder, write, clock) };
}

it('it writes once in five minutes at most, however often it is asked', (folder) => {
  const { clock, state, probe } = probing(folder.path);
  for (let n = 0; n < 100; n += 1) assert.is(probe.problem, null);
  assert.is(state.writes, 1);
  clock.now += 5 * MINUTE_MS;
  assert.is(probe.problem, null);
  assert.is(state.writes, 2);
});

it('after a write that failed it tries at once, and again each two seconds until one succeeds', (folder) => {
  const { clock, state, probe } = probing(folder.path);
  assert.is(probe.problem, null);
  state.failure = Object.assign(new Error('disk I/O error'), { errcode: 778 });
  assert.is(probe.problem, null, 'not asked yet');
  probe.suspect();
  assert.match(String(probe.problem), /cannot be written: payments are not possible\..*\(disk I\/O error\)/);
  const { writes } = state;
  assert.ok(probe.problem);
  assert.is(state.writes, writes);
  state.failure = null;
  clock.now += 2000;
  assert.is(probe.problem, null);
});

it('a full database is reported as such', (folder) => {
  const { state, probe } = probing(folder.path);
  state.failure = Object.assign(new Error('database or disk is full'), { errcode: 13 });
  assert.match(String(probe.problem), /^No space left on the device/);
});

test('a file system that does not report its free space is no problem', () => {
  assert.is(probing('/nonexistent').probe.problem, null);
});

test.run();
