/** `lanectl watch`: each event once, in order, and a gap where some are no longer kept. */
import { createServer } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort, listening } from '../ports.ts';
import { pick, setUp, startTestDevice } from '../support.ts';
import { ends, lanectl, leadingTo } from './lanectl.ts';
import { MARK } from './stand-in.ts';
import { paid, SALE } from './watched-sale.ts';

const test = suite('lanectl watch');

test('events are printed in order, from where a program was, the wanted ones, up to the number', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const env = leadingTo(device);
  await paid(device, 12_345);
  const all = await ends('ok', lanectl(['watch', '--after', '0', '--count', '3', '--json'], { env }));
  const events = all.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(pick(events, 'type'), SALE);
  assert.is(events[2].payment.amount, 12_345);
  const rest = await lanectl(['watch', '--after', String(events[1].number), '--count', '1'], { env });
  assert.match(rest.stdout, /^\d\d:\d\d:\d\d payment\.accepted 123\.45 roubles, payment 1\n$/);
  const some = await lanectl(['watch', '--after', '0', '--types', 'payment.accepted', '--count', '1', '--json'], {
    env,
  });
  assert.is(JSON.parse(some.stdout).number, events[2].number);
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
  const { stdout, stderr } = await ends(
    'ok',
    lanectl(['watch', '--after', '3', '--count', '2', '--json', '--url', at.url]),
  );
  const numbers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).number);
  const heard = [numbers, asked];
  assert.equal(heard, [
    [5, 6],
    ['3', '5'],
  ]);
  assert.match(stderr, /events between 3 and 4 are missing \(pruned\)/);
});

test('a device that has never answered is a wrong address', async () => {
  await ends('unreachable', lanectl(['watch', '--url', `http://127.0.0.1:${await freePort()}`]));
});

test.run();
