/** Which configuration a start takes where somebody has spoilt the present one. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LastGoodConfig } from '../firmware/core/config/last-good.ts';
import { ConfigError, type LoadedConfig } from '../firmware/core/config/load.ts';
import { CONFIGURATION, loadConfig, type WholeConfig } from '../firmware/device/composition/config.ts';
import { each, temporaryFolder } from './support.ts';

const test = suite('the last good configuration');
const EVERYBODY_ELSE = 0o077;

type Loaded = LoadedConfig<WholeConfig>;

const withPort = (port: number): Loaded => loadConfig(null, { LANEWARE_TERMINAL_PORT: String(port) });
const wrong = (): Loaded => loadConfig(null, { LANEWARE_TERMINAL_PORT: 'http' });
const it = each<[memory: LastGoodConfig<WholeConfig>, folder: string], void>(test, (run) => () => {
  using folder = temporaryFolder();
  run(new LastGoodConfig(folder.path, 'boot', CONFIGURATION), folder.path);
});
const portOf = ({ config }: Pick<Loaded, 'config'>): number => config.terminal.port;

it('without one a wrong configuration is reported as ever, and a right one is taken', (memory) => {
  assert.throws(
    () => memory.choose(wrong),
    (error: unknown) => error instanceof ConfigError,
  );
  for (let start = 1; start <= 5; start++) assert.is(memory.choose(() => withPort(1)).instead, null);
});

it('with one a wrong configuration is not tried, and reported in whole', (memory, folder) => {
  memory.store(withPort(1001).config);
  const chosen = memory.choose(wrong);
  assert.is(portOf(chosen), 1001);
  assert.match(chosen.instead ?? '', /^terminal\.port \(LANEWARE_TERMINAL_PORT\) must be a whole number/);
  assert.is(memory.choose(() => withPort(1001)).instead, null, 'corrected');
  assert.is(statSync(join(folder, 'config.last-good.json')).mode & EVERYBODY_ELSE, 0, 'there are tokens in it');
});

it('one of a later release, with keys that are none here, is still the good one', (memory) => {
  const { config } = withPort(1001);
  const tills = [{ name: 'checkout-1', token: 'made-up-secret-of-a-till', later: 'x' }];
  memory.store({ ...config, api: { ...config.api, tills } });
  assert.is(portOf(memory.choose(wrong)), 1001);
});

it('another error than a wrong configuration is not taken for one', (memory) => {
  memory.store(withPort(1001).config);
  const faulty = () => {
    throw new TypeError('a fault of ours');
  };
  assert.throws(() => memory.choose(faulty), /a fault of ours/);
});

it('one that ends the device is tried twice in a boot, and anew when changed or in the next', (memory, folder) => {
  memory.store(withPort(1001).config);
  const starts = (port: number, times: number, boot = memory) =>
    Array.from({ length: times }, () => portOf(boot.choose(() => withPort(port))));
  assert.equal(starts(1002, 4), [1002, 1002, 1001, 1001]);
  assert.match(memory.choose(() => withPort(1002)).instead ?? '', /ended 2 times/);
  assert.equal(starts(1003, 3), [1003, 1003, 1001]);
  assert.equal(starts(1003, 3, new LastGoodConfig(folder, 'next', CONFIGURATION)), [1003, 1003, 1001]);
  memory.store(withPort(1003).config);
  assert.equal(starts(1003, 4), [1003, 1003, 1003, 1003], 'the good one is never counted');
  assert.equal(starts(1002, 3), [1002, 1002, 1003], 'counted from the beginning');
});

it('one that ended the device is tried twice more on request; an invalid one is not', (memory) => {
  memory.store(withPort(1001).config);
  const starts = () => Array.from({ length: 3 }, () => portOf(memory.choose(() => withPort(1002))));
  assert.equal(starts(), [1002, 1002, 1001]);
  assert.throws(
    () => memory.tryAgain(wrong),
    (error: unknown) => error instanceof ConfigError,
  );
  assert.is(portOf(memory.choose(() => withPort(1002))), 1001, 'a refused one counts no less');
  memory.tryAgain(() => withPort(1002));
  assert.equal(starts(), [1002, 1002, 1001]);
});

it('a good one gets all of its trials back once another has taken its place', (memory) => {
  memory.store(withPort(1001).config);
  assert.is(portOf(memory.choose(() => withPort(1002))), 1002);
  memory.store(withPort(1002).config);
  memory.store(withPort(1003).config);
  assert.equal(
    Array.from({ length: 3 }, () => portOf(memory.choose(() => withPort(1002)))),
    [1002, 1002, 1003],
  );
});

it('damage to what is kept prevents no start', (memory, folder) => {
  for (const rubbish of ['', '{', '[]', 'null', '{"terminal":{"port":"x"}}', '{"boot":1}', '\u0000']) {
    for (const name of ['config.last-good.json', 'config.trial.json']) writeFileSync(join(folder, name), rubbish);
    assert.is(portOf(memory.choose(() => withPort(1002))), 1002, rubbish);
  }
  for (const name of ['config.last-good.json', 'config.trial.json']) {
    rmSync(join(folder, name), { force: true });
    mkdirSync(join(folder, name));
  }
  assert.is(portOf(memory.choose(() => withPort(1002))), 1002);
});

it('one that an earlier or a newer release has kept is read so far as it is known', (memory, folder) => {
  memory.store(withPort(1001).config);
  const file = join(folder, 'config.last-good.json');
  const kept = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...kept, api: undefined, newer: { key: 1 } }));
  assert.is(portOf(memory.choose(wrong)), 1001);
  assert.is(memory.choose(() => withPort(1001)).instead, null);
});

test.run();
