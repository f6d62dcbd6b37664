/** Webhooks: every event reaches each address at least once, in order, through faults of receiver, device and clock. */

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RecordedError } from '../../../drivers/lib/records.ts';
import { configOf } from '../../../firmware/core/config/index.ts';
import { openFile } from '../../../firmware/core/files/database.ts';
import { LogRing } from '../../../firmware/core/host/log-ring.ts';
import { openOwnPair } from '../../../firmware/core/tls/pair.ts';
import { openLog } from '../../../firmware/device/composition/base.ts';
import { loadConfig } from '../../../firmware/device/composition/config.ts';
import { GIVEN_UP_AFTER_MS } from '../../../firmware/features/webhooks/address-queue.ts';
import { WEBHOOKS_CONFIG } from '../../../firmware/features/webhooks/config.ts';
import { DeliveryBook } from '../../../firmware/features/webhooks/delivery-book.ts';
import { listening } from '../../ports.ts';
import { call, each, failed, setUp, startTestDevice, temporaryFolder, until } from '../../support.ts';
import type { openFeed } from '../../terminal/event-rig.ts';
import { delivered, delivering, isSigned, OK, SECRET, TestReceiver } from './rig.ts';

const test = suite('terminal: webhooks');
const it = each(test, delivering);

const HOUR_MS = 3_600_000;
const numbersIn = ({ outbox }: ReturnType<typeof openFeed>) => outbox.after(0, 10_000).map(({ number }) => number);
const writeMany = ({ write }: ReturnType<typeof openFeed>, count: number, what = 'o'): void => {
  for (let n = 0; n < count; n += 1) write(`${what}-${n}`);
};

it('each event is sent signed, in order, with its number and type, as a stream sends it', async (f, open, receiver) => {
  open();
  writeMany(f, 5);
  f.write('paid', 'payment.accepted');
  await until('all', () => receiver.received.length === 6);
  const events = f.outbox.after(0, 10);
  const sent = receiver.received.map(({ id, type, text }) => [Number(id), type, text]);
  assert.equal(
    sent,
    events.map(({ number, type, text }) => [number, type, text]),
  );
  assert.ok(receiver.received.every(({ isSigned }) => isSigned));
  assert.ok(receiver.received.every(({ at }) => at === Math.floor(f.clock.wall() / 1000)));
  assert.not(events.some(({ text }) => text.includes('\n')));
});

it('a receiver that is down for an hour gets all, in order, when it is back', async (f, open, receiver) => {
  const began = f.clock.monotonic();
  const pauses: number[] = [];
  receiver.answer = (response) => {
    if (f.clock.monotonic() - began < HOUR_MS) response.destroy();
    else OK(response, 0);
  };
  const webhooks = open({ pauses });
  const { at } = { at: f.outbox.last };
  writeMany(f, 30);
  await until('the last', () => receiver.ids.at(-1) === f.outbox.last && webhooks.deliveredTo === f.outbox.last);
  const delivered = receiver.ids.slice(receiver.ids.lastIndexOf(numbersIn(f)[0] ?? 0));
  assert.equal(delivered, numbersIn(f));
  assert.ok(at < (delivered[0] ?? 0));
  assert.ok(pauses.length >= 8 && pauses.length <= 16, `${pauses.length} attempts in an hour`);
  const isSlower = pauses.every((ms, n) => ms >= (pauses[n - 1] ?? 0) && ms <= 900_000);
  assert.ok(isSlower, 'longer and longer, 15 minutes at most');
  assert.ok((pauses[0] ?? 0) <= 2000, 'the first one soon');
});

it('after a 410 a receiver gets nothing, despite restarts, until a test or redelivery is taken', async (f, open, receiver) => {
  receiver.answer = (response) => response.writeHead(410).end();
  const before = open();
  writeMany(f, 3);
  await until('it is reported', () => /wants no more events/.test(before.states[0]?.problem ?? ''));
  f.write('later');
  assert.equal([receiver.received.length, before.states[0]?.againMs], [1, null]);
  await before.close();
  const webhooks = open();
  f.write('after the start');
  await until('it is reported', () => /wants no more events/.test(webhooks.states[0]?.problem ?? ''));
  assert.is((await webhooks.test(webhooks.states[0]?.id ?? '')).status, 410);
  const areTests = receiver.received.map(({ type }) => type === 'test');
  assert.equal(areTests, [false, true]);
  receiver.answer = OK;
  assert.is((await webhooks.test(webhooks.states[0]?.id ?? '')).problem, null);
  await delivered(f, webhooks);
  assert.equal(receiver.ids.slice(-5), numbersIn(f));
  assert.is(webhooks.states[0]?.problem, null);
});

it('an event refused for a day is given up, later ones go on, and it can be redelivered', async (f, open, receiver) => {
  const isPoison = (n: number): boolean => receiver.ids[n - 1] === numbersIn(f)[0];
  receiver.answer = (response, n) => (isPoison(n) ? response.writeHead(500).end('no') : OK(response, n));
  const webhooks = open();
  const began = f.clock.monotonic();
  f.write('poison');
  f.write('next');
  await delivered(f, webhooks);
  const took = f.clock.monotonic() - began;
  assert.ok(took >= GIVEN_UP_AFTER_MS && took < GIVEN_UP_AFTER_MS + HOUR_MS, `${took / HOUR_MS} hours`);
  const [state] = webhooks.states;
  assert.equal(
    { givenUp: state?.givenUp, problem: state?.problem, waiting: state?.waiting },
    { givenUp: 1, problem: null, waiting: 0 },
  );
  assert.match(
    webhooks.problems.join(),
    /1 event was dropped: http:\S+ did not accept it within a day\..*deliveries names them/,
  );
  const given = webhooks.deliveries(1e9, 100).find(({ state: of }) => of === 'given-up');
  assert.equal([given?.event, given?.status, given?.problem], [numbersIn(f)[0], 500, 'it answered HTTP 500']);
  assert.is((await webhooks.redeliver(given?.id ?? 0)).state, 'given-up', 'still refused');
  receiver.answer = OK;
  const again = await webhooks.redeliver(given?.id ?? 0);
  assert.equal([again.state, again.status, again.problem], ['delivered', 204, null]);
  assert.is(again.attempts, (given?.attempts ?? 0) + 2);
  assert.equal(webhooks.problems, []);
  await webhooks.close();
  const { length } = receiver.received;
  const after = open();
  f.write('after a restart');
  await delivered(f, after);
  assert.equal(receiver.ids.slice(length), [f.outbox.last], 'what came late has moved nothing back');
});

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n';

it('a receiver that misbehaves is asked again, and costs nothing more', async (f, open, receiver) => {
  await using elsewhere = await TestReceiver.open();
  let sent = 0;
  const problems: (string | null)[] = [];
  const webhooks = open({ answerLimitMs: 150, onWait: () => problems.push(webhooks.states[0]?.problem ?? null) });
  for (const [what, misbehaves, problem] of [
    // first: over a kept connection it is asked again at once
    ['hangs up', (r) => r.destroy(), /no answer \(ECONNRESET\)/],
    ['never answers', () => undefined, /has not answered within 0\.15 s/],
    ['answers 500', (r) => r.writeHead(500).end('x'.repeat(1000)), /it answered HTTP 500$/],
    ['sends elsewhere', (r) => r.writeHead(301, { location: elsewhere.url }).end(), /HTTP 301, and no redirect/],
    ['answers in pieces that never end', (r) => r.socket?.write('HTTP/1.1 2'), /has not answered/],
    ['goes over to another protocol', (r) => r.socket?.write(SWITCHING), /it answered HTTP 101$/],
    ['speaks no HTTP', (r) => r.socket?.end('hello\r\n\r\n'), /no answer \(HPE_/],
  ] as const satisfies readonly (readonly [string, TestReceiver['answer'], RegExp])[]) {
    const before = receiver.received.length;
    receiver.answer = (response, n) => (n === before + 1 ? misbehaves(response) : OK(response, n));
    f.write(what);
    await until(what, () => webhooks.deliveredTo === f.outbox.last);
    assert.equal(receiver.ids.slice(before), [f.outbox.last, f.outbox.last], what);
    const [delivery] = webhooks.deliveries(1e9, 1);
    assert.equal([delivery?.state, delivery?.attempts], ['delivered', 2], what);
    assert.match(problems.at(-1) ?? '', problem, what);
  }
  let isCut = false;
  receiver.answer = (response) => {
    response.once('close', () => {
      isCut = !response.writableFinished;
    });
    response.writeHead(200);
    const piece = Buffer.alloc(64 * 1024);
    const more = (): void => {
      for (; sent < 10 * 1024 * 1024; sent += piece.length)
        if (!response.write(piece)) return void response.once('drain', more);
      response.end();
    };
    response.on('error', () => undefined);
    more();
  };
  f.write('ten megabytes');
  await delivered(f, webhooks);
  await until('cut off', () => isCut);
  receiver.answer = (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('only a part');
    setImmediate(() => response.destroy());
  };
  f.write('closed mid-way');
  await delivered(f, webhooks);
  receiver.answer = OK;
  f.write('last');
  await delivered(f, webhooks);
  assert.is(elsewhere.received.length, 0, 'no redirect is followed');
  assert.ok(sent < 8 * 1024 * 1024, `${sent} bytes of an answer were taken`);
});

it('a kept connection that turns out to be closed is no attempt that failed', async (f, open) => {
  let connections = 0;
  const server = createServer((socket) => {
    let isUsed = false;
    connections += 1;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      if (isUsed) return socket.resetAndDestroy();
      isUsed = true;
      return socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
  });
  await using closing = await listening(server);
  const pauses: number[] = [];
  const webhooks = open({ pauses }, [{ url: `${closing.url}/`, secret: SECRET }]);
  writeMany(f, 4);
  await delivered(f, webhooks);
  assert.equal([connections, pauses], [4, []]);
  const tested = await webhooks.test(webhooks.states[0]?.id ?? '');
  assert.is(tested.problem, null, 'nor does a person who tries it out learn of a failure');
});

it('answers whose rest never comes hold up neither the events after them nor the end', async (f, open, receiver) => {
  receiver.answer = (response) => response.writeHead(200).write('and more is to');
  const pauses: number[] = [];
  const webhooks = open({ answerLimitMs: 60_000, pauses });
  writeMany(f, 5);
  await delivered(f, webhooks);
  assert.equal([receiver.ids, pauses], [numbersIn(f), []], 'each was sent once');
});

it('an address that takes nothing is reported after ten minutes, without its query', async (f, open, receiver) => {
  const problemAt = new Map<number, string>();
  receiver.answer = (response) => {
    problemAt.set(Math.round((f.clock.monotonic() - 1_000_000) / 60_000), webhooks.problems.join());
    if (problemAt.size < 9) response.writeHead(301, { location: '/' }).end();
    else OK(response, 0);
  };
  const webhooks = open({}, [{ url: `${receiver.url}?key=made-up`, secret: SECRET }]);
  f.write('o');
  await delivered(f, webhooks);
  const [early, late] = [0, 1].map((n) => [...problemAt].filter(([minute]) => minute >= 10 === (n === 1)));
  assert.ok(early?.every(([, problem]) => problem === ''));
  assert.ok((late?.length ?? 0) > 0);
  for (const [minute, problem] of late ?? []) {
    const pattern = `events\\?… has accepted nothing for ${minute} min; 1 event waits\\. \\(it answered HTTP 301, and no redirect is followed\\)`;
    assert.match(problem, new RegExp(pattern));
    assert.not.match(problem, /made-up/);
  }
  assert.equal(webhooks.problems, []);
});

it('a restart between row and delivery, or between delivery and note, loses nothing', async (f, open, receiver, folder) => {
  const first = open();
  writeMany(f, 10, 'before');
  await until('some', () => receiver.received.length >= 3);
  await first.close();
  writeMany(f, 10, 'meanwhile');
  // the note of what was delivered is taken back, as a power cut does
  const db = openFile(join(folder.path, 'webhooks.db'));
  db.exec(`UPDATE addresses SET told_to = ${numbersIn(f)[1]}`);
  db.close();
  const second = open();
  await delivered(f, second);
  await second.close();
  // what was under way when it was closed comes twice
  assert.equal([...new Set(receiver.ids)], numbersIn(f));
  assert.equal(receiver.ids, receiver.ids.toSorted(), 'in order');
});

it('one address keeps no other waiting, and each gets the types that it wants', async (f, open) => {
  await using down = await TestReceiver.open();
  await using up = await TestReceiver.open();
  down.answer = (response) => response.writeHead(503).end();
  const webhooks = open({}, [
    { url: down.url, secret: SECRET },
    { url: up.url, secret: SECRET, types: ['payment.accepted', 'refund.done'] },
  ]);
  for (let n = 0; n < 120; n += 1) f.write(`${n}`, n % 40 === 0 ? 'payment.accepted' : 'payment.shown');
  await until('all that it wants', () => up.received.length === 3);
  assert.equal([...new Set(up.received.map(({ type }) => type))], ['payment.accepted']);
  assert.is(webhooks.states[1]?.types?.join(), 'payment.accepted,refund.done');
  await until('it knows how far it is', () => webhooks.states[1]?.waiting === 0);
  assert.is(webhooks.deliveredTo, webhooks.states[0]?.toldTo, 'what one has not taken is kept');
});

it('an address that is new begins now; one that comes back, too', async (f, open, receiver) => {
  f.write('before');
  await open().close();
  f.write('first');
  await open({}, [{ url: 'http://127.0.0.1:9/other', secret: SECRET }]).close();
  f.write('while it was away');
  await open().close();
  await open({}, []).close();
  f.write('while there was none');
  const webhooks = open();
  f.write('second');
  await delivered(f, webhooks);
  assert.equal(receiver.ids, [f.outbox.last]);
});

it('where it is lost what was delivered, the last day is delivered again', async (f, open, receiver, folder) => {
  await open().close();
  f.write('two days ago');
  f.clock.now += 48 * HOUR_MS;
  f.write('now');
  writeFileSync(join(folder.path, 'webhooks.db'), 'this is no database'.repeat(1000));
  const webhooks = open();
  await delivered(f, webhooks);
  assert.equal(receiver.ids, [f.outbox.last]);
});

it('an address that knows of events that this ledger has not, gets all that there are', async (f, open, receiver, folder) => {
  await open().close();
  const db = openFile(join(folder.path, 'webhooks.db'));
  db.exec('UPDATE addresses SET told_to = told_to * 2');
  db.close();
  writeMany(f, 3);
  const webhooks = open();
  await delivered(f, webhooks);
  await webhooks.close();
  const again = open();
  f.write('after a restart');
  await delivered(f, again);
  assert.equal(receiver.ids, numbersIn(f), 'once');
});

it('behind an event refused for a day each has a day of its own, all its attempts, in order', async (f, open, receiver) => {
  const attempts = new Map<number, number>();
  const [poison, ...others] = ['poison', 'a', 'b', 'c'];
  const webhooks = open();
  receiver.answer = (response, n) => {
    const id = receiver.ids[n - 1] ?? 0;
    attempts.set(id, (attempts.get(id) ?? 0) + 1);
    // the others are as old as it when their turn comes, and are refused a few times, too
    const refused = id === numbersIn(f)[0] || (attempts.get(id) ?? 0) <= 5;
    if (refused) response.writeHead(500).end();
    else OK(response, n);
  };
  for (const name of [poison, ...others]) f.write(name ?? '');
  await delivered(f, webhooks);
  const states = webhooks.deliveries(1e9, 10).map(({ event, state, attempts: made }) => [event, state, made]);
  const [first, ...rest] = numbersIn(f);
  const later = states.toReversed().slice(1);
  assert.equal(
    later,
    rest.map((event) => [event, 'delivered', 6]),
  );
  assert.ok((attempts.get(first ?? 0) ?? 0) > 90, 'a whole day of attempts');
  assert.is(states.at(-1)?.[1], 'given-up');
  assert.equal([...new Set(receiver.ids)], numbersIn(f), 'in order');
});

for (const [boot, isOver] of [
  ['boot-1', true],
  ['boot-2', false],
] as const)
  it(`a day counts from an earlier process’s first try, ${isOver ? 'in the same boot' : 'but not of another boot'}`, async (f, open, receiver) => {
    receiver.answer = (response) => response.writeHead(500).end();
    const { promise: tried, resolve } = Promise.withResolvers<void>();
    const onWait = (): void => {
      f.clock.now += GIVEN_UP_AFTER_MS / 3;
      if (receiver.received.length === 2) resolve();
    };
    const before = open({ onWait, heldAfter: 1 });
    f.write('o');
    await tried;
    await before.close();
    assert.is(receiver.received.length, 2);
    f.clock.now += GIVEN_UP_AFTER_MS / 3;
    f.clock.bootId = boot;
    f.write('behind it, never sent before');
    const webhooks = open();
    await delivered(f, webhooks);
    const made = webhooks.deliveries(1e9, 10).map(({ attempts }) => attempts);
    await webhooks.close();
    assert.ok((made[0] ?? 0) > 90, 'the one behind it has its day');
    assert.ok(isOver ? made[1] === 3 : (made[1] ?? 0) > 90, `${boot}: ${made}`);
  });

it('of a process before the first attempt counts, and not how long the machine has run', async (f, open, receiver) => {
  f.clock.now += 5 * GIVEN_UP_AFTER_MS;
  receiver.answer = (response) => response.writeHead(500).end();
  const { promise: tried, resolve } = Promise.withResolvers<void>();
  const before = open({ onWait: resolve, heldAfter: 0 });
  f.write('o');
  await tried;
  await before.close();
  const webhooks = open();
  await delivered(f, webhooks);
  const [delivery] = webhooks.deliveries(1e9, 1);
  assert.ok((delivery?.attempts ?? 0) > 90, `${delivery?.attempts}`);
});

it('a clock set years ahead or back gives no event up', async (f, open, receiver) => {
  let jump = 0;
  const wall = f.clock.wall;
  f.clock.wall = () => wall() + jump;
  receiver.answer = (response, n) => (n < 4 ? response.writeHead(503).end() : OK(response, n));
  const webhooks = open();
  jump = 10 * 365 * 24 * HOUR_MS;
  f.write('first');
  jump = -jump;
  f.write('second');
  await delivered(f, webhooks);
  assert.equal([...new Set(receiver.ids)], numbersIn(f));
  assert.is(webhooks.deliveredTo, f.outbox.last);
});

it('where nothing can be noted (a full disk), events go on being delivered', async (f, open, receiver, folder) => {
  const said: string[] = [];
  open({ log: (line) => said.push(line) });
  const db = openFile(join(folder.path, 'webhooks.db'));
  db.exec("CREATE TRIGGER full BEFORE INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'full'); END");
  db.close();
  writeMany(f, 3);
  await until('all', () => receiver.received.length === 3);
  assert.equal(said, ['what was delivered cannot be kept']);
});

it('a delivery that is absent, or whose event or address is gone, cannot be redelivered', async (f, open) => {
  const webhooks = open();
  f.write('o');
  await delivered(f, webhooks);
  const [delivery] = webhooks.deliveries(1e9, 1);
  assert.is((await failed(RecordedError, webhooks.redeliver(99))).code, 'DeliveryNotFound');
  f.outbox.prune(f.outbox.last);
  assert.is((await failed(RecordedError, webhooks.redeliver(delivery?.id ?? 0))).code, 'EventGone');
  await webhooks.close();
  const other = open({}, [{ url: 'http://127.0.0.1:9/other', secret: SECRET }]);
  assert.is((await failed(RecordedError, other.redeliver(delivery?.id ?? 0))).code, 'NotConfigured');
});

function configured(given: unknown) {
  const { config, unknown } = loadConfig(null, { LANEWARE_TERMINAL_WEBHOOKS: JSON.stringify(given) });
  return { webhooks: configOf(WEBHOOKS_CONFIG, config), unknown };
}

test('an address that cannot be meant is refused at the start, and no secret is in the error', () => {
  const url = 'https://till.shop.example/lane';
  assert.equal(configured([{ url, secret: SECRET }]).webhooks, [{ url, secret: SECRET }]);
  const later = configured([{ url, secret: SECRET, more: 1 }]); // of a later release
  assert.equal(later.webhooks, [{ url, secret: SECRET }]);
  const names = later.unknown.map(({ name }) => name);
  assert.equal(names, ['terminal.webhooks.0.more']);
  for (const [webhooks, pattern] of [
    [[{ url: 'http://till.shop.example/lane', secret: SECRET }], /webhooks\.0\.url.* must begin with https/],
    [[{ url: 'ftp://till.shop.example', secret: SECRET }], /webhooks\.0\.url.* must be an address/],
    [[{ url: 'https://user:made-up@till.shop.example/', secret: SECRET }], /must have no user/],
    [[{ url: 'https://till.shop.example/#part', secret: SECRET }], /must have no user, fragment/],
    [
      [
        { url, secret: SECRET },
        { url, secret: SECRET },
      ],
      /webhooks\.1\.url.* must be named once/,
    ],
    [[{ url, secret: 'made-up-short' }], /secret.* at least 16 characters/],
    [[{ url }], /secret.* is required/],
    [[{ url, secret: SECRET, formerSecret: 'made-up-short' }], /formerSecret.* at least 16 characters/],
    [[{ url, secret: SECRET, types: ['payment.paid'] }], /types/],
  ] as const) {
    let message = '';
    try {
      configured(webhooks);
    } catch (error) {
      message = String(error);
    }
    assert.match(message, pattern);
    assert.not.match(message, /made-up/);
  }
  const local = [{ url: 'http://[::1]:8000/lane', secret: SECRET }];
  assert.equal(configured(local).webhooks, local);
});

it('what is redelivered while it is being sent in vain holds up nothing behind it', async (f, open, receiver) => {
  const pauses: number[] = [];
  const held: (() => void)[] = [];
  receiver.answer = (response, n) => {
    const refuse = (): void => void response.writeHead(500).end();
    if (n === 1) refuse();
    else if (n === 2) held.push(refuse);
    else OK(response, n);
  };
  const webhooks = open({ answerLimitMs: 60_000, pauses });
  writeMany(f, 2);
  await until('the second attempt', () => held.length === 1);
  const [delivery] = webhooks.deliveries(1e9, 1);
  assert.is((await webhooks.redeliver(delivery?.id ?? 0)).state, 'delivered');
  held[0]?.();
  await delivered(f, webhooks);
  assert.is(pauses.length, 1, 'only before the second attempt');
});

it('an address has last taken an event when it took one, not when one was sent again in vain', async (f, open, receiver) => {
  const webhooks = open();
  writeMany(f, 2);
  await delivered(f, webhooks);
  const [second, first] = webhooks.deliveries(1e9, 2);
  f.clock.now += HOUR_MS;
  assert.is((await webhooks.redeliver(first?.id ?? 0)).state, 'delivered');
  const taken = f.clock.wall();
  f.clock.now += HOUR_MS;
  receiver.answer = (response) => response.writeHead(500).end();
  assert.is((await webhooks.redeliver(second?.id ?? 0)).problem, 'it answered HTTP 500');
  assert.is(webhooks.states[0]?.deliveredAt, taken);
});

test('the last 10,000 deliveries are stored, also by a device switched off each night', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'webhooks.db');
  DeliveryBook.open(path, 0).close();
  const db = openFile(path);
  db.exec(`WITH RECURSIVE n (event) AS (VALUES (1) UNION ALL SELECT event + 1 FROM n WHERE event < 10300)
    INSERT INTO deliveries (url, event, type, order_id, state, attempts, status, problem, first_at, last_at, first_boot, first_mono)
      SELECT 'made-up', event, 'payment.shown', 'o', 'delivered', 1, 204, NULL, 0, 0, 'boot-1', 0 FROM n`);
  db.close();
  const book = DeliveryBook.open(path, 0);
  const sent = { event: 10_301, type: 'payment.shown', orderId: 'o', status: 204, problem: null };
  book.recordAttempt({ ...sent, url: 'made-up', state: 'delivered', at: 0, mono: 0, bootId: 'boot-1' });
  const [newest, kept] = [book.list(1e9, 1)[0], book.list(1e9, 20_000).length];
  book.close();
  assert.equal([newest?.event, kept], [10_301, 10_000]);
});

it('while a secret is renewed both sign, so that a receiver that knows either takes all', async (f, open, receiver) => {
  const before = 'made-up-secret-of-before';
  const both = open({}, [{ url: receiver.url, secret: SECRET, formerSecret: before }]);
  f.write('renewing');
  await delivered(f, both);
  await both.close();
  const renewed = open();
  f.write('renewed');
  await delivered(f, renewed);
  assert.equal(
    receiver.received.map(({ text, signature }) => [SECRET, before].map((key) => isSigned(key, signature, text))),
    [
      [true, true],
      [true, false],
    ],
  );
  assert.match(receiver.received[0]?.signature ?? '', /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
});

it('a test is signed, reports nothing, comes beside waiting events, and moves no position', async (f, open, receiver) => {
  await using other = await TestReceiver.open();
  const isTest = (n: number): boolean => receiver.received[n - 1]?.type === 'test';
  receiver.answer = (response, n) => (isTest(n) ? OK(response, n) : response.writeHead(503).end());
  const webhooks = open({}, [
    { url: `${receiver.url}?k=made-up-1`, secret: SECRET, types: ['payment.accepted'] },
    { url: `${receiver.url}?k=made-up-2`, secret: SECRET },
    { url: other.url, secret: SECRET },
  ]);
  f.write('refused', 'payment.accepted');
  await until('it waits at both', () => webhooks.states.filter(({ problem }) => problem !== null).length === 2);
  const ids = webhooks.states.map(({ id }) => id);
  assert.is(new Set(ids).size, 3, 'those that are shown alike have names of their own');
  const { tookMs: _, ...answer } = await webhooks.test(ids[0] ?? '');
  assert.equal(answer, { id: ids[0], url: `${receiver.url}?…`, status: 204, problem: null });
  const tested = receiver.received.find(({ type }) => type === 'test');
  assert.equal([tested?.id, tested?.isSigned], ['0', true]);
  assert.equal(JSON.parse(tested?.text ?? ''), { number: 0, type: 'test', at: JSON.parse(tested?.text ?? '').at });
  await until('the other took its event', () => webhooks.states[2]?.waiting === 0);
  other.answer = (response) => response.writeHead(302, { location: receiver.url }).end();
  const refused = await webhooks.test(ids[2] ?? '');
  assert.equal([refused.status, refused.problem], [302, 'it answered HTTP 302, and no redirect is followed']);
  assert.equal([webhooks.states[2]?.problem, webhooks.states[2]?.waiting], [null, 0]);
  assert.is(webhooks.deliveries(1e9, 100).length, 3, 'of each the event, and nothing else');
  assert.is((await failed(RecordedError, webhooks.test('000000000000'))).code, 'AddressNotFound');
  await webhooks.close();
  const again = open({}, [{ url: `${receiver.url}?k=made-up-3`, secret: SECRET }]);
  assert.is(again.states[0]?.id, ids[0], 'of nothing that stands in the query');
});

it('a receiver is known by its certificate: one that no authority has signed gets nothing', async (f, open, _receiver, folder) => {
  const { pair } = openOwnPair(join(folder.path, 'tls.pem'), { needed: ['localhost'], more: [] }, Date.now());
  await using receiver = await TestReceiver.open({ key: pair.key, cert: pair.certificate });
  const caPath = join(folder.path, 'ca.pem');
  writeFileSync(caPath, pair.certificate);
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  const stranger = open({}, [{ url, secret: SECRET }]);
  f.write('o');
  await until('a try', () => stranger.states[0]?.problem !== null);
  assert.match(stranger.states[0]?.problem ?? '', /no answer \((DEPTH_ZERO|SELF_SIGNED|UNABLE)/);
  await stranger.close();
  assert.is(receiver.received.length, 0);
  const known = open({}, [{ url, secret: SECRET, caPath }]);
  await delivered(f, known);
  assert.is(receiver.received.length, 1);
});

test('on a device: sent, listed, redelivered by /v1; /health has it; no answer has the secret', async () => {
  using folder = temporaryFolder();
  await using receiver = await TestReceiver.open();
  const settings = {
    LANEWARE_TERMINAL_WEBHOOKS: JSON.stringify([{ url: `${receiver.url}?k=made-up-key`, secret: SECRET }]),
  };
  {
    await using device = await startTestDevice(settings, folder.path);
    await setUp(device);
    await call(`${device.terminal}/showQR`, { json: { amount: 1200 } });
    await until('created and shown', () => receiver.received.length >= 2);
    const body = JSON.parse(receiver.received[1]?.text ?? '');
    const { refunds: _, ...payment } = (await call(`${device.terminal}/v1/payments/${body.payment.id}`)).body;
    assert.equal([body.type, body.payment], ['payment.shown', payment]);
    const listed = await call(`${device.terminal}/v1/webhooks`);
    assert.is(listed.body.webhooks.length, 1);
    assert.is(listed.body.webhooks[0].url, `${receiver.url}?…`);
    const { id: webhook } = listed.body.webhooks[0];
    const tested = await call(`${device.terminal}/v1/webhooks/${webhook}/test`, { method: 'POST' });
    assert.equal(
      { testedStatus: tested.status, id: tested.body.id, bodyStatus: tested.body.status },
      { testedStatus: 200, id: webhook, bodyStatus: 204 },
    );
    assert.is(receiver.received.at(-1)?.type, 'test');
    await until(
      'both are kept',
      async () => (await call(`${device.terminal}/v1/webhooks/deliveries`)).body.deliveries.length === 2,
    );
    const page = await call(`${device.terminal}/v1/webhooks/deliveries?limit=1`);
    const [newest] = page.body.deliveries;
    assert.equal([newest.type, newest.state, newest.webhook], ['payment.shown', 'delivered', webhook]);
    const next = await call(`${device.terminal}/v1/webhooks/deliveries?cursor=${page.body.cursor}`);
    assert.equal([next.body.deliveries[0].type, next.body.cursor], ['payment.created', null]);
    const { id } = next.body.deliveries[0];
    const again = await call(`${device.terminal}/v1/webhooks/deliveries/${id}/redeliver`, { method: 'POST' });
    assert.equal(
      { status: again.status, attempts: again.body.attempts, state: again.body.state },
      { status: 200, attempts: 2, state: 'delivered' },
    );
    assert.is(receiver.received.at(-1)?.type, 'payment.created');
    const unknown = await call(`${device.terminal}/v1/webhooks/deliveries/99/redeliver`, { method: 'POST' });
    assert.equal([unknown.status, unknown.body.code], [404, 'Webhooks.DeliveryNotFound']);
    const health = await call(`${device.terminal}/health`);
    assert.match(health.text, /"part":"webhooks","state":"ok"/);
    const stranger = await call(`${device.terminal}/v1/webhooks/000000000000/test`, { method: 'POST' });
    assert.equal([stranger.status, stranger.body.code], [404, 'Webhooks.AddressNotFound']);
    assert.is((await call(`${device.terminal}/v1/webhooks?of=1`)).status, 400);
    for (const { text } of [listed, tested, page, next, again, health]) assert.not.match(text, /made-up/);
  }
  const lines = new LogRing();
  await (await startTestDevice(settings, folder.path, { log: openLog('trace', lines), lines }))[Symbol.asyncDispose]();
  const logged = (text: string) => lines.list({ after: 0, limit: 1000, level: 'trace', part: null, text });
  assert.ok(logged('').length > 0);
  assert.equal(logged('made-up'), []);
});

test.run();
