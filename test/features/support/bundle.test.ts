/** The support bundle: what it holds, what it never holds, and that it is there when the lane is not well. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SystemFiles } from '../../../firmware/core/board/index.ts';
import { reasonOf } from '../../../firmware/core/config/reason-records.ts';
import { HEALTH_EXAMPLE } from '../../../firmware/core/host/health.ts';
import { LogRing } from '../../../firmware/core/host/log-ring.ts';
import { openLog } from '../../../firmware/device/composition/base.ts';
import { CONFIGURATION } from '../../../firmware/device/composition/config.ts';
import { type Sources, supportBundle } from '../../../firmware/features/support/bundle.ts';
import { CFT, call, SCREEN, setUp, startTestDevice, temporaryFolder } from '../../support.ts';
import { ALL_IN_ONE, foundIn, opened, PLANTED } from './planted.ts';

const bundle = suite('the support bundle');
const CONFIGURED = {
  terminal: { host: '127.0.0.1', port: 1234 },
  api: { token: 'x', tills: [{ name: 'a' }] },
  log: { level: 'warn' },
};
const UPDATE = {
  ...{ doing: 'idle', outcome: 'nothing new', previous: '0.9.1', runsSince: 1, source: 'https://a', undone: [] },
  ...{ systemAt: 1, endsToday: 2, loadEndsToday: 1, putOff: { since: 1, why: 'the shop may be open' } },
};
const SETTINGS = { bankProfile: 'p', bankProfiles: { p: CFT }, deviceConnection: SCREEN };
const LINE = {
  ...{
    time: '2026-11-21T08:00:00.000Z',
    level: 'error',
    part: 'terminal',
    msg: 'no progress: systemd gets no sign of life',
  },
  err: { type: 'StoreError', message: 'x y', code: 'ENOSPC', stack: 'Error: x\n    at a (/x/firmware/main.ts:1:2)' },
};

const BANK = { part: 'bank', state: 'degraded', sales: 'does-not-sell', reason: 'x', driver: 'none' };
const HEALTH = {
  ...HEALTH_EXAMPLE,
  parts: [{ ...BANK, reasons: [{ code: 'bank-closed', sales: 'does-not-sell', about: { n: 3, detail: 'x y' } }] }],
};

type Tree = Readonly<Record<string, unknown>>;

/** A value with a secret in each text, and beside its names such as are secrets, with secrets under them. */
function poisoned(value: unknown): unknown {
  if (Array.isArray(value)) return [...value.map(poisoned), ALL_IN_ONE, { [ALL_IN_ONE]: ALL_IN_ONE }];
  if (typeof value !== 'object' || value === null) return `${typeof value === 'string' ? value : ''} ${ALL_IN_ONE}`;
  const secrets = Object.entries(PLANTED).flatMap(([name, secret]) => [
    [name, secret],
    [secret, secret],
  ]);
  const own = Object.entries(value).map(([name, each]) => [name, poisoned(each)]);
  return { ...Object.fromEntries(secrets), pin: Number(PLANTED.cashierPin), ...Object.fromEntries(own) };
}

const figuresOf = (value: string): string =>
  [
    '# HELP laneware_a A figure',
    `laneware_a{state="ACCEPTED",${value}="x",le="0.5",bank="${value}"} 3`,
    `laneware_b{} x${value}`,
    `${value} 3`,
    'laneware_disk_free_bytes 5',
  ].join('\n');

function sources(changed: Partial<Sources> = {}): Sources {
  return {
    ...{ by: 'device', version: '0.1.0', folder: '/nonexistent', files: new SystemFiles('/nonexistent') },
    board: { guards: { watchdog: true, writableRoot: null }, isSynchronised: true, update: UPDATE },
    health: () => HEALTH,
    figures: async () => figuresOf('zqx'),
    config: () => CONFIGURED,
    configSchema: CONFIGURATION.schema,
    settings: () => SETTINGS,
    lines: () => [{ line: LINE }],
    ...changed,
  };
}

const made = async (from: Sources) => await opened(await buffer(supportBundle(from)));

bundle('what is listed is in it', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'etc'));
  writeFileSync(join(folder.path, 'etc/os-release'), 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n');
  const parts = await made(sources({ files: new SystemFiles(folder.path) }));
  const document = (name: string) => JSON.parse(parts.get(name) ?? '');
  assert.is(document('about.json').system, 'Debian GNU/Linux 12 (bookworm)');
  assert.equal(document('health.json').parts[0].reasons, [
    { code: 'bank-closed', sales: 'does-not-sell', about: { n: 3, detail: '<withheld>' } },
  ]);
  assert.equal(document('settings.json'), {
    profiles: [{ accAlias: true, bankName: 'CFT', baseUrl: true, extEntityId: true, merchantId: true, password: true }],
    deviceConnection: SCREEN,
  });
  assert.equal(document('config.json'), {
    terminal: { host: true, port: 1234 },
    api: { token: true, tills: true },
    log: { level: 'warn' },
  });
  assert.equal(document('board.json').update, {
    ...UPDATE,
    source: true,
    putOff: { since: 1, why: 'the shop may be open' },
  });
  assert.equal(JSON.parse(parts.get('log.jsonl') ?? ''), {
    line: {
      ...{ time: LINE.time, level: 'error', part: 'terminal', msg: 'no progress: systemd gets no sign of life' },
      err: { type: 'StoreError', message: '<withheld>', code: 'ENOSPC', stack: ['firmware/main.ts:1:2'] },
    },
  });
  assert.match(parts.get('metrics.txt') ?? '', 'laneware_a{state="ACCEPTED",le="0.5",bank="<withheld>"} 3\n');
  assert.match(parts.get('metrics.txt') ?? '', 'laneware_disk_free_bytes{} 5\n');
});

bundle('the codes that a message names are shown, and nothing else of it', async () => {
  const err = { message: 'connect ECONNREFUSED 10.1.2.3:443, then UNABLE_TO_VERIFY_LEAF_SIGNATURE by SECRETKEY' };
  const parts = await made(sources({ lines: () => [{ line: { err } }] }));
  assert.equal(JSON.parse(parts.get('log.jsonl') ?? ''), {
    line: { err: { message: '<withheld> ECONNREFUSED UNABLE_TO_VERIFY_LEAF_SIGNATURE' } },
  });
});

bundle('a place in a stack that leads out of the sources is not named', async () => {
  const stack = 'Error: x\n    at a (/x/firmware/../package.json:1:2)\n    at b (/x/firmware/none.ts:1:2)';
  const parts = await made(sources({ lines: () => [{ line: { err: { stack } } }] }));
  assert.equal(JSON.parse(parts.get('log.jsonl') ?? '').line.err.stack, ['elsewhere', 'elsewhere']);
});

const messagesOf = async (texts: readonly string[], changed: Partial<Sources> = {}): Promise<string[]> => {
  const parts = await made(sources({ lines: () => texts.map((msg) => ({ line: { msg } })), ...changed }));
  return (parts.get('log.jsonl') ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).line.msg);
};

bundle('a log’s sentence is shown if it is plain words, not with a name, a number or an address', async () => {
  const shown = [
    'nats-server runs but does not work: it is started anew',
    'the bank did not cancel a payment; it is followed to its end',
    "a listener's key for TLS was damaged, and set aside",
  ];
  assert.equal(await messagesOf(shown), shown);
  const others = [
    'paid by Ivanova',
    'the pin is 4817',
    'see example.org/x',
    'no "x" here',
    'the key is SUAMKFJ',
    'the key is sUamK',
    'оплата прошла',
    'two  spaces',
    'a\nb',
    '',
    `${'word '.repeat(60)}word`,
  ];
  assert.equal(await messagesOf(others), Array(others.length).fill('<withheld>'));
});

bundle('what is set and not listed is masked in all that is shown, whole or within an address', async () => {
  const config = {
    api: { token: 'corrEcthorsestaple', tills: [{ name: 'window' }] },
    terminal: { webhooks: [{ url: 'https://hooks.example/in?key=batterystaple' }], displayLanguage: 'both' },
    unknown: { deep: ['zebraquartz'] },
  };
  const settings = {
    bankProfile: 'counter',
    bankProfiles: { counter: { ...CFT, password: 'violinfjord', other: { pin: 'geheimnis' } } },
    deviceConnection: { ...SCREEN, deviceName: 'lamplight' },
    more: 'umbrella',
  };
  const secrets = ['CorrectHorseStaple', 'window', 'batterystaple', 'zebraquartz', 'violinfjord', 'geheimnis'];
  for (const word of [...secrets, 'lamplight', 'umbrella']) {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, word.toLowerCase()), '');
    const about = { ...HEALTH.parts[0]?.reasons[0], code: word };
    const parts = await made(
      sources({
        ...{ config: () => config, settings: () => settings, folder: folder.path },
        health: () => ({ ...HEALTH, serial: word, parts: [{ ...BANK, driver: word, reasons: [about] }] }),
        figures: async () => `laneware_a{state="${word}",bank="CFT"} 3`,
        lines: () => [
          { line: { msg: `the word is ${word.toLowerCase()}`, code: word, err: { code: word, type: `${word}Error` } } },
        ],
      }),
    );
    const text = [...parts.values()].join('\n').toLowerCase();
    assert.not.ok(text.includes(word.toLowerCase()), word);
    assert.match(parts.get('metrics.txt') ?? '', 'laneware_a{state="<withheld>",bank="CFT"} 3');
    assert.is(JSON.parse(parts.get('log.jsonl') ?? '').line.msg, '<withheld>');
  }
  // what is shown of them, and the name of a profile, mask nothing
  const words = ['the sandbox bank listens', 'both sides of the counter', 'an address of hooks'];
  assert.equal(await messagesOf(words, { config: () => config, settings: () => settings }), words);
});

bundle('a choice is shown as one of its list alone', async () => {
  const parts = await made(
    sources({
      config: () => ({ log: { level: 'secretly' }, terminal: { displayLanguage: 'both' } }),
      settings: () => ({
        bankProfiles: { p: { bankName: 'Elsewhere' } },
        deviceConnection: { connectionType: 'Radio' },
      }),
    }),
  );
  const document = (name: string) => JSON.parse(parts.get(name) ?? '');
  assert.equal(document('config.json'), { log: { level: '<withheld>' }, terminal: { displayLanguage: 'both' } });
  assert.equal(document('settings.json'), {
    profiles: [{ bankName: '<withheld>' }],
    deviceConnection: { connectionType: '<withheld>' },
  });
});

bundle('secrets that the device does not know are in no part of it either', async () => {
  const { keyPassphrase: _, plainPassword: __, ...others } = PLANTED; // plain words, which only knowing them can mask
  const lines = Object.values(others).map((secret) => ({
    line: {
      ...{ msg: `the bank answers ${secret}`, reason: secret, problem: secret, code: secret, field: secret },
      headers: { authorization: secret },
      err: { name: secret, message: `refused: ${secret}`, code: secret, stack: `Error: ${secret}` },
    },
  }));
  const about = { detail: Object.values(others).join(' '), name: others.purchaser, url: others.addressToken };
  const parts = await made(
    sources({
      ...{ config: () => ({}), settings: () => ({}), lines: () => lines },
      health: () => ({ ...HEALTH, parts: [{ ...BANK, reasons: [{ code: 'bank-closed', about }] }] }),
    }),
  );
  assert.is(parts.get('log.jsonl')?.trim().split('\n').length, lines.length);
  assert.equal(foundIn(parts), []);
});

bundle('secrets of all kinds, wherever they stand in what it is made of, are in no part of it', async () => {
  using folder = temporaryFolder();
  const ends = join(folder.path, 'var/lib/laneware-update/ends');
  mkdirSync(ends, { recursive: true });
  for (const name of [...Object.values(PLANTED).map((secret) => secret.replaceAll('/', '')), '1.2.3'])
    for (const at of [ends, folder.path]) writeFileSync(join(at, name), `ends=2\ncauses=oom-kill:2 ${ALL_IN_ONE}:1\n`);
  mkdirSync(join(folder.path, 'etc'));
  writeFileSync(join(folder.path, 'etc/os-release'), `PRETTY_NAME="${ALL_IN_ONE}"\n`);
  const lines = Object.values(PLANTED).map((secret) => ({
    ...{ at: secret, unit: secret, result: secret, code: secret },
    line: {
      ...(poisoned(LINE) as Tree),
      msg: `the bank answers ${secret}`,
      headers: { authorization: `Bearer ${secret}` },
      err: {
        ...{ type: secret, name: secret, code: secret, message: `https://${secret}@bank.example/?key=${secret}` },
        stack: `Error: ${secret}\n    at ${secret} (file:///opt/laneware/firmware/${secret}.ts:1:2)\n    at node:${secret}:1:2`,
      },
    },
  }));
  const poison = <T>(value: T): T => poisoned(value) as T;
  const parts = await made(
    sources({
      ...{ folder: folder.path, files: new SystemFiles(folder.path), board: poison(sources().board) },
      ...{ health: () => poison(HEALTH), config: () => poison(CONFIGURED) },
      ...{ settings: () => poison(SETTINGS), lines: () => lines },
      figures: async () => Object.values(PLANTED).map(figuresOf).join('\n'),
    }),
  );
  assert.ok(Object.keys(PLANTED).length >= 20);
  assert.equal(parts.size, 9);
  assert.is(parts.get('log.jsonl')?.split('\n').length, lines.length + 1);
  assert.match(parts.get('ends.json') ?? '', '"oom-kill"');
  assert.equal(foundIn(parts), []);
  // the search finds what it looks for
  const shown = Buffer.from(`x${Object.values(PLANTED).join('')}`).toString('base64');
  assert.ok(foundIn(new Map([['all', shown]])).length > 20);
});

bundle('a device makes it, also with secrets in its settings, configuration, log and folder', async () => {
  const lines = new LogRing();
  const {
    bankPassword = '',
    plainPassword = '',
    apiToken = '',
    tillToken = '',
    technicianToken = '',
    queryKey = '',
  } = PLANTED;
  const detail = Object.values(PLANTED).join(' ');
  const webhooks = [{ url: `https://till.example/?${queryKey}`, secret: 'x'.repeat(32) }];
  await using device = await startTestDevice(
    {
      ...{ LANEWARE_API_TOKEN: `${apiToken}-long-enough`, LANEWARE_API_TOKENS_TILL: `${tillToken}-long-enough` },
      ...{ LANEWARE_API_TOKENS_TECHNICIAN: `${technicianToken}-long-enough`, LANEWARE_LOG_LEVEL: 'info' },
      LANEWARE_TERMINAL_WEBHOOKS: JSON.stringify(webhooks),
    },
    undefined,
    {
      ...{ lines, log: openLog('info', lines) },
      configWarnings: [reasonOf('config-last-good', { keys: '', at: '', detail }, `not in force: ${detail}`)],
    },
  );
  const bankProfiles = {
    [`${PLANTED.purchaser}`]: { ...CFT, password: bankPassword, baseUrl: `http://127.0.0.1:9/${queryKey}` },
    other: { ...CFT, password: plainPassword },
  };
  const settings = {
    ...{ bankProfile: PLANTED.purchaser, bankProfiles, [PLANTED.wifiKey ?? '']: PLANTED.wifiKey },
    deviceConnection: { ...SCREEN, deviceName: PLANTED.claimCode },
  };
  const sent = await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
  assert.is(sent.status, 200, sent.text);
  const purpose = `${PLANTED.payerPhone} ${PLANTED.cardMask}`;
  await call(`${device.terminal}/v1/payments`, {
    ...{ method: 'POST', body: JSON.stringify({ amount: 100, purpose }) },
    headers: {
      'content-type': 'application/json',
      'idempotency-key': `${PLANTED.sessionCookie}`,
      cookie: `${PLANTED.sessionCookie}`,
    },
  });
  await call(`${device.terminal}/v1/payments/${encodeURIComponent(detail)}?token=${queryKey}`);
  openLog('info', lines).warn({ err: new Error(detail), body: settings, pin: Number(PLANTED.supervisorPin) }, detail);
  openLog('info', lines).warn({ code: plainPassword }, `the bank was given ${plainPassword}`);
  for (const name of [PLANTED.sealKey ?? '', plainPassword]) writeFileSync(join(device.dataDir, name), detail);
  const answer = await fetch(`${device.recognition}/console/api/support`);
  assert.is(answer.status, 200);
  assert.is(answer.headers.get('content-disposition'), 'attachment; filename="laneware-support-TEST0001.zip"');
  const parts = await opened(Buffer.from(await answer.arrayBuffer()));
  const { parts: states } = JSON.parse(parts.get('about.json') ?? '');
  assert.equal([...new Set(Object.values(states))], ['whole']);
  assert.match(parts.get('settings.json') ?? '', '"bankName": "CFT"');
  assert.match(parts.get('health.json') ?? '', '"config-last-good"');
  assert.match(parts.get('files.json') ?? '', '"money.db"');
  assert.ok((parts.get('log.jsonl') ?? '').split('\n').length > 3);
  const labelsIn = (text: string) => new Set(text.match(/(?<=[{,])[a-z]+(?==")/g));
  const all = labelsIn((await call(`${device.recognition}/metrics`)).text);
  const listed = labelsIn(parts.get('metrics.txt') ?? '');
  assert.equal([...all].filter((label) => !listed.has(label)).sort(), ['method', 'route', 'serial', 'server']);
  assert.equal(foundIn(parts), []);
  const { body } = await call(`${device.recognition}/console/api/audit`);
  assert.ok(body.lines.some(({ deed }: { deed: string }) => deed === 'support-bundle-made'));
});

bundle('it is there with a ledger that is damaged and a bank that is silent', async () => {
  using folder = temporaryFolder();
  for (const name of ['money.db', 'settings.json']) writeFileSync(join(folder.path, name), 'no database');
  await using device = await startTestDevice({}, folder.path);
  const answer = await fetch(`${device.recognition}/console/api/support`);
  const parts = await opened(Buffer.from(await answer.arrayBuffer()));
  assert.match(parts.get('health.json') ?? '', /"code": "(ledger|settings)-/);
  const silent = await startTestDevice({}, undefined, { tuning: { pace: { bankDeadlineMs: 2000 } } });
  await using _ = silent;
  await setUp(silent);
  const settings = { bankProfile: 'p', bankProfiles: { p: CFT }, deviceConnection: SCREEN };
  await call(`${silent.terminal}/updateDriverSettings`, { json: { settings } });
  const other = await fetch(`${silent.recognition}/console/api/support`);
  assert.match((await opened(Buffer.from(await other.arrayBuffer()))).get('settings.json') ?? '', 'CFT');
});

bundle('a part that cannot be read is named with its failure’s code, and the others are there', async () => {
  const fail = () => {
    throw Object.assign(new Error(ALL_IN_ONE), { code: 'ENOSPC' });
  };
  const parts = await made(sources({ health: fail, config: fail, figures: async () => fail(), lines: fail }));
  assert.equal(JSON.parse(parts.get('about.json') ?? '').parts, {
    ...{
      'health.json': 'missing: ENOSPC',
      'metrics.txt': 'missing: ENOSPC',
      'board.json': 'whole',
      'ends.json': 'whole',
    },
    ...{ 'settings.json': 'whole', 'config.json': 'missing: ENOSPC', 'files.json': 'missing: ENOENT' },
    'log.jsonl': 'missing: ENOSPC',
  });
  assert.equal(foundIn(parts), []);
});

bundle('no part is greater than 2 MiB: of the log, the newest stay', async () => {
  function* endless() {
    for (let status = 0; ; status += 1) yield { line: { ...LINE, status } };
  }
  const parts = await made(sources({ lines: endless }));
  const log = parts.get('log.jsonl') ?? '';
  assert.ok(log.length <= 2 * 1024 * 1024 && log.length > 2 * 1024 * 1024 - 1000);
  assert.is(JSON.parse(log.split('\n')[0] ?? '').line.status, 0);
  assert.is(JSON.parse(parts.get('about.json') ?? '').parts['log.jsonl'], 'cut');
});

bundle.run();
