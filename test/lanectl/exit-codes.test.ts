/** How commands end: each exit code that is documented is provoked, and what was typed wrong always ends with the same. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES, type ExitName } from '../../firmware/lanectl/exit-codes.ts';
import { freePort } from '../ports.ts';
import {
  CFT,
  call,
  SANDBOX_SETTINGS,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../support.ts';
import { type Ended, lanectl, lanectlApart, lanectlHere, leadingTo, start } from './lanectl.ts';

const test = suite('lanectl: exit codes');

let device: TestDevice;
let env: Record<string, string>;
test.before(async () => {
  device = await startTestDevice();
  env = leadingTo(device);
});
test.after(async () => device[Symbol.asyncDispose]());

/** A bank that takes nothing back. */
async function withoutCancellation(): Promise<void> {
  const main = { ...CFT, baseUrl: device.sandbox };
  const settings = { ...SANDBOX_SETTINGS, bankProfile: 'main', bankProfiles: { main } };
  assert.is((await call(`${device.terminal}/updateDriverSettings`, { json: { settings } })).status, 200);
}

async function unauthorised(): Promise<Ended> {
  const server = createServer((_, response) =>
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error_message": "wrong token"}'),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ended = await lanectlHere(['report', '--url', url]);
  server.close();
  return ended;
}

async function interrupted(): Promise<Ended> {
  await using running = start(['watch', '--after', '0', '--json'], { env });
  await until('an event', () => running.lines().length > 0);
  running.signal('SIGINT');
  return await running.ended; // before it is disposed of
}

/** In this order: a device that is not set up has faults, and a payment is needed to be watched. */
const PROVOKED: readonly (readonly [ExitName, () => Promise<Ended>])[] = [
  ['faults', () => lanectlHere(['doctor'], env)],
  ['failed', () => lanectlHere(['items', 'export', '/nonexistent/items.csv'], env)],
  ['usage', () => lanectlApart(['pay', 'much'], { env })],
  ['unreachable', async () => lanectlHere(['status', '--url', `http://127.0.0.1:${await freePort()}`])],
  ['refused', () => lanectlHere(['refund', 'nobody-knows', '1'], env)],
  ['unauthorised', unauthorised],
  ['ok', () => setUp(device).then(() => lanectlHere(['status'], env))],
  ['declined', () => lanectlHere(['pay', '50.01'], env)],
  ['cancelled', () => lanectl(['pay', '12', '--timeout', '1'], { env })],
  ['interrupted', interrupted],
  ['undecided', () => withoutCancellation().then(() => lanectl(['pay', '13', '--timeout', '1'], { env }))],
];

test('each code that is documented is provoked', async () => {
  assert.equal(PROVOKED.map(([name]) => name).sort(), Object.keys(EXIT_CODES).sort());
  for (const [name, provoke] of PROVOKED) {
    const { code, stdout, stderr } = await provoke();
    assert.is(code, EXIT_CODES[name], `${name}: ${stdout}${stderr}`);
  }
});

test('what was typed wrong ends with 2, whoever finds it out, and nothing is done', async () => {
  await setUp(device);
  using folder = temporaryFolder();
  const csv = join(folder.path, 'items.csv');
  writeFileSync(csv, 'id;price\n4011;129,90\n');
  const before = (await call(`${device.terminal}/v1/payments`)).body.payments.length;
  const none = '/nonexistent/file';
  for (const [args, words] of [
    [['report', '--day', '2026-13-01'], /a day of the calendar/],
    [['report', '--day', '2026-02-29'], /a day of the calendar/],
    [['report', '--day', '21.11.2026'], /a day of the calendar/],
    [['watch', '--types', 'payment.nope'], /There is no event "payment\.nope"\. Did you mean payment\.late\?/],
    [['watch', '--count', '0'], /It must be a whole number from 1/],
    [['pay', '1', '--key', 'ключ'], /It must be ASCII text of 128 characters at most/],
    [['refund', '7', '1', '--key', 'ключ'], /It must be ASCII text/],
    [['status', '--token', 'два'], /the token must be ASCII text on one line/],
    [['pay', '1', '--ttl', '0'], /It must be a whole number/],
    [['refund', '7', '1,2,3'], /is no amount/],
    [['teach', 'x'.repeat(65)], /\bid must/],
    [['recognise', '--interval', '1'], /It must be a whole number/],
    [['items', 'import', csv], /line 2: price/],
    [['items', 'import', none, '--format', 'csv'], /\/nonexistent\/file cannot be read: ENOENT/],
    [['items', 'import', folder.path, '--format', 'csv'], /cannot be read: EISDIR/],
    [['setup', none], /cannot be read: ENOENT/],
    [['setup', csv], /it is no JSON/],
    [['backup', join(folder.path, 'b.zip'), '--data', none], /there is no \/nonexistent\/file/],
    [['backup', join(folder.path, 'b.zip'), '--data', folder.path], /is no folder of a device/],
    [['restore', none, '--data', folder.path], /there is no \/nonexistent\/file/],
    [['logs', '--file', none], /cannot be read: ENOENT/],
    [['logs', '--file', folder.path], /cannot be read: it is a folder/],
    [['logs', '--file', csv, '--follow'], /tail -f/],
    [['status', '--token-file', none], /cannot be read: ENOENT/],
    [['status', '--ca', csv], /is no certificate/],
  ] as const) {
    const { code, stderr } = await lanectlHere(args, { ...env, LANEWARE_PASSPHRASE: 'a made-up passphrase' });
    assert.is(code, EXIT_CODES.usage, `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, words);
  }
  const wrong = {
    bankProfile: 'a',
    bankProfiles: { a: { bankName: 'Nobody' } },
    deviceConnection: { connectionType: 7 },
  };
  const settings = await lanectl(['setup', '-', '--json'], { env, input: JSON.stringify(wrong) });
  assert.is(settings.code, EXIT_CODES.usage, settings.stderr);
  assert.is((await call(`${device.terminal}/v1/payments`)).body.payments.length, before);
});

test('the newest lines of a kept log are so many as are asked for', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'log');
  const lines = Array.from({ length: 120 }, (_, index) => `line ${index + 1}`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  const shown = async (...args: string[]) =>
    (await lanectl(['logs', ...args], { input: `${lines.join('\n')}\n` })).stdout.split('\n').slice(0, -1);
  assert.equal(await shown('--file', file, '--lines', '4'), lines.slice(-4));
  assert.equal(await shown('--file', file), lines.slice(-50));
  assert.equal(await shown('--file', '-', '--lines', '3'), lines.slice(-3));
  assert.equal(await shown('--file', '-'), lines);
});

test.run();
