/** The commands of `lanectl` against a device: what they print, for people and for programs, and how they end. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/lanectl/exit-codes.ts';
import { freePort, listening } from '../ports.ts';
import { ROOT } from '../root.ts';
import {
  call,
  each,
  SANDBOX_SETTINGS,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../support.ts';
import { lanectl, lanectlHere, leadingTo } from './lanectl.ts';
import { MARK } from './stand-in.ts';

const test = suite('lanectl');

const withDevice =
  (judge: (device: TestDevice, env: Record<string, string>) => Promise<void>, settings = {}) =>
  async () => {
    await using device = await startTestDevice(settings);
    await judge(device, leadingTo(device));
  };
const it = each(test, withDevice);

/** A payment that the customer has paid. */
async function paid(device: TestDevice, amount: number): Promise<{ id: string; number: number }> {
  await call(`${device.terminal}/showQR`, { json: { amount } });
  const [{ qrcId }] = (await call(`${device.sandbox}/sandbox/payments`)).body;
  await call(`${device.sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
  return until('ACCEPTED', async () => {
    const [payment] = (await call(`${device.terminal}/v1/payments?limit=1`)).body.payments;
    return payment.state === 'ACCEPTED' && payment;
  });
}

it('a typing error ends with 2, on either side, names the nearest word, and nothing is done', async (device, env) => {
  await setUp(device);
  using folder = temporaryFolder();
  const csv = join(folder.path, 'items.csv');
  writeFileSync(csv, 'id;price\n4011;129,90\n');
  const unicode = join(folder.path, 'notepad.txt');
  writeFileSync(unicode, Buffer.from('\ufeff{}', 'utf16le'));
  const before = (await call(`${device.terminal}/v1/payments`)).body.payments.length;
  const none = '/nonexistent/file';
  const json = join(ROOT, 'package.json');
  for (const [args, words] of [
    [['staus'], /unknown command 'staus'\n\(Did you mean status\?\)/],
    [['pay', '12', '--tt', '5'], /unknown option '--tt'\n\(Did you mean --ttl\?\)/],
    [['pay'], /error: roubles is missing\n/],
    [['refund', '7'], /enter an amount in roubles, or --all/],
    [['refund', '7', '1', '--all'], /enter an amount in roubles, or --all/],
    [['completion', 'tcsh'], /It must be one of bash, zsh, fish\./],
    [['status', '--url', 'lane-7'], /"lane-7" is not an address; write it as http:\/\/127\.0\.0\.1:1234/],
    [['status', '--ca', '/nonexistent/ca.pem'], /--ca: \/nonexistent\/ca\.pem is not a readable certificate/],
    [['webhooks', 'tets'], /unknown command 'webhooks tets'\n\(Did you mean test\?\)/],
    [['webhooks', 'list', 'all'], /'list' takes no argument, and was given all/],
    [['teach', ''], /It must be the id of an item\./],
    [['pay', '99999999999999'], /It must be from 1 kopeck .* to 100000000 kopecks/],
    [
      ['pay', 'abc'],
      /error: roubles: "abc" cannot be used\. It must be an amount in roubles: 123, 123\.45 or 123,45\.\n/,
    ],
    [['pay', '1', '--ttl', 'x'], /error: --ttl <minutes>: "x" cannot be used\. It must be/],
    [['pay', '1', '--ttl'], /error: --ttl <minutes>: its value is missing\n/],
    [['pins', 'set', 'boss', none], /error: role: "boss" cannot be used\. Allowed choices are cashier,/],
    [['reconcile', csv], /error: --from <day> is missing: it is required\n/],
    [['items', 'import', json], /package\.json: .*; a file of items is \{"items":\[\{"id":"4011",.*\}\]\}\n/],
    [['pay', '9'.repeat(400)], /It must be from 1 kopeck/],
    [['report', '--day', '2026-02-29'], /a date/],
    [['watch', '--types', 'payment.nope'], /There is no event "payment\.nope"\. Did you mean payment\.late\?/],
    [['watch', '--count', '0'], /It must be a whole number from 1/],
    [['pay', '1', '--key', 'ключ'], /It must hold Latin letters, digits, .* at most 128 of them/],
    [['refund', '7', '1', '--key', 'ключ'], /It must hold Latin letters, digits/],
    [['status', '--token', ''], /the token is empty: set it, or leave out/],
    [['status', '--token', 'два'], /the token must be one line of Latin letters/],
    [['pay', '1', '--ttl', '0'], /It must be a whole number/],
    [['teach', 'x'.repeat(65)], /\bid must/],
    [['recognise', '--interval', '1'], /It must be a whole number/],
    [['items', 'import', csv], /line 2: price/],
    [['items', 'import', none, '--format', 'csv'], /\/nonexistent\/file cannot be read: there is no such file\n/],
    [['items', 'import', folder.path, '--format', 'csv'], /cannot be read: it is a folder\n/],
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
    const { code, stderr } = await lanectl(['pay', '--', text]);
    assert.is(code, EXIT_CODES.usage, text);
    assert.match(stderr, /It must be an amount in roubles|It must be from 1 kopeck/, text);
  }
});

test('help says which options are required', async () => {
  for (const [command, options] of [
    [['reconcile'], ['--from <day>']],
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

test('a device that does not answer, or refuses, ends with 3, 4 or 5, and prints JSON for programs', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const silent = await lanectl(['status', '--url', url, '--recognition-url', url, '--json']);
  assert.is(silent.code, EXIT_CODES.unreachable);
  assert.is(silent.stderr, `lanectl: 127.0.0.1:${port} does not answer: nothing is listening there\n`);
  const { error } = JSON.parse(silent.stdout);
  assert.equal([error.exit, error.code, error.url], ['unreachable', 'ECONNREFUSED', `${url}/health`]);
});

it('a refusal is printed in the sentence of the device, with its code', async (_, env) => {
  const refused = await lanectl(['refund', 'made-up-id', '1', '--json'], { env });
  assert.is(refused.code, EXIT_CODES.refused);
  assert.match(refused.stderr, /no payment of this device is known by "made-up-id"/);
  assert.equal(JSON.parse(refused.stdout).error.code, 'Payments.NotFound');
});

test('a token is read from an option, a variable and a file; a wrong one ends with 5, and is printed nowhere', async () => {
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
    assert.is((await lanectlHere(['setup', file], env)).code, 0);
  }
  assert.ok((await call(`${terminal}/getDriverSettings`)).body.settings.bankProfiles.real);
  const again = await lanectlHere(['setup'], env);
  assert.is(again.code, EXIT_CODES.refused);
  assert.match(again.stderr, /already set up/);
  const serial = { connectionType: 'Serial', portName: '/dev/ttyACM-made-up' };
  writeFileSync(file, JSON.stringify({ ...settings, deviceConnection: serial }));
  const dark = await lanectlHere(['setup', file], env);
  assert.equal([dark.code, dark.stderr], [EXIT_CODES.faults, '']);
  assert.match(dark.stdout, /^settings saved\n {2}display: the display is not connected/);
  const printed = await lanectlHere(['setup', '--print', '--json'], env);
  assert.is(JSON.parse(printed.stdout).settings.bankProfiles.real.accAlias, 'a');
  assert.not.match(printed.stdout, 'made-up-secret');
});

it('status prints the parts and the last payment; with --json the same for programs', async (device, env) => {
  const fresh = await lanectlHere(['status'], env);
  assert.equal([fresh.code, /serial TEST0001: does not sell\n/.test(fresh.stdout)], [EXIT_CODES.faults, true]);
  await setUp(device);
  const before = await lanectlHere(['status'], env);
  assert.is(before.code, 0, before.stderr);
  assert.match(before.stdout, /Laneware \d+\.\d+\.\d+, serial TEST0001: sells, check later/);
  assert.match(before.stdout, /degraded +model +no model is running/);
  assert.match(before.stdout, /no payment yet\n$/);
  const { number } = await paid(device, 12_345);
  assert.match(
    (await lanectlHere(['status'], env)).stdout,
    new RegExp(`payment ${number} of 123\\.45 roubles: ACCEPTED`),
  );
  const { state, parts, lastPayment, urls } = JSON.parse((await lanectlHere(['status', '--json'], env)).stdout);
  assert.equal([state, lastPayment.amount, urls.terminal], ['degraded', 12_345, device.terminal]);
  assert.ok(parts.some(({ part }: { part: string }) => part === 'ledger'));
});

it('refund gives money back once for one key, prints what is left, and its exit code follows the bank', async (device, env) => {
  await setUp(device);
  const { id, number } = await paid(device, 10_000);
  const part = await lanectl(['refund', String(number), '40,5', '--key', 'r-1'], { env });
  assert.equal([part.code, part.stdout], [0, 'refund r-1 of 40.50 roubles: done\n'], part.stderr);
  const same = await lanectl(['refund', id, '40.50', '--key', 'r-1', '--json'], { env });
  assert.equal([same.code, JSON.parse(same.stdout).amount], [0, 4050]);
  assert.is((await call(`${device.terminal}/v1/payments/${id}`)).body.refunded, 4050);
  const tooMuch = await lanectl(['refund', id, '60'], { env });
  assert.is(tooMuch.code, EXIT_CODES.refused);
  assert.match(
    tooMuch.stderr,
    /6000 kopecks \(60\.00 roubles\) are more than what is left .*: 5950 kopecks \(59\.50 roubles\)/,
  );
  assert.match((await lanectl(['refund', id, '--all'], { env })).stdout, /of 59\.50 roubles: done/);
});

it('a refund that the bank does not decide ends with 8, and says how it is asked for again', async (device, env) => {
  await setUp(device);
  const { id } = await paid(device, 10_000);
  const faults = [{ call: 'refund', kind: 'drop-before', times: 1000 }];
  await call(`${device.sandbox}/sandbox/faults`, { json: { faults } });
  const { code, stdout } = await lanectl(['refund', id, '1', '--key', 'r-2', '--timeout', '0'], { env });
  assert.is(code, EXIT_CODES.undecided, stdout);
  assert.match(stdout, new RegExp(`lanectl refund ${id} 1\\.00 --key r-2 says what became of it`));
});

it('a token that the device does not check is reported, beside the result', async (_, env) => {
  const unneeded = await lanectlHere(['report', '--json', '--token', 'made-up-wrong-one'], env);
  assert.equal([unneeded.code, JSON.parse(unneeded.stdout).totals.net], [0, 0]);
  assert.match(unneeded.stderr, /needs no token here[^\n]*it may be wrong\n$/);
  assert.not.match(unneeded.stderr, 'made-up');
  assert.is((await lanectlHere(['report'], { ...env, LANEWARE_TOKEN: 'made-up-wrong-one' })).stderr, '');
});

it('report prints the totals of a day, as a table, as CSV and as JSON', async (device, env) => {
  await setUp(device);
  await paid(device, 12_345);
  const { code, stdout } = await lanectlHere(['report'], env);
  assert.is(code, 0);
  assert.match(stdout, /accepted +roubles +refunds/);
  assert.match(stdout, /sandbox \(Sandbox\) +1 +123\.45 +0 +0\.00 +123\.45/);
  assert.match((await lanectlHere(['report', '--csv'], env)).stdout, /accepted_kopecks[\s\S]*12345/);
  assert.is(JSON.parse((await lanectlHere(['report', '--json'], env)).stdout).totals.net, 12_345);
  assert.match((await lanectlHere(['report', '--day', '2020-01-01'], env)).stdout, /^2020-01-01, /);
});

it('shifts are closed once for one key, listed and shown', async (device, env) => {
  await setUp(device);
  await paid(device, 12_345);
  const empty = await lanectlHere(['shifts', 'list'], env);
  assert.equal([empty.code, empty.stdout], [0, 'no shift has been closed yet\n'], empty.stderr);
  const open = await lanectlHere(['shifts', 'show'], env);
  assert.match(open.stdout, /^shift 1, [-\d: ]+ to open, [\s\S]*all +1 +123\.45 +0 +0\.00 +123\.45 +0\n$/);
  const closing = ['shifts', 'close', '1', '--cashier', 'Anna', '--key', 'evening'];
  const closed = await lanectlHere(closing, env);
  assert.equal([closed.code, closed.stdout.split(',')[0]], [0, 'shift 1'], closed.stderr);
  assert.is((await lanectlHere(closing, env)).stdout, closed.stdout, 'the same key is the same shift');
  const late = await lanectlHere(['shifts', 'close', '1'], env);
  assert.is(late.code, EXIT_CODES.refused, 'another window has closed it: the next one stays open');
  assert.match(late.stderr, /not shift 1, but shift 2 is open: nothing was closed now/);
  const { shifts } = JSON.parse((await lanectlHere(['shifts', 'list', '--json'], env)).stdout);
  assert.equal(
    shifts.map(({ number, closedBy }: { number: number; closedBy: object }) => [number, closedBy]),
    [[1, { till: null, cashier: 'Anna' }]],
  );
  const next = JSON.parse((await lanectlHere(['shifts', 'close', '--json'], env)).stdout);
  assert.equal([next.number, next.key.length], [2, 36]);
  assert.match(
    (await lanectlHere(['shifts', 'list', '--limit', '1'], env)).stdout,
    /\n2, closed [-\d: ]+ +0 +0\.00[^\n]*\n$/,
  );
  assert.match((await lanectlHere(['shifts', 'show', '1', '--csv'], env)).stdout, /accepted_kopecks[\s\S]*,1,12345,/);
  const missing = await lanectlHere(['shifts', 'show', '9'], env);
  assert.equal([missing.code, missing.stdout], [EXIT_CODES.refused, '']);
  for (const [args, words] of [
    [['show', 'last'], /It must be the number of a shift, or current/],
    [['show', '1', '--csv', '--json'], /either --json or --csv/],
    [['close', '0'], /It must be the number of a shift\./],
    [['close', '--key', 'ключ'], /It must hold Latin letters, digits/],
  ] as const) {
    const wrong = await lanectlHere(['shifts', ...args], env);
    assert.is(wrong.code, EXIT_CODES.usage);
    assert.match(wrong.stderr, words);
  }
});

test('a close of a shift whose answer is lost is sent again with its key, and is no second close', async () => {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    if (request.method !== 'POST')
      return void response.writeHead(200, { ...MARK, 'content-type': 'application/json' }).end('{"health":{}}');
    keys.push(request.headers['idempotency-key']);
    return void request.socket.destroy();
  });
  await using at = await listening(server);
  const { code, stderr } = await lanectl(['shifts', 'close', '7', '--url', at.url]);
  assert.is(code, EXIT_CODES.undecided, stderr);
  assert.ok(keys.length > 1 && new Set(keys).size === 1, String(keys));
  assert.ok(stderr.includes(`lanectl shifts close 7 --key ${keys[0]} says which shift it is`), stderr);
});

it('reconcile lays a registry beside the ledger, and the account beside what the bank owes', async (device, env) => {
  await setUp(device);
  const { id } = await paid(device, 12_345);
  using folder = temporaryFolder();
  const file = (name: string, ...lines: string[]): string => {
    writeFileSync(join(folder.path, name), `${lines.join('\n')}\n`);
    return join(folder.path, name);
  };
  const from = (await call(`${device.terminal}/v1/reports/day`)).body.day;
  const [year, month, date] = from.split('-');
  const bank = file('registry.csv', 'order;Sum;Fee', `${id};123,45;0,49`, 'elsewhere;1;0');
  const account = file(
    'statement.txt',
    ...['1CClientBankExchange', 'ВерсияФормата=1.03', 'РасчСчет=1', 'СекцияДокумент=Платежное поручение'],
    ...['ПолучательСчет=1', 'Сумма=123.96', `Дата=${date}.${month}.${year}`, 'КонецДокумента', 'КонецФайла'],
  );
  const columns = ['order=order', 'amount=Sum', 'commission=Fee'].flatMap((each) => ['--column', each]);
  const typed = ['reconcile', bank, '--from', from, ...columns];
  const { code, stdout, stderr } = await lanectlHere([...typed, '--statement', account], env);
  assert.is(code, 0, stderr);
  assert.match(
    stdout,
    /^payments that agree: 1, refunds: 0, differences: 1\nline 3: a payment of 1\.00 ₽, "elsewhere"/,
  );
  assert.match(stdout, new RegExp(`${from} +124\\.45 +0\\.00 +0\\.49 +123\\.96 +- +arrived: line 4\\n`));
  const plain = JSON.parse((await lanectlHere([...typed, '--json'], env)).stdout);
  assert.equal([plain.payments, plain.statement], [1, null]);
  const unknown = await lanectlHere(['reconcile', bank, '--from', from], env);
  assert.equal([unknown.code, unknown.stdout], [EXIT_CODES.usage, '']);
  assert.match(unknown.stderr, /has no column that is known to hold the amount; it has: order, Sum, Fee\./);
  const cut = await lanectlHere([...typed, '--statement', bank], env);
  assert.match(cut.stderr, /statement must begin with a line 1CClientBankExchange/);
  const wrong = await lanectlHere([...typed, '--column', 'amount'], env);
  assert.match(wrong.stderr, /e\.g\. amount=Сумма/);
});

it('doctor finds what is not well, with one command each, and a device that is well', async (device, env) => {
  const ill = await lanectlHere(['doctor', '--json'], env);
  assert.is(ill.code, EXIT_CODES.faults);
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
  assert.match(result.stdout, /^! model: no model is running[^\n]*\n {4}ls -l \S+models\n$/);
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

it('items are put from a file and written into one, all of it or nothing', async ({ recognition }, env) => {
  using folder = temporaryFolder();
  const csv = join(folder.path, 'items.csv');
  writeFileSync(csv, 'id,name,plu,price,pieceWeight\n4011,Bananas,4011,12990,\n4046,Avocados,,,170\n');
  const first = await lanectlHere(['items', 'import', csv], env);
  assert.equal([first.code, first.stdout], [0, '2 new items, 0 that were there\n'], first.stderr);
  writeFileSync(csv, 'id,Цена\n4011,1\n');
  assert.match((await lanectlHere(['items', 'import', csv], env)).stdout, /\nnot read: the columns Цена\n$/);
  const json = join(folder.path, 'items.json');
  writeFileSync(json, JSON.stringify({ items: [{ id: '4011', price: 9900 }] }));
  const second = await lanectlHere(['items', 'import', json, '--json'], env);
  assert.equal(JSON.parse(second.stdout), { created: 0, updated: 1 });
  assert.is((await call(`${recognition}/v1/items/4011`)).body.price, 9900);
  assert.is((await call(`${recognition}/v1/items/4046`)).body.pieceWeight, 170);
  writeFileSync(csv, 'id,price\n4011,cheap\n');
  const wrong = await lanectlHere(['items', 'import', csv], env);
  assert.is(wrong.code, EXIT_CODES.usage);
  assert.match(wrong.stderr, /items\.csv: line 2: price must be kopecks/);
  writeFileSync(json, '{"items": [');
  const broken = await lanectlHere(['items', 'import', json], env);
  assert.is(broken.code, EXIT_CODES.usage);
  assert.match(broken.stderr, /items\.json: [^\n]*no JSON/);
  const file = join(folder.path, 'out.json');
  assert.is((await lanectlHere(['items', 'export', file], env)).code, 0);
  assert.equal(
    JSON.parse(readFileSync(file, 'utf8')).items.map(({ id }: { id: string }) => id),
    ['4011', '4046'],
  );
  const for1C = await lanectlHere(['items', 'export', '-', '--format', '1c'], env);
  assert.match(for1C.stdout, /Код;Наименование;Цена\r\n4011;Bananas;"?99,00"?\r\n/);
  const printed = await lanectlHere(['items', 'export', '-', '--format', 'csv'], env);
  assert.match(printed.stdout, /id,name,plu,price[\s\S]*4011,Bananas,4011,9900/);
  assert.is((await lanectlHere(['items', 'export', '-'], env)).stdout, printed.stdout);
  assert.is(JSON.parse((await lanectlHere(['items', 'export', '-', '--json'], env)).stdout).items.length, 2);
  const nameless = await lanectlHere(['items', 'export', join(folder.path, 'items')], env);
  assert.equal([nameless.code, existsSync(join(folder.path, 'items'))], [EXIT_CODES.usage, false]);
  const nowhere = await lanectlHere(['items', 'export', '/nonexistent/items.csv'], env);
  assert.is(nowhere.code, EXIT_CODES.failed);
});

test('an export that breaks off ends with 3, and leaves the file that was there', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'items.csv');
  writeFileSync(file, 'good');
  const cut = createServer((_, response) => {
    response.writeHead(200, { ...MARK, 'content-length': '1000' }).write('id,na', () => response.destroy());
  });
  await using at = await listening(cut);
  const exported = (name: string) => lanectlHere(['items', 'export', name], { LANEWARE_RECOGNITION_URL: at.url });
  const { code, stderr } = await exported(file);
  assert.equal([code, readFileSync(file, 'utf8')], [EXIT_CODES.unreachable, 'good']);
  assert.match(stderr, /^lanectl: the connection is lost: /);
  assert.equal(readdirSync(folder.path), ['items.csv']);
});

test.run();
