/** Deletions that can be taken back, by `/console/api/deletions`: faults first. Half a minute passes at once, by a simulated clock. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SystemClock } from '../../firmware/core/host/clock.ts';
import { SimulatedTime } from '../../firmware/tools/sim/simulated-time.ts';
import { replaced } from '../replaced.ts';
import { type Answer, call, each, keptText, temporaryFolder, until, writeUnkept } from '../support.ts';
import { picture, type Rig, startRig } from './support.ts';

const test = suite('recognition: deletions that can be taken back');
const UNDO_MS = 30_000;

interface Timed {
  readonly rig: Rig;
  readonly time: SimulatedTime;
}

/** @param folder kept from one start to the next @param floor ms since 1970, below which the clock of the device never goes */
async function onRig(folder: string, run: (timed: Timed) => Promise<void>, floor = 0): Promise<void> {
  const time = new SimulatedTime(1);
  await using rig = await startRig({ folder, service: { clock: new SystemClock(floor, time) } });
  await run({ rig, time });
}

const it = each<[Timed]>(test, (run) => async () => {
  using folder = temporaryFolder();
  await onRig(folder.path, run);
});

const put = ({ url }: Rig, id: string, json: object) => call(`${url}/v1/items/${id}`, { method: 'PUT', json });
const ask = ({ url }: Rig, item: string, template?: string): Promise<Answer> =>
  call(`${url}/console/api/deletions`, {
    method: 'POST',
    json: template === undefined ? { item } : { item, template },
  });
const takeBack = ({ url }: Rig, id: string) => call(`${url}/console/api/deletions/${id}`, { method: 'DELETE' });
const pending = async (rig: Rig) => (await rig.get('/console/api/deletions')).body.deletions;
const templatesOf = async (rig: Rig, item: string): Promise<string[]> =>
  (await rig.get(`/v1/items/${item}/templates`)).body.templates.map(({ template }: { template: string }) => template);
const isThere = async (rig: Rig, item: string): Promise<boolean> => (await rig.get(`/v1/items/${item}`)).status === 200;
const isOver = (rig: Rig) => until('the deletion', () => rig.recognition.deletions.isIdle);

async function taught(rig: Rig): Promise<string[]> {
  await put(rig, '7', { name: 'Tea', price: 100 });
  return [await rig.learn('7', await picture(1)), await rig.learn('7', await picture(2))];
}

it('what is not there, or may not go, is refused and asks for nothing', async ({ rig }) => {
  assert.equal([(await ask(rig, '7')).status, (await ask(rig, '7')).body.code], [404, 'Items.NotFound']);
  const [first = ''] = await taught(rig);
  assert.is((await ask(rig, '7', '00000000000000000000000')).body.code, 'Templates.NotFound');
  assert.is((await ask(rig, '8', first)).body.code, 'Templates.NotFound', "another item's");
  assert.is((await ask(rig, '')).status, 400);
  await rig.post('/api/set_learning_mode', { mode: 0 });
  assert.is((await ask(rig, '7', first)).body.code, 'Templates.Locked');
  const late = [(await takeBack(rig, 'none')).status, (await takeBack(rig, 'none')).body.code];
  assert.equal(late, [404, 'Deletions.NotFound']);
  assert.equal(await pending(rig), []);
});

it('one template goes after half a minute, and is used until then', async ({ rig, time }) => {
  const [first = '', second = ''] = await taught(rig);
  const { status, body } = await ask(rig, '7', first);
  assert.is(status, 201);
  assert.equal([body.item, body.name, body.template, body.templates], ['7', 'Tea', first, 1]);
  assert.ok(body.leftMs > UNDO_MS - 5000 && body.leftMs <= UNDO_MS);
  time.advance(UNDO_MS - 1000);
  assert.equal(await templatesOf(rig, '7'), [first, second]);
  time.advance(1001);
  await isOver(rig);
  assert.equal(await templatesOf(rig, '7'), [second]);
  assert.equal(await pending(rig), []);
  assert.is((await takeBack(rig, body.id)).body.code, 'Deletions.NotFound');
});

it('asked for twice it is one, with the time of the first', async ({ rig, time }) => {
  await taught(rig);
  const one = (await ask(rig, '7')).body;
  time.advance(10_000);
  const other = await ask(rig, '7');
  assert.equal([other.status, other.body.id], [200, one.id]);
  assert.ok(other.body.leftMs <= UNDO_MS - 10_000);
  assert.is((await pending(rig)).length, 1);
});

it('taken back, nothing has happened, however long one waits', async ({ rig, time }) => {
  const sids = await taught(rig);
  const { revision } = rig.recognition;
  const before = revision.number;
  const { id } = (await ask(rig, '7')).body;
  const asked = revision.number;
  assert.is((await takeBack(rig, id)).status, 200);
  assert.equal([asked > before, revision.number > asked], [true, true], 'pages ask again after each');
  time.advance(UNDO_MS * 2);
  await isOver(rig);
  assert.equal(await templatesOf(rig, '7'), sids);
  assert.is((await rig.get('/v1/items/7')).body.price, 100);
  assert.is((await takeBack(rig, id)).status, 404, 'once');
});

it('an item goes with its name and its templates; one that was only learned goes, too', async ({ rig, time }) => {
  await taught(rig);
  await rig.learn('8', await picture(3));
  assert.is((await ask(rig, '7')).body.templates, 2);
  assert.is((await ask(rig, '8')).status, 201);
  time.advance(UNDO_MS + 1);
  await isOver(rig);
  assert.is(await isThere(rig, '7'), false);
  assert.equal([await templatesOf(rig, '7'), await templatesOf(rig, '8')], [[], []]);
});

it('what is learned or said of it meanwhile stays, as if it had been deleted at once', async ({ rig, time }) => {
  await taught(rig);
  await ask(rig, '7');
  time.advance(1000);
  const third = await rig.learn('7', await picture(4));
  await put(rig, '7', { name: 'Green tea' });
  time.advance(UNDO_MS);
  await isOver(rig);
  assert.equal(await templatesOf(rig, '7'), [third]);
  assert.is((await rig.get('/v1/items/7')).body.name, 'Green tea');
});

test('with a stopped clock later changes stay too, also a picture, and an item made anew', async () => {
  using folder = temporaryFolder();
  const run = async ({ rig, time }: Timed): Promise<void> => {
    for (const id of ['price', 'codes', 'picture', 'anew', 'same']) await put(rig, id, { name: 'Tea', price: 100 });
    for (const id of ['price', 'codes', 'picture', 'anew', 'same']) assert.is((await ask(rig, id)).status, 201);
    time.advance(UNDO_MS / 2);
    await put(rig, 'price', { name: 'Tea', price: 777 });
    await put(rig, 'codes', { name: 'Tea', price: 100, barcodes: ['X1'] });
    await rig.recognition.items.setPicture('picture', await picture(1));
    await rig.send('DELETE', '/v1/items/anew');
    await put(rig, 'anew', { name: 'Tea', price: 100 });
    await put(rig, 'same', { name: 'Tea', price: 100 });
    time.advance(UNDO_MS);
    await isOver(rig);
    const left = (await rig.get('/v1/items')).body.items.map(({ id }: { id: string }) => id);
    assert.equal(left, ['anew', 'codes', 'picture', 'price'], 'what is said again unchanged is nothing new');
  };
  await onRig(folder.path, run, Date.UTC(2099, 0));
});

test('over a restart it can be taken back again for half a minute, and is done then', async () => {
  using folder = temporaryFolder();
  let id = '';
  let sids: string[] = [];
  await onRig(folder.path, async ({ rig, time }) => {
    sids = await taught(rig);
    id = (await ask(rig, '7')).body.id;
    time.advance(UNDO_MS - 1000);
  });
  await onRig(folder.path, async ({ rig, time }) => {
    const [waiting] = await pending(rig);
    assert.is(waiting.id, id);
    assert.ok(waiting.leftMs > UNDO_MS - 5000);
    time.advance(UNDO_MS - 5000);
    assert.equal(await templatesOf(rig, '7'), sids);
  });
  await onRig(folder.path, async ({ rig, time }) => {
    time.advance(UNDO_MS + 1);
    await isOver(rig);
    assert.is(await isThere(rig, '7'), false);
  });
});

test('one that the power cut off in the middle is not offered to be taken back: it is finished', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'deletions.json');
  await onRig(folder.path, async ({ rig }) => {
    await taught(rig);
    await ask(rig, '7');
    assert.is((await ask(rig, '7')).status, 200);
  });
  const [kept] = JSON.parse(keptText(file));
  writeUnkept(file, JSON.stringify([{ ...kept, begun: true }]));
  await onRig(folder.path, async ({ rig }) => {
    assert.is((await takeBack(rig, kept.id)).status, 404);
    await isOver(rig);
    assert.is(await isThere(rig, '7'), false);
    assert.equal(JSON.parse(keptText(file)), []);
  });
});

test('a damaged file deletes nothing, and no copy of before is taken in its place', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'deletions.json');
  await onRig(folder.path, async ({ rig }) => {
    await taught(rig);
    const { id } = (await ask(rig, '7')).body;
    await takeBack(rig, id);
  });
  for (const damage of ['[{"id":', '{"next":1}', '']) {
    writeUnkept(file, damage);
    await onRig(folder.path, async ({ rig, time }) => {
      assert.equal(await pending(rig), []);
      time.advance(UNDO_MS + 1);
      await isOver(rig);
      assert.is((await templatesOf(rig, '7')).length, 2);
    });
  }
});

test('a deletion that cannot be stored is not pending; one refused later is tried again', async () => {
  using folder = temporaryFolder();
  const away = `${folder.path}.away`;
  await onRig(folder.path, async ({ rig, time }) => {
    await taught(rig);
    renameSync(folder.path, away); // not even root writes there
    const refused = await ask(rig, '7');
    assert.equal([refused.status, refused.body.code], [500, 'Internal.StorageRefused']);
    assert.equal(await pending(rig), []);
    renameSync(away, folder.path);
    const { id } = (await ask(rig, '7')).body;
    const gone = replaced(rig.recognition.items.file, 'isGone', true);
    time.advance(UNDO_MS + 1);
    await until('the first try', async () => (await pending(rig)).length === 0);
    assert.is(await isThere(rig, '7'), true, 'its name stays until the storage takes it');
    assert.is((await takeBack(rig, id)).status, 404, 'half of it is done');
    gone[Symbol.dispose]();
    time.advance(UNDO_MS + 1);
    await isOver(rig);
    assert.is(await isThere(rig, '7'), false);
  });
});

it('in a store the templates go for good, and not before their time', async ({ rig, time }) => {
  rig.recognition.templates.leavesTombstones = true;
  const sids = await taught(rig);
  await ask(rig, '7');
  assert.equal(rig.recognition.exchange.tombstonesOf('7'), [], 'no other device has heard of it');
  time.advance(UNDO_MS + 1);
  await isOver(rig);
  assert.equal(
    rig.recognition.exchange
      .tombstonesOf('7')
      .map(({ ref }) => ref.sid)
      .sort(),
    sids.sort(),
  );
});

test.run();
