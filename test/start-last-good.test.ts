/** A device whose configuration somebody has spoilt: it starts as it ran before, and says so. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from './ports.ts';
import { spawnFirmware, startFirmware } from './process.ts';
import { call, problem, temporaryFolder } from './support.ts';

const test = suite('the last good configuration, of a process');
const WRONG_CONFIG = 78;

test('under systemd a device outlives a typo, reports it in /health, and recovers when corrected', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'config.json');
  const options = { env: { STATE_DIRECTORY: folder.path, LANEWARE_CONFIG: file } };
  const data = join(folder.path, 'data');
  const health = async (text: string) => {
    writeFileSync(file, text);
    const { program, urls } = await startFirmware(data, options);
    await using _program = program;
    const { parts } = (await call(`${urls.recognition}/health`)).body.data;
    const part = parts.find((each: { part: string }) => each.part === 'configuration');
    await program.kill('SIGTERM');
    return part;
  };
  assert.equal(await health('{}'), { part: 'configuration', state: 'ok', sales: 'sells', reason: '', reasons: [] });
  const spoilt = await health('{"terminal": {"port": 1234,}}');
  assert.is(spoilt.state, 'degraded');
  assert.match(
    spoilt.reason,
    /^The configuration file cannot be used\. Correct .* Until then, the last valid configuration .*config\.json: /,
  );
  const misspelt = await health('{"terminal": {"hots": "0.0.0.0"}}');
  assert.is(misspelt.state, 'degraded');
  assert.match(misspelt.reason, 'terminal.hots (terminal.host?)');
  assert.equal(await health('{ }'), { part: 'configuration', state: 'ok', sales: 'sells', reason: '', reasons: [] });
});

test('under systemd a device asked to try a corrected file again ends, and starts with it', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'config.json');
  const options = { env: { STATE_DIRECTORY: folder.path, LANEWARE_CONFIG: file } };
  const data = join(folder.path, 'data');
  const started = async (text: string) => {
    writeFileSync(file, text);
    return await startFirmware(data, options);
  };
  const ask = (url: string) => call(`${url}/console/api/device/configuration`, { method: 'POST' });
  const first = await started('{}');
  await first.program.kill('SIGTERM');
  const { program, urls } = await started('{"terminal": {"displayLanguage": "fr"}}');
  await using _program = program;
  const { parts } = (await call(`${urls.recognition}/health`)).body.data;
  const [{ about }] = parts.find(({ part }: { part: string }) => part === 'configuration').reasons;
  assert.is(about.keys, 'terminal.displayLanguage');
  assert.ok(Math.abs(Date.parse(about.at) - Date.now()) < 600_000, about.at);
  assert.equal(problem(await ask(urls.recognition)), [409, 'Device.ConfigWrong']);
  writeFileSync(file, '{"terminal": {"displayLanguage": "ru"}}');
  assert.equal((await ask(urls.recognition)).body, { begun: true });
  assert.is((await program.exited).code, 0);
});

test('a device under systemd whose new port is taken comes up on the old one at its third start', async () => {
  using folder = temporaryFolder();
  const [mine, taken] = [await freePort(), await freePort()];
  const start = (port: number) => ({
    env: { STATE_DIRECTORY: folder.path },
    settings: { LANEWARE_TERMINAL_PORT: String(port) },
  });
  const { program, urls } = await startFirmware(join(folder.path, 'data'), start(mine));
  await program.kill('SIGTERM');
  using other = temporaryFolder();
  const holder = await startFirmware(other.path, { settings: { LANEWARE_TERMINAL_PORT: String(taken) } });
  await using _holder = holder.program;
  for (const _ of [1, 2]) {
    await using refused = spawnFirmware(join(folder.path, 'data'), start(taken));
    assert.is((await refused.exited).code, 1);
    assert.match(refused.errors, /another program listens there/);
  }
  const third = await startFirmware(join(folder.path, 'data'), start(taken));
  await using _third = third.program;
  assert.is(third.urls.terminal, urls.terminal);
});

test('started by hand it reports every mistake at once, without a stack; nothing is kept', async () => {
  using folder = temporaryFolder();
  const first = await startFirmware(folder.path);
  await first.program.kill('SIGTERM');
  assert.not.ok(existsSync(join(folder.path, 'config.last-good.json')));
  const settings = { LANEWARE_TERMINAL_PORT: 'http', LANEWARE_RECOGNITION_PORT: 'x' };
  await using program = spawnFirmware(folder.path, { settings });
  assert.is((await program.exited).code, WRONG_CONFIG);
  for (const key of [/terminal\.port/, /recognition\.port/]) assert.match(program.errors, key);
  assert.not.match(program.errors, /at .*\.ts:/);
});

test.run();
