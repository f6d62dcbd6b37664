/** Payments on their way to the chain, over a line that is cut, slow, refuses or lies. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ChainError, type ChainErrorCode } from '../../../firmware/features/chain/credentials.ts';
import { PaymentStream } from '../../../firmware/features/chain/payment-stream.ts';
import { each, temporaryFolder, until as untilSeen } from '../../support.ts';
import { openFeed } from '../../terminal/event-rig.ts';
import { seeded } from '../../tools/seeded.ts';

const test = suite('payments on their way to the chain');

/** Line and chain are in this process, and the waits of the stream are of microseconds: what has not come by then does not. */
const LIMIT_MS = 20_000;
const until = <T>(what: string, check: () => T) => untilSeen(what, check, LIMIT_MS);

/** The chain's stream: keeps each id once, and fails as set. */
class FakeHub {
  readonly stored = new Map<string, string>();
  /** Every message that was sent, also in vain. */
  sent = 0;
  readonly texts = new Map<string, Set<string>>();
  /** What becomes of a message: `lost` is stored, and its answer does not come. */
  manner: (n: number) => ChainErrorCode | 'lost' | 'taken' = () => 'taken';

  onLine = (): (() => void) => () => undefined;

  async send(kind: string, body: string, id: string): Promise<void> {
    assert.is(kind, 'payment');
    this.sent += 1;
    this.texts.set(id, (this.texts.get(id) ?? new Set()).add(body));
    const manner = this.manner(this.sent);
    await Promise.resolve();
    if (manner === 'taken' || manner === 'lost') if (!this.stored.has(id)) this.stored.set(id, body);
    if (manner === 'lost') throw new ChainError('away', 'made-up: lost');
    if (manner !== 'taken') throw new ChainError(manner, `made-up: ${manner}`);
  }

  get numbers(): number[] {
    return [...this.stored.keys()].filter((id) => !id.startsWith('gap')).map(Number);
  }

  /** That each event that is stored names the one before it. */
  assertLinked(): void {
    const events = [...this.stored.values()].map((body) => JSON.parse(body)).sort((a, b) => a.number - b.number);
    const befores = events.map(({ after }) => after);
    assert.equal(befores, [undefined, ...events.slice(0, -1).map(({ number }) => number)]);
    for (const [id, texts] of this.texts) assert.is(texts.size, 1, `${id} says the same whenever it is sent`);
  }
}

interface Parts {
  readonly folder: string;
  readonly feed: ReturnType<typeof openFeed>;
  readonly hub: FakeHub;
  readonly log?: string[];
  readonly opened: PaymentStream[];
}

/** @param scale of its waits */
function openStream({ folder, feed, hub, log = [], opened }: Parts, scale = 0.0001) {
  const stream = new PaymentStream(
    join(folder, 'chain-payments.json'),
    feed.feed,
    hub,
    { device: 'LW "7"', clock: feed.clock },
    (message) => log.push(message),
    scale,
  );
  opened.push(stream);
  stream.start();
  return stream;
}

const numbersOf = ({ outbox }: ReturnType<typeof openFeed>) => outbox.after(0, 10_000).map(({ number }) => number);

function withParts(work: (parts: Parts & { readonly log: string[] }) => Promise<void>): () => Promise<void> {
  return async () => {
    using folder = temporaryFolder();
    const opened: PaymentStream[] = [];
    try {
      await work({ folder: folder.path, feed: openFeed(), hub: new FakeHub(), log: [], opened });
    } finally {
      for (const stream of opened) await stream.close(); // one that a failed test left open would try for ever
    }
  };
}
const it = each(test, withParts);

it('every event is sent, in order, with what it says; what comes later, too', async (parts) => {
  const { feed, hub } = parts;
  for (let n = 0; n < 100; n++) feed.write(`order-${n}`);
  const stream = openStream(parts);
  await until('all', () => hub.stored.size === 100 || null);
  assert.equal(hub.numbers, numbersOf(feed));
  const [first = ''] = hub.stored.values();
  assert.equal([JSON.parse(first).device, JSON.parse(first).type], ['LW "7"', 'payment.shown']);
  feed.write('order-100');
  await until('the next', () => hub.stored.size === 101 || null);
  await until('its number', () => stream.deliveredTo === feed.outbox.last || null);
  await stream.close();
  assert.is(hub.sent, 101, 'nothing was sent twice');
  hub.assertLinked();
});

it('what has gathered is sent without a wait between', async (parts) => {
  for (let n = 0; n < 100; n++) parts.feed.write(`order-${n}`);
  const stream = openStream(parts, 1);
  await until('all', () => parts.hub.stored.size === 100 || null);
  await stream.close();
});

it('with any fault of the line, nothing is lost, and what is stored is stored once', async (parts) => {
  const { feed, hub } = parts;
  const manners = ['taken', 'lost', 'away', 'taken', 'credentials', 'refused', 'taken'] as const;
  const random = seeded(18);
  hub.manner = () => manners[Math.floor(random() * manners.length)] ?? 'taken';
  const stream = openStream(parts);
  for (let n = 0; n < 300; n++) feed.write(`order-${n}`);
  await until('all', () => hub.stored.size === 300 || null);
  await until('the last', () => stream.deliveredTo === feed.outbox.last || null);
  await stream.close();
  const sorted = [...hub.numbers].sort((a, b) => a - b);
  assert.equal(sorted, numbersOf(feed));
  assert.ok(hub.sent > 300);
  hub.assertLinked();
});

it('events for a chain never reached are stored from the first on, and sent once it is reached', async (parts) => {
  const { feed, hub, log } = parts;
  hub.manner = () => 'away';
  feed.write('order-0');
  const stream = openStream(parts);
  await until('some attempts', () => hub.sent > 3 || null);
  assert.is(stream.deliveredTo, 0);
  feed.write('order-1');
  hub.manner = () => 'taken';
  await until('both', () => hub.stored.size === 2 || null);
  await until('their numbers', () => stream.deliveredTo === feed.outbox.last || null);
  await stream.close();
  assert.equal(log, [], 'what the chain says the connection reports');
});

it('a close waits for what is on its way, and keeps that it was taken', async (parts) => {
  const { feed, hub } = parts;
  const answer = Promise.withResolvers<void>();
  const isOnItsWay = Promise.withResolvers<void>();
  const { send } = hub;
  hub.send = async (...message) => {
    isOnItsWay.resolve();
    await answer.promise;
    await send.apply(hub, message);
  };
  feed.write('order');
  const stream = openStream(parts);
  await isOnItsWay.promise;
  const closing = stream.close();
  answer.resolve();
  await closing;
  const next = openStream(parts);
  assert.is(next.deliveredTo, feed.outbox.last);
  await next.close();
});

it('an event counts as sent once it is acknowledged, and not before', async (parts) => {
  const { feed, hub } = parts;
  for (let n = 0; n < 5; n++) feed.write(`order-${n}`);
  hub.manner = (n) => (n === 3 ? 'away' : n > 5 ? 'refused' : 'taken');
  const stream = openStream(parts);
  await until('the first answers', () => stream.deliveredTo > 0 || null);
  assert.is(stream.deliveredTo, numbersOf(feed)[1], 'those behind the one that failed do not count');
  await stream.close();
});

it('how long a chain takes nothing is counted while something waits, until it takes again', async (parts) => {
  const { feed, hub } = parts;
  const stream = openStream(parts);
  feed.write('one');
  await until('one', () => stream.deliveredTo === feed.outbox.last || null);
  feed.clock.now += 3_600_000;
  assert.is(stream.failingMs, 0);
  hub.manner = () => 'away';
  feed.write('two');
  await until('some tries', () => hub.sent > 5 || null);
  feed.clock.now += 3_600_000;
  assert.is(stream.failingMs, 3_600_000);
  assert.is(stream.deliveredTo, numbersOf(feed)[0]);
  hub.manner = () => 'taken';
  await until('two', () => hub.stored.size === 2 || null);
  await until('its end', () => stream.failingMs === 0 || null);
  await stream.close();
});

it('a restart goes on where it was; an unwritten position repeats events under the same names', async (parts) => {
  const { feed, hub } = parts;
  for (let n = 0; n < 50; n++) feed.write(`order-${n}`);
  const first = openStream(parts);
  await until('all', () => hub.stored.size === 50 || null);
  await first.close();
  assert.is(hub.sent, 50);
  const second = openStream(parts);
  assert.is(second.deliveredTo, feed.outbox.last);
  feed.write('another');
  await until('it', () => hub.stored.size === 51 || null);
  await second.close();
  assert.is(hub.sent, 51);
  using elsewhere = temporaryFolder();
  const third = openStream({ ...parts, folder: elsewhere.path });
  await until('all again', () => hub.sent === 102 || null);
  await third.close();
  assert.is(hub.stored.size, 51);
  hub.assertLinked();
});

it('events that were dropped before they were sent are named as a gap', async (parts) => {
  const { feed, hub } = parts;
  feed.write('one');
  const first = openStream(parts);
  await until('one', () => hub.stored.size === 1 || null);
  await first.close();
  feed.write('two');
  feed.write('three');
  const [one = 0, two = 0, three = 0] = numbersOf(feed);
  feed.outbox.prune(two);
  const second = openStream(parts);
  await until('three', () => hub.stored.size === 3 || null);
  await second.close();
  const gap = { device: 'LW "7"', number: two, type: 'gap', after: one };
  assert.equal(JSON.parse(hub.stored.get(`gap ${two}`) ?? ''), gap);
  assert.is(JSON.parse(hub.stored.get(String(three)) ?? '').after, two, 'and the next one follows it');
});

it('a ledger that cannot be read is tried again, and payments go on then', async (parts) => {
  const { feed, hub, log } = parts;
  feed.write('one');
  let isClosed = true;
  const sick = {
    ...parts,
    feed: {
      ...feed,
      feed: Object.assign(Object.create(feed.feed), {
        follow: (wake: () => void) => feed.feed.follow(wake),
        read: (after: number, limit: number) => {
          if (isClosed) throw new Error('made-up: the ledger is closed');
          return feed.feed.read(after, limit);
        },
      }),
    },
  };
  Object.defineProperty(sick.feed.feed, 'lostTo', { get: () => feed.feed.lostTo });
  const stream = openStream(sick);
  await until('the log', () => log.length > 0 || null);
  isClosed = false;
  await until('it', () => hub.stored.size === 1 || null);
  await stream.close();
  assert.is(log.length, 1);
});

test.run();
