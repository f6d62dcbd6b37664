/** What the display does with its link, on a wire made of promises: every moment of a loss can be chosen here. */
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAR, DisplayError, type DisplayState, type Picture } from '../../../drivers/display/contract.ts';
import * as frames from '../../../drivers/display/wire/frames.ts';
import type { Connection } from '../../../drivers/display/wire/link.ts';
import { type ConnectContext, WireDisplay, type WireOptions } from '../../../drivers/display/wire/wire-display.ts';
import { Backoff } from '../../../drivers/lib/async.ts';
import { each, pick } from '../../support.ts';
import { failure, QUICK, qr, ready, until } from './support.ts';

const hex = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString('hex');
const afresh = (picture: Picture): string => hex(frames.encodeAfresh('serial', picture));
const drawn = (picture: Picture): string => hex(frames.encodePicture('serial', picture));

/** A connection whose writes end when the test says so. */
class FakeConnection implements Connection {
  readonly written: string[] = [];
  readonly closed: Promise<DisplayError>;
  readonly break: (error: DisplayError) => void;
  closes = 0;
  /** While true, writes are taken and never end. */
  stuck = false;
  #release: (() => void)[] = [];

  constructor() {
    const { promise, resolve } = Promise.withResolvers<DisplayError>();
    this.closed = promise;
    this.break = resolve;
  }

  write(parts: readonly Uint8Array[]): Promise<void> {
    this.written.push(hex(parts));
    return this.stuck ? new Promise((resolve) => this.#release.push(resolve)) : Promise.resolve();
  }

  release(): void {
    this.stuck = false;
    for (const resolve of this.#release.splice(0)) resolve();
  }

  close(): Promise<void> {
    this.closes += 1;
    return Promise.resolve();
  }
}

/** A second after it, a display may show something of its own. */
const CLEARED_LONG_AGO_MS = 1_050;
const lost = (): DisplayError => new DisplayError('serial', 'lost', 'the wire was cut');

/** Those of a test are closed at its end. */
const displays: WireDisplay[] = [];

/** @param stuck whether connections take no bytes at first */
function harness(options: Partial<WireOptions> = {}, stuck = false) {
  const state = { current: CLEAR as Picture, connections: [] as FakeConnection[], asked: [] as Picture[] };
  const display = new WireDisplay({
    kind: 'serial',
    connect: () => {
      const connection = Object.assign(new FakeConnection(), { stuck });
      state.connections.push(connection);
      return Promise.resolve(connection);
    },
    ...QUICK,
    ...options,
    current: () => {
      state.asked.push(state.current);
      return state.current;
    },
  });
  displays.push(display);
  const last = (): FakeConnection => {
    const connection = state.connections.at(-1);
    if (!connection) throw new Error('no connection yet');
    return connection;
  };
  return { display, state, last };
}

const wire = suite('wire display');
wire.after.each(async () => void (await Promise.all(displays.splice(0).map((display) => display.close()))));
const ANEW = { backoffMinMs: 0, backoffMaxMs: 0, pause: () => Promise.resolve() };
/** Each with a display that is ready. */
const linked = (options: Partial<WireOptions> = {}) =>
  each<[ReturnType<typeof harness>]>(wire, (run) => async () => {
    const made = harness(options);
    await ready(made.display);
    await run(made);
  });
const onLink = linked();

onLink('the first bytes of every connection are Clear and the current picture', async ({ display, state, last }) => {
  for (const picture of [qr('one'), { kind: 'status', status: 'success' } as const, CLEAR, qr('two')]) {
    state.current = picture;
    const before = state.connections.length;
    last().break(lost());
    await until('it is connected again', () => state.connections.length > before && display.state.name === 'ready');
    assert.equal(last().written, [afresh(picture)]);
  }
});

wire('what it draws is in the protocol that it is given', async () => {
  const encodePicture = (_: string, { kind }: Picture) => [Buffer.from(kind)];
  const { display, last } = harness({ protocol: { ...frames, encodePicture, encodeAfresh: encodePicture } });
  await ready(display);
  await display.draw(qr('one'));
  const texts = ['clear', 'qr'].map((text) => Buffer.from(text).toString('hex'));
  assert.equal(last().written, texts);
});

wire('what it answers is cut where the protocol that it is given ends a reply', async () => {
  const bytes: unknown[] = [];
  const { display } = harness({
    protocol: { ...frames, REPLY_END: 0x0a },
    log: (message, details) => message === 'the display answered' && bytes.push(details?.hex),
    connect: async ({ openReader }: ConnectContext) => {
      const read = await openReader();
      read(Buffer.from('one\x03two\nthree\n', 'latin1'));
      return new FakeConnection();
    },
  });
  await ready(display);
  const replies = ['one\x03two', 'three'].map((reply) => Buffer.from(reply, 'latin1').toString('hex'));
  assert.equal(bytes, replies);
});

wire('a code just cleared for goes out without another Clear; any other is cleared for', async () => {
  const { display, state, last } = harness(ANEW);
  const clear = drawn(CLEAR);
  display.clearAhead();
  await ready(display);
  last().written.length = 0;
  display.clearAhead();
  await display.draw(qr('one'));
  await display.draw(qr('two'));
  display.clearAhead();
  await display.draw({ kind: 'status', status: 'success' });
  await display.draw(qr('three'));
  const [one, two, three] = ['one', 'two', 'three'].map((payload) => drawn(qr(payload)));
  const success = drawn({ kind: 'status', status: 'success' });
  assert.equal(last().written, [clear, one?.slice(clear.length), two, clear, success, three]);
  const first = last();
  display.clearAhead();
  first.break(lost());
  await until('it is connected again', () => last() !== first && display.state.name === 'ready');
  await display.draw(qr('four'));
  display.clearAhead();
  await pause(CLEARED_LONG_AGO_MS);
  await display.draw(qr('five'));
  assert.equal(last().written, [afresh(state.current), drawn(qr('four')), clear, drawn(qr('five'))]);
});

linked(ANEW)('a picture under way at a loss is refused before the next link asks', async ({ display, state, last }) => {
  const first = last();
  first.stuck = true;
  state.current = qr('never to be seen again');
  const show = display.draw(state.current).catch((error: unknown) => {
    // several steps away from the failure, as in a caller with layers
    let steps = Promise.resolve();
    for (let step = 0; step < 200; step += 1) steps = steps.then(() => undefined);
    return steps.then(() => {
      state.current = CLEAR;
      return error;
    });
  });
  state.asked.length = 0;
  first.break(lost());
  const error = await show;
  assert.ok(error instanceof DisplayError && error.code === 'lost');
  await until('it is connected again', () => last() !== first && display.state.name === 'ready');
  assert.ok(state.asked.length > 0);
  assert.ok(state.asked.every(({ kind }) => kind === 'clear'));
  assert.equal(last().written, [afresh(CLEAR)]);
});

onLink('what waited behind a picture when the link broke was never sent, and fails', async ({ display, last }) => {
  const first = last();
  first.stuck = true;
  const shows = [qr('1'), qr('2'), qr('3')].map((picture) => failure(display.draw(picture)));
  first.break(lost());
  const codes = (await Promise.all(shows)).map(({ code }) => code);
  assert.equal(codes, ['lost', 'not-connected', 'not-connected']);
  await ready(display);
  assert.ok(!last().written.some((bytes) => bytes.includes('3202f203')));
});

const onSlowLink = linked({ backoffMinMs: 60, backoffMaxMs: 60 });
onSlowLink('without a link a picture is refused at once, with the reason', async ({ display, state, last }) => {
  const first = last();
  first.break(lost());
  await until('the loss is known', () => display.state.name === 'lost');
  const error = await failure(display.draw(qr('too late')));
  assert.is(error.code, 'not-connected');
  assert.match(error.message, 'the wire was cut');
  assert.ok(error.cause instanceof DisplayError && error.cause.code === 'lost');
  await until('it is connected again', () => last() !== first && display.state.name === 'ready');
  assert.equal(last().written, [afresh(state.current)]);
});

const inTime = linked({ writeDeadlineMs: 30 });
inTime('a display that takes no bytes is given up at the deadline, and closed', async ({ display, last, state }) => {
  const first = last();
  first.stuck = true;
  assert.is((await failure(display.draw(qr('x')))).code, 'timeout');
  await until('it is connected again', () => state.connections.length > 1 && display.state.name === 'ready');
  assert.ok(first.closes > 0);
  // the end of that write, however late, must not count for anything
  first.release();
  await display.draw(qr('y'));
  assert.equal(last().written, [afresh(CLEAR), drawn(qr('y'))]);
});

wire('a display that takes not even the first bytes never becomes ready', async () => {
  const states: DisplayState[] = [];
  const onState = (next: DisplayState) => states.push(next);
  const { state } = harness({ writeDeadlineMs: 10, onState }, true);
  await until('it was tried three times', () => state.connections.length >= 3);
  assert.ok(states.every(({ name }) => name === 'connecting' || name === 'lost'));
});

wire('a picture that changes while it is drawn is drawn again before the display is ready', async () => {
  const { display, state, last } = harness({}, true);
  await until('the first bytes are under way', () => state.connections[0]?.written.length === 1);
  state.current = { kind: 'status', status: 'success' };
  assert.is((await failure(display.draw(state.current))).code, 'not-connected');
  last().release();
  await ready(display);
  assert.equal(last().written, [afresh(CLEAR), drawn({ kind: 'status', status: 'success' })]);
});

wire('a connection that comes after its attempt was given up is closed, and not used', async () => {
  const late = new FakeConnection();
  const signals: AbortSignal[] = [];
  const { promise, resolve } = Promise.withResolvers<Connection>();
  let attempts = 0;
  const { display, state } = harness({
    connectDeadlineMs: 20,
    connect: ({ signal }: ConnectContext) => {
      signals.push(signal);
      attempts += 1;
      if (attempts === 1) return promise;
      const connection = new FakeConnection();
      state.connections.push(connection);
      return Promise.resolve(connection);
    },
  });
  await ready(display);
  resolve(late);
  await until('the late connection is closed', () => late.closes === 1);
  assert.ok(signals[0]?.aborted);
  assert.equal(late.written, []);
});

onLink('closing gives the link back and refuses what was waiting', async ({ display, last }) => {
  last().stuck = true;
  const waiting = [failure(display.draw(qr('1'))), failure(display.draw(qr('2')))];
  await display.close();
  assert.equal(pick(await Promise.all(waiting), 'code'), ['closed', 'closed']);
  assert.ok(last().closes > 0);
});

wire('closing does not wait for an attempt that hangs', async () => {
  const { display } = harness({ connect: () => new Promise(() => undefined), connectDeadlineMs: 3_600_000 });
  await until('the attempt is under way', () => display.state.name === 'connecting');
  await display.close();
  assert.is(display.state.name, 'closed');
});

wire('a listener, a log or a current that throws does not keep the display away', async () => {
  const display = new WireDisplay({
    kind: 'serial',
    connect: () => Promise.resolve(new FakeConnection()),
    current: () => {
      throw new Error('no picture');
    },
    onState: () => {
      throw new Error('no ear');
    },
  });
  await ready(display);
  await display.close();
});

wire('the same reason is logged once, however often it is met', async () => {
  const lines: string[] = [];
  let attempts = 0;
  harness({
    log: (message) => lines.push(message),
    connect: () => {
      attempts += 1;
      return Promise.reject(new DisplayError('serial', 'not-found', 'no such port'));
    },
  });
  await until('it was tried five times', () => attempts >= 5);
  assert.equal(lines, ['the display is lost']);
});

wire('a device that never stops answering fills no log', async () => {
  const lines: string[] = [];
  let answer: (bytes: Uint8Array) => void = () => undefined;
  const { display } = harness({
    log: (message) => lines.push(message),
    connect: async ({ openReader }: ConnectContext) => {
      answer = await openReader();
      return new FakeConnection();
    },
  });
  await ready(display);
  for (let turn = 0; turn < 10_000; turn += 1) answer(Buffer.from('CLS\x06\x03', 'latin1'));
  assert.ok(lines.length <= 50);
});

wire('attempts that fail wait longer each time, between half a second and thirty', async () => {
  const waits: number[] = [];
  let attempts = 0;
  const display = new WireDisplay({
    kind: 'serial',
    current: () => CLEAR,
    random: () => 0.5,
    connect: () => {
      attempts += 1;
      return Promise.reject(new DisplayError('serial', 'not-found', 'no such port'));
    },
    pause: (ms, signal) => {
      waits.push(ms);
      return waits.length < 9
        ? Promise.resolve()
        : new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  });
  await until('it was tried nine times', () => attempts >= 9 && waits.length === 9);
  assert.equal(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  await display.close();
});

wire('a link that held for long makes the next attempt come soon again, one that flaps does not', async () => {
  const run = async (stableMs: number): Promise<number[]> => {
    const waits: number[] = [];
    const { display, state, last } = harness({
      stableMs,
      random: () => 0.5,
      backoffMinMs: 1,
      backoffMaxMs: 1_000,
      pause: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    });
    for (let turn = 0; turn < 4; turn += 1) {
      await until('it is connected', () => state.connections.length > turn && display.state.name === 'ready');
      last().break(lost());
      await until('the loss was waited for', () => waits.length > turn);
    }
    await display.close();
    return waits.slice(0, 4);
  };
  assert.equal(await run(0), [1, 1, 1, 1]);
  assert.equal(await run(3_600_000), [1, 2, 4, 8]);
});

wire('the jitter keeps within the limits, at both ends of chance', () => {
  const waits = (random: number) => {
    const backoff = new Backoff({ minMs: 500, maxMs: 30_000 }, () => random);
    return Array.from({ length: 40 }, () => backoff.next());
  };
  for (const ms of [...waits(0), ...waits(0.999)]) assert.ok(ms >= 500 && ms <= 30_000);
  assert.is.not(waits(0)[3], waits(0.999)[3]);
});

wire.run();
