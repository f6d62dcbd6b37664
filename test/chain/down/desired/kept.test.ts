/** What a device keeps of the configuration that its chain wants: tried, proven, undone, never in the way of a start. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DesiredConfig, type Wanted } from '../../../../firmware/config/desired.ts';
import { ConfigError, configKeys, loadConfig } from '../../../../firmware/config/load.ts';
import { temporaryFolder } from '../../../support.ts';

const test = suite('chain: configuration, kept');

const load = (settings: Wanted['settings']) => loadConfig(null, {}, settings);
const wants = (number: number, settings: Wanted['settings']): Wanted => ({ mark: `m${number}`, number, settings });
const symbolMs = (config: ReturnType<typeof load>): number => config.config.terminal.symbolMs;

function openPlace() {
  const folder = temporaryFolder();
  const path = join(folder.path, 'chain-config.json');
  /** As a process that starts. */
  const start = (read = load) => {
    const desired = new DesiredConfig(path);
    return { desired, chosen: desired.choose(read) };
  };
  return { path, start, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test('nothing is nothing; what is wanted waits for a start, is tried, and taken once it is proven', () => {
  using place = openPlace();
  const first = place.start();
  assert.is(first.desired.report, null);
  first.desired.want(wants(0, {}), load, {});
  assert.equal([first.desired.report, existsSync(place.path)], [null, false]);
  first.desired.want(wants(1, { 'terminal.symbolMs': 4000 }), load, { camera: 'degraded' });
  assert.equal([first.desired.report?.state, first.desired.isStale, first.desired.isTrial], ['pending', true, false]);
  first.desired.prove();
  assert.is(first.desired.report?.state, 'pending', 'what was not tried is not proven');
  const second = place.start();
  assert.is(symbolMs(second.chosen), 4000);
  assert.equal([second.desired.isTrial, second.desired.isStale], [true, false]);
  assert.equal(second.desired.illBefore, { camera: 'degraded' });
  second.desired.prove();
  assert.equal(second.desired.report, {
    state: 'taken',
    number: 1,
    reason: '',
    settings: { 'terminal.symbolMs': 4000 },
  });
  const third = place.start();
  assert.equal([symbolMs(third.chosen), third.desired.isTrial, third.desired.isStale], [4000, false, false]);
});

test('what cannot be used is refused with its key, changes nothing, and is not judged twice', () => {
  using place = openPlace();
  const { desired } = place.start();
  for (const [number, settings, words] of [
    [1, { 'terminal.symbolMs': 0 }, /^terminal\.symbolMs must be at least 1/],
    [2, { 'sync.port': 1 }, /^sync\.port is set by no chain/],
    [3, { 'made.up': 1 }, /^made\.up is no key of this release/],
    [4, { __proto__x: 1 }, /^__proto__x is no key/],
  ] as const) {
    desired.want(wants(number, settings), load, {});
    assert.equal([desired.report?.state, desired.report?.number, desired.isStale], ['refused', number, false]);
    assert.match(desired.report?.reason ?? '', words);
  }
  desired.want(wants(4, {}), () => assert.unreachable(), {});
  assert.is(place.start().desired.report?.state, 'refused');
  desired.want(wants(5, {}), load, {});
  assert.equal([desired.report?.state, desired.isStale], ['taken', false], 'nothing is to be changed');
});

test('what was refused is judged anew by a process after it: its release or its file may be another one', () => {
  using place = openPlace();
  const strict = (): never => {
    throw new ConfigError(['made.up is no key of this release']);
  };
  const wanted = wants(1, { 'terminal.symbolMs': 4000 });
  place.start().desired.want(wanted, strict, {});
  {
    const { desired } = place.start();
    assert.is(desired.report?.state, 'refused');
    desired.want(wanted, strict, {});
    assert.is(desired.report?.state, 'refused', 'as before');
  }
  const { desired } = place.start();
  desired.want(wanted, load, {});
  assert.is(desired.report?.state, 'pending');
  assert.is(symbolMs(place.start().chosen), 4000);
});

test('a trial that cannot be begun is not begun again by the same process: it would be restarted without end', () => {
  using place = openPlace();
  const wanted = wants(1, { 'terminal.symbolMs': 4000 });
  place.start().desired.want(wanted, load, {});
  const { desired } = place.start((settings) => {
    if (Object.keys(settings).length > 0) throw new ConfigError(['made up']);
    return load(settings);
  });
  desired.want(wanted, load, {});
  assert.equal([desired.report?.state, desired.isStale], ['refused', false]);
});

test('a device that ends twice as it tries it does so no more, and keeps what it had', () => {
  using place = openPlace();
  place.start().desired.want(wants(1, { 'terminal.symbolMs': 4000 }), load, {});
  place.start().desired.prove();
  place.start().desired.want(wants(2, { 'terminal.symbolMs': 3000 }), load, {});
  assert.equal([symbolMs(place.start().chosen), symbolMs(place.start().chosen)], [3000, 3000]);
  const { desired, chosen } = place.start();
  assert.is(symbolMs(chosen), 4000);
  assert.equal([desired.report?.state, desired.report?.number, desired.isStale], ['undone', 2, false]);
  assert.match(desired.report?.reason ?? '', 'ended 2 times');
  desired.want(wants(2, { 'terminal.symbolMs': 3000 }), load, {});
  assert.is(desired.report?.state, 'undone');
  desired.want(wants(3, { 'terminal.symbolMs': 3000 }), load, {});
  assert.is(symbolMs(place.start().chosen), 3000, 'said anew, it is tried anew');
});

test('an end that somebody asked for is no fault of it, and one that it is undone for by itself has the device start anew', () => {
  using place = openPlace();
  place.start().desired.want(wants(1, { 'terminal.symbolMs': 4000 }), load, {});
  for (let start = 0; start < 5; start++) {
    const { desired, chosen } = place.start();
    assert.is(symbolMs(chosen), 4000);
    desired.endInOrder();
  }
  const { desired } = place.start();
  desired.undo('made up');
  assert.equal(desired.report, {
    ...{ state: 'undone', number: 1, reason: 'made up' },
    settings: { 'terminal.symbolMs': 4000 },
  });
  assert.is(desired.isStale, true);
  desired.endInOrder();
  assert.is(symbolMs(place.start().chosen), 5000);
});

test('another word during a trial is tried in its place, and the trial proves nothing of it', () => {
  using place = openPlace();
  place.start().desired.want(wants(1, { 'terminal.symbolMs': 4000 }), load, {});
  const { desired } = place.start();
  desired.want(wants(2, { 'terminal.symbolMs': 3000 }), load, {});
  assert.equal([desired.isTrial, desired.isStale], [false, true]);
  desired.prove();
  desired.endInOrder();
  assert.is(desired.report?.state, 'pending');
  assert.is(symbolMs(place.start().chosen), 3000);
});

test('a file that was changed since, so that the two do not fit, applies, and that is reported', () => {
  using place = openPlace();
  place.start().desired.want(wants(1, { 'terminal.symbolMs': 4000 }), load, {});
  place.start().desired.prove();
  const strict = (settings: Wanted['settings']) => {
    if (Object.keys(settings).length > 0) throw new ConfigError(['terminal.symbolMs: made up']);
    return load(settings);
  };
  const { desired, chosen } = place.start(strict);
  assert.is(symbolMs(chosen), 5000);
  assert.equal([desired.report?.state, desired.report?.reason], ['refused', 'terminal.symbolMs: made up']);
  assert.is(desired.isStale, false, 'no start after the other');
  const wrong = () => {
    throw new ConfigError(['made up']);
  };
  assert.throws(() => place.start(wrong), /made up/);
  assert.is(place.start().desired.report?.state, 'taken');
});

test('a disk that takes nothing, and damage, stand in no way', () => {
  using place = openPlace();
  for (const rubbish of ['', '{', 'null', '{"taken":1}', '\u0000']) {
    writeFileSync(place.path, rubbish);
    assert.is(symbolMs(place.start().chosen), 5000, rubbish);
  }
  rmSync(place.path);
  const { desired } = place.start();
  desired.want(wants(1, { 'terminal.symbolMs': 4000 }), load, {});
  const text = readFileSync(place.path, 'utf8');
  rmSync(place.path);
  mkdirSync(place.path);
  writeFileSync(join(place.path, 'in-the-way'), text);
  assert.is(symbolMs(place.start().chosen), 5000);
});

test('a store that leaves its chain keeps nothing that it has set', () => {
  using place = openPlace();
  place.start().desired.want(wants(1, { 'terminal.symbolMs': 4000 }), load, {});
  const { desired } = place.start();
  desired.prove();
  desired.forget();
  assert.equal([desired.report, desired.isStale], [null, true]);
  assert.is(symbolMs(place.start().chosen), 5000);
});

test('the chain goes before the file, and a variable before the chain', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'config.json');
  writeFileSync(file, '{"terminal": {"symbolMs": 1111, "graceMs": 2222}, "log": {"level": "debug"}}');
  const settings = { 'terminal.symbolMs': 3333, 'log.level': 'warn' };
  const { config } = loadConfig(file, { LANEWARE_LOG_LEVEL: 'error' }, settings);
  assert.equal([config.terminal.symbolMs, config.terminal.graceMs, config.log.level], [3333, 2222, 'error']);
});

test('a chain may set how a lane works, and nothing that could cut it off, hand it over or let somebody in', () => {
  const allowed = configKeys().filter(({ schema }) => schema.fromChain);
  const names = allowed.map(({ path }) => path.join('.'));
  assert.ok(names.length > 5);
  for (const name of names) assert.match(name, /^(?:terminal|recognition|log)\./);
  for (const name of names) assert.not.match(name, /host|port|token|secret|path|dir|file|webhooks|registries|storage/i);
  for (const { schema } of allowed) assert.not.match(JSON.stringify(schema), /"type":"(?:object|array)"/);
});

test('a file that cannot be read is not taken for a damaged one: it is reported, and written anew with the next document', () => {
  using place = openPlace();
  // as EIO and EACCES, which no test can bring about as root; and it may be replaced
  const loop = () => {
    rmSync(place.path, { force: true });
    symlinkSync(place.path, place.path);
  };
  loop();
  const { desired, chosen } = place.start();
  assert.ok(symbolMs(chosen) > 0, 'the device starts');
  assert.equal([desired.unreadable?.code, desired.report], ['UNREADABLE', null]);
  assert.match(desired.unreadable?.message ?? '', 'cannot be read: ELOOP');
  desired.want(wants(1, { 'terminal.symbolMs': 4000 }), load, {});
  assert.equal([desired.unreadable, desired.report?.state], [null, 'pending']);
  assert.is(place.start().desired.isTrial, true);
  // a store that has left its chain leaves nothing that may be readable again
  loop();
  place.start().desired.forget();
  assert.is(JSON.parse(readFileSync(place.path, 'utf8')).taken, null);
  for (const damaged of ['{"taken":', '[]', '']) {
    writeFileSync(place.path, damaged);
    assert.is(place.start().desired.unreadable, null);
  }
});

test.run();
