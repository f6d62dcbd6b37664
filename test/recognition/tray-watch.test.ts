/** What lies on the tray by `/v1/recognition`: now, waited for, and as events. */
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OwnFailures } from '../../firmware/core/host/own-failures.ts';
import { EMPTY, type TrayState } from '../../firmware/recognition/answer/tray-state.ts';
import { LINGER_MS, OBSERVE_EVERY_MS, TrayWatch } from '../../firmware/recognition/answer/tray-watch.ts';
import { RecognitionError } from '../../firmware/recognition/model/recognition-error.ts';
import type { View } from '../../firmware/recognition/vision/frame.ts';
import { TrayFeed } from '../../firmware/recognition/vision/tray-feed.ts';
import { eventsIn, type ReadEvent } from '../events.ts';
import { replaced } from '../replaced.ts';
import { call, each, pick, until } from '../support.ts';
import { HandTimer } from './hand-timer.ts';
import { onRig, picture, type Rig, scene } from './support.ts';

const test = suite('recognition: the tray by /v1');
const it = each(test, onRig);

type TrayEvent = ReadEvent<{ readonly tray?: TrayState; readonly reason?: string; readonly after?: number }>;

/** Follows the events; `seen` grows as they come. */
class Follower implements AsyncDisposable {
  readonly seen: TrayEvent[] = [];
  readonly #abort = new AbortController();

  async open({ url }: Rig, headers: Record<string, string> = {}): Promise<this> {
    const { body } = await fetch(`${url}/v1/recognition/events`, { headers, signal: this.#abort.signal });
    void this.#read(body ?? new ReadableStream());
    await until('the greeting', () => this.seen.length > 0);
    return this;
  }

  /** Without greeting and beats. */
  get events(): TrayEvent[] {
    return this.seen.filter(({ name }) => name !== 'hello' && name !== 'beat');
  }

  named(event: string, count = 1): Promise<TrayEvent> {
    return until(`${count} of ${event}`, () => this.events.filter(({ name }) => name === event).at(count - 1));
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for await (const event of eventsIn<TrayEvent['data']>(stream)) this.seen.push(event);
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
  }
}

/** Like nothing that was learned. */
const stranger = (): Promise<Buffer> =>
  sharp({ create: { width: 256, height: 256, channels: 3, background: '#03f' } })
    .jpeg()
    .toBuffer();

const recognition = (rig: Rig, query = '') => rig.get(`/v1/recognition${query}`);

async function learned(rig: Rig): Promise<void> {
  await rig.show(await scene(null));
  assert.is((await rig.post('/api/learn_background')).body.code, 0);
  await rig.learn('4011', await picture(1));
  await rig.send('PUT', '/v1/items/4011', { name: 'Bananas', plu: '77', price: 12_990 });
}

test('the newest events are kept, and a reader that has missed one learns that', () => {
  const follows: number[] = [];
  const feed = new TrayFeed(1000, (count) => follows.push(count));
  let woken = 0;
  const unfollow = feed.follow(() => woken++);
  assert.equal(
    { last: feed.last, lostTo: feed.lostTo, beforeNewest: feed.beforeNewest },
    { last: 1000, lostTo: 1000, beforeNewest: 1000 },
  );
  for (let count = 0; count < 300; count += 1) feed.append('tray.empty', (number) => ({ number }));
  assert.equal({ last: feed.last, lostTo: feed.lostTo, woken }, { last: 1300, lostTo: 1044, woken: 300 });
  assert.equal(pick(feed.read(1298, 5), 'number'), [1299, 1300]);
  assert.is(feed.read(0, 7).length, 7);
  assert.is(feed.beforeNewest, 1299);
  feed.breakOff();
  assert.equal([feed.lostTo, feed.read(1300, 5)], [1301, []]);
  unfollow();
  unfollow();
  assert.equal(follows, [1, 0]);
});

const SIDE = 64;
/** A view whose left part is filled so far: 0 is nothing, 1 all of it. */
const view = (share: number): View => ({
  width: SIDE,
  height: SIDE,
  pixels: Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, at) => ((at / 3) % SIDE < SIDE * share ? 250 : 20)),
});

/** A watch over views that a test shows, of a camera that streams. */
function watching() {
  const time = new HandTimer();
  const state = {
    share: 0,
    isMoving: false,
    sequence: 0,
    recognised: 0,
    failure: null as Error | null,
    learned: 0,
    certain: ['4011'],
    /** What a recognition waits for. */
    model: Promise.resolve(),
  };
  const prices = { now: 100 };
  const watch = new TrayWatch({
    viewer: {
      observe: async () => {
        if (state.failure !== null) throw state.failure;
        state.sequence += 1;
        if (state.isMoving) state.share = state.share === 0.2 ? 0.6 : 0.2;
        const isEmpty = state.share === 0;
        return { sequence: state.sequence, trayRevision: 0, view: view(state.share), isEmpty, isStreaming: true };
      },
    },
    recognise: async () => {
      state.recognised += 1;
      await state.model;
      const candidates = state.certain.map((id) => ({
        id,
        name: null,
        plu: id,
        price: 1,
        picture: null,
        share: 1,
        similarity: 1,
      }));
      return { ...EMPTY, state: 'item', certain: candidates.length === 1, candidates, id: String(state.recognised) };
    },
    newestRecognition: () => 0,
    revision: () => state.learned,
    soldNow: (tray) => (tray.state === 'item' ? { ...tray, reason: `for ${prices.now}` } : tray),
    now: () => 1000,
    after: time.after,
    log: () => undefined,
    own: new OwnFailures(),
  });
  /** Lets it look until the check holds. */
  const looking = (what: string, check: () => unknown) =>
    until(what, () => {
      time.pass(OBSERVE_EVERY_MS);
      return check();
    });
  const types = (): string[] => watch.feed.read(0, 99).map(({ type }) => type);
  return { state, prices, watch, types, time, looking };
}

/** With a reader. */
const onWatch = each<[ReturnType<typeof watching>]>(test, (run) => async () => {
  const watched = watching();
  watched.watch.feed.follow(() => undefined);
  await run(watched);
  await watched.watch.close();
});

onWatch(
  'what lies there is recognised anew once the gallery changed',
  async ({ state, watch, types, looking, time }) => {
    state.share = 0.5;
    await looking('the item', () => watch.reported?.tray.certain);
    state.learned += 1;
    state.certain = ['4011', '4012']; // a look-alike was taught
    await looking('both', () => watch.reported?.tray.certain === false);
    assert.equal(types().slice(-3), ['item.recognised', 'tray.changed', 'item.recognised']);
    state.learned += 1;
    state.certain = ['4012']; // the first was deleted by another device
    await looking('the other', () => watch.reported?.tray.certain);
    const { length } = types();
    const before = state.recognised;
    state.learned += 1;
    await looking('another recognition', () => state.recognised === before + 1);
    state.learned += 1;
    time.pass(OBSERVE_EVERY_MS);
    assert.is(types().length, length, 'the same answer is no news');
    watch.reportChosen(
      { recognition: '1', thing: null, item: { id: '4012', name: null, plu: '4012', price: 1, picture: null } },
      { number: 99, isRepeated: false },
    );
    state.learned += 1;
    for (let look = 0; look < 30; look += 1) {
      time.pass(OBSERVE_EVERY_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.is(state.recognised, before + 1, 'a person has said what it is');
  },
);

onWatch('a repeated choice is no news on the tray after the one on which it was taken back', async (watched) => {
  const { state, watch, types, looking } = watched;
  state.share = 0.5;
  await looking('the item', () => watch.reported?.tray.certain);
  watch.reportTakenBack({ recognition: '1', thing: null }, { number: 1 });
  state.share = 0.9;
  await looking('the next item', () => watch.reported?.tray.id === '2');
  const item = { id: '4012', name: null, plu: '4012', price: 1, picture: null };
  watch.reportChosen({ recognition: '2', thing: null, item }, { number: 2, isRepeated: true });
  assert.not(types().includes('item.chosen'));
});

onWatch(
  'an answer is out of date until the changed gallery’s one is there, and while that fails',
  async ({ state, watch, looking }) => {
    state.share = 0.5;
    await looking('the item', () => watch.reported?.tray.certain);
    const model = Promise.withResolvers<void>();
    state.model = model.promise;
    state.certain = ['4012'];
    state.learned += 1;
    await looking('the recognition', () => state.recognised === 2);
    assert.is(watch.isBehind, true, 'the model is still at it');
    model.reject(new RecognitionError('Model.NotReady', 'the model was busy'));
    state.model = Promise.resolve();
    await looking('the other item', () => watch.reported?.tray.candidates[0]?.id === '4012');
    assert.equal([watch.isBehind, state.recognised], [false, 3]);
  },
);

onWatch(
  'another price of what lies there is reported, not recognised',
  async ({ state, prices, watch, types, looking }) => {
    state.share = 0.5;
    await looking('the item', () => watch.reported?.tray.reason === 'for 100');
    const { number = 0, tray } = watch.reported ?? {};
    prices.now = 999;
    await looking('the other price', () => (watch.reported?.number ?? 0) > number);
    assert.equal([watch.reported?.tray.id, watch.reported?.tray.reason], [tray?.id, 'for 999']);
    assert.equal(types().slice(-3), ['tray.changed', 'item.recognised', 'item.recognised']);
    assert.is(state.recognised, 1);
  },
);

onWatch('a change that ends as it began is reported to its end', async ({ state, watch, types, looking }) => {
  await looking('empty', () => watch.reported?.tray.state === 'empty');
  for (const times of [1, 2]) {
    state.isMoving = true;
    await looking('the change', () => types().filter((type) => type === 'tray.changed').length === times);
    assert.is(watch.reported, null, 'the last report counts no more');
    state.isMoving = false;
    state.share = 0;
    await looking('empty again', () => types().filter((type) => type === 'tray.empty').length === times + 1);
    assert.is(watch.reported?.number, watch.feed.last);
  }
  assert.is(state.recognised, 0);
  state.failure = new RecognitionError('Camera.Lost', 'gone');
  await looking('the loss', () => types().at(-1) === 'camera.lost');
  state.failure = null;
  state.isMoving = true;
  await looking('the change', () => types().at(-1) === 'tray.changed');
  state.failure = new RecognitionError('Camera.Lost', 'gone');
  await looking('the loss again', () => types().at(-1) === 'camera.lost');
});

test('what could not be recognised at first is tried again, though the camera shows nothing new', async () => {
  const time = new HandTimer();
  const frame = { sequence: 7, trayRevision: 0, view: view(0.5), isEmpty: false, isStreaming: false };
  let tries = 0;
  const watch = new TrayWatch({
    viewer: { observe: async (after) => (after?.sequence === frame.sequence ? null : frame) },
    recognise: async () => {
      tries += 1;
      if (tries < 3) throw new RecognitionError('Model.NotReady', 'the model is being loaded');
      return { ...EMPTY, state: 'item', id: '1' };
    },
    newestRecognition: () => 0,
    revision: () => 0,
    soldNow: (tray) => tray,
    now: () => 1000,
    after: time.after,
    log: () => undefined,
    own: new OwnFailures(),
  });
  watch.feed.follow(() => undefined);
  await until('the item', () => {
    time.pass(OBSERVE_EVERY_MS);
    return watch.reported?.tray.state === 'item';
  });
  assert.equal(pick(watch.feed.read(0, 99), 'type'), ['tray.changed', 'item.recognised']);
  await watch.close();
});

onWatch('what moves is recognised once it lies still, and reported once', async ({ state, watch, types, looking }) => {
  await looking('empty', () => types().includes('tray.empty'));
  state.isMoving = true;
  await looking('the change', () => types().includes('tray.changed'));
  await looking('many looks', () => state.sequence > 30);
  assert.is(state.recognised, 0, 'it moves');
  state.isMoving = false;
  state.share = 0.5;
  await looking('the item', () => types().includes('item.recognised'));
  const { recognised, sequence } = state;
  await looking('more looks', () => state.sequence > sequence + 20);
  assert.is(state.recognised, recognised, 'it lies there as it did');
  assert.equal(types(), ['tray.empty', 'tray.changed', 'item.recognised']);
  state.failure = new RecognitionError('Camera.Lost', 'it is not plugged in');
  await looking('the loss', () => types().includes('camera.lost'));
  assert.is(watch.reported?.tray.reason, 'it is not plugged in');
});

test('without a reader the watch ends after a while; one that comes back learns of the gap', async () => {
  const { state, watch, time, looking } = watching();
  const leave = watch.feed.follow(() => undefined);
  await looking('a look', () => watch.reported);
  const { last } = watch.feed;
  leave();
  time.pass(LINGER_MS - 1);
  assert.ok(watch.reported !== null && watch.feed.lostTo <= last, 'who comes back now has missed nothing');
  time.pass(1);
  assert.equal([watch.reported, watch.feed.lostTo > last], [null, true], 'a gap');
  await watch.close();
  const { sequence } = state;
  assert.is(time.armed, 0, 'nothing is decoded without a reader');
  watch.feed.follow(() => undefined);
  await looking('another look', () => watch.reported);
  assert.ok(state.sequence > sequence);
  await watch.close();
});

it('a look has what a till sells, and why it is uncertain; empty and lost camera are states', async (rig) => {
  const none = await recognition(rig);
  assert.equal([none.status, none.body.code], [503, 'Camera.NoPicture']);
  await learned(rig);
  const seen = await recognition(rig);
  assert.is(seen.status, 200, seen.text);
  const { candidates, id, ...rest } = seen.body;
  assert.equal(
    { state: rest.state, certain: rest.certain, reason: rest.reason, number: rest.number },
    { state: 'item', certain: true, reason: null, number: null },
  );
  const { share, similarity, ...candidate } = candidates[0];
  const [sid] = rig.recognition.templates.reader.sidsOf('4011');
  const picture = `/v1/items/4011/templates/${sid}/picture`; // it has none of its own
  assert.equal(candidate, { id: '4011', name: 'Bananas', plu: '77', price: 12_990, picture });
  assert.ok(share === 1 && similarity > 0.9);
  await rig.show(await stranger());
  assert.equal((await recognition(rig)).body.state, 'unknown');
  await rig.show(await scene(null));
  const empty = (await recognition(rig)).body;
  assert.equal([empty.state, empty.candidates, empty.id], ['empty', [], null]);
  assert.equal((await rig.get('/api/get_result')).body.code, -6308, 'the older call says it as it did');
  const path = `/v1/recognition/${id}/feedback`;
  assert.equal((await rig.post(path, { item: '4011' })).body.rank, 1);
  const half = await rig.post(path, { item: '\uD800' });
  assert.equal([half.status, half.body.field], [400, 'item']);
  const other = await rig.post('/v1/recognition/none/feedback', { item: null });
  assert.equal([other.status, other.body.code], [404, 'Recognition.NotFound']);
  await rig.camera.close();
  const lost = (await recognition(rig)).body;
  assert.is(lost.state, 'lost');
  assert.ok(lost.reason.length > 5);
});

it('what is taken away between look and picture leaves an empty tray, and no failure', async (rig) => {
  await rig.show(await scene(null));
  assert.is((await rig.send('PUT', '/console/api/camera/empty-tray')).status, 200);
  const gone = rig.camera.latest();
  await rig.show(await scene('orange'));
  const lies = rig.camera.latest();
  const shown = [lies];
  using _ = replaced(rig.camera, 'latest', () => shown.shift() ?? gone);
  const { status, body } = await recognition(rig);
  assert.equal([status, body.state], [200, 'empty']);
  assert.is(shown.length, 0);
});

it('each change is reported once, in order; a new reader gets the present state', async (rig) => {
  await learned(rig);
  await using first = await new Follower().open(rig);
  const item = await first.named('item.recognised');
  const { tray } = item.data;
  assert.equal([tray?.candidates[0]?.name, tray?.certain], ['Bananas', true]);
  await rig.show(await scene(null));
  await first.named('tray.empty');
  await rig.show(await stranger());
  await first.named('item.unknown');
  assert.equal(pick(first.events, 'name'), [
    'tray.changed',
    'item.recognised',
    'tray.changed',
    'tray.empty',
    'tray.changed',
    'item.unknown',
  ]);
  const ids = first.events.map(({ id }) => id);
  const inOrder = [...ids].sort((one, other) => one - other);
  assert.equal(ids, inOrder);
  await using second = await new Follower().open(rig);
  assert.is((await second.named('item.unknown')).id, first.events.at(-1)?.id);
  assert.is(second.events.length, 1);
  await rig.camera.close();
  await first.named('camera.lost');
  await second.named('camera.lost');
});

it('an empty tray that is learned of the picture that was looked at last is seen empty', async (rig) => {
  await rig.show(await scene(null));
  await rig.learn('4011', await picture(1));
  await rig.show(await scene(null));
  await using follower = await new Follower().open(rig);
  await until('a look at it', () => follower.events.some(({ name }) => name.startsWith('item.')));
  assert.is((await rig.post('/api/learn_background')).body.code, 0);
  await follower.named('tray.empty');
});

it('a reader that comes back misses nothing; one that was away for too long learns of the gap', async (rig) => {
  await learned(rig);
  let last: string;
  {
    await using reader = await new Follower().open(rig);
    last = String((await reader.named('item.recognised')).id);
  }
  await rig.show(await scene(null));
  await using back = await new Follower().open(rig, { 'last-event-id': last });
  await back.named('tray.empty');
  assert.equal(pick(back.events, 'name'), ['tray.changed', 'tray.empty']);
  await using old = await new Follower().open(rig, { 'last-event-id': '17' });
  const gap = await old.named('gap');
  assert.equal([gap.data.reason, gap.data.after], ['pruned', 17]);
  await old.named('tray.empty');
  await using ahead = await new Follower().open(rig, { 'last-event-id': '999999999999999' });
  assert.is((await ahead.named('gap')).data.reason, 'ahead');
  const wrong = await call(`${rig.url}/v1/recognition/events?after=x`);
  assert.equal([wrong.status, wrong.body.code], [400, 'RequestParams.InvalidField']);
});

it('a call waits for another state than the one it knows, and no longer than it says', async (rig) => {
  await learned(rig);
  const first = (await recognition(rig, '?wait=10')).body;
  assert.is(first.state, 'item');
  const waiting = recognition(rig, `?wait=20&after=${first.number}`);
  await rig.show(await scene(null));
  const next = (await waiting).body;
  assert.is(next.state, 'empty');
  assert.ok(next.number > first.number);
  const same = (await recognition(rig, `?wait=1&after=${next.number}`)).body;
  assert.equal([same.state, same.number], ['empty', next.number]);
  const ahead = recognition(rig, '?wait=25&after=999999999999999');
  const knowing = recognition(rig, `?wait=5&after=${next.number}`).then(() => null);
  const soonest = await Promise.race([ahead, knowing]);
  assert.is(soonest?.body.number, next.number, 'a number of a clock that was ahead is not waited for');
  await rig.show(await picture(1));
  await until('the item', async () => (await recognition(rig, '?wait=1')).body.state === 'item');
  const priced = { method: 'PATCH', json: { price: 777 } };
  assert.is((await call(`${rig.url}/v1/items/4011`, priced)).status, 200);
  assert.is((await recognition(rig, '?wait=1')).body.candidates[0].price, 777);
  await using late = await new Follower().open(rig);
  assert.is((await late.named('item.recognised')).data.tray?.candidates[0]?.price, 777);
  const wrong = await recognition(rig, '?wait=26');
  assert.equal([wrong.status, wrong.body.field], [400, 'wait']);
});

it('a caller that hangs up waits no more, and too many waiting callers are refused in words', async (rig) => {
  await learned(rig);
  const { number } = (await recognition(rig, '?wait=10')).body;
  const hangUp = new AbortController();
  const waits = Array.from({ length: 64 }, () =>
    fetch(`${rig.url}/v1/recognition?wait=25&after=${number}`, { signal: hangUp.signal }).catch(() => null),
  );
  const refused = await until('a refusal', async () => {
    const answer = await recognition(rig, `?wait=1&after=${number}`);
    return answer.status === 503 ? answer : null;
  });
  assert.equal([refused.body.code, refused.headers.get('retry-after')], ['RequestParams.TooMany', '1']);
  hangUp.abort();
  await Promise.all(waits);
  await until('room', async () => (await recognition(rig, `?wait=1&after=${number}`)).status === 200);
});

test.run();
