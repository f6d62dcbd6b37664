/** A message server that, after a cut of the power, lists what it does not give or acknowledges what it does not keep. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Centre } from '../../firmware/sync/centre/centre.ts';
import { CHECK_MS } from '../../firmware/sync/centre/store-guard.ts';
import { type Bucket, streamOf, subjectOf } from '../../firmware/sync/centre/subjects.ts';
import { replaced } from '../replaced.ts';
import { each, until } from '../support.ts';
import type { Lane } from './rig.ts';
import { inStore, type Store } from './store.ts';
import type { StreamDamage } from './streams.ts';

const test = suite('synchronisation: a damaged store');
let moved = 0;
const it = each(test, (work: (store: Store) => Promise<void>) =>
  inStore(work, { monotonic: () => Math.round(performance.now()) + moved, keepMs: 600_000 }),
);

const ROUNDS = 4;

const price = (lanes: readonly Lane[], id: string, wanted: number) =>
  until(`${id} costs ${wanted} everywhere`, () =>
    lanes.every(({ recognition }) => recognition.items.find(id)?.price === wanted),
  );
const verdict = ({ health }: Lane) => health.report().parts.find(({ part }) => part === 'sync');

/** With two devices, a template that was deleted, and a price. */
async function fill(store: Store): Promise<Lane> {
  const lane = await store.add('S1');
  await lane.learn('7');
  const sid = await store.master.learn('8');
  await store.holds('7', '8');
  await lane.must('delete_item_template', { id: '8', sid });
  await store.holds('7');
  await lane.recognition.items.put('7', { name: 'Apples', price: 100 });
  await price([store.master, lane], '7', 100);
  return lane;
}

/** What all devices put while nothing happens, but for how they stand. */
async function putIdle(lanes: readonly Lane[]): Promise<string[]> {
  const put: string[] = [];
  const real = Centre.prototype.put;
  const standing = subjectOf('devices', '');
  using _put = replaced(
    Centre.prototype,
    'put',
    function counted(this: Centre, subject: string, bytes: Uint8Array | string) {
      if (!subject.startsWith(standing)) put.push(subject);
      return real.call(this, subject, bytes);
    },
  );
  for (let round = 0; round < ROUNDS; round++) {
    moved += CHECK_MS;
    for (const lane of lanes) await lane.post('start_sync');
  }
  return put;
}

/** All that are there come to hold these, and the prices that were given; then they are silent, and well. */
async function goesOn(store: Store, ...items: readonly string[]): Promise<void> {
  await store.holds(...items);
  const lanes = store.lanes;
  await price(lanes, '7', store.master.recognition.items.find('7')?.price ?? 0);
  await store.settle();
  assert.equal(await putIdle(lanes), []);
  assert.equal(
    lanes.map((each) => verdict(each)?.state),
    lanes.map(() => 'ok'),
  );
}

const CELLS: readonly (readonly [Bucket, StreamDamage])[] = [
  ['items', 'unlisted'],
  ['items', 'ungiven'],
  ['templates', 'holed'],
  ['tombstones', 'unkept'],
];
for (const [bucket, damage] of CELLS)
  it(`${bucket}, ${damage}: begun anew with all that devices hold, without what was deleted`, async (store) => {
    const lane = await fill(store);
    await store.master.server.restartDamaged(streamOf(bucket), damage);
    await store.settle();
    await lane.learn('9');
    await lane.recognition.items.patch('7', { price: 200 });
    await store.master.recognition.items.put('9', { name: 'Pears', price: 300 });
    await store.add('S2');
    await goesOn(store, '7', '9');
  });

it('damaged while it runs: what was acknowledged last is read back each minute', async (store) => {
  const lane = await fill(store);
  store.master.server.damage(streamOf('items'), 'ungiven');
  moved += CHECK_MS;
  await lane.learn('9');
  await goesOn(store, '7', '9');
});

const GIVEN: readonly (readonly [
  Bucket,
  give: (lane: Lane, sid: string) => Promise<unknown>,
  held: readonly string[],
])[] = [
  ['items', (lane) => lane.recognition.items.put('10', { name: 'Pears', price: 300 }), ['7', '9']],
  ['templates', (lane) => lane.learn('10'), ['7', '9', '10']],
  ['tombstones', (lane, sid) => lane.must('delete_item_template', { id: '9', sid }), ['7']],
  // under the subject of an older message, which is still there
  ['items', (lane) => lane.recognition.items.patch('7', { price: 200 }), ['7', '9']],
];
for (const [at, [bucket, give, held]] of GIVEN.entries())
  it(`${bucket}: a device misses what was acknowledged, and the bucket begins anew (${at})`, async (store) => {
    const lane = await fill(store);
    const sid = await lane.learn('9');
    await store.holds('7', '9');
    await store.settle();
    store.master.server.damage(streamOf(bucket), 'unkept');
    await give(lane, sid);
    await until('the device sees it', () => lane.warnings.some(({ details }) => details.code === 'damaged'));
    await until('it is begun anew', () => store.master.warnings.some(({ details }) => details.bucket === bucket));
    await price(store.lanes, '7', lane.recognition.items.find('7')?.price ?? 0);
    await goesOn(store, ...held);
  });

it('a device that does not find what is listed has the whole store read', async (store) => {
  await fill(store);
  store.master.server.damage(streamOf('templates'), 'holed');
  moved += CHECK_MS;
  const joining = store.add('S2');
  await until('it is begun anew', () => store.master.warnings.some(({ details }) => details.bucket === 'templates'));
  await joining;
  await goesOn(store, '7');
});

it('one that is damaged again at once is named, and nothing is given to it any more', async (store) => {
  const lane = await fill(store);
  await store.master.server.restartDamaged(streamOf('items'), 'unkept', true);
  await lane.recognition.items.patch('7', { price: 200 });
  await until('it is named', () =>
    verdict(store.master)?.reasons?.some(({ about }) => /damaged again .*items/.test(String(about.detail))),
  );
  const lanes = [store.master, lane];
  assert.equal(await putIdle(lanes), []);
  assert.equal(
    lanes.map((each) => verdict(each)?.state),
    ['degraded', 'degraded'],
  );
});

test.run();
