/** What was certain and was taken for another item: reported, counted and listed, and never refused. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventReader } from '../events.ts';
import { call, each, problem } from '../support.ts';
import { BLUE, drawTray, halves, RED } from './drawn-tray.ts';
import { onRig, picture, type Rig, startRig } from './support.ts';

const test = suite('recognition: a pick that contradicts');
const it = each(test, onRig);

interface TrayEvent {
  readonly contradicted?: object;
}

const LIST = '/v1/contradictions';

/** A device that is certain of the dear item that lies there. */
async function certain(rig: Rig): Promise<string> {
  await rig.send('PUT', '/v1/items/dear', { name: 'Mangoes', price: 59_900 });
  await rig.send('PUT', '/v1/items/cheap', { name: 'Onions', plu: '4093', price: 4_990 });
  await rig.learn('dear', await picture(1));
  const { certain: isCertain, candidates, id } = (await rig.get('/v1/recognition')).body;
  assert.equal([isCertain, candidates[0].id], [true, 'dear']);
  return id;
}

const choose = (rig: Rig, id: string, item: string | null) => rig.post(`/v1/recognition/${id}/feedback`, { item });
const listed = async (rig: Rig) => {
  await rig.recognition.contradictions.idle();
  return (await rig.get(LIST)).body.contradictions;
};
const figures = async (rig: Rig) => {
  const { text } = await call(`${rig.url}/metrics`);
  return text.split('\n').filter((line) => line.startsWith('laneware_items_contradicted_total{'));
};

it('what was certain and is taken, what was not certain, and none of them contradict nothing', async (rig) => {
  assert.is((await choose(rig, await certain(rig), 'dear')).status, 200);
  assert.is((await choose(rig, await certain(rig), null)).status, 200, 'none of them: nothing is sold');
  await rig.show(await picture(3));
  const { id, certain: isCertain } = (await rig.get('/v1/recognition')).body;
  assert.is(isCertain, false);
  assert.is((await choose(rig, id, 'cheap')).status, 200);
  assert.equal([await listed(rig), await figures(rig)], [[], []]);
  assert.equal(problem(await rig.get(`${LIST}/${id}/picture`)), [404, 'Uncertain.NotFound']);
});

it('another item is sold as chosen, and is listed once, with its prices then and its picture', async (rig) => {
  const id = await certain(rig);
  const answer = await choose(rig, id, 'cheap');
  assert.equal([answer.status, answer.body.rank], [200, null], 'never refused');
  await choose(rig, id, 'cheap'); // sent again after a lost answer
  await rig.send('PATCH', '/v1/items/dear', { price: 100 });
  const [one, ...more] = await listed(rig);
  assert.equal(more, []);
  assert.equal([one.recognition, one.thing], [id, null]);
  assert.equal(one.certain, { id: 'dear', name: 'Mangoes', plu: 'dear', price: 59_900 });
  assert.equal(one.taken, { id: 'cheap', name: 'Onions', plu: '4093', price: 4_990 });
  const shown = await fetch(`${rig.url}${one.picture}`);
  assert.equal([shown.status, shown.headers.get('content-type')], [200, 'image/jpeg']);
  assert.equal(await figures(rig), ['laneware_items_contradicted_total{item="dear"} 1']);
});

it('the call of the original device counts as well; items beyond a hundred share one figure', async (rig) => {
  await certain(rig);
  for (let n = 0; n < 2; n++) {
    const { session } = (await rig.get('/api/get_result')).body.data;
    assert.is((await rig.post('/api/feedback', { session, id: `other ${n}` })).body.code, 0);
  }
  const taken = (await listed(rig)).map(({ taken }: { taken: { id: string } }) => taken.id);
  assert.equal(taken, ['other 1', 'other 0']);
  assert.equal(await figures(rig), ['laneware_items_contradicted_total{item="dear"} 2']);
  const { contradictions } = rig.recognition;
  for (let n = 0; n < 120; n++)
    contradictions.record({ recognition: `r${n}`, thing: null, certain: `item ${n}`, taken: 'cheap' });
  await contradictions.idle();
  const all = await figures(rig);
  assert.equal([all.length, all.at(-1)], [101, 'laneware_items_contradicted_total{item="other"} 21']);
  assert.is((await listed(rig)).length, 40, 'the latest are listed');
});

it('who follows the tray gets the event, beside the choice', async (rig) => {
  const id = await certain(rig);
  await using events = await EventReader.open<TrayEvent>(`${rig.url}/v1/recognition/events`);
  await choose(rig, id, 'cheap');
  let event = await events.next();
  while (event !== null && event.name !== 'item.contradicted') event = await events.next();
  const [one] = (await rig.get(LIST)).body.contradictions;
  assert.equal([one.recognition, one.picture], [id, `${LIST}/${id}/picture`]);
  assert.equal(event?.data.contradicted, one);
});

test('while learning is locked no picture is kept; where it is off nothing is', async () => {
  await using locked = await startRig();
  await certain(locked);
  await locked.recognition.settings.set({ learningMode: 'locked' });
  const { id } = (await locked.get('/v1/recognition')).body;
  await choose(locked, id, 'cheap');
  const [one] = await listed(locked);
  assert.is(one.picture, null);
  assert.equal(problem(await locked.get(`${LIST}/${id}/picture`)), [404, 'Uncertain.NotFound']);
  await using off = await startRig({ config: { contradictions: false } });
  await choose(off, await certain(off), 'cheap');
  assert.equal([await listed(off), await figures(off)], [[], []]);
});

it('one of several things that is certain by itself counts by its place, and has no picture', async (rig) => {
  await rig.show(await drawTray());
  await rig.post('/api/learn_background');
  for (const [item, colours] of Object.entries({ red: RED, blue: BLUE }))
    await rig.learn(item, await drawTray({ things: halves(480, 200, 300, colours) }));
  await rig.show(await drawTray({ things: halves(320, 240, 220, RED) + halves(700, 240, 190, BLUE) }));
  const { id, things } = (await rig.get('/v1/recognition')).body;
  assert.equal([things[1].certain, things[1].candidates[0].id], [true, 'blue']);
  assert.is((await rig.post(`/v1/recognition/${id}/feedback`, { item: 'red', thing: 2 })).status, 200);
  const [one] = await listed(rig);
  assert.equal([one.thing, one.certain.id, one.taken.id, one.picture], [2, 'blue', 'red', null]);
});

test.run();
