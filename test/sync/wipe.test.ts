/** Everything is deleted on every device of a store, by `/v1`: who forgets, who does not, and what comes back. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RecognitionError } from '../../firmware/recognition/model/recognition-error.ts';
import { call, each } from '../support.ts';
import { running, startLane } from './rig.ts';
import { inStore, itemsOf, storeOf, TAKES, wipe } from './store.ts';

const test = suite('synchronisation: everything is deleted everywhere');
const it = each(test, inStore);

const NO_SERVER = { program: 'no-such-server' };
const full = () => Promise.reject(new RecognitionError('Internal.StorageFull', 'no room'));

it('every device of the store forgets all items, once, and what is learned afterwards stays', async (store) => {
  const one = await store.add('S1');
  const two = await store.add('S2', { upload: false, download: false });
  await one.learn('7');
  await two.learn('8');
  const { body } = await wipe(store.master);
  assert.equal([body.id, body.devices.toSorted()], ['first-wipe', ['M', 'S1', 'S2']]);
  assert.equal(store.master.held(), [], 'the master forgets at once');
  await store.forgottenBy('M', 'S1', 'S2');
  await store.holds();
  await store.leave('S2');
  await one.learn('7');
  await store.holds('7');
  assert.equal((await wipe(store.master)).body.done.toSorted(), ['M', 'S1', 'S2'], 'the same again');
  await store.settle();
  await store.holds('7');
  await store.wipe('second-wipe');
  assert.equal(store.master.held(), [], 'another one');
});

it('one that was followed by another deletes nothing when it is sent again', async (store) => {
  for (const id of ['first-wipe', 'second-wipe']) {
    await store.wipe(id);
    await store.forgottenBy('M');
  }
  await store.master.learn('8');
  const { status, body } = await wipe(store.master);
  assert.equal([status, body.id, body.done], [200, 'second-wipe', ['M']], 'the latest is reported');
  await store.settle();
  await store.holds('8');
});

it('what is typed is the serial number of the master, or nothing is deleted', async ({ master }) => {
  await master.learn('7');
  const { status, body } = await wipe(master, 'first-wipe', 'S1');
  assert.equal([status, body.code], [409, 'Store.WrongName']);
  assert.equal([(await storeOf(master)).wipe, itemsOf(master)], [null, '7']);
  await using alone = await startLane('A');
  const refused = await wipe(alone, 'first-wipe', '');
  assert.equal([refused.status, refused.body.code], [409, 'Store.NotMaster']);
});

it('a slave that was away forgets all it learned, and gives none; who joins forgets nothing', async (store) => {
  const away = await store.add('S1');
  await away.learn('7');
  await store.holds('7');
  await store.leave('S1');
  await store.wipe();
  await store.forgottenBy('M');
  await store.add('S2', undefined, { items: ['9'] });
  await store.holds('9');
  const back = await store.start('S1');
  await store.forgottenBy('M', 'S1');
  await running(back);
  await store.holds('9');
});

it('what lies at the centre alone is deleted, too', async (store) => {
  await store.direct('M', { upload: true, download: false });
  const gone = await store.add('S1');
  await gone.learn('7');
  await running(gone);
  await store.leave('S1');
  assert.equal(store.master.held(), [], 'the master takes nothing');
  await store.wipe();
  await store.forgottenBy('M');
  const late = await store.add('S2');
  await running(late);
  assert.equal(late.held(), []);
});

it('a store deletes everything although its master, or its machine, was started anew', async (store) => {
  const away = await store.add('S1');
  await away.learn('7');
  await store.holds('7');
  await store.leave('S1');
  await store.wipe();
  await store.leave('M');
  await store.start('M', { bootId: 'another' });
  await store.start('S1');
  await store.forgottenBy('M', 'S1');
  await store.holds();
});

it('what a master learns after the answer stays, however long its server is away', async (store) => {
  await store.master.learn('7');
  await store.leave('M');
  const without = await store.start('M', NO_SERVER);
  const { exchange } = without.recognition;
  const forgetAll = exchange.forgetAll.bind(exchange);
  exchange.forgetAll = full;
  assert.is((await wipe(without)).body.code, 'Internal.StorageFull');
  assert.is(itemsOf(without), '7', 'a full disk breaks it off');
  exchange.forgetAll = forgetAll;
  await store.wipe();
  assert.equal(without.held(), [], 'and the same is done when it is asked for again');
  await without.learn('8');
  await store.leave('M');
  await store.start('M');
  await store.forgottenBy('M');
  await store.holds('8');
});

it('what a full disk or a cut broke off is done at the start, and what is learned then stays', async (store) => {
  await store.master.learn('7');
  await store.leave('M');
  const cut = await store.start('M', NO_SERVER);
  cut.recognition.exchange.forgetAll = full;
  assert.is((await wipe(cut)).body.code, 'Internal.StorageFull');
  await store.leave('M');
  const without = await store.start('M', NO_SERVER);
  await without.learn('8');
  await store.holds('8');
  await store.leave('M');
  await store.start('M');
  await store.forgottenBy('M');
  await store.holds('8');
});

it('a device that was shut out meanwhile forgets when it is let in again', async (store) => {
  const away = await store.add('S1', TAKES);
  await away.learn('7');
  await store.leave('S1');
  await store.wipe();
  await store.forgottenBy('M');
  assert.is((await call(`${store.master.url}/console/api/store/devices/S1`, { method: 'DELETE' })).status, 200);
  await store.master.learn('8');
  await store.add('S1');
  await store.forgottenBy('M', 'S1');
  await store.holds('8');
});

test.run();
