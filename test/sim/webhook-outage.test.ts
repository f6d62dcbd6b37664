/**
 * The receiver of a webhook is down for an hour in which a lane sells, and comes back: the real process, at a clock that runs faster.
 *
 *   SALES=200 node test/sim/webhook-outage.test.ts    prints how long it took, by the clock of the lane
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Program } from '../process.ts';
import { call, temporaryFolder, until } from '../support.ts';
import { untilAccepted } from '../terminal/device-calls.ts';

const test = suite('the simulated lane: a receiver that is down');

const SALES = Number(process.env.SALES ?? 5);
const HOUR_S = 3600;
/** Minutes: longer than a sale takes at that speed. */
const TTL = 129_600;
const SPEED = 600;
/** Of a sale that is paid. */
const TYPES = ['payment.created', 'payment.shown', 'payment.accepted'];

/** Takes all that comes: number of the event, and when it was sent, by the clock of the lane in seconds. */
async function listen(port: number) {
  const taken: { number: number; type: string; at: number }[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const [number, type, signature] = ['id', 'type', 'signature'].map((of) =>
      String(request.headers[of === 'signature' ? 'laneware-signature' : `laneware-event-${of}`]),
    );
    taken.push({ number: Number(number), type: String(type), at: Number(/^t=(\d+)/.exec(signature ?? '')?.[1]) });
    response.writeHead(204).end();
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { taken, port: (server.address() as AddressInfo).port, close };
}

test(`all events of ${SALES} sales in that hour come, in order, once it is back`, async () => {
  using folder = temporaryFolder();
  const before = await listen(0);
  const { port } = before;
  await before.close();
  const address = { url: `http://127.0.0.1:${port}/events`, secret: 'made-up-secret-of-a-receiver' };
  const ports = ['--port', '--recognition-port', '--bank-port', '--control-port'].flatMap((port) => [port, '0']);
  await using program = new Program(['firmware/tools/sim/main.ts', '--speed', `${SPEED}`, ...ports], {
    LANEWARE_TERMINAL_WEBHOOKS: JSON.stringify([address]),
    LANEWARE_MODEL_MANIFEST: '/nonexistent/no-model.json',
    LANEWARE_LOG_LEVEL: 'silent',
    TMPDIR: folder.path,
  });
  const { terminal, control } = await program.line((line) =>
    'control' in line ? (line as unknown as { terminal: string; control: string }) : null,
  );
  const clock = async (): Promise<number> => Date.parse((await call(`${control}/clock`)).body.now) / 1000;
  const began = await clock();
  for (let sale = 1; sale <= SALES; sale += 1) {
    await call(`${terminal}/showQR`, { json: { amount: 10_000 + sale * 100, purpose: `sale ${sale}`, ttl: TTL } });
    await call(`${control}/payer/pay`, { method: 'POST' });
    await untilAccepted({ terminal });
  }
  await until('the hour is over', async () => (await clock()) - began >= HOUR_S);
  const [waiting] = (await call(`${terminal}/v1/webhooks`)).body.webhooks;
  assert.is(waiting.waiting, SALES * TYPES.length);
  const back = await clock();
  const receiver = await listen(port);
  const whole = SALES * TYPES.length;
  await until('all events', () => receiver.taken.length >= whole);
  await until('that is noted', async () => (await call(`${terminal}/v1/webhooks`)).body.webhooks[0].waiting === 0);
  const deliveries: { event: number; attempts: number; state: string }[] = [];
  for (let cursor = ''; deliveries.length < whole; ) {
    const { body } = await call(`${terminal}/v1/webhooks/deliveries?limit=100${cursor}`);
    deliveries.push(...body.deliveries);
    cursor = `&cursor=${body.cursor}`;
  }
  await receiver.close();
  const numbers = receiver.taken.map(({ number }) => number);
  const inOrder = numbers.toSorted((one, other) => one - other);
  assert.equal(numbers, inOrder);
  assert.equal([numbers.length, new Set(numbers).size], [whole, whole], 'each once');
  const types = receiver.taken.map(({ type }) => type);
  assert.equal(types, Array.from({ length: SALES }, () => TYPES).flat());
  const attempts = deliveries.toReversed().map(({ attempts: made }) => made);
  const [first = 0, ...others] = attempts;
  // fewer where the machine is slow: an attempt takes its time, and the clock of the lane runs on
  assert.ok(first > 1 && first <= 20, `${first} attempts of the first one: more and more seldom`);
  const isEachOnce = others.every((made) => made === 1);
  assert.ok(isEachOnce, `the others wait for it: ${others}`);
  const after = (place: number): number => Math.round((receiver.taken.at(place)?.at ?? 0) - back);
  if (process.env.SALES !== undefined)
    console.log(
      JSON.stringify({
        events: whole,
        downS: Math.round(back - began),
        firstS: after(0),
        lastS: after(-1),
        attempts: first,
      }),
    );
});

test.run();
