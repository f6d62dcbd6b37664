import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Value from 'typebox/value';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConsoleState, ConsoleStateSchema } from '../../firmware/console/console-view.ts';
import { type DisplayEvent, DisplayEventSchema } from '../../firmware/console/display-view.ts';
import { StateStream } from '../../firmware/console/state-stream.ts';
import { EventReader } from '../events.ts';
import { call, each, onSetUpDevice, startTestDevice, type TestDevice, until } from '../support.ts';

const test = suite('live events of the pages');
const it = each(test, onSetUpDevice);

const infoQR = ({ terminal }: TestDevice, text: string) => call(`${terminal}/showInfoQR`, { json: { infoQR: text } });
const displayOf = ({ recognition }: TestDevice) =>
  EventReader.open<DisplayEvent & { beatMs?: number }>(`${recognition}/display/events`);

it('a viewer of the display gets a greeting, the present state, then each change', async (device) => {
  await infoQR(device, 'first');
  await using viewer = await displayOf(device);
  assert.match(viewer.headers.get('content-type') ?? '', 'text/event-stream');
  assert.is(viewer.headers.get('cache-control'), 'no-store');
  const hello = await viewer.next();
  assert.is(hello?.name, 'hello');
  assert.type(hello?.data.beatMs, 'number');
  assert.is((await viewer.state()).payload, 'first');
  await infoQR(device, 'second');
  const state = await viewer.state();
  assert.is(state.payload, 'second');
  assert.equal([...Value.Errors(DisplayEventSchema, state)], []);
  await call(`${device.terminal}/displayStatus`, { json: { status: 3 } });
  const symbol = await viewer.state();
  assert.equal([symbol.kind, symbol.status, symbol.qr], ['status', 'success', undefined]);
  await call(`${device.terminal}/clearScreen`, { method: 'POST' });
  assert.is((await viewer.state()).kind, 'clear');
});

it('an event is the display state with the drawing of its code', async (device) => {
  await call(`${device.terminal}/showQR`, { json: { amount: 500, purpose: 'tea' } });
  await using viewer = await displayOf(device);
  const { qr, leftMs: leftFirst, ...state } = await viewer.state();
  const { leftMs, ...asked } = (await call(`${device.recognition}/display/state`)).body;
  assert.equal(state, asked);
  assert.ok(leftMs <= Number(leftFirst) && leftMs > 0, 'its time runs');
  assert.match(qr?.path ?? '', /^M4 4h7v1h-7z/, 'begins with a finder pattern after the quiet zone');
});

it('two viewers get the same', async (device) => {
  await using one = await displayOf(device);
  await using other = await displayOf(device);
  assert.equal(await one.state(), await other.state());
  await infoQR(device, 'for both');
  assert.equal(await one.state(), await other.state());
});

test('where nothing changes there are beats', async () => {
  await using device = await startTestDevice();
  await using viewer = await displayOf(device);
  await viewer.state();
  assert.is((await viewer.next())?.name, 'beat');
});

it('the console gets the end of a payment, with anything on the display', async (device) => {
  await call(`${device.terminal}/showQR`, { json: { amount: 500 } });
  await using viewer = await EventReader.open<ConsoleState>(`${device.recognition}/console/api/overview/events`);
  const first = await viewer.state();
  assert.equal([...Value.Errors(ConsoleStateSchema, first)], []);
  assert.is(first.payment?.state, 'PENDING');
  await infoQR(device, 'opening hours');
  await call(`${device.sandbox}/sandbox/payments/${first.payment?.link?.split('/').at(-1)}/pay`, { method: 'POST' });
  for (;;) {
    const { payment } = await viewer.state();
    if (payment?.state === 'ACCEPTED') break;
    assert.is(payment?.state, 'PENDING');
  }
});

test('open streams end in good order when the device closes, and do not hold it up', async () => {
  const device = await startTestDevice();
  await using viewer = await displayOf(device);
  await using other = await EventReader.open<ConsoleState>(`${device.recognition}/console/api/overview/events`);
  await viewer.state();
  await other.state();
  await device[Symbol.asyncDispose]();
  for (const each of [viewer, other]) {
    let next = await each.next();
    while (next?.name === 'beat') next = await each.next();
    assert.is(next, null);
  }
});

/** A stream of states, and all that a viewer has read of it. */
function streamOf(compose: () => object) {
  const problems: unknown[] = [];
  const stream = new StateStream({}, compose, (error) => problems.push(error));
  const read = () => {
    let text = '';
    stream
      .open()
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        text += chunk;
      });
    return () => text;
  };
  return { stream, problems, read };
}

const BIG = 'x'.repeat(100_000);

test('a viewer that does not read holds one event at most, and then gets the newest', async () => {
  let count = 0;
  const { stream } = streamOf(() => ({ count, BIG }));
  const viewer = stream.open();
  for (count = 1; count <= 500; count += 1) {
    stream.changed();
    await nextTurn();
  }
  assert.ok(viewer.readableLength < 2 * BIG.length);
  let text = '';
  viewer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await until('the newest state has come', () => text.includes('"count":500,'));
  assert.ok(text.length < 3 * BIG.length, 'most of what happened meanwhile was left out');
  stream.close();
});

test('a viewer that takes nothing for many beats is let go, one that reads stays', async () => {
  const { stream, read } = streamOf(() => ({}));
  const stuck = stream.open();
  const heard = read();
  await until('the stuck one is let go', () => stuck.destroyed);
  const before = heard().length;
  await until('the other hears another beat', () => heard().slice(before).includes('event: beat'));
  stream.close();
});

test('changes within one turn are sent as one, and an unchanged state is not sent again', async () => {
  let count = 0;
  let composed = 0;
  const { stream, read } = streamOf(() => {
    composed += 1;
    return { count };
  });
  const seen = read();
  await until('the first state has come', () => seen().includes('"count":0'));
  for (count = 1; count < 10; count += 1) stream.changed();
  await nextTurn();
  stream.changed();
  await nextTurn();
  await until('the change has come', () => seen().includes('"count":10'));
  assert.is(composed, 3);
  assert.is(seen().match(/data: \{"count"/g)?.length, 2);
  stream.close();
});

test('what changes often is composed a few times, and the last of it comes', async () => {
  let count = 0;
  let composed = 0;
  const { stream, read } = streamOf(() => {
    composed += 1;
    return { count };
  });
  const seen = read();
  for (count = 1; count < 50; count += 1) {
    stream.changedOften();
    await nextTurn();
  }
  await until('the last has come', () => seen().includes('"count":50'));
  assert.ok(composed < 20, `composed ${composed} times`);
  count += 1;
  stream.changedOften();
  await until('what changes later comes, too', () => seen().includes('"count":51'));
  stream.close();
});

test('nothing is composed without a viewer', async () => {
  let composed = 0;
  const { stream } = streamOf(() => {
    composed += 1;
    return {};
  });
  const viewer = stream.open();
  viewer.destroy();
  await once(viewer, 'close');
  const before = composed;
  stream.changed();
  await nextTurn();
  assert.is(composed, before);
  stream.close();
});

test('a state that cannot be composed leaves the viewer in silence, is logged once, and heals', async () => {
  let broken = false;
  let count = 0;
  const { stream, problems, read } = streamOf(() => {
    if (broken) throw new Error('the ledger cannot be read');
    return { count };
  });
  const seen = read();
  const change = async () => {
    count += 1;
    stream.changed();
    await nextTurn();
  };
  await change();
  broken = true;
  await change();
  await change();
  assert.is(problems.length, 1);
  broken = false;
  await change();
  await until('the state has come', () => seen().includes('"count":4'));
  assert.not.match(seen(), '"count":3');
  stream.close();
});

test.run();
