/** The sale in JavaScript of till.md, as it stands, and the sample that follows events, where things go wrong: each has an end, and says what the cashier must know. */
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listening } from '../ports.ts';
import { Program } from '../process.ts';
import { ROOT } from '../root.ts';
import { call, each, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { blocksOf, read } from './pages.ts';

const test = suite('sales of the documents');
const folder = temporaryFolder();
test.after(() => folder[Symbol.dispose]());

const TILL =
  blocksOf(read('docs/till.md')).find(({ language, text }) => language === 'js' && text.startsWith('const device = '))
    ?.text ?? '';

/** A sample with its minutes of another length, or another amount. Each must stand in it. */
function changed(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((all, [was, is]) => {
    assert.ok(all.includes(was), was);
    return all.replaceAll(was, is);
  }, text);
}

let programs = 0;
function started(text: string, url: string): Program {
  programs += 1;
  const file = join(folder.path, `sale-${programs}.mjs`);
  writeFileSync(file, text.replaceAll('http://127.0.0.1:1234', url));
  return new Program([file, '100'], { HOME: folder.path });
}

/** A device with scripted answers: the last one is repeated. */
async function answering(...answers: readonly (readonly [status: number, body: object])[]) {
  const asked: string[] = [];
  const server = createServer(({ method, url }: IncomingMessage, answer) => {
    const [status, body] = answers[Math.min(asked.push(`${method} ${url}`), answers.length) - 1] ?? [500, {}];
    answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return { ...(await listening(server)), asked };
}

const paid = { id: 'order-1', state: 'ACCEPTED', silence: null };
const problem = (code: string, more: object = {}) => ({ code, detail: `what ${code} says`, ...more });
const BUSY = problem('RequestParams.TooMany');

test('till.md: a failure that may pass is shown to the cashier, and the same sent again', async () => {
  await using device = await answering([503, BUSY], [500, problem('Internal.UnexpectedError')], [201, paid]);
  const till = started(TILL, device.url);
  assert.is((await till.exited).code, 0, till.errors);
  assert.match(till.output, /^not yet: what RequestParams.TooMany says\nnot yet: what Internal.*\norder-1 is paid\n$/);
  assert.is(device.asked.length, 3);
});

test('till.md: a key that is used up is not sent again', async () => {
  for (const [status, code] of [
    [500, 'Internal.UnexpectedError'],
    [503, 'Bank.Unreachable'],
  ] as const) {
    await using device = await answering([status, problem(code, { repeat: false })], [201, paid]);
    const till = started(TILL, device.url);
    assert.is((await till.exited).code, 1, till.output);
    assert.match(till.errors, new RegExp(`${code}: what ${code} says`));
    assert.is(device.asked.length, 1);
  }
});

test('till.md: while the bank is silent the cashier is asked to hand nothing out', async () => {
  const open = { ...paid, state: 'PENDING' };
  const silent = { ...open, silence: { code: 'Bank.Unreachable', detail: 'the bank cannot be reached' } };
  await using device = await answering([201, open], [200, silent], [200, paid]);
  const till = started(TILL, device.url);
  assert.is((await till.exited).code, 0, till.errors);
  assert.is(till.output, 'hand nothing out yet: the bank cannot be reached\norder-1 is paid\n');
});

test('till.md: what does not pass has an end', async () => {
  await using device = await answering([503, BUSY]);
  const till = started(changed(TILL, { 'MINUTE_MS = 60_000': 'MINUTE_MS = 1' }), device.url);
  assert.is((await till.exited).code, 1, till.output);
  assert.match(till.errors, /RequestParams.TooMany: what/);
});

async function onDevice(run: (device: TestDevice) => Promise<void>): Promise<void> {
  await using device = await startTestDevice();
  await setUp(device);
  await run(device);
}
const it = each<[TestDevice]>(test, (run) => () => onDevice(run));

/** A customer is waited for in milliseconds. */
const HASTY = { 'MINUTE_MS = 60_000': 'MINUTE_MS = 500', 'amount: 9900': 'amount: 5003', 'wait=25': 'wait=1' };

it('till.md: at a silent bank the till takes the payment back in the end', async (device) => {
  const till = started(changed(TILL, HASTY), device.terminal);
  assert.is((await till.exited).code, 0, till.errors);
  assert.match(till.output, /not paid: CANCELED/);
});

it('till.md: where the bank does not take it back either, the till says that it is unknown', async (device) => {
  const faults = [{ call: 'cancel', kind: 'drop-before', times: 50 }];
  await call(`${device.sandbox}/sandbox/faults`, { json: { faults } });
  const till = started(changed(TILL, HASTY), device.terminal);
  assert.is((await till.exited).code, 1, till.output);
  assert.match(till.errors, /\S+: unknown whether it is paid/);
});

it('README: a sale that was read as paid holds up no showQR after it', async (device) => {
  const [, path = ''] = /^curl '?http:\/\/127\.0\.0\.1:1234(\/v1\/payments[^'\s]*)/m.exec(read('README.md')) ?? [];
  const sale = { json: { amount: 12_316, purpose: 'Apples' }, headers: { 'idempotency-key': 'sale-1' } }; // pays itself
  assert.is((await call(`${device.terminal}/v1/payments`, sale)).status, 201);
  await until('it is paid', async () => (await call(device.terminal + path)).text.includes('"state":"ACCEPTED"'));
  const next = await call(`${device.terminal}/showQR`, { json: { amount: 9900, purpose: 'Bread' } });
  assert.is(next.status, 200, next.text);
});

const followed = (device: TestDevice, amount: number, more: Readonly<Record<string, string>> = {}): Program =>
  new Program([join(ROOT, 'clients/samples/events.mjs'), String(amount), 'Tea'], {
    ...{ HOME: folder.path, LANEWARE_URL: device.terminal },
    ...more,
  });
const PAYS_ITSELF = 4216;

/** A device whose stream brings no news. @param sold what it answers to the sale, each time that it comes @param found to a reading */
const withoutNews = (stream: (answer: ServerResponse) => void, sold: readonly object[], found: object) => {
  const sales = sold.values();
  const server = createServer(({ method, url = '' }: IncomingMessage, answer) => {
    if (url.startsWith('/v1/events')) return stream(answer);
    const body = method === 'GET' ? found : (sales.next().value ?? sold.at(-1));
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return listening(server);
};
const EVENTS = read('clients/samples/events.mjs');
const open = { ...paid, state: 'PENDING' };

test('events.mjs: a payment of which no event comes is looked at in the end', async () => {
  const refuse = (answer: ServerResponse) => answer.writeHead(503).end();
  await using device = await withoutNews(refuse, [open], paid);
  const till = started(changed(EVENTS, { '(sale.ttl + 2) * 60': '1' }), device.url);
  assert.is((await till.exited).code, 0, till.errors);
  assert.is(till.output, 'paid: order-1\n');
});

test('events.mjs: a stream that falls silent is begun anew', async () => {
  const fallSilent = (answer: ServerResponse) => answer.writeHead(200).write('id: 1\nevent: hello\ndata: {}\n\n');
  await using device = await withoutNews(fallSilent, [open, open, paid], open);
  const till = started(changed(EVENTS, { 'STREAM_MS = 20_000': 'STREAM_MS = 300' }), device.url);
  assert.is((await till.exited).code, 0, till.errors);
  assert.is(till.output, 'paid: order-1\n');
});

it('events.mjs: two same sales in a row are paid one after the other, each once', async (device) => {
  for (const sales of [1, 2]) {
    const till = followed(device, PAYS_ITSELF);
    assert.is((await till.exited).code, 0, till.errors);
    assert.match(till.output, /^paid: \S+\n$/);
    assert.is((await call(`${device.sandbox}/sandbox/payments`)).body.length, sales);
  }
});

it('events.mjs: a payment before that no till has read holds up no sale with a key of its own', async (device) => {
  const json = { amount: PAYS_ITSELF, purpose: 'Tea' };
  const { body: before } = await call(`${device.terminal}/v1/payments`, {
    json,
    headers: { 'idempotency-key': 'k' },
  });
  // the overview of the pages is not read by a till
  await until('it is paid', async () => {
    const { body } = await call(`${device.recognition}/console/api/overview`);
    return body.recent[0].state === 'ACCEPTED';
  });
  const till = followed(device, PAYS_ITSELF);
  assert.is((await till.exited).code, 0, till.errors);
  assert.match(till.output, /^paid: \S+\n$/);
  assert.not.match(till.output, before.id);
  assert.is((await call(`${device.sandbox}/sandbox/payments`)).body.length, 2);
});

it('events.mjs: at a silent bank the sale has an end, and its outcome is unknown', async (device) => {
  const till = followed(device, 5003, { LANEWARE_WAIT_S: '1' });
  assert.is((await till.exited).code, 2, till.errors);
  assert.match(till.output, /^PENDING: /);
});

it('events.mjs: a declined payment is not paid, and a refusal is printed', async (device) => {
  const declined = followed(device, 5001);
  assert.is((await declined.exited).code, 1, declined.errors);
  assert.match(declined.output, /^REJECTED: /);
  const refused = followed(device, 0);
  assert.is((await refused.exited).code, 2);
  assert.match(refused.errors, /RequestParams\.InvalidField: amount must be/);
});

test.run();
