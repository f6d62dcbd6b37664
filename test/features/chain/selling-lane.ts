/**
 * A device that does nothing but sell and send what it has sold to the chain, over the product's own outbox, stream and connection.
 * It says of each event when it is on its disk, and up to which one the chain has all. A sale is a day long: what counts as sent
 * is soon old enough to be let go, so what was counted wrongly is lost for good. A line on its input ends it.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PaymentStream } from '../../../firmware/features/chain/payment-stream.ts';
import { Uplink } from '../../../firmware/features/chain/uplink.ts';
import { EventFeed } from '../../../firmware/payments/events/event-feed.ts';
import { Outbox } from '../../../firmware/payments/events/outbox.ts';
import { Money } from '../../../firmware/payments/money/money.ts';

export interface SellingLane {
  readonly folder: string;
  readonly serial: string;
  /** As `chain` of the configuration. */
  readonly chain: { readonly urls: string[]; readonly credentials: string; readonly caFile: string | null };
  /** Between two sales. */
  readonly everyMs: number;
}

/** As `scale` of the stream: a minute of it is three seconds here. */
const SCALE = 0.05;
const DAY_MS = 86_400_000;
const POLL_MS = 20;

const { folder, serial, chain, everyMs }: SellingLane = JSON.parse(process.argv[2] ?? '');
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const clock = {
  bootId: 'boot',
  today: 0,
  wall: () => clock.today,
  monotonic: () => DAY_MS + performance.now() / SCALE,
};
const { payments: ledger } = Money.open({ path: join(folder, 'money.db'), secondFolder: null, now: clock.wall });
const outbox = new Outbox(ledger, clock, ({ orderId }) => ({ id: orderId }));
clock.today = Math.max(outbox.last, Date.parse('2026-11-20'));
const feed = new EventFeed(outbox, (message, details) => say({ message, ...details }));
const nameOf = (event: string): string => Buffer.from(`${serial} ${event}`).toString('base64url');
const log = {
  info: (details: object, message: string) => say({ message, ...details }),
  warn: (details: object, message: string) => say({ message, ...details }),
};
const link = new Uplink(chain, { serial, nameOf }, { clock, log, scale: SCALE });
const stream = new PaymentStream(
  join(folder, 'chain-payments.json'),
  feed,
  link,
  { clock, device: serial },
  (message, details) => say({ message, ...details }),
  SCALE,
);
feed.addRecipient(stream);

function sell(): void {
  clock.today += DAY_MS;
  ledger.book.addEvents((before) => {
    const number = Math.max(clock.today, before + 1);
    const orderId = `${serial}-${clock.today}`;
    const body = JSON.stringify({ payment: { id: orderId } });
    const insert = "INSERT INTO events VALUES (:number, :at, 'payment.created', :orderId, :body)";
    ledger.table.run(insert, { number, at: clock.today, orderId, body });
    return number;
  });
  say({ sold: outbox.last });
}

async function keepSelling(isOver: () => boolean): Promise<void> {
  let sentTo = 0;
  for (let next = 0; !isOver() || stream.deliveredTo !== outbox.last; await pause(POLL_MS)) {
    if (!isOver() && performance.now() >= next) {
      sell();
      next = performance.now() + everyMs;
    }
    if (stream.deliveredTo !== sentTo) {
      sentTo = stream.deliveredTo;
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
link.start();
await keepSelling(() => isOver);
say({ done: outbox.last });
await stream.close();
await link.close();
process.exit(0);
