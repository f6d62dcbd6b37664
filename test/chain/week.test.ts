/**
 * A week without the line, in accelerated time: a real hub that is away, a real store, a lane that sells all the while. With a
 * number behind it, of so many payments: `node test/chain/week.test.ts 20000`.
 */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PaymentStream } from '../../firmware/chain/payment-stream.ts';
import { PENDING_EXAMPLE } from '../../firmware/terminal/http/payment-schemas.ts';
import type { PaymentRow } from '../../firmware/terminal/ledger/payment-row.ts';
import { KEPT_MS } from '../../firmware/terminal/webhooks/outbox.ts';
import { pairOf } from '../../scripts/chain/keys.ts';
import { readPayments } from '../../scripts/chain/payments.ts';
import { needing } from '../needing.ts';
import { temporaryFolder, until } from '../support.ts';
import { startMaster } from '../sync/real-rig.ts';
import { openFeed } from '../terminal/event-rig.ts';
import { joinChain, NO_HUB, startHub } from './hub.ts';

const week = suite('chain: a week without the line');
const test = needing(NO_HUB, 'chain: a week without the line', week);

const PAYMENTS = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 1000);
const STATES = ['PENDING', 'ACCEPTED'] as const;

test(`${PAYMENTS} payments are sold while the line is down, and all of them are at the centre afterwards, each once`, async () => {
  using folder = temporaryFolder();
  await using hub = await startHub();
  await using master = await startMaster('MW');
  await joinChain(master, await hub.admit('W'));
  const open: { stream: PaymentStream | null } = { stream: null };
  const lane = openFeed(() => open.stream?.deliveredTo ?? 0);
  const start = (): void => {
    open.stream = new PaymentStream({
      path: join(folder.path, 'chain-payments.json'),
      ...{ feed: lane.feed, link: master.chain.link, clock: lane.clock },
      log: () => undefined,
      scale: 0.05,
    });
    open.stream.start();
  };
  /** An event as the ledger writes it, with all fields of a payment. */
  const write = (orderId: string, state: string): void => {
    const body = JSON.stringify({ payment: { ...PENDING_EXAMPLE, id: orderId, state } });
    lane.db
      .prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)')
      .run(lane.outbox.last + 1, lane.clock.wall(), 'payment.created', orderId, body);
  };
  lane.outbox.appendRefund(['payment.created'], { orderId: 'first' } as PaymentRow, {});
  start();
  lane.feed.start();
  await until('the first', () => open.stream?.state.sentTo !== null || null);
  const [server] = hub.servers;
  await server?.stop();
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
  server?.start();
  await hub.ready();
  await until('all to be sent', () => open.stream?.deliveredTo === lane.outbox.last || null);
  await open.stream?.close();
  lane.feed.close();
  await using connection = await hub.asChain();
  const account = pairOf(hub.folder().store('W').seed).getPublicKey();
  const { payments, gaps } = await readPayments(connection, { account, since: null });
  assert.equal(gaps, []);
  assert.is(payments.length, PAYMENTS);
  assert.is(new Set(payments.map(({ payment }) => payment.id)).size, PAYMENTS);
  assert.ok(payments.every(({ payment }) => payment.state === 'ACCEPTED'));
});

week.run();
