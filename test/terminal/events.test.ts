/** `GET /v1/events`: events in order, once, from where the reader is; readers that are slow or gone cost nothing. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import Value from 'typebox/value';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventStreams } from '../../firmware/core/http/event-stream.ts';
import { EventBody } from '../../firmware/payments/http/v1/event-routes.ts';
import { eventIn, eventsIn } from '../events.ts';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { sellByQR } from './device-calls.ts';
import { connect, openFeed, type PaymentEvent } from './event-rig.ts';

const test = suite('terminal: events');

const LONG_BEAT_MS = 3_600_000;

function openStreams(beatMs = LONG_BEAT_MS) {
  const opened = openFeed();
  const problems: unknown[] = [];
  const streams = new EventStreams(opened.feed, (error) => problems.push(error), { everyMs: beatMs });
  const open = (after: number | null = null, types: readonly string[] | null = null) =>
    streams.open({ after, isWanted: ({ type }) => types?.includes(type) ?? true });
  return { ...opened, streams, streamProblems: problems, open };
}

/** All that the stream has now. */
async function taken(stream: Readable): Promise<PaymentEvent[]> {
  const found: PaymentEvent[] = [];
  for (let quiet = 0; quiet < 20; quiet += 1) {
    const chunk: Buffer | null = stream.read();
    if (chunk !== null) {
      found.push(
        ...chunk
          .toString()
          .split('\n\n')
          .slice(0, -1)
          .map(eventIn<PaymentEvent['data']>),
      );
      quiet = 0;
    }
    await pause(1); // what is written is sent a moment later
  }
  return found;
}
const named = (events: readonly PaymentEvent[]): string[] => events.map(({ name, data }) => data.payment?.id ?? name);

const withoutBeats = (events: readonly PaymentEvent[]): string[] => named(events).filter((name) => name !== 'beat');

test("a new reader gets a greeting and what comes; the greeting's number is to reconnect with", async () => {
  const { open, write, outbox } = openStreams();
  write('before');
  const stream = open();
  write('first');
  write('second');
  const events = await taken(stream);
  assert.equal(withoutBeats(events), ['hello', 'first', 'second']);
  assert.equal([events[0]?.id, events[0]?.data.beatMs], [events[0]?.data.last, LONG_BEAT_MS]);
  write('third');
  assert.equal(withoutBeats(await taken(stream)), ['third']);
  const again = open(events[0]?.id ?? 0);
  assert.equal(named(await taken(again)), ['hello', 'first', 'second', 'third', 'beat']);
  assert.is(outbox.last, outbox.after(0, 10).at(-1)?.number);
});

/** A feed of stored events that counts its reads. */
function countedFeed(stored: number) {
  let [last, reads] = [stored, 0];
  const wakes = new Set<() => void>();
  const read = (after: number, limit: number) => {
    reads += 1;
    return Array.from({ length: Math.min(limit, last - after) }, (_, n) => ({
      ...{ number: after + 1 + n, type: 'payment.shown', text: '{}' },
    }));
  };
  const follow = (wake: () => void) => {
    wakes.add(wake);
    return () => wakes.delete(wake);
  };
  const append = (): void => {
    last += 1;
    for (const wake of wakes) wake();
  };
  const feed = {
    get last() {
      return last;
    },
    ...{ lostTo: 0, read, follow },
  };
  return { feed, append, reads: () => reads };
}

test('of many quick readers each gets its pages in turn, and others come in between', async () => {
  const READERS = 20;
  const { feed, append, reads } = countedFeed(1000);
  const streams = new EventStreams(feed, () => assert.unreachable(), { everyMs: LONG_BEAT_MS });
  const counts: number[] = [];
  const opened = Array.from({ length: READERS }, (_, index) => {
    counts[index] = 0;
    return streams.open({ after: 0 }).on('data', (chunk: Buffer) => {
      counts[index] = (counts[index] ?? 0) + (chunk.toString().match(/^event: payment/gm)?.length ?? 0);
    });
  });
  const readsInOneTurn = async (): Promise<number> => {
    let [most, widest] = [0, 0];
    for (let before = reads(); counts.some((count) => count < feed.last); before = reads()) {
      await nextTurn();
      most = Math.max(most, reads() - before);
      widest = Math.max(widest, Math.max(...counts) - Math.min(...counts));
    }
    assert.ok(widest <= 100, `one has ${widest} events more than another`);
    return most;
  };
  assert.is(await readsInOneTurn(), 1, 'of stored events');
  append();
  assert.is(await readsInOneTurn(), 1, 'of a new one, for which all are woken');
  for (const stream of opened) stream.destroy();
  streams.close();
});

test('between past and future no event is missed or sent twice, wherever a reader begins', async () => {
  const { open, write } = openStreams();
  for (let n = 0; n < 130; n += 1) write(`old ${n}`);
  const streams: Readable[] = [];
  for (let n = 0; n < 60; n += 1) {
    streams.push(open(0));
    write(`new ${n}`);
    if (n % 3 === 0) await nextTurn();
  }
  const all = [
    ...Array.from({ length: 130 }, (_, n) => `old ${n}`),
    ...Array.from({ length: 60 }, (_, n) => `new ${n}`),
  ];
  for (const stream of streams) {
    const events = (await taken(stream)).filter(({ data }) => data.payment !== undefined);
    assert.equal(named(events), all);
    assert.ok(events.every(({ id, data }) => id === data.number));
  }
});

test('what is not wanted is passed over, and the beat says how far', async () => {
  const { open, write, outbox } = openStreams();
  for (let n = 0; n < 400; n += 1) write(`shown ${n}`);
  write('paid', 'payment.accepted');
  write('last');
  const stream = open(0, ['payment.accepted']);
  const events = await taken(stream);
  assert.equal(named(events), ['hello', 'paid', 'beat']);
  assert.is(events.at(-1)?.id, outbox.last, 'a reader that comes back with it gets no gap when that is pruned');
  write('paid too', 'payment.accepted');
  assert.equal(named(await taken(stream)), ['paid too']);
});

test('a reader that asks for deleted events gets one gap event, and all that is left', async () => {
  const { open, write, outbox } = openStreams();
  for (const orderId of ['a', 'b', 'c']) write(orderId);
  const [a, b] = outbox.after(0, 2);
  outbox.prune(b?.number ?? 0);
  const asked = a?.number ?? 0;
  const events = await taken(open(asked));
  assert.equal(named(events), ['hello', 'gap', 'c', 'beat']);
  assert.equal(events[1]?.data, { reason: 'pruned', after: asked, from: b?.number });
  assert.equal(named(await taken(open(events[1]?.id ?? 0))), ['hello', 'c', 'beat'], 'not again after that');
  assert.equal(named(await taken(open(0))), ['hello', 'c', 'beat'], 'all that is kept is all');
  assert.equal(
    named(await taken(open(b?.number ?? 0))),
    ['hello', 'c', 'beat'],
    'no reader misses the last one that went',
  );
});

test('a reader with a number that no event has yet gets a gap event, and all that is kept', async () => {
  const { open, write, outbox } = openStreams();
  for (const orderId of ['a', 'b']) write(orderId);
  const ahead = outbox.last + 1000;
  const events = await taken(open(ahead));
  assert.equal(named(events), ['hello', 'gap', 'a', 'b', 'beat']);
  assert.equal(events[1]?.data, { reason: 'ahead', after: ahead, from: 0 });
});

test('events that are deleted while a reader is on its way to them are reported as a gap', async () => {
  const { open, write, outbox } = openStreams();
  for (let n = 0; n < 200; n += 1) write(`${n}`);
  const stream = open(0);
  await once(stream, 'readable');
  assert.match(String(stream.read()), /^retry: \d+\nid: 0\nevent: hello\n/);
  await once(stream, 'readable'); // a page lies ready
  outbox.prune(outbox.after(0, 1000)[149]?.number ?? 0);
  const events = await taken(stream);
  const gap = events.findIndex(({ name }) => name === 'gap');
  assert.ok(gap > 0 && gap < 60, `after a page at most: ${gap}`);
  assert.equal(named(events.slice(gap + 1)), [...Array.from({ length: 50 }, (_, n) => `${150 + n}`), 'beat']);
});

test('a reader that does not read holds a page in memory, however many come, and misses nothing', async () => {
  const { open, write, problems } = openStreams();
  const stream = open();
  for (let n = 0; n < 3000; n += 1) {
    write(`${n}`);
    if (n % 50 === 0) await nextTurn();
  }
  assert.ok(stream.readableLength < 100_000, `${stream.readableLength} bytes`);
  const events = (await taken(stream)).filter(({ data }) => data.payment !== undefined);
  assert.equal(
    named(events),
    Array.from({ length: 3000 }, (_, n) => `${n}`),
  );
  assert.equal(problems, []);
});

test('one that has taken nothing for long is let go; one that reads gets beats', async () => {
  const { open, streams } = openStreams(5);
  const stuck = open();
  const reading = open();
  const names: string[] = [];
  const read = async () => {
    for await (const { name } of eventsIn(reading)) names.push(name);
  };
  const over = read();
  await until('it is let go', () => stuck.destroyed);
  assert.not(reading.destroyed);
  await until('beats', () => names.filter((name) => name === 'beat').length > 3);
  streams.close();
  await over;
  assert.is((await taken(streams.open({ after: null }))).at(0)?.name, 'hello', 'and ends at once');
});

test('where the events cannot be read, streams are cut, those of readers that reconnect too', async () => {
  const { open, write, db, streamProblems } = openStreams();
  write('sent');
  const stream = open(0);
  db.exec('ALTER TABLE events RENAME TO gone');
  await taken(stream);
  assert.ok(stream.destroyed);
  assert.match(String(streamProblems[0]), /no such table/);
  const again = open(0);
  await taken(again);
  assert.ok(again.destroyed);
});

const ofDevice = (terminal: string, query: string, lastEventId: number | null = null) => {
  const abort = new AbortController();
  return { abort, events: connect(terminal, { query, lastEventId, signal: abort.signal }) };
};

test('over HTTP: a sale by events of the schema, as /v1 returns it; a restart misses nothing', async () => {
  using folder = temporaryFolder();
  let last = 0;
  const types: string[] = [];
  const numbers: number[] = [];
  const read = async (device: TestDevice, until: string): Promise<void> => {
    const { abort, events } = ofDevice(device.terminal, '?after=0', last === 0 ? null : last);
    for await (const { id, name, data } of events) {
      last = id;
      if (data.payment === undefined) continue;
      assert.equal([...Value.Errors(EventBody, data)], []);
      types.push(name);
      numbers.push(Number(data.number));
      if (name === until) {
        const { refunds, ...payment } = (await call(`${device.terminal}/v1/payments/${data.payment.id}`)).body;
        assert.equal(data.payment, payment);
        assert.equal(refunds, []);
        break;
      }
    }
    abort.abort();
  };
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    const reading = read(device, 'payment.accepted');
    await sellByQR(device, 1200);
    await reading;
    await sellByQR(device, 1300); // no reader is connected
  }
  await using device = await startTestDevice({}, folder.path);
  await read(device, 'payment.accepted');
  assert.equal(types, [...types.slice(0, 3), ...types.slice(0, 3)]);
  assert.equal(types.slice(0, 3), ['payment.created', 'payment.shown', 'payment.accepted']);
  assert.is(new Set(numbers).size, 6, 'the header counts before the query');
});

test('too many readers are refused, with what to do; one that goes frees its place', async () => {
  await using device = await startTestDevice({}, undefined, {
    tuning: { network: { eventStreams: { total: 2, perAddress: 2 } } },
  });
  await setUp(device);
  const readers = [ofDevice(device.terminal, ''), ofDevice(device.terminal, '')];
  for (const { events } of readers) assert.is((await events.next()).value?.name, 'hello');
  const refused = await call(`${device.terminal}/v1/events`);
  assert.equal([refused.status, refused.body.code], [503, 'RequestParams.TooMany']);
  assert.match(refused.body.detail, /2 streams of events are open/);
  assert.is(refused.headers.get('retry-after'), '5');
  readers[0]?.abort.abort();
  await until('a free place', async () => {
    const { abort, events } = ofDevice(device.terminal, '');
    const name = await events.next().then(
      ({ value }) => value?.name,
      () => null,
    );
    abort.abort();
    return name === 'hello';
  });
  readers[1]?.abort.abort();
});

test('a wrong number, type or parameter is named', async () => {
  await using device = await startTestDevice();
  for (const [query, header, pattern] of [
    ['?after=-1', null, /^after must be at least 0$/],
    ['?after=1.5', null, /^after must/],
    ['?types=payment.paid', null, /^types must name types of events.*payment\.accepted/],
    ['?since=1', null, /^since is not known here/],
    ['', 'abc', /^the header Last-Event-ID must/],
  ] as const) {
    const answer = await call(`${device.terminal}/v1/events${query}`, {
      headers: header === null ? {} : { 'last-event-id': header },
    });
    assert.equal([answer.status, answer.body.code], [400, 'RequestParams.InvalidField'], query);
    assert.match(answer.body.detail, pattern);
  }
});

test('a reader that cannot be begun, or comes to closed streams, is not woken by the feed', () => {
  let followers = 0;
  const feed = {
    ...{ last: 0, lostTo: 0, read: () => [] },
    follow: () => {
      followers += 1;
      return () => {
        followers -= 1;
      };
    },
  };
  const onProblem = () => undefined;
  const ill = {
    ...feed,
    get last(): number {
      throw new Error('the disk is gone');
    },
  };
  const streams = new EventStreams(ill, onProblem);
  assert.throws(() => streams.open({ after: null }), 'the disk is gone');
  assert.is(followers, 0);
  const closed = new EventStreams(feed, onProblem);
  closed.close();
  closed.open({ after: null });
  assert.is(followers, 0);
});

test.run();
