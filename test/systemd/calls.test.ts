/** The device calls about the machine itself, through HTTP, with a host that notes what it is asked. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Host, HostError, NO_HOST } from '../../firmware/core/host/host.ts';
import { createLog } from '../../firmware/core/host/log.ts';
import { Metrics } from '../../firmware/core/host/metrics.ts';
import { OwnFailures } from '../../firmware/core/host/own-failures.ts';
import { SystemdHost } from '../../firmware/core/host/systemd-host.ts';
import { openAccess } from '../../firmware/core/http/access.ts';
import { createServer } from '../../firmware/core/http/port/server.ts';
import { loadConfig } from '../../firmware/device/composition/config.ts';
import { addSystemRoutes } from '../../firmware/recognition/http/original/device.ts';
import { recognitionEnvelope } from '../../firmware/recognition/http/original/envelope.ts';
import { ROOT } from '../root.ts';
import { temporaryFolder, writeUnkept } from '../support.ts';

const calls = suite('calls about the machine');

const asked: string[] = [];
const willing: Host = {
  setTime: async () => undefined,
  setZone: async () => undefined,
  reboot: async () => void asked.push('reboot'),
  factoryReset: async () => void asked.push('factory reset'),
  isManaged: true,
  update: async () => void asked.push('update'),
  rollBack: async () => void asked.push('roll back'),
  updateInProgress: () => false,
};
const updating: Host = {
  ...willing,
  factoryReset: () => Promise.reject(new HostError('UPDATE_IN_PROGRESS', 'an update is on its way')),
};

type Call = (path: string, json?: unknown) => Promise<unknown>;

async function onDevice(host: Host, folder: string, body: (call: Call) => Promise<void>) {
  const app = await createServer({
    name: 'recognition',
    title: 'test',
    description: 'test',
    tags: [],
    version: '1.0.0',
    envelope: recognitionEnvelope,
    access: openAccess(loadConfig(null, {}).config.api),
    metrics: new Metrics(),
    own: new OwnFailures(),
    logger: createLog('silent', []),
  });
  addSystemRoutes(app, host, join(folder, 'extra-info.json'));
  const call: Call = async (path, json) => {
    const reading = path.startsWith('get_');
    const answer = await app.inject({
      method: reading ? 'GET' : 'POST',
      url: `/api/${path}`,
      ...(json === undefined ? {} : { payload: JSON.stringify(json), headers: { 'content-type': 'application/json' } }),
    });
    return answer.json();
  };
  try {
    await body(call);
  } finally {
    await app.close();
  }
}

const about = (title: string, host: Host, body: (call: Call, folder: string) => Promise<void>): void =>
  calls(title, async () => {
    using folder = temporaryFolder();
    asked.length = 0;
    await onDevice(host, folder.path, (call) => body(call, folder.path));
  });

about('reboot and factory reset are passed on', willing, async (call) => {
  assert.equal(await call('reboot'), { code: 0, data: null });
  assert.equal(await call('factory_reset'), { code: 0, data: null });
  assert.equal(asked, ['reboot', 'factory reset']);
});

about('a factory reset during an update is -6134', updating, async (call) => {
  assert.equal(await call('factory_reset'), { code: -6134, msg: 'an update is on its way', data: null });
});

calls('an update is under way in each state but idle; none without a state, or a damaged one', () => {
  using folder = temporaryFolder();
  const updateStateFile = join(folder.path, 'state');
  const host = new SystemdHost(process.env, updateStateFile);
  assert.is(host.updateInProgress(), false);
  for (const [state, isUnderWay] of [
    ['state=download\nversion=1.1.0\n', true],
    ['', false],
    ['\0\0\0\0', false],
    ['sta', false],
    ['state=', false],
    ['state=downlo', false],
    ['state=idle\nversion=1.1.0\noutcome=1.1.0 was installed\n', false],
  ] as const) {
    writeFileSync(updateStateFile, state);
    assert.is(host.updateInProgress(), isUnderWay, state);
  }
  const script = readFileSync(join(ROOT, 'scripts/lib/update-state.sh'), 'utf8');
  const states = /^# `state` is one of: idle (.*)\. In each/m.exec(script)?.[1]?.split(' ') ?? [];
  assert.ok(states.length > 5, 'they are read out of the script');
  for (const state of states) {
    writeFileSync(updateStateFile, `state=${state}\n`);
    assert.ok(host.updateInProgress(), state);
  }
});

about('a machine that is not ours to command says so', NO_HOST, async (call) => {
  const { code, msg } = (await call('reboot')) as { code: number; msg: string };
  assert.is(code, -6314);
  assert.match(msg, 'is not an installed Laneware device');
});

about(
  'extra information is kept as sent, through a restart, and damage is no obstacle',
  willing,
  async (call, folder) => {
    const info = 'Shop 12, lane 3 — «Молоко»\n';
    assert.equal(await call('get_extra_info'), { code: 0, data: { info: '' } });
    assert.equal(await call('set_extra_info', { info }), { code: 0, data: null });
    const restarted = (left: string) =>
      onDevice(willing, folder, async (again) => {
        assert.equal(await again('get_extra_info'), { code: 0, data: { info: left } });
      });
    await restarted(info);
    writeFileSync(join(folder, 'extra-info.json'), '{"info":');
    await restarted(info);
    writeUnkept(join(folder, 'extra-info.json'), '{"info":');
    await restarted('');
  },
);

about('extra information that is too long or no text is -6213 and changes nothing', willing, async (call) => {
  for (const body of [{ info: 'x'.repeat(1001) }, { info: 5 }, {}])
    assert.is(
      ((await call('set_extra_info', body)) as { code: number }).code,
      -6213,
      JSON.stringify(body).slice(0, 40),
    );
  assert.equal(await call('get_extra_info'), { code: 0, data: { info: '' } });
});

calls.run();
