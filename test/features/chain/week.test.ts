/**
 * A week without the line, in accelerated time: a real server that is away, a lane that sells all the while. With a number behind
 * it, of so many payments: `node test/features/chain/week.test.ts 20000`.
 */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PaymentStream } from '../../../firmware/features/chain/payment-stream.ts';
import { Uplink } from '../../../firmware/features/chain/uplink.ts';
import { KEPT_MS } from '../../../firmware/payments/events/outbox.ts';
import { PENDING_EXAMPLE } from '../../../firmware/payments/http/payment-schemas.ts';
import { needing } from '../../needing.ts';
import { temporaryFolder, until } from '../../support.ts';
import { openFeed } from '../../terminal/event-rig.ts';
import { NO_SERVER, startServer } from './nats.ts';

const week = suite('chain: a week without the line');
const test = needing(NO_SERVER, 'chain: a week without the line', week);

const PAYMENTS = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 1000);
const STATES = ['PENDING', 'ACCEPTED'] as const;

test(`${PAYMENTS} payments are sold while the line is down, and all of them are at the chain afterwards, each once`, async () => {
  using folder = temporaryFolder();
  await using server = await startServer();
  await server.makeStreams();
  const open: { stream: PaymentStream | null } = { stream: null };
  const lane = openFeed(() => open.stream?.deliveredTo ?? 0);
  const speaker = { serial: 'LW1', nameOf: (event: string) => event.replace('\n', '/') };
  const log = { info: () => undefined, warn: () => undefined };
  const link = new Uplink(
    { urls: [server.url], credentials: server.admit('M1'), caFile: null },
    ...([speaker, { clock: lane.clock, log, scale: 0.05 }] as const),
  );
  link.start();
  const start = (): void => {
    open.stream = new PaymentStream(
      join(folder.path, 'chain-payments.json'),
      lane.feed,
      link,
      { clock: lane.clock, device: 'LW1' },
      () => undefined,
      0.05,
    );
    open.stream.start();
  };
  /** An event as the ledger writes it, with all fields of a payment. */
  const write = (orderId: string, state: string): void => {
    const body = JSON.stringify({ payment: { ...PENDING_EXAMPLE, id: orderId, state } });
    lane.write(orderId, 'payment.created', body);
  };
  lane.write('first', 'payment.created');
  start();
  lane.feed.start();
  await until('the first', () => open.stream?.deliveredTo === lane.outbox.last || null);
  await server.stop();
  for (let number = 0; number < PAYMENTS; number++) {
    for (const state of STATES) write(`order-${number}`, state);
    lane.clock.now += KEPT_MS / PAYMENTS;
    if (number % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    // the lane loses power now and then, too
    if (number % 400 === 399) {
      await open.stream?.close();
      start();
    }
  }
  lane.clock.now += KEPT_MS;
  lane.feed.close();
  lane.feed.start(); // events that are old and not needed go now
  await server.start();
  await until('all to be sent', () => open.stream?.deliveredTo === lane.outbox.last || null);
  await open.stream?.close();
  await link.close();
  lane.feed.close();
  const told = (await server.messagesOf('EVENTS')).map(({ body }) => JSON.parse(body)).slice(1);
  assert.is(told.length, PAYMENTS * STATES.length);
  assert.is(new Set(told.map(({ number }) => number)).size, told.length);
  const last = new Map(told.map(({ payment }) => [payment.id, payment.state]));
  assert.equal([last.size, new Set(last.values())], [PAYMENTS, new Set(['ACCEPTED'])]);
});

week.run();
