/** The configuration that a chain wants, as a device follows it: tried while no one pays, proven, undone by itself. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { wantedOf } from '../../../../firmware/chain/desired-document.ts';
import { AGAIN_MS, DesiredFollower, UNDO_MS, WELL_MS } from '../../../../firmware/chain/desired-follower.ts';
import { ChainError } from '../../../../firmware/chain/errors.ts';
import type { NewsListener } from '../../../../firmware/chain/link.ts';
import { DesiredConfig, type Wanted } from '../../../../firmware/config/desired.ts';
import { loadConfig } from '../../../../firmware/config/load.ts';
import type { PartState } from '../../../../firmware/host/health.ts';
import { temporaryFolder, until } from '../../../support.ts';

const test = suite('chain: configuration, followed');

const TRUST = { account: `A${'B'.repeat(55)}`, signingKey: 'made-up' };
const PART = 'iTFcx';
const WATCH_MS = 5000;
const load = (settings: Wanted['settings']) => loadConfig(null, {}, settings);
const document = (number: number, settings: object): string => JSON.stringify({ format: 1, number, settings });

function openPlace() {
  const folder = temporaryFolder();
  const path = join(folder.path, 'chain-config.json');
  const place = {
    /** By scope and key. */
    lies: {} as Record<string, string | null>,
    trust: TRUST as typeof TRUST | null | undefined,
    fails: null as Error | null,
    now: 0,
    /** The last time that the clock returned. */
    seen: 0,
    parts: [] as { part: string; state: PartState; reason: string }[],
    isIdle: true,
    restarts: 0,
    looks: 0,
    news: (() => undefined) as NewsListener,
    log: [] as string[],
  };
  /** A process that starts. */
  const start = ({ canRestart = true } = {}) => {
    const desired = new DesiredConfig(path);
    const { config } = desired.choose(load);
    const follower = new DesiredFollower({
      ...{ desired, load, part: PART, scale: 0.0001 },
      reader: {
        read: async (scope, key) => {
          if (place.fails !== null) throw place.fails;
          place.looks += 1;
          return place.lies[`${scope} ${key}`] ?? null;
        },
      },
      link: {
        onNews: (listener) => {
          place.news = listener;
          return () => undefined;
        },
        onLine: () => () => undefined,
      },
      trust: () => place.trust,
      parts: () => place.parts,
      isIdle: () => place.isIdle,
      restart: canRestart ? () => place.restarts++ : null,
      clock: {
        monotonic: () => {
          place.seen = place.now;
          return place.now;
        },
      },
      log: (message) => place.log.push(message),
    });
    follower.start();
    return { desired, config, follower, [Symbol.asyncDispose]: () => follower.close() };
  };
  return { place, path, start, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

type Place = ReturnType<typeof openPlace>;

/** Time passes, looked at as often as a device does. */
async function pass({ place }: Place, ms: number): Promise<void> {
  const end = place.now + ms;
  while (place.now < end) {
    place.now = Math.min(end, place.now + WATCH_MS);
    await until('it has seen what time it is', () => place.seen === place.now);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('the more particular wins, key by key', () => {
  const [all, store, device] = [
    { format: 1 as const, number: 3, settings: { 'log.level': 'warn', 'terminal.symbolMs': 1 } },
    { format: 1 as const, number: 9, settings: { 'terminal.symbolMs': 2, 'terminal.graceMs': 2 } },
    { format: 1 as const, number: 5, settings: { 'terminal.graceMs': 3 } },
  ];
  const { number, settings, mark } = wantedOf([all, store, device], TRUST);
  assert.is(number, 9);
  assert.equal(settings, { 'log.level': 'warn', 'terminal.symbolMs': 2, 'terminal.graceMs': 3 });
  assert.is.not(mark, wantedOf([all, store, { ...device, number: 6 }], TRUST).mark);
  assert.is.not(mark, wantedOf([all, store, device], { ...TRUST, signingKey: 'another' }).mark);
});

test('a kept file that cannot be read is reported, until the chain has sent it again', async () => {
  using at = openPlace();
  at.place.trust = undefined;
  symlinkSync(at.path, at.path);
  await using device = at.start();
  assert.match(device.follower.problem ?? '', /cannot be read: ELOOP.*until the chain has said it again$/);
  at.place.trust = TRUST;
  at.place.lies = { 'all config': document(5, { 'terminal.symbolMs': 4000 }) };
  device.follower.ask();
  await until('it is said again', () => device.follower.problem === null || null);
});

test('what is wanted is tried with a restart that waits for a payment, and taken when the device was well with it', async () => {
  using at = openPlace();
  const { place } = at;
  place.isIdle = false;
  place.parts = [{ part: 'camera', state: 'degraded', reason: 'none' }];
  place.lies = {
    'all config': document(5, { 'terminal.symbolMs': 4000 }),
    'own config': document(7, { 'log.level': 'warn' }),
  };
  {
    await using device = at.start();
    await until('it is pending', () => device.follower.report?.state === 'pending' || null);
    await pass(at, 60_000);
    assert.is(place.restarts, 0, 'somebody pays');
    place.isIdle = true;
    await pass(at, WATCH_MS);
    await until('the restart', () => place.restarts === 1 || null);
    await pass(at, 60_000);
    assert.is(place.restarts, 1, 'once');
  }
  await using device = at.start();
  assert.equal([device.config.terminal.symbolMs, device.config.log.level], [4000, 'warn']);
  await until('a look', () => device.desired.isTrial || null);
  await pass(at, WELL_MS - WATCH_MS);
  assert.is(device.follower.report?.state, 'pending');
  place.parts = [{ part: 'display', state: 'degraded', reason: 'made up' }];
  await pass(at, WATCH_MS);
  place.parts = [{ part: 'camera', state: 'degraded', reason: 'none' }];
  await pass(at, WELL_MS - WATCH_MS);
  assert.is(device.follower.report?.state, 'pending', 'without a break');
  await pass(at, 3 * WATCH_MS);
  assert.equal(device.follower.report?.state, 'taken');
  assert.equal([device.follower.report?.number, device.follower.problem, place.restarts], [7, null, 1]);
});

test('a device that is not well with it undoes it, starts anew, and does not try it again', async () => {
  using at = openPlace();
  const { place } = at;
  place.lies = { 'all config': document(5, { 'terminal.symbolMs': 4000 }) };
  {
    await using device = at.start();
    await until('the restart', () => (device ? place.restarts === 1 || null : null));
  }
  place.now = 0;
  place.parts = [{ part: 'display', state: 'failed', reason: 'made up' }];
  {
    await using device = at.start();
    await until('a look', () => place.looks >= 6 || null);
    await pass(at, UNDO_MS - WATCH_MS);
    assert.is(device.follower.report?.state, 'pending');
    await pass(at, 2 * WATCH_MS);
    assert.equal([device.follower.report?.state, place.restarts], ['undone', 2]);
    assert.match(device.follower.problem ?? '', /undone: display is failed with it: made up/);
  }
  await using device = at.start();
  assert.is(device.config.terminal.symbolMs, 5000);
  await until('a look', () => place.looks >= 9 || null);
  await pass(at, 60_000);
  assert.equal([device.follower.report?.state, place.restarts], ['undone', 2]);
  place.lies = { 'all config': document(6, { 'terminal.symbolMs': 4000 }) };
  place.news('all', 'config');
  await until('another word', () => device.follower.report?.state === 'pending' || null);
});

test('a device that does not see its chain with it undoes it', async () => {
  using at = openPlace();
  const { place } = at;
  place.lies = { [`own config.${PART}`]: document(5, { 'terminal.symbolMs': 4000 }) };
  {
    await using device = at.start();
    await until('the restart', () => (device ? place.restarts === 1 || null : null));
  }
  place.now = 0;
  place.fails = new ChainError('no-line', 'made up');
  await using device = at.start();
  await pass(at, UNDO_MS - WATCH_MS);
  assert.is(device.follower.report?.state, 'pending');
  await pass(at, 2 * WATCH_MS);
  assert.is(device.follower.report?.state, 'undone');
  assert.match(device.follower.problem ?? '', 'has not seen its chain');
});

test('one key after the other is taken with few restarts: systemd would else give the device up', async () => {
  using at = openPlace();
  const { place } = at;
  place.lies = { 'all config': document(5, { 'terminal.symbolMs': 4000 }) };
  {
    await using device = at.start();
    await until('the first restart', () => (device ? place.restarts === 1 || null : null));
  }
  await using device = at.start();
  place.lies = { 'all config': document(6, { 'terminal.symbolMs': 4001 }) };
  place.news('all', 'config');
  await until('the second word', () => device.follower.report?.number === 6 || null);
  await pass(at, AGAIN_MS - WATCH_MS);
  assert.is(place.restarts, 1, 'not yet');
  await pass(at, 2 * WATCH_MS);
  assert.is(place.restarts, 2);
});

test('a refusal is reported; what is gone at the hub, or of another kind, changes nothing', async () => {
  using at = openPlace();
  const { place } = at;
  place.lies = { 'all config': document(5, { 'api.token': 'x'.repeat(16) }) };
  await using device = at.start();
  await until('the refusal', () => device.follower.report?.state === 'refused' || null);
  assert.match(device.follower.problem ?? '', 'api.token is set by no chain');
  place.lies = { 'all config': document(6, {}), 'own config': document(2, { 'log.level': 'warn' }) };
  device.follower.ask();
  await until('the restart', () => place.restarts === 1 || null);
  for (const [lies, words] of [
    [{ 'all config': document(6, {}) }, 'not there any more'],
    [{}, 'not there any more'],
    [{ ...place.lies, 'all config': '{"format":2}' }, 'another kind'],
  ] as const) {
    place.lies = { ...lies };
    device.follower.ask();
    await until(words, () => device.follower.problem?.includes(words) || null);
    assert.is(device.follower.report?.number, 6);
  }
});

test('a process that would not be started again is not ended; a store that leaves its chain keeps nothing of it', async () => {
  using at = openPlace();
  const { place } = at;
  place.lies = { 'all config': document(5, { 'terminal.symbolMs': 4000 }) };
  await using device = at.start({ canRestart: false });
  await until('it is pending', () => device.follower.report?.state === 'pending' || null);
  await pass(at, 60_000);
  assert.equal([place.restarts, device.follower.report?.state], [0, 'pending']);
  place.trust = null;
  device.follower.ask();
  await until('nothing', () => (device.follower.report === null ? true : null));
});

test('a device that was off when its store left the chain goes back to its own file, but not before its master has said so', async () => {
  using at = openPlace();
  const { place } = at;
  place.lies = { 'all config': document(5, { 'terminal.symbolMs': 4000 }) };
  {
    await using device = at.start();
    await until('the restart', () => (device ? place.restarts === 1 || null : null));
  }
  place.trust = undefined;
  await using device = at.start();
  device.follower.ask();
  await pass(at, WATCH_MS);
  assert.is(device.follower.report?.state, 'pending', 'the master has not answered');
  place.trust = null;
  device.follower.ask();
  await until('nothing', () => (device.follower.report === null ? true : null));
  await pass(at, AGAIN_MS + WATCH_MS);
  assert.is(place.restarts, 2);
});

test.run();
