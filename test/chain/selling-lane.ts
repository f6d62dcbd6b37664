/**
 * A slave that does nothing but sell and send what it has sold to the chain, over the product's own outbox, stream and connection.
 * It says of each event when it is on its disk, and up to which one the chain has all. A sale is a day long: what counts as sent
 * is soon old enough to be let go, so what was counted wrongly is lost for good. A line on its input ends it.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ChainLink } from '../../firmware/chain/link.ts';
import { PaymentStream } from '../../firmware/chain/payment-stream.ts';
import { connectTo } from '../../firmware/sync/centre/connect.ts';
import { encodePart, inboxOf } from '../../firmware/sync/centre/subjects.ts';
import { SyncError } from '../../firmware/sync/errors.ts';
import { Ledger } from '../../firmware/terminal/ledger/ledger.ts';
import type { PaymentRow } from '../../firmware/terminal/ledger/payment-row.ts';
import { EventFeed } from '../../firmware/terminal/webhooks/event-feed.ts';
import { Outbox } from '../../firmware/terminal/webhooks/outbox.ts';

export interface SellingLane {
  readonly folder: string;
  readonly serial: string;
  readonly port: number;
  readonly certificate: string;
  readonly seed: string;
  /** Between two sales. */
  readonly everyMs: number;
}

/** As `scale` of the stream: a minute of it is three seconds here. */
const SCALE = 0.05;
const DAY_MS = 86_400_000;
const LIMIT_MS = 3000;
const CONNECT_AGAIN_MS = 50;
const LOOK_MS = 20;

const { folder, serial, port, certificate, seed, everyMs }: SellingLane = JSON.parse(process.argv[2] ?? '');
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const clock = {
  bootId: 'boot',
  today: 0,
  wall: () => clock.today,
  monotonic: () => DAY_MS + performance.now() / SCALE,
};
const ledger = Ledger.open({ path: join(folder, 'ledger.db'), secondFolder: null, now: clock.wall });
const outbox = new Outbox(ledger, { clock, describe: ({ orderId }) => ({ id: orderId }) });
clock.today = Math.max(outbox.last, Date.parse('2026-11-20'));
const feed = new EventFeed({
  ...{ outbox, clock, takeRefunds: () => undefined },
  deliveredTo: () => stream.deliveredTo,
  log: (message, details) => say({ message, ...details }),
});
const nameOf = (event: string): string => Buffer.from(`${serial} ${event}`).toString('base64url');
const link = new ChainLink({ part: encodePart(serial), nameOf, limitMs: LIMIT_MS });
const stream = new PaymentStream({
  ...{ feed, link, clock, scale: SCALE, path: join(folder, 'chain-payments.json') },
  log: (message, details) => say({ message, ...details }),
});

async function keepConnecting(): Promise<never> {
  const address = { host: '127.0.0.1', port };
  const credential = { kind: 'key', seed } as const;
  for (;;) {
    try {
      const connection = await connectTo({ address, certificate, credential, inboxPrefix: inboxOf(serial) });
      link.follow(connection);
      await connection.closed();
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
    }
    await pause(CONNECT_AGAIN_MS);
  }
}

function sell(): void {
  clock.today += DAY_MS;
  outbox.appendRefund(['payment.created'], { orderId: `${serial}-${clock.today}` } as PaymentRow, {});
  say({ sold: outbox.last });
}

async function keepSelling(isOver: () => boolean): Promise<void> {
  let sentTo: number | null = null;
  for (let next = 0; !isOver() || stream.deliveredTo !== outbox.last; await pause(LOOK_MS)) {
    // a device of which the chain has nothing yet keeps nothing for it
    if (!isOver() && performance.now() >= next && (stream.state.sentTo !== null || outbox.last === outbox.lostTo)) {
      sell();
      next = performance.now() + everyMs;
    }
    if (stream.state.sentTo !== sentTo) {
      sentTo = stream.state.sentTo;
      say({ sentTo });
    }
  }
}

let isOver = false;
void once(process.stdin, 'data').then(() => {
  isOver = true;
});
feed.start();
stream.start();
void keepConnecting();
await keepSelling(() => isOver);
say({ done: outbox.last });
await stream.close();
process.exit(0);
