/** The commands of `lanectl` against a device: what they print, for people and for programs, and how they end. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/core/cli/exit-codes.ts';
import { freePort, listening } from '../ports.ts';
import { ROOT } from '../root.ts';
import { call, each, SANDBOX_SETTINGS, setUp, startTestDevice, type TestDevice, temporaryFolder } from '../support.ts';
import { ends, lanectl, lanectlHere, leadingTo } from './lanectl.ts';
import { MARK } from './stand-in.ts';
import { paid } from './watched-sale.ts';

const test = suite('lanectl');

const withDevice =
  (judge: (device: TestDevice, env: Record<string, string>) => Promise<void>, settings = {}) =>
  async () => {
    await using device = await startTestDevice(settings);
    await judge(device, leadingTo(device));
  };
const it = each(test, withDevice);

it('a typing error ends with 2, on either side, names the nearest word, and nothing is done', async (device, env) => {
  await setUp(device);
  using folder = temporaryFolder();
  const csv = join(folder.path, 'items.csv');
  writeFileSync(csv, 'id;price\n4011;129,90\n');
  const unicode = join(folder.path, 'notepad.txt');
  writeFileSync(unicode, Buffer.from('\ufeff{}', 'utf16le'));
  const before = (await call(`${device.terminal}/v1/payments`)).body.payments.length;
  const none = '/nonexistent/file';
  for (const [args, words] of [
    [['staus'], /unknown command 'staus'\n\(Did you mean status\?\)/],
    [['pay', '12', '--tt', '5'], /unknown option '--tt'\n\(Did you mean --ttl\?\)/],
    [['pay'], /error: roubles is missing\n/],
    [['refund', '7'], /enter an amount in roubles, or --all/],
    [['refund', '7', '1', '--all'], /enter an amount in roubles, or --all/],
    [['status', '--url', 'lane-7'], /"lane-7" is not an address; write it as http:\/\/127\.0\.0\.1:1234/],
    [['status', '--ca', '/nonexistent/ca.pem'], /--ca: \/nonexistent\/ca\.pem is not a readable certificate/],
    [['pay', '99999999999999'], /It must be from 1 kopeck .* to 100000000 kopecks/],
    [
      ['pay', 'abc'],
      /error: roubles: "abc" cannot be used\. It must be an amount in roubles: 123, 123\.45 or 123,45\.\n/,
    ],
    [['pay', '1', '--ttl', 'x'], /error: --ttl <minutes>: "x" cannot be used\. It must be/],
    [['pay', '1', '--ttl'], /error: --ttl <minutes>: its value is missing\n/],
    [['pins', 'set', 'boss', none], /error: role: "boss" cannot be used\. Allowed choices are cashier,/],
    [['pay', '9'.repeat(400)], /It must be from 1 kopeck/],
    [['watch', '--types', 'payment.nope'], /types must name types of events, .* payment\.late,/],
    [['journal', 'write', none, '--from', '2026-02-29', '--to', '2026-03-01'], /from must be a day of the calendar/],
    [['watch', '--count', '0'], /It must be a whole number from 1/],
    [['pay', '1', '--key', 'ключ'], /It must hold Latin letters, digits, .* at most 128 of them/],
    [['refund', '7', '1', '--key', 'ключ'], /It must hold Latin letters, digits/],
    [['status', '--token', ''], /the token is empty: set it, or leave out/],
    [['status', '--token', 'два'], /the token must be one line of Latin letters/],
    [['pay', '1', '--ttl', '0'], /It must be a whole number/],
    [['setup', none], /cannot be read: there is no such file\n/],
    [['setup', csv], /it is no JSON/],
    [['setup', unicode], /cannot be read: it is no UTF-8 text: .*save it/],
    [['status', '--token-file', unicode], /cannot be read: it is no UTF-8 text: .*save it/],
    [['backup', join(folder.path, 'b.zip'), '--data', none], /there is no \/nonexistent\/file/],
    [['backup', join(folder.path, 'b.zip'), '--data', folder.path], /is not a device’s data folder/],
    [['restore', none, '--data', folder.path], /there is no \/nonexistent\/file/],
    [['logs', '--file', none], /cannot be read: there is no such file\n/],
    [['logs', '--file', folder.path], /cannot be read: it is a folder/],
    [['logs', '--file', csv, '--follow'], /tail -f/],
    [['status', '--token-file', none], /cannot be read: there is no such file\n/],
    [['status', '--ca', csv], /is not a readable certificate/],
  ] as const) {
    const { code, stdout, stderr } = await lanectlHere(args, { ...env, LANEWARE_PASSPHRASE: 'a made-up passphrase' });
    assert.equal([code, stdout], [EXIT_CODES.usage, ''], `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, words);
  }
  assert.is((await call(`${device.terminal}/v1/payments`)).body.payments.length, before);
});

test('an amount is read by its digits, and what could be read in two ways is refused', async () => {
  for (const text of [
    '1e3',
    '12.345',
    '-5',
    '+5',
    '0x10',
    '12.',
    '.5',
    '1 000',
    '1,2,3',
    '',
    'NaN',
    '0',
    '0.00',
    '1000000.01',
  ]) {
    const { stderr } = await ends('usage', lanectl(['pay', '--', text]));
    assert.match(stderr, /It must be an amount in roubles|It must be from 1 kopeck/, text);
  }
});

test('help says which options are required', async () => {
  for (const [command, options] of [
    [
      ['remote', 'on'],
      ['--by <name>', '--minutes <number>'],
    ],
    [
      ['journal', 'write'],
      ['--from <day>', '--to <day>'],
    ],
  ] as const) {
    const { stdout } = await lanectl([...command, '--help']);
    for (const option of options) assert.match(stdout, `${option} (required)`);
    assert.is(stdout.split('(required)').length - 1, options.length, stdout);
  }
});

test('help ends with 0 on the output, also that of a command', async () => {
  const all = await lanectl(['--help']);
  assert.equal([all.code, all.stderr], [0, '']);
  assert.match(all.stdout, /Usage: lanectl/);
  const one = await lanectl(['help', 'pay']);
  assert.equal([one.code, one.stderr], [0, '']);
  assert.match(one.stdout, /--purpose <text>/);
});

test('a device that does not answer, or refuses, ends with 3, 4 or 5, with JSON for programs', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const silent = await ends('unreachable', lanectl(['status', '--url', url, '--recognition-url', url, '--json']));
  assert.is(silent.stderr, `lanectl: 127.0.0.1:${port} does not answer: nothing is listening there\n`);
  const { error } = JSON.parse(silent.stdout);
  assert.equal([error.exit, error.code, error.url], ['unreachable', 'ECONNREFUSED', `${url}/health`]);
});

it('a refusal is printed in the sentence of the device, with its code', async (_, env) => {
  const refused = await ends('refused', lanectl(['refund', 'made-up-id', '1', '--json'], { env }));
  assert.match(refused.stderr, /no payment of this device is known by "made-up-id"/);
  assert.equal(JSON.parse(refused.stdout).error.code, 'Payments.NotFound');
});

test('a token comes from an option, a variable or a file; a wrong one ends with 5, never printed', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'token');
  writeFileSync(file, 'made-up-token-0123456789\n');
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    const isRight = request.headers.authorization === 'Bearer made-up-token-0123456789';
    const body = isRight ? { status: 'success', settings: {} } : { status: 'error', error_message: 'wrong token' };
    response.writeHead(isRight ? 200 : 401, { ...MARK, 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await using at = await listening(server);
  const print = ['setup', '--print', '--url', at.url];
  const token = 'made-up-token-0123456789';
  for (const [args, env] of [
    [['--token', token], {}],
    [['--token-file', file], {}],
    [[], { LANEWARE_TOKEN: token }],
    [[], { LANEWARE_TOKEN_FILE: file }],
    [[], { LANEWARE_TOKEN: token, LANEWARE_TOKEN_FILE: '/nonexistent/file' }],
  ] as const)
    assert.equal(await lanectlHere([...print, ...args], env).then(({ code, stderr }) => [code, stderr]), [0, '']);
  const wrong = await lanectl([...print, '--token', 'made-up-wrong-one', '--json']);
  assert.equal([wrong.code, JSON.parse(wrong.stdout).error.status], [EXIT_CODES.unauthorised, 401]);
  const none = await lanectl(print);
  assert.match(none.stderr, /a token is required: set LANEWARE_TOKEN or use --token-file/);
  // where an option gives one, the device is asked without it, too
  assert.equal(seen.filter((header) => header !== undefined).slice(0, 5), Array(5).fill(`Bearer ${token}`));
  assert.not.match(wrong.stdout + wrong.stderr, /made-up/);
});

it('setup sets a fresh device up, or as a file says, and prints the settings without secrets', async ({
  terminal,
}, env) => {
  const fresh = await lanectlHere(['setup'], env);
  assert.equal([fresh.code, fresh.stderr], [0, '']);
  assert.match(fresh.stdout, /^set up: the sandbox bank/);
  assert.equal(await lanectlHere(['setup'], env), fresh, 'the same again does nothing');
  const profile = { bankName: 'CFT', accAlias: 'a', extEntityId: 'e', merchantId: 'm', password: 'made-up-secret' };
  const settings = { ...SANDBOX_SETTINGS, bankProfiles: { ...SANDBOX_SETTINGS.bankProfiles, real: profile } };
  using folder = temporaryFolder();
  const file = join(folder.path, 'settings.json');
  for (const given of [settings, { settings }]) {
    writeFileSync(file, JSON.stringify(given));
    await ends('ok', lanectlHere(['setup', file], env));
  }
  assert.ok((await call(`${terminal}/getDriverSettings`)).body.settings.bankProfiles.real);
  await ends('refused', lanectlHere(['setup'], env), /already set up/);
  const serial = { connectionType: 'Serial', portName: '/dev/ttyACM-made-up' };
  writeFileSync(file, JSON.stringify({ ...settings, deviceConnection: serial }));
  const dark = await lanectlHere(['setup', file], env);
  assert.equal([dark.code, dark.stderr], [EXIT_CODES.faults, '']);
  assert.match(dark.stdout, /^settings saved\n {2}display: The customer display is not connected/);
  const printed = await lanectlHere(['setup', '--print', '--json'], env);
  assert.is(JSON.parse(printed.stdout).settings.bankProfiles.real.accAlias, 'a');
  assert.not.match(printed.stdout, 'made-up-secret');
});

it('status prints the parts and the last payment; with --json the same for programs', async (device, env) => {
  const fresh = await lanectlHere(['status'], env);
  assert.equal([fresh.code, /serial TEST0001: does not sell\n/.test(fresh.stdout)], [EXIT_CODES.faults, true]);
  await setUp(device);
  const before = await ends('ok', lanectlHere(['status'], env));
  assert.match(before.stdout, /Laneware \d+\.\d+\.\d+, serial TEST0001: sells, check later/);
  assert.match(before.stdout, /degraded +model +The model is not running/);
  assert.match(before.stdout, /no payment yet\n$/);
  const { number } = await paid(device, 12_345);
  const sold = (await lanectlHere(['status'], env)).stdout;
  assert.match(sold, new RegExp(`payment ${number} of 123\\.45 roubles: ACCEPTED`));
  const { state, parts, lastPayment, urls } = JSON.parse((await lanectlHere(['status', '--json'], env)).stdout);
  assert.equal([state, lastPayment.amount, urls.terminal], ['degraded', 12_345, device.terminal]);
  assert.ok(parts.some(({ part }: { part: string }) => part === 'ledger'));
});

it('refund repays once for one key, prints what is left, and its exit code follows the bank', async (device, env) => {
  await setUp(device);
  const { id, number } = await paid(device, 10_000);
  const part = await lanectl(['refund', String(number), '40,5', '--key', 'r-1', '--why', 'one was bad'], { env });
  assert.equal([part.code, part.stdout], [0, 'refund r-1 of 40.50 roubles: done\n'], part.stderr);
  const same = await lanectl(['refund', id, '40.50', '--key', 'r-1', '--json'], { env });
  assert.equal([same.code, JSON.parse(same.stdout).amount], [0, 4050]);
  const { refunded, refunds } = (await call(`${device.terminal}/v1/payments/${id}`)).body;
  assert.equal([refunded, refunds[0].why], [4050, 'one was bad']);
  const { stderr } = await ends('refused', lanectl(['refund', id, '60'], { env }));
  assert.match(
    stderr,
    /6000 kopecks \(60\.00 roubles\) are more than what is left .*: 5950 kopecks \(59\.50 roubles\)/,
  );
  assert.match((await lanectl(['refund', id, '--all'], { env })).stdout, /of 59\.50 roubles: done/);
});

it('a refund that the bank does not decide ends with 8, and says how it is asked for again', async (device, env) => {
  await setUp(device);
  const { id } = await paid(device, 10_000);
  const faults = [{ call: 'refund', kind: 'drop-before', times: 1000 }];
  await call(`${device.sandbox}/sandbox/faults`, { json: { faults } });
  const { stdout } = await ends('undecided', lanectl(['refund', id, '1', '--key', 'r-2', '--timeout', '0'], { env }));
  assert.match(stdout, new RegExp(`lanectl refund ${id} 1\\.00 --key r-2 says what became of it`));
});

it('a token that the device does not check is reported, beside the result', async (_, env) => {
  const unneeded = await lanectlHere(['call', 'getDayReport', '--json', '--token', 'made-up-wrong-one'], env);
  assert.equal([unneeded.code, JSON.parse(unneeded.stdout).totals.net], [0, 0]);
  assert.match(unneeded.stderr, /needs no token here[^\n]*it may be wrong\n$/);
  assert.not.match(unneeded.stderr, 'made-up');
  assert.is((await lanectlHere(['call', 'getDayReport'], { ...env, LANEWARE_TOKEN: 'made-up-wrong-one' })).stderr, '');
});

it('doctor finds what is not well, with one command each, and a device that is well', async (device, env) => {
  const ill = await ends('faults', lanectlHere(['doctor', '--json'], env));
  const { ok, faults } = JSON.parse(ill.stdout);
  assert.is(ok, false);
  const remedies = new Map(faults.map(({ code, command }: { code: string; command: string }) => [code, command]));
  assert.is(remedies.get('part.settings'), 'npx lanectl setup');
  const waits = faults.map(({ isForLater }: { isForLater: boolean }) => isForLater);
  assert.equal([waits[0], waits.at(-1), waits], [false, true, waits.toSorted()], 'what stops the sale comes first');
  assert.is(remedies.get('part.model'), `ls -l ${join(ROOT, 'models')}`);
  const typed = await lanectlHere(['doctor', '--url', device.terminal, '--json']);
  const [first] = JSON.parse(typed.stdout).faults;
  assert.is(first.command, `npx lanectl setup --url ${device.terminal}`, 'it leads to the same device');
  await setUp(device);
  const result = await lanectlHere(['doctor'], env);
  assert.match(result.stdout, /^! model: The model is not running[^\n]*\n {4}ls -l \S+models\n$/);
});

test('doctor distinguishes a port that another program has, a closed one, and an unknown name', async () => {
  const other = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello'));
  await using at = await listening(other);
  const closed = `http://127.0.0.1:${await freePort()}`;
  const codes = async (...args: string[]) => {
    const { code, stdout } = await lanectl(['doctor', '--json', ...args]);
    assert.is(code, EXIT_CODES.faults);
    return JSON.parse(stdout).faults.map(({ code, command }: { code: string; command: string }) => [code, command]);
  };
  assert.equal(await codes('--url', at.url, '--recognition-url', closed), [
    ['port.taken', `sudo ss -ltnp 'sport = :${at.port}'`],
    ['device.not-running', 'npm start'],
  ]);
  assert.equal(await codes('--url', 'http://no-such-lane.invalid:1234'), [
    ['device.name', 'getent hosts no-such-lane.invalid'],
  ]);
});

test.run();
