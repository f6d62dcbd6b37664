/** The calls about the machine under `/v1`, with a host that notes what it is asked. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addMachineRoutes, clockView, outcomeOf, updateView } from '../../firmware/console/api/machine-routes.ts';
import { SystemFiles } from '../../firmware/core/board/system-files.ts';
import { updateFacts } from '../../firmware/core/board/update-history.ts';
import { ConfigError } from '../../firmware/core/config/load.ts';
import { type Host, HostError, NO_HOST } from '../../firmware/core/host/host.ts';
import { recognitionProblems } from '../../firmware/recognition/http/v1/problem.ts';
import { Machine } from '../install/machine.ts';
import { atEnd } from '../support.ts';
import { openServer } from './servers.ts';

const test = suite('calls about the machine under /v1');

const asked: string[] = [];
const note = (what: string) => async () => void asked.push(what);
const WILLING: Host = {
  isManaged: true,
  setTime: note('time'),
  setZone: note('zone'),
  reboot: note('reboot'),
  factoryReset: note('reset'),
  update: note('update'),
  rollBack: note('roll back'),
  updateInProgress: () => false,
};
const failing = (code: HostError['code']): Host => {
  const fail = () => Promise.reject(new HostError(code, 'made up'));
  return { ...WILLING, reboot: fail, factoryReset: fail, update: fail, rollBack: fail };
};
const FACTS = {
  ...{ doing: 'idle', outcome: '1.2.0 was installed', previous: '1.1.0', source: 'https://example.org/', runsSince: 5 },
  ...{
    undone: [{ version: '1.3.0', reason: 'it did not start' }],
    systemAt: null,
    endsToday: 0,
    loadEndsToday: 0,
    putOff: null,
  },
};

interface Configured {
  readonly retryConfig?: (() => void) | null;
  readonly isAtRest?: () => boolean;
}

async function on(
  host: Host,
  update: typeof FACTS | { previous: null } | null = FACTS,
  { retryConfig = null, isAtRest = () => true }: Configured = {},
) {
  asked.length = 0;
  const app = await openServer('recognition', { ...{ version: '1.2.0', envelope: recognitionProblems } });
  const facts = update === null ? null : { ...FACTS, ...update };
  addMachineRoutes(
    app,
    host,
    {
      ...{ name: 'LW000042', version: '1.2.0' },
      board: {
        update: facts,
        isSynchronised: true,
        hasClockChip: false,
        guards: { watchdog: true, writableRoot: null },
      },
      clock: { wall: () => Date.parse('2026-11-21T08:00:00Z'), behindMs: 0 },
      modes: () => ({ tls: true, network: true, needsToken: true, addresses: [] }),
    },
    retryConfig,
    isAtRest,
  );
  const send = async (method: 'GET' | 'POST', path = '', payload?: object) => {
    const answer = await app.inject({ method, url: `/console/api/device${path}`, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { send, [Symbol.asyncDispose]: () => app.close() };
}

test('each action is passed on', async () => {
  await using device = await on(WILLING);
  for (const path of ['/update', '/rollback', '/reboot'])
    assert.equal(await device.send('POST', path), { status: 200, body: { begun: true } });
  assert.equal(asked, ['update', 'roll back', 'reboot']);
});

test('a reset wants the name of the device, and nothing is begun with another', async () => {
  await using device = await on(WILLING);
  for (const name of ['LW00004', 'lw000042', '']) {
    const { status, body } = await device.send('POST', '/reset', { name });
    assert.equal([status, body.code], [409, 'Device.WrongName'], name);
  }
  assert.is((await device.send('POST', '/reset', {})).status, 400);
  assert.equal(asked, []);
  const padded = (await device.send('POST', '/reset', { name: ' LW000042 ' })).status;
  assert.is(padded, 200, 'blanks around it are none of the name');
  assert.equal(asked, ['reset']);
});

test('the configuration file is tried again where it is not in force, while no payment is open', async () => {
  let rest = false;
  let problems = ['terminal.port (LANEWARE_TERMINAL_PORT) must be a number', 'made up'];
  const retryConfig = () => {
    if (problems.length > 0) throw new ConfigError(problems);
    asked.push('again');
  };
  const answerOf = async (parts: Configured) => {
    await using device = await on(WILLING, FACTS, parts);
    const { status, body } = await device.send('POST', '/configuration');
    return [status, body.code ?? body.begun, body.detail];
  };
  const parts = { retryConfig, isAtRest: () => rest };
  assert.equal((await answerOf({})).slice(0, 2), [409, 'Device.ConfigInForce']);
  assert.equal((await answerOf(parts)).slice(0, 2), [409, 'Device.SaleRuns']);
  rest = true;
  assert.equal(await answerOf(parts), [409, 'Device.ConfigWrong', problems.join('; ')]);
  assert.equal(asked, []);
  problems = [];
  assert.equal((await answerOf(parts)).slice(0, 2), [200, true]);
  assert.equal(asked, ['again']);
});

test('there is no going back to nothing', async () => {
  for (const update of [{ previous: null }, null]) {
    await using device = await on(WILLING, update);
    const { status, body } = await device.send('POST', '/rollback');
    assert.equal([status, body.code], [409, 'Device.NoReleaseBefore']);
    assert.equal(asked, []);
  }
});

for (const [code, status, problem] of [
  ['UNAVAILABLE', 409, 'Device.NotManaged'],
  ['NOT_PERMITTED', 409, 'Device.NotPermitted'],
  ['UPDATE_IN_PROGRESS', 409, 'Device.UpdateRuns'],
  ['TIMEOUT', 503, 'Device.SystemFailed'],
  ['FAILED', 503, 'Device.SystemFailed'],
] as const)
  test(`a system that says ${code} is reported by its code`, async () => {
    await using device = await on(failing(code));
    const answers = ['/update', '/rollback', '/reboot'].map((path) => device.send('POST', path));
    for (const answer of await Promise.all(answers)) assert.equal([answer.status, answer.body.code], [status, problem]);
  });

test('a machine that is not ours says so, and that it has no updater', async () => {
  await using device = await on(NO_HOST, null);
  const { body } = await device.send('GET');
  assert.equal(
    { managed: body.managed, update: body.update, installedAt: body.installedAt },
    { managed: false, update: null, installedAt: null },
  );
  for (const path of ['/update', '/rollback', '/reboot'])
    assert.is((await device.send('POST', path)).body.code, 'Device.NotManaged', path);
});

test('the updater’s words are reported by codes', () => {
  for (const [words, code, version] of [
    ['nothing new', 'nothing-new', null],
    ['nothing was changed', 'looked', null],
    ['1.2.0 was installed', 'installed', '1.2.0'],
    ['1.2.0 was left for 1.1.0 by hand', 'left', '1.2.0'],
    ['1.2.0 was undone: it did not start', 'undone', '1.2.0'],
    ['1.2.0 could not stay up; 1.1.0 runs again', 'gave-way', '1.2.0'],
    ['a payment is open: put off, nothing was changed', 'payment-open', null],
    ['the update to 1.2.0 was cut short (gate) and undone', 'other', null],
  ] as const)
    assert.equal(outcomeOf(words), { code, version, detail: words });
  assert.is(outcomeOf(''), null);
  const since = updateView({ ...FACTS, putOff: { since: 0, why: 'a payment is open' } })?.putOffSince;
  assert.equal(since, '1970-01-01T00:00:00.000Z');
});

test('where releases come from, and since when one runs, is read from the machine', () => {
  const machine = new Machine();
  using _end = atEnd(() => machine.remove());
  machine.write('var/lib/laneware-update/state', 'state=idle\noutcome=nothing new\n');
  const read = () => updateFacts(new SystemFiles(machine.root), '1.2.0');
  assert.equal([read()?.source, read()?.runsSince], [null, null]);
  machine.write('etc/laneware/update.conf', '# source=no\nsource=https://lane:secret@example.org/releases/\n');
  machine.write('opt/laneware/current', '');
  assert.is(read()?.source, 'https://example.org/releases/', 'without its password');
  assert.ok(Math.abs((read()?.runsSince ?? 0) - Date.now()) < 60_000);
});

test('a clock that stands still behind what is known is reported', () => {
  const { behindSeconds, source, offsetMinutes } = clockView(Date.parse('2026-07-01T00:00:00Z'), 7_200_400, {
    isSynchronised: true,
    hasClockChip: false,
  });
  assert.equal([behindSeconds, source], [7200, 'time-server']);
  assert.is(offsetMinutes, 0 - new Date('2026-07-01T00:00:00Z').getTimezoneOffset());
});

test.run();
