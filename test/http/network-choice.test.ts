/** The device is opened to the network, or closed, by a press: of both its ports, never without a token, and only where it can listen so. */
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addNetworkRoutes } from '../../firmware/console/api/access-routes.ts';
import { isNetworkAs, NetworkChoice } from '../../firmware/core/access/index.ts';
import { HealthBoard } from '../../firmware/core/host/health.ts';
import { loadConfig } from '../../firmware/device/composition/config.ts';
import { recognitionProblems } from '../../firmware/recognition/http/v1/problem.ts';
import { freePort } from '../ports.ts';
import { atEnd, each, inFolder, testEnvironment, until } from '../support.ts';
import { ownAddress } from './network.ts';
import { openServer } from './servers.ts';

const test = suite('open to the network by a press');
const it = each(test, inFolder);

const ALLOWED = { LANEWARE_API_ALLOW: '10.0.0.0/8' };
const TERMINAL_OPEN = { ...ALLOWED, LANEWARE_TERMINAL_HOST: '0.0.0.0' };
const RECOGNITION_OPEN = { ...ALLOWED, LANEWARE_RECOGNITION_HOST: '0.0.0.0' };

const configOf = (folder: string, settings: Readonly<Record<string, string>>) =>
  loadConfig(null, testEnvironment(folder, settings)).config;

const choiceIn = (folder: string, settings: Readonly<Record<string, string>> = {}) =>
  new NetworkChoice(join(folder, 'network.json'), configOf(folder, settings));

/** The call, of a device that was started with what is kept. */
async function on(folder: string, settings: Readonly<Record<string, string>> = {}) {
  const app = await openServer('recognition', { version: '1.2.0', envelope: recognitionProblems });
  const choice = choiceIn(folder, settings);
  let restarts = 0;
  addNetworkRoutes(
    app,
    choice,
    choice.config,
    () => restarts++,
    () => true,
  );
  const press = async (open: boolean) => {
    const answer = await app.inject({ method: 'PUT', url: '/console/api/network', payload: { open } });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { press, restarts: () => restarts, [Symbol.asyncDispose]: () => app.close() };
}

const hosts = ({ config: { terminal, recognition } }: NetworkChoice) => [terminal.host, recognition.host];

it('what is opened by a press asks for a token, whichever of the two ports it was', ({ path }) => {
  for (const settings of [ALLOWED, TERMINAL_OPEN, RECOGNITION_OPEN]) {
    choiceIn(path).store(true);
    const choice = choiceIn(path, settings);
    assert.equal(hosts(choice), ['0.0.0.0', '0.0.0.0']);
    assert.is(choice.config.api.claim, true, JSON.stringify(settings));
  }
  const both = { ...TERMINAL_OPEN, ...RECOGNITION_OPEN };
  assert.is(choiceIn(path, both).config.api.claim, false, 'nothing was opened by the press');
});

it('a device of which one port is open is neither open nor closed: a press changes it', async ({ path }) => {
  for (const [settings, open] of [
    [TERMINAL_OPEN, true],
    [TERMINAL_OPEN, false],
    [RECOGNITION_OPEN, true],
    [RECOGNITION_OPEN, false],
  ] as const) {
    rmSync(join(path, 'network.json'), { force: true });
    rmSync(join(path, 'network.json.copy'), { force: true });
    await using device = await on(path, settings);
    assert.is((await device.press(open)).status, 200);
    await until('it is started anew', () => device.restarts() === 1);
    assert.ok(isNetworkAs(choiceIn(path, settings).config, open));
  }
});

it('where another program holds a port the device is not opened, and nothing is kept', async ({ path }) => {
  const port = await freePort();
  const other = createServer();
  await once(other.listen(port, ownAddress), 'listening');
  using _end = atEnd(() => other.close());
  for (const which of ['TERMINAL', 'RECOGNITION']) {
    const settings = { [`LANEWARE_${which}_PORT`]: String(port) };
    await using device = await on(path, settings);
    const { status, body } = await device.press(true);
    assert.equal([status, body.code], [409, 'Device.PortTaken']);
    assert.match(JSON.stringify(body), `port ${port} of ${ownAddress}`);
    assert.is(device.restarts(), 0);
    assert.equal(hosts(choiceIn(path, settings)), ['127.0.0.1', '127.0.0.1']);
  }
});

it('a choice whose both copies are damaged is closed, and said, until somebody presses again', ({ path }) => {
  const both = { ...TERMINAL_OPEN, ...RECOGNITION_OPEN };
  choiceIn(path, both).store(false);
  for (const name of ['network.json', 'network.json.copy']) writeFileSync(join(path, name), 'damaged');
  const choice = choiceIn(path, both);
  assert.equal(hosts(choice), ['127.0.0.1', '127.0.0.1']);
  const health = new HealthBoard(() => ({
    ...{ version: '1', serial: '1', instance: '1', ports: { terminal: 1, recognition: 2 }, uptimeSeconds: 1 },
  }));
  choice.watch(health);
  const reasons = () => health.report().parts.flatMap(({ reasons }) => reasons.map(({ code }) => code));
  assert.equal(reasons(), ['network-lost']);
  choice.store(true);
  assert.equal(reasons(), []);
  assert.equal(hosts(choiceIn(path, both)), ['0.0.0.0', '0.0.0.0']);
});

test.run();
