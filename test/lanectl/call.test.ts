/** `lanectl call`: the calls of the OpenAPI documents by their names, against a device, and how each ends. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/core/cli/exit-codes.ts';
import { type Document, operationsOf, typedFields } from '../../firmware/core/http/reference/operations.ts';
import { createProgram } from '../../firmware/lanectl/program.ts';
import { OK, SECRET, TestReceiver } from '../features/webhooks/rig.ts';
import { freePort, listening } from '../ports.ts';
import { ROOT } from '../root.ts';
import { atEnd, call, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { ends, lanectlHere, leadingTo } from './lanectl.ts';
import { answering, MARK, scripted } from './stand-in.ts';

const test = suite('lanectl call');

let device: TestDevice;
let env: Record<string, string>;
const folder = temporaryFolder();
const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
};
test.before(async () => {
  device = await startTestDevice();
  await setUp(device);
  env = leadingTo(device);
});
test.after(async () => {
  await device[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const run = (...args: readonly string[]) => lanectlHere(['call', ...args], env);
/** What it answers. @throws {AssertionError} where it does not end well */
async function answered(...args: readonly string[]) {
  const { code, stdout, stderr } = await run(...args, '--json');
  assert.equal([code, stderr], [0, ''], args.join(' '));
  return JSON.parse(stdout);
}

const PICTURE = join(ROOT, 'drivers/camera/pictures/05-banana.jpg');
const CSV = 'id,name,plu,price,pieceWeight\n4011,Bananas,4011,12990,\n4046,Avocados,,,170\n';

test('alone it lists the operations of both ports, with what each is for', async () => {
  const { stdout } = await ends('ok', run());
  assert.match(stdout, /^getPayment +A payment and its refunds +GET \/v1\/payments\/\{id\}$/m);
  assert.match(stdout, /^importItems +Put many items at once +POST \/v1\/catalogue$/m);
  const { operations } = await answered();
  const { id, method, path, port } = operations.find(({ id }: { id: string }) => id === 'changeItem');
  assert.equal([id, method, path, port], ['changeItem', 'PATCH', '/v1/items/{id}', 'recognition']);
  assert.match((await run('--help')).stdout, /^Usage: lanectl call \[operation\]/);
});

test('help says of each field what it takes, and which are required', async () => {
  const sale = await run('createPayment', '--help');
  assert.equal([sale.code, sale.stderr], [0, '']);
  const words = sale.stdout.replace(/\s+/g, ' ');
  assert.match(words, 'Ask for a payment and show its code: POST /v1/payments');
  assert.match(words, '--amount <value> required: a whole number; what is to be paid, in kopecks');
  assert.match(words, '--purpose <value> text or null; what the payment is for');
  assert.match(words, '--idempotency-key <value> text; names this sale');
  assert.match((await run('getDayReport', '--help')).stdout, /--format <value> +one of json, html,\s+csv/);
  assert.match((await run('reconcile', '--help')).stdout, /--file <value> +required: a file;/);
  assert.match((await run('putItemPicture', '-h')).stdout, /--body <file> +the whole body, image\/jpeg or image\/png/);
});

test('each documented field can be typed: none is an option of lanectl, or another of its call', async () => {
  const own = new Set((await createProgram(['call'])).options.map(({ long }) => long?.slice(2)));
  for (const name of ['body', 'output', 'help']) own.add(name);
  for (const module of ['payments', 'recognition']) {
    const document: Document = JSON.parse(readFileSync(join(ROOT, `firmware/${module}/openapi.json`), 'utf8'));
    for (const { operation, url } of operationsOf(document)) {
      const names = typedFields(operation, document, () => '').map(({ name }) => name);
      assert.is(new Set(names).size, names.length, url);
      const wrong = names.filter((name) => own.has(name) || !/^[A-Za-z][A-Za-z-]*$/.test(name));
      assert.equal(wrong, [], url);
    }
  }
});

test('a path, a query, and a body of single fields, of a file, and of lists', async () => {
  const sale = await answered('createPayment', '--amount', '1200', '--purpose', 'Apples', '--idempotency-key', 'k-1');
  assert.equal([sale.amount, sale.purpose, sale.state], [1200, 'Apples', 'PENDING']);
  const again = await answered('createPayment', '--amount', '1200', '--purpose', 'Apples', '--idempotency-key', 'k-1');
  assert.is(again.id, sale.id, 'one key is one payment');
  const { payments } = await answered('findPayments', '--limit', '1', '--late', 'false');
  assert.equal([payments.length, payments[0].id], [1, sale.id]);
  assert.is((await answered('getPayment', '--id', sale.id)).number, sale.number);
  assert.is((await answered('cancelPayment', '--id', String(sale.number))).outcome, 'withdrawn');
  const unpaid = await run('refundPayment', '--id', sale.id, '--amount', 'all', '--json');
  assert.is(JSON.parse(unpaid.stdout).error.code, 'Payments.NotAccepted', 'its key is made');
  const { number } = await answered('closeShift', '--cashier', 'Anna');
  assert.is((await answered('getShift', '--shift', String(number))).closedBy.cashier, 'Anna');

  assert.equal(await answered('importItems', '--body', file('items.csv', CSV)), { created: 2, updated: 0 });
  const items = file('items.json', '\ufeff\n {"items": [{"id": "4011", "price": 9900}]}');
  assert.equal(await answered('importItems', '--body', items), { created: 0, updated: 1 });
  const entry = '[{"id": "a/b ?", "name": "Rolls"}]';
  assert.equal(await answered('importItems', '--items', entry), { created: 1, updated: 0 });
  assert.is((await answered('getItem', '--id', 'a/b ?')).name, 'Rolls');
  const changed = await answered(
    'changeItem',
    '--id',
    '4046',
    '--pieceWeight',
    'null',
    '--barcodes',
    '["4006381333931"]',
  );
  assert.equal([changed.pieceWeight, changed.barcodes], [null, ['4006381333931']]);
  await answered('putItemPicture', '--id', '4046', '--body', PICTURE);
  assert.is((await answered('removeItem', '--id', '4011', '--templates', 'delete')).id ?? '4011', '4011');
});

test('an answer that is no JSON goes to the output, or into a file', async () => {
  await answered('importItems', '--body', file('items.csv', CSV));
  const csv = await run('exportItems', '--format', 'csv');
  assert.equal([csv.code, csv.stderr], [0, '']);
  assert.match(csv.stdout, /id,name,plu,price[\s\S]*4011,Bananas,4011,12990/);
  const picture = join(folder.path, 'picture.jpg');
  await answered('putItemPicture', '--id', '4046', '--body', PICTURE);
  assert.equal(await answered('getItemPicture', '--id', '4046', '--output', picture), { file: picture });
  assert.is(readFileSync(picture).subarray(0, 2).toString('hex'), 'ffd8');
  const json = join(folder.path, 'out.json');
  assert.is((await run('exportItems', '--output', json)).stdout, `the answer is in ${json}\n`);
  assert.ok(JSON.parse(readFileSync(json, 'utf8')).items.length > 0);
  const mixed = await ends('usage', run('exportItems', '--format', 'csv', '--json'));
  assert.match(JSON.parse(mixed.stdout).error.message, /the answer is a file \(text\/csv.*\): name it with --output/);
  await ends('failed', run('exportItems', '--output', '/nonexistent/items.json'));
});

test('a package goes in as a file of a form, and files as Base64', async () => {
  await answered('exportPackage');
  const { filename } = await until('the package', async () => {
    const state = await answered('getPackageExport');
    return state.filename != null && state;
  });
  const zip = join(folder.path, 'package.zip');
  await answered('getPackage', '--filename', filename, '--output', zip);
  assert.is(readFileSync(zip).subarray(0, 2).toString(), 'PK');
  await answered('importPackage', '--body', zip);
  const { day } = await answered('getDayReport');
  const registry = file('registry.csv', 'order;Sum\nelsewhere;1\n');
  const columns = '{"order": "order", "amount": "Sum"}';
  const { payments, differences } = await answered(
    'reconcile',
    '--from',
    day,
    '--file',
    registry,
    '--columns',
    columns,
  );
  assert.equal([payments, differences.length], [0, 1]);
});

test('what is typed wrong ends with 2, names what would be right, and nothing is asked', async () => {
  const broken = file('broken.json', '{"items": [');
  const wrong = file('wrong.csv', 'id,price\n4011,cheap\n');
  for (const [args, words] of [
    [['getPayments'], /there is no operation "getPayments" \(did you mean \w+\?\): lanectl call lists them\n/],
    [['x'.repeat(50)], /there is no operation "x{50}": lanectl call lists them/],
    [['getPayment'], /^lanectl: missing: --id\n/],
    [['getPayment', '7'], /too many arguments[\s\S]*says what it takes, each as --name value/],
    [['getPayment', '--id', ''], /--id <value>: "" cannot be used\. It must be the name of what is meant\./],
    [['getPayment', '--id', '..'], /It must be the name of what is meant\./],
    [['getPayment', '--di', '7'], /unknown option '--di'\n\(Did you mean --id\?\)\n\(lanectl call getPayment --help/],
    [['getPayment', '--id'], /--id <value>: its value is missing/],
    [['createPayment'], /^lanectl: missing: --amount \(or --body\)\n/],
    [['createPayment', '--amount', '12.5'], /"12\.5" cannot be used\. It must be a whole number\./],
    [['refundPayment', '--id', '1', '--amount', 'much'], /It must be a whole number or all\./],
    [['findPayments', '--late', 'yes'], /It must be true or false\./],
    [['findPayments', '--state', 'paid'], /It must be one of EMPTY, ERROR,/],
    [['changeItem', '--id', '4011', '--barcodes', '4006381333931'], /It must be a list in JSON or null\./],
    [['setCalib', '--top', 'x'], /It must be a number\./],
    [
      ['reconcile', '--from', '2026-11-21', '--file', broken, '--columns', 'Sum'],
      /It must be an object in JSON or null/,
    ],
    [['reconcile', '--from', '2026-11-21', '--file', '/none'], /\/none cannot be read: there is no such file/],
    [['putItemPicture', '--id', '4011'], /^lanectl: missing: --body\n/],
    [['putItemPicture', '--id', '4011', '--body', '/none'], /\/none cannot be read: there is no such file\n/],
    [
      ['changeItem', '--id', '4011', '--price', '1', '--body', broken],
      /'--price <value>' cannot be used with .*--body/,
    ],
    // what the device finds
    [['createPayment', '--amount', '0'], /amount must be at least 1 kopeck/],
    [['findPayments', '--day', '2026-02-30'], /day must be a day of the calendar/],
    [['importItems', '--body', broken], /no JSON/],
    [['importItems', '--body', wrong], /line 2: price must be kopecks/],
  ] as const) {
    const { code, stdout, stderr } = await run(...args);
    assert.equal([code, stdout], [EXIT_CODES.usage, ''], `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, words);
  }
});

test('a refusal ends with 4, a wrong token with 5, no answer with 3, a refusing receiver with 9', async () => {
  const missing = await run('getPayment', '--id', 'nobody', '--json');
  assert.equal([missing.code, JSON.parse(missing.stdout).error.code], [EXIT_CODES.refused, 'Payments.NotFound']);
  // an older call says so in an HTTP 200
  const forgotten = await ends('refused', run('deleteItemTemplate', '--id', '1', '--sid', 'none', '--json'));
  assert.ok(JSON.parse(forgotten.stdout).error.code < 0, forgotten.stdout);
  await using guarded = await scripted(answering(401, { detail: 'the token is wrong', code: 'RequestParams.Token' }));
  const leading = { ...guarded.env, LANEWARE_TOKEN: 'made-up-wrong-one' };
  await ends('unauthorised', lanectlHere(['call', 'getPayment', '--id', '1'], leading));
  await ends('unreachable', run('getVersion', '--url', `http://127.0.0.1:${await freePort()}`));

  await using receiver = await TestReceiver.open();
  receiver.answer = (response) => response.writeHead(503).end();
  const addresses = JSON.stringify([{ url: receiver.url, secret: SECRET }]);
  await using hooked = await startTestDevice({ LANEWARE_TERMINAL_WEBHOOKS: addresses });
  const [{ id }] = (await call(`${hooked.terminal}/v1/webhooks`)).body.webhooks;
  const sent = async () => (await lanectlHere(['call', 'testWebhook', '--id', id], leadingTo(hooked))).code;
  assert.is(await sent(), EXIT_CODES.faults);
  receiver.answer = OK;
  assert.is(await sent(), 0);
});

/** A device whose documents are read, and whose other calls are answered so. */
const dying = (reply: (call: string, key: unknown) => 'hang up' | 'begin') =>
  createServer(({ method, url, headers }, response) => {
    const document = join(ROOT, 'firmware/payments/openapi.json');
    const type = { ...MARK, 'content-type': 'application/json' };
    if (url === '/openapi.json') return void response.writeHead(200, type).end(readFileSync(document));
    if (url === '/health') return void response.writeHead(200, type).end('{"health": {}}');
    if (reply(`${method} ${url}`, headers['idempotency-key']) === 'hang up') return void response.destroy();
    return void response.writeHead(200, { ...MARK, 'content-length': '1000' }).write('id,na', () => response.destroy());
  });

test('a call with a key whose answer is lost is sent again with it, and names it', async () => {
  const keys: unknown[] = [];
  const server = dying((_, key) => {
    keys.push(key);
    if (keys.length === 3) server.close(() => undefined).closeAllConnections();
    return 'hang up';
  });
  await using at = await listening(server);
  const leading = { LANEWARE_URL: at.url, LANEWARE_RECOGNITION_URL: at.url };
  const { mock } = await import('node:test');
  const now = performance.now.bind(performance);
  mock.method(performance, 'now', () => now() + (keys.length > 2 ? 60_000 : 0));
  using _end = atEnd(() => mock.reset());
  const { stderr } = await ends('undecided', lanectlHere(['call', 'closeShift'], leading));
  assert.ok(keys.length === 3 && new Set(keys).size === 1, String(keys));
  assert.match(stderr, `the same command with --idempotency-key ${keys[0]} says what became of it`);
});

test('an answer that breaks off ends with 3, and leaves the file that was there', async () => {
  await using at = await listening(dying(() => 'begin'));
  using own = temporaryFolder();
  const kept = join(own.path, 'day.csv');
  writeFileSync(kept, 'good');
  const leading = { LANEWARE_URL: at.url, LANEWARE_RECOGNITION_URL: at.url };
  const { code, stderr } = await lanectlHere(['call', 'getDayReport', '--format', 'csv', '--output', kept], leading);
  assert.equal([code, readFileSync(kept, 'utf8')], [EXIT_CODES.unreachable, 'good']);
  assert.match(stderr, /^lanectl: the connection is lost: /);
  assert.equal(readdirSync(own.path), ['day.csv']);
});

test.run();
