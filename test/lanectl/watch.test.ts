/** `lanectl watch`: each event once, in order, over restarts of the device and of the watch itself. */
import { createServer } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/lanectl/exit-codes.ts';
import { missingPrograms, needing } from '../needing.ts';
import { freePort, listening } from '../ports.ts';
import { startFirmware, type Urls } from '../process.ts';
import { call, setUp, startTestDevice, temporaryFolder, until } from '../support.ts';
import { lanectl, leadingTo, start } from './lanectl.ts';
import { MARK } from './stand-in.ts';

const test = suite('lanectl watch');
const onTerminal = needing(missingPrograms('script'), 'a terminal', test);

/** A sale that the customer pays. */
async function sell({ terminal, sandbox }: Pick<Urls, 'terminal' | 'sandbox'>, amount: number): Promise<void> {
  assert.is((await call(`${terminal}/showQR`, { json: { amount } })).status, 200);
  const [{ qrcId }] = (await call(`${sandbox}/sandbox/payments`)).body;
  await call(`${sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
  // read by the till, so that it is not reported as late
  const status = async () => (await call(`${terminal}/getDynamicQRStatus`)).body.dynamicQRStatus;
  await until('ACCEPTED', async () => (await status()) === 'ACCEPTED');
}

const SALE = ['payment.created', 'payment.shown', 'payment.accepted'];

test('events are printed in order, those of before from where a program has got to, only wanted ones, and so many', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const env = leadingTo(device);
  await sell(device, 12_345);
  const all = await lanectl(['watch', '--after', '0', '--count', '3', '--json'], { env });
  assert.is(all.code, 0, all.stderr);
  const events = all.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(
    events.map(({ type }) => type),
    SALE,
  );
  assert.is(events[2].payment.amount, 12_345);
  const rest = await lanectl(['watch', '--after', String(events[1].number), '--count', '1'], { env });
  assert.match(rest.stdout, /^\d\d:\d\d:\d\d payment\.accepted 123\.45 roubles, payment 1\n$/);
  const some = await lanectl(['watch', '--after', '0', '--types', 'payment.accepted', '--count', '1', '--json'], {
    env,
  });
  assert.is(JSON.parse(some.stdout).number, events[2].number);
});

test('across a restart of the device the watch loses no event and prints none twice', async () => {
  using folder = temporaryFolder();
  const settings = {
    LANEWARE_TERMINAL_PORT: String(await freePort()),
    LANEWARE_RECOGNITION_PORT: String(await freePort()),
    LANEWARE_SANDBOXBANK_PORT: String(await freePort()),
    LANEWARE_TERMINAL_POLLFIRSTMS: '30',
  };
  const first = await startFirmware(folder.path, { settings });
  await setUp(first.urls);
  await using running = start(['watch', '--json', '--after', '0'], { env: leadingTo(first.urls) });
  await sell(first.urls, 100);
  await until('the first sale', () => running.lines().length === SALE.length);
  await first.program.kill('SIGKILL');
  const second = await startFirmware(folder.path, { settings });
  await using _second = second.program;
  // the watch is not connected yet: it gets these events when the connection is back
  await sell(second.urls, 200);
  await until('the second sale', () => running.lines().length >= 2 * SALE.length);
  running.signal('SIGINT');
  assert.is((await running.ended).code, EXIT_CODES.interrupted);
  const printed = running.lines();
  assert.equal(
    printed.map(({ type }) => type),
    [...SALE, ...SALE],
  );
  const numbers = printed.map(({ number }) => number);
  assert.equal(
    numbers,
    [...new Set(numbers)].sort((one, other) => one - other),
  );
});

test('an event that comes twice is printed once, and events no longer kept are printed as a gap', async () => {
  const asked: unknown[] = [];
  const payment = { number: 1, purpose: null, error: null, amount: 100 };
  const event = (number: number) =>
    `id: ${number}\nevent: payment.accepted\ndata: ${JSON.stringify({ number, type: 'payment.accepted', at: '2026-11-21T10:00:00Z', payment })}\n\n`;
  const gap = 'event: gap\ndata: {"reason":"pruned","after":3,"from":4}\n\n';
  const server = createServer((request, response) => {
    asked.push(request.headers['last-event-id']);
    response.writeHead(200, { ...MARK, 'content-type': 'text/event-stream' });
    response.end(asked.length === 1 ? `${gap}${event(5)}${event(5)}` : `: a comment\n\n${event(5)}${event(6)}`);
  });
  await using at = await listening(server);
  const { code, stdout, stderr } = await lanectl(['watch', '--after', '3', '--count', '2', '--json', '--url', at.url]);
  assert.is(code, 0);
  const numbers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).number);
  assert.equal(
    [numbers, asked],
    [
      [5, 6],
      ['3', '5'],
    ],
  );
  assert.match(stderr, /events between 3 and 4 are missing \(pruned\)/);
});

test('a device that has never answered is a wrong address', async () => {
  const { code } = await lanectl(['watch', '--url', `http://127.0.0.1:${await freePort()}`]);
  assert.is(code, EXIT_CODES.unreachable);
});

onTerminal('Ctrl-C on a terminal ends the watch', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await using running = start(['watch'], { env: leadingTo(device), terminal: true });
  await until('the connection', () => running.text().includes('waiting for events'));
  await sell(device, 100);
  await until('the sale', () => /payment\.accepted.* 1\.00 roubles, payment 1/.test(running.text()));
  running.signal('SIGINT');
  assert.is((await running.ended).code, EXIT_CODES.interrupted);
});

test.run();
