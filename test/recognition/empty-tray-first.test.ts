/** A tray that was never learned empty: who teaches before it was is warned, by each call that learns. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { each } from '../support.ts';
import { onRig, picture, type Rig, scene } from './support.ts';

const test = suite('recognition: the empty tray first');
const it = each(test, onRig);

const WARNING = /take everything off the tray/i;

/** What was said of what lies there, by the call of `/v1` and by that of the original device. */
async function confirm(rig: Rig, item: string) {
  await rig.recognition.settings.set({ learningMode: 'automatic' });
  const { id } = (await rig.get('/v1/recognition')).body;
  const answered = (await rig.post(`/v1/recognition/${id}/feedback`, { item })).body;
  const { session } = (await rig.get('/api/get_result')).body.data;
  return [answered, (await rig.post('/api/feedback', { session, id: item })).body] as const;
}

it('a bare tray that is taught as an item is learned with a warning: it would be sold as that', async (rig) => {
  await rig.show(await scene(null));
  const { status, body } = await rig.post('/v1/items/777/templates');
  assert.equal([status, body.after.certain], [201, true], 'it would be recognised, and sold');
  assert.match(body.warning, WARNING);
  const original = (await rig.post('/api/add_item_template', { id: '777' })).body;
  assert.equal([original.code, Object.keys(original.data)], [0, ['image', 'sid']], 'the shape of before');
  assert.match(original.msg, WARNING);
});

it('what is learned of feedback and of the review queue is warned of, too', async (rig) => {
  await rig.show(await picture(3));
  const { id } = (await rig.get('/v1/recognition')).body;
  await rig.recognition.reviewQueue.idle();
  const assigned = await rig.post('/console/api/recognition/uncertain/assignments', { item: '5', answers: [id] });
  assert.match(assigned.body.warning, WARNING);
  await rig.show(await picture(1));
  const [own, again] = await confirm(rig, '7');
  assert.type(own.sid, 'string');
  assert.match(own.warning, WARNING);
  assert.equal([again.data.sid, again.msg], [null, undefined], 'nothing was learned: nothing to warn of');
});

it('once it was learned nobody is warned, until its area is another', async (rig) => {
  await rig.show(await scene(null));
  await rig.post('/api/learn_background');
  await rig.show(await scene('banana'));
  assert.is((await rig.post('/v1/items/4011/templates')).body.warning, null);
  assert.equal(Object.keys((await rig.post('/api/add_item_template', { id: '4011' })).body), ['code', 'data']);
  await rig.post('/api/set_calib', { top: 0, left: 280, height: 720, width: 720 });
  assert.match((await rig.post('/v1/items/4011/templates')).body.warning, WARNING);
});

test.run();
