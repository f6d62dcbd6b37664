/** What a person says that it is: the feedback of one thing or of several, and the event for the till. */
import { setTimeout } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OBSERVE_EVERY_MS } from '../../firmware/recognition/answer/tray-watch.ts';
import { TrayFeed } from '../../firmware/recognition/vision/tray-feed.ts';
import { EventReader } from '../events.ts';
import { replaced } from '../replaced.ts';
import { each, pick, problem } from '../support.ts';
import { BLUE, drawTray, halves, RED } from './drawn-tray.ts';
import { learnedRig, onRig, picture, type Rig, startRig } from './support.ts';

const test = suite('chosen items');
const it = each(test, onRig);

const AUTOMATIC = 2;
/** What lies there is certain, and is said to be something else: that is an event of its own. */
const WITHOUT_CONTRADICTIONS = { config: { contradictions: false } };

interface TrayEvent {
  readonly number: number;
  readonly type: string;
  readonly chosen?: {
    readonly recognition: string;
    readonly thing: number | null;
    readonly item: { readonly id: string };
  };
  readonly takenBack?: { readonly recognition: string; readonly thing: number | null };
  readonly tray?: { readonly state: string; readonly id: string };
}

const follow = (rig: Rig) => EventReader.open<TrayEvent>(`${rig.url}/v1/recognition/events`);
async function next(reader: EventReader<TrayEvent>, name: string): Promise<TrayEvent> {
  for (;;) {
    const event = await reader.next();
    if (event === null) throw new Error('the stream has ended');
    if (event.name === name) return event.data;
  }
}
const takeBack = (rig: Rig, id: string, query = '') => rig.send('DELETE', `/v1/recognition/${id}/feedback${query}`);
const onFollowed = each<[Rig, EventReader<TrayEvent>]>(test, (run) => async () => {
  await using rig = await learnedRig(WITHOUT_CONTRADICTIONS);
  await using reader = await follow(rig);
  await run(rig, reader);
});
const choose = (rig: Rig, id: string, body: object) => rig.post(`/v1/recognition/${id}/feedback`, body);

test('a follower of the tray gets the choice once, when sold; a new reader begins with the state', async () => {
  await using rig = await learnedRig(WITHOUT_CONTRADICTIONS);
  await rig.send('PUT', '/v1/items/item2', { name: 'Apples', price: 9900, plu: '42' });
  await using reader = await follow(rig);
  const { tray } = await next(reader, 'item.recognised');
  const id = tray?.id ?? '';
  for (let turn = 0; turn < 2; turn++) assert.is((await choose(rig, id, { item: 'item2' })).status, 200);
  const { chosen } = await next(reader, 'item.chosen');
  const [sid] = rig.recognition.templates.reader.sidsOf('item2');
  const own = `/v1/items/item2/templates/${sid}/picture`;
  const sold = { id: 'item2', name: 'Apples', plu: '42', price: 9900, picture: own };
  assert.equal(chosen, { recognition: id, thing: null, item: sold });
  await using other = await follow(rig);
  assert.is((await next(other, 'item.recognised')).tray?.id, id);
  assert.equal((await next(other, 'item.chosen')).chosen, chosen);
  await rig.show(await picture(5));
  const changed = await reader.next();
  assert.is(changed?.name, 'tray.changed', 'the repeated answer was not reported again');
});

onFollowed('none of the candidates is no event', async (rig, reader) => {
  const { tray } = await next(reader, 'item.recognised');
  assert.is((await choose(rig, tray?.id ?? '', { item: null })).status, 200);
  await rig.show(await picture(5));
  assert.is((await reader.next())?.name, 'tray.changed');
});

onFollowed('what is said late of what lay there before is no event for what lies there now', async (rig, reader) => {
  const before = (await next(reader, 'item.recognised')).tray?.id ?? '';
  await rig.show(await picture(5));
  const now = (await next(reader, 'item.recognised')).tray?.id ?? '';
  assert.is((await choose(rig, before, { item: 'item3' })).status, 200, 'it counts');
  assert.is((await choose(rig, now, { item: 'item5' })).status, 200);
  const event = await reader.next();
  assert.equal([event?.name, event?.data.chosen?.recognition], ['item.chosen', now]);
});

onFollowed('the first choice again, after another one, is no event until it was taken back', async (rig, reader) => {
  const first = (await next(reader, 'item.recognised')).tray?.id ?? '';
  const other = (await rig.get('/v1/recognition')).body.id;
  for (const [id, item] of [
    [first, 'item2'],
    [other, 'item1'],
    [first, 'item2'],
  ] as const)
    assert.is((await choose(rig, id, { item })).status, 200);
  assert.is((await takeBack(rig, other)).status, 200);
  for (const [type, id] of [
    ['item.chosen', first],
    ['item.chosen', other],
    ['item.taken_back', other],
  ]) {
    const event = await reader.next();
    const { chosen, takenBack } = event?.data ?? {};
    assert.equal([event?.name, (chosen ?? takenBack)?.recognition], [type, id]);
  }
  assert.is((await choose(rig, first, { item: 'item2' })).status, 200);
  assert.is((await next(reader, 'item.chosen')).chosen?.recognition, first);
});

onFollowed('a recognition is taken back once, whatever was said of another one since', async (rig, reader) => {
  const first = (await next(reader, 'item.recognised')).tray?.id ?? '';
  const other = (await rig.get('/v1/recognition')).body.id;
  for (const id of [first, other, first, other]) assert.is((await takeBack(rig, id)).status, 200);
  assert.is((await choose(rig, other, { item: 'item1' })).status, 200);
  assert.is((await takeBack(rig, first)).status, 200, 'sent again, its answer was lost: what was chosen since stays');
  assert.is((await takeBack(rig, other)).status, 200);
  const said = [];
  for (let count = 0; count < 4; count++) said.push(await reader.next());
  const named = said.map((event) => [event?.name, (event?.data.takenBack ?? event?.data.chosen)?.recognition]);
  assert.equal(named, [
    ['item.taken_back', first],
    ['item.taken_back', other],
    ['item.chosen', other],
    ['item.taken_back', other],
  ]);
});

onFollowed('what was taken back is followed, once, and what is chosen in its place', async (rig, reader) => {
  const id = (await next(reader, 'item.recognised')).tray?.id ?? '';
  const takenBack = { recognition: id, thing: null };
  for (let turn = 0; turn < 2; turn++) {
    const { status, body } = await takeBack(rig, id);
    assert.equal([status, body], [200, takenBack]);
  }
  assert.equal((await next(reader, 'item.taken_back')).takenBack, takenBack);
  assert.is(rig.recognition.ranks.report({ from: null, to: null, item: null }).total, 0);
  for (let turn = 0; turn < 2; turn++) {
    assert.is((await choose(rig, id, { item: 'item2' })).status, 200);
    assert.is((await reader.next())?.data.chosen?.item.id, 'item2');
    assert.is((await takeBack(rig, id)).status, 200);
    assert.equal((await reader.next())?.data.takenBack, takenBack, 'the repeated one was not reported again');
  }
  await using late = await follow(rig);
  await next(late, 'item.recognised');
  assert.equal((await late.next())?.data.takenBack, takenBack, 'the newest counts');
  await rig.show(await picture(5));
  await next(reader, 'item.recognised');
  assert.is((await takeBack(rig, id)).status, 200);
  await rig.show(await picture(3));
  assert.is((await reader.next())?.name, 'tray.changed', 'nothing of what lay there before');
});

it('what was taken back is unknown again: once it was taught it is recognised', async (rig) => {
  await rig.show(await picture(3));
  await using reader = await follow(rig);
  const id = (await next(reader, 'item.unknown')).tray?.id ?? '';
  await choose(rig, id, { item: 'item3' });
  await takeBack(rig, id);
  await next(reader, 'item.taken_back');
  await rig.post('/v1/items/item3/templates');
  await next(reader, 'item.recognised');
});

it('a choice is no answer for the next thing there: that is recognised once it is taught', async (rig) => {
  await rig.show(await picture(3));
  await using reader = await follow(rig);
  await choose(rig, (await next(reader, 'item.unknown')).tray?.id ?? '', { item: 'item3' });
  await rig.show(await picture(5));
  await next(reader, 'item.unknown');
  await rig.post('/v1/items/item5/templates');
  await next(reader, 'item.recognised');
});

test('after any number of changes a new reader gets the state and each thing’s newest choice', () => {
  const feed = new TrayFeed(1000, () => undefined);
  const texts = () => feed.read(feed.beforeNewest, 9).map(({ text }) => JSON.parse(text));
  feed.append('item.recognised', () => ['earlier']);
  feed.append('item.chosen', () => ['earlier choice'], '1');
  feed.append('item.recognised', () => ['state']);
  for (let turn = 1; turn <= 300; turn++)
    for (const thing of ['1', '2']) feed.append('item.chosen', () => ['choice', thing, turn], thing);
  assert.equal(texts(), [['state'], ['choice', '1', 300], ['choice', '2', 300]]);
  assert.equal(pick(feed.read(1001, 1), 'type'), ['item.chosen'], 'that of an earlier state stays');
});

/** Two things on a learned tray. */
const onTwo = each<[Rig, string]>(test, (run) => async () => {
  await using rig = await startRig();
  await rig.show(await drawTray());
  await rig.post('/api/learn_background');
  for (const [item, colours] of [
    ['red', RED],
    ['blue', BLUE],
  ] as const)
    await rig.learn(item, await drawTray({ things: halves(480, 200, 300, colours) }));
  await rig.post('/api/set_learning_mode', { mode: AUTOMATIC }); // before the look, so that its picture is kept
  await rig.show(await drawTray({ things: halves(320, 240, 220, RED) + halves(700, 240, 190, BLUE) }));
  const { body } = await rig.get('/v1/recognition');
  assert.is(body.things.length, 2);
  await run(rig, body.id);
});

onTwo('who follows the tray gets each of several things by its place', async (rig) => {
  await using reader = await follow(rig);
  const { tray } = await next(reader, 'item.recognised');
  for (const thing of [2, 1]) {
    await choose(rig, tray?.id ?? '', { item: 'blue', thing });
    assert.is((await next(reader, 'item.chosen')).chosen?.thing, thing);
  }
});

it('what was unknown is recognised once it was taught, though nothing moved, and can be chosen', async (rig) => {
  await rig.show(await picture(3));
  await using reader = await follow(rig);
  await next(reader, 'item.unknown');
  await rig.post('/v1/items/item3/templates');
  const { tray } = await next(reader, 'item.recognised');
  await choose(rig, tray?.id ?? '', { item: 'item2' });
  assert.is((await next(reader, 'item.chosen')).chosen?.recognition, tray?.id);
});

it('what an answer teaches is no reason to look again: the choice stands', async (rig) => {
  await rig.post('/api/set_learning_mode', { mode: AUTOMATIC });
  await rig.show(await picture(3));
  await using reader = await follow(rig);
  const { tray } = await next(reader, 'item.unknown');
  const { sid, reason } = (await choose(rig, tray?.id ?? '', { item: 'item3' })).body;
  assert.is(typeof sid, 'string', reason);
  assert.is((await reader.next())?.name, 'item.chosen');
  await setTimeout(3 * OBSERVE_EVERY_MS);
  await using late = await follow(rig);
  assert.is((await late.next())?.name, 'hello');
  assert.equal([(await late.next())?.name, (await late.next())?.name], ['item.unknown', 'item.chosen']);
});

onTwo('each of several things is answered for itself, counted and never learned from', async (rig, id) => {
  const before = rig.recognition.templates.reader.countOf('blue');
  const second = await choose(rig, id, { item: 'blue', thing: 2 });
  assert.equal([second.body.rank, second.body.sid, second.body.reason], [1, null, 'several things lay there']);
  const first = await choose(rig, id, { item: 'other', thing: 1 });
  assert.equal([first.status, first.body.rank], [200, null]);
  assert.is(rig.recognition.templates.reader.countOf('blue'), before);
  assert.equal((await choose(rig, id, { item: 'blue', thing: 2 })).body, second.body, 'the same again');
  assert.is(rig.recognition.ranks.report({ from: null, to: null, item: null }).total, 2, 'it is counted once');
  const otherwise = await choose(rig, id, { item: 'red', thing: 2 });
  assert.equal(problem(otherwise), [409, 'Recognition.AnsweredOtherwise']);
});

onTwo('feedback that was not stored may be given again, also another, of one thing and of several', async (rig, id) => {
  const other = (await rig.get('/v1/recognition')).body.id;
  for (const [look, more] of [
    [id, { thing: 2 }],
    [other, {}],
  ] as const) {
    {
      using _full = replaced(rig.recognition.ranks, 'count', () => Promise.reject(new Error('the disk is full')));
      assert.is((await choose(rig, look, { item: 'red', ...more })).status, 500);
    }
    assert.is((await choose(rig, look, { item: 'blue', ...more })).status, 200);
  }
});

onTwo('things that are answered for themselves have no answer for all, nor the other way round', async (rig, id) => {
  const other = (await rig.get('/v1/recognition')).body.id;
  for (const [look, first, second] of [
    [id, { item: 'blue', thing: 2 }, { item: 'blue' }],
    [other, { item: 'blue' }, { item: 'blue', thing: 2 }],
  ] as const) {
    for (const turn of [1, 2]) assert.is((await choose(rig, look, first)).status, 200, `${turn}`);
    assert.equal(problem(await choose(rig, look, second)), [409, 'Recognition.AnsweredOtherwise']);
  }
  assert.is(rig.recognition.ranks.report({ from: null, to: null, item: null }).total, 2);
});

onTwo('a thing that is not there is refused; the only thing may be named by its place', async (rig, id) => {
  for (const [thing, code, detail] of [
    [3, [404, 'Recognition.NotFound'], /the recognition has 2 things/],
    [5, [400, 'RequestParams.InvalidField'], /thing .*(at most 4|<= 4)/],
    [0, [400, 'RequestParams.InvalidField'], /thing .*(at least 1|>= 1)/],
  ] as const) {
    const answer = await choose(rig, id, { item: 'red', thing });
    assert.equal(problem(answer), code, answer.body.detail);
    assert.match(answer.body.detail, detail);
  }
  assert.equal((await takeBack(rig, id, '?thing=2')).body, { recognition: id, thing: 2 });
  assert.equal(problem(await takeBack(rig, id, '?thing=3')), [404, 'Recognition.NotFound']);
  assert.equal(problem(await takeBack(rig, 'none')), [404, 'Recognition.NotFound']);
  await using one = await learnedRig();
  const { body } = await one.get('/v1/recognition');
  const item = body.candidates[0].id;
  assert.is(body.things.length, 1);
  const named = await choose(one, body.id, { item, thing: 1 });
  assert.equal([named.status, named.body.rank], [200, 1], named.body.detail);
  assert.equal((await choose(one, body.id, { item })).body, named.body, 'the same again');
  assert.equal((await takeBack(one, body.id, '?thing=1')).body, { recognition: body.id, thing: null });
  const second = await choose(one, body.id, { item, thing: 2 });
  assert.equal(problem(second), [404, 'Recognition.NotFound']);
  assert.match(second.body.detail, /the recognition has 1 thing to choose from/);
});

test.run();
