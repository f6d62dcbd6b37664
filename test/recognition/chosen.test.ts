/** What a person says that it is: the feedback of one thing or of several, and the event for the till. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventReader } from '../events.ts';
import { BLUE, drawTray, halves, RED } from './drawn-tray.ts';
import { learnedRig, picture, problem, type Rig, startRig } from './support.ts';

const test = suite('chosen items');

interface TrayEvent {
  readonly number: number;
  readonly type: string;
  readonly chosen?: object;
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
const choose = (rig: Rig, id: string, body: object) => rig.post(`/v1/recognition/${id}/feedback`, body);

test('who follows the tray gets what was chosen, once, as it is sold; a new reader still begins with the state', async () => {
  await using rig = await learnedRig();
  await rig.send('PUT', '/v1/items/item2', { name: 'Apples', price: 9900, plu: '42' });
  await using reader = await follow(rig);
  const { tray } = await next(reader, 'item.recognised');
  const id = tray?.id ?? '';
  for (let turn = 0; turn < 2; turn++) assert.is((await choose(rig, id, { item: 'item2' })).status, 200);
  const { chosen } = await next(reader, 'item.chosen');
  const [sid] = rig.recognition.templates.sidsOf('item2');
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

test('none of the candidates is no event', async () => {
  await using rig = await learnedRig();
  await using reader = await follow(rig);
  const { tray } = await next(reader, 'item.recognised');
  assert.is((await choose(rig, tray?.id ?? '', { item: null })).status, 200);
  await rig.show(await picture(5));
  assert.is((await reader.next())?.name, 'tray.changed');
});

/** Two things on a learned tray. */
async function twoThings(): Promise<{ readonly rig: Rig; readonly id: string }> {
  const rig = await startRig();
  await rig.show(await drawTray());
  await rig.post('/api/learn_background');
  for (const [item, colours] of [
    ['red', RED],
    ['blue', BLUE],
  ] as const)
    await rig.learn(item, await drawTray({ things: halves(480, 200, 300, colours) }));
  await rig.show(await drawTray({ things: halves(320, 240, 220, RED) + halves(700, 240, 190, BLUE) }));
  const { body } = await rig.get('/v1/recognition');
  assert.is(body.things.length, 2);
  return { rig, id: body.id };
}

test('each of several things is answered for itself, counted and never learned from', async () => {
  const { rig, id } = await twoThings();
  await using _ = rig;
  await rig.post('/api/set_learning_mode', { mode: 'automatic' });
  const before = rig.recognition.templates.countOf('blue');
  const second = await choose(rig, id, { item: 'blue', thing: 2 });
  assert.equal([second.body.rank, second.body.sid, second.body.reason], [1, null, 'several things lay there']);
  const first = await choose(rig, id, { item: 'other', thing: 1 });
  assert.equal([first.status, first.body.rank], [200, null]);
  assert.is(rig.recognition.templates.countOf('blue'), before);
  assert.equal((await choose(rig, id, { item: 'blue', thing: 2 })).body, second.body, 'the same again');
  const otherwise = await choose(rig, id, { item: 'red', thing: 2 });
  assert.equal(problem(otherwise), [409, 'Recognition.AnsweredOtherwise']);
});

test('a thing that is not there is refused by its field, and of an only thing there is none to choose', async () => {
  const { rig, id } = await twoThings();
  await using _ = rig;
  for (const [thing, detail] of [
    [3, /thing is 3, and the recognition has 2 things/],
    [5, /at most 4|<= 4/],
    [0, /at least 1|>= 1/],
  ] as const) {
    const { status, body } = await choose(rig, id, { item: 'red', thing });
    assert.equal([status, body.field], [400, 'thing'], `${thing}: ${body.detail}`);
    assert.match(body.detail, detail);
  }
  await using one = await learnedRig();
  const { body } = await one.get('/v1/recognition');
  assert.is((await choose(one, body.id, { item: 'item1', thing: 1 })).status, 400);
});

test.run();
