/** A folder of pictures that is put down with a description, over a real hub, at a master and its slave. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOWN, downAtHub, newsAtHub } from '../../../firmware/chain/subjects.ts';
import { MAX_PICTURE_BYTES } from '../../../firmware/recognition/items/item-limits.ts';
import { keptPicture } from '../../../firmware/recognition/items/item-picture.ts';
import { jpegOf } from '../../drivers/camera/support.ts';
import { needing } from '../../needing.ts';
import { call, temporaryFolder, until } from '../../support.ts';
import { startLane } from '../../sync/real-rig.ts';
import { joinStore, type Lane } from '../../sync/rig.ts';
import { type Hub, NO_HUB, sharedHub } from '../hub.ts';
import { dealt, failure, openCentre, said, startStore } from './centre.ts';

const pictures = suite('chain: a folder of pictures');
const test = needing(NO_HUB, 'chain: a folder of pictures', pictures);
const emptyHub = sharedHub(pictures);

const red = await jpegOf(0, 800, 600);
const green = await jpegOf(120, 64, 48);

/** What a device serves; its code where it serves none. */
async function servedBy(lane: Lane, id: string): Promise<string> {
  const answer = await fetch(`${lane.url}/v1/items/${id}/picture`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return answer.ok ? bytes.toString('base64') : JSON.parse(bytes.toString()).code;
}

const kept = async (picture: Buffer): Promise<string> => Buffer.from(await keptPicture(picture)).toString('base64');

async function subjectsOf(hub: Hub): Promise<string[]> {
  await using chain = await hub.asChain();
  const manager = await jetstreamManager(chain);
  const { state } = await manager.streams.info(DOWN, { subjects_filter: downAtHub(null, 'templates.picture.>') });
  return Object.keys(state.subjects ?? {});
}

function tableIn(folder: string, text: string): string {
  const path = join(folder, 'items.csv');
  writeFileSync(path, text);
  return path;
}

test('it comes to each device of stores in the ring, by its PLU too; what the hub lost is put there anew', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  using folder = temporaryFolder();
  await using one = await startStore(hub, 'A');
  await using slave = await startLane('S');
  await joinStore(slave, one);
  await using two = await startStore(hub, 'B');
  await said(hub, 'put', await centre.packageOf({ 4011: 1, 4012: 1, 4013: 1 }));
  const table = tableIn(folder.path, 'id,name,plu\n4011,Bananas,\n4012,Apples,77\n4013,Pears,\n');
  const shown = join(folder.path, 'pictures');
  mkdirSync(shown);
  writeFileSync(join(shown, '4011.jpg'), red);
  writeFileSync(join(shown, '77.JPEG'), green);
  writeFileSync(join(shown, '4013.jpg'), red);
  writeFileSync(join(shown, '.hidden'), 'of the system');
  const each = async (lane: Lane, ...wanted: readonly string[]) => {
    for (const [at, picture] of wanted.entries())
      await until(`${lane.serial} has ${at}`, async () => (await servedBy(lane, `401${at + 1}`)) === picture || null);
  };
  const [isRed, isGreen, none] = [await kept(red), await kept(green), 'Items.NoPicture'];

  const ring = await said(hub, 'describe', table, '--pictures', shown, '--to', 'A');
  assert.match(ring, /^3 items are described.*\n2 pictures are put down/);
  await each(one, isRed, isGreen, isRed);
  await each(slave, isRed, isGreen, isRed);
  await dealt(hub, two);
  assert.is(await servedBy(two, '4011'), 'Items.NotFound');
  await said(hub, 'widen', '--ring', '100');
  await each(two, isRed, isGreen, isRed);

  // a table alone leaves the pictures
  await said(hub, 'describe', tableIn(folder.path, 'id,price\n4011,100\n4012,100\n'));
  await dealt(hub, two);
  await each(two, isRed, isGreen);
  const lay = await subjectsOf(hub);
  {
    await using chain = await hub.asChain();
    await jetstream(chain).publish(lay[0] ?? '', 'made-up');
    await (await jetstreamManager(chain)).streams.purge(DOWN, { filter: lay[1] ?? '' });
  }
  await using late = await startStore(hub, 'C');
  assert.match(await until('the problem', () => late.storeTemplates.problem), /at the chain is not/);
  assert.is(late.recognition.items.get('4011').price, 100);
  const all = tableIn(folder.path, 'id,plu\n4011,\n4012,77\n4013,\n');
  await using listening = await hub.asChain();
  const news = listening.subscribe(newsAtHub(null, 'templates'));
  assert.match(await said(hub, 'describe', all, '--pictures', shown), /is new\n2 pictures are put down/);
  await until('devices hear of it', () => news.getReceived() > 0 || null);
  await each(late, isRed, isGreen, isRed);
  assert.is(late.storeTemplates.problem, null);

  // without a file an item has none; nothing is left at the hub of what nobody names
  rmSync(join(shown, '77.JPEG'));
  const fixing = await said(hub, 'describe', all, '--pictures', shown, '--wins', 'picture');
  assert.match(fixing, /^3 items are described/);
  for (const lane of [one, slave, two, late]) await each(lane, isRed, none, isRed);
  assert.is((await subjectsOf(hub)).length, 1);
  const calls = [
    { path: '4011/picture', method: 'PUT', body: green, headers: { 'content-type': 'image/jpeg' } },
    { path: '4011', method: 'PATCH', json: { picture: null } },
  ];
  for (const { path, ...request } of calls) {
    const { status, body } = await call(`${slave.url}/v1/items/${path}`, request);
    assert.equal([status, body.code, body.field], [409, 'Items.FixedByChain', 'picture']);
  }
  assert.equal((await call(`${slave.url}/v1/items/4011`)).body.fixed, ['picture']);
  await said(hub, 'drop', '4011');
  await until('it is gone', async () => (await servedBy(slave, '4011')) === 'Items.NotFound' || null);
});

test('each file that does not fit is named with its fault, and nothing is put down', async () => {
  const hub = await emptyHub();
  using centre = openCentre();
  using folder = temporaryFolder();
  await said(hub, 'put', await centre.packageOf({ 4011: 1 }));
  const table = tableIn(folder.path, 'id,plu\n4011,\n1,88\n2,88\n3,\n4,\n5,\n');
  const shown = join(folder.path, 'pictures');
  mkdirSync(join(shown, '5.jpg'), { recursive: true });
  const files = {
    '4011.jpg': red,
    '4011.jpeg': red,
    '3.png': red,
    '9.jpg': red,
    '88.jpg': red,
    '3.jpg': 'no picture',
    '4.jpg': Buffer.alloc(MAX_PICTURE_BYTES + 1),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(shown, name), bytes);
  const words = await failure(said(hub, 'describe', table, '--pictures', shown));
  for (const fault of [
    /4011\.jpg: another file is a picture of the item 4011/,
    /3\.png: .*must end in \.jpg or \.jpeg/,
    /9\.jpg: no item of the table has this id or PLU/,
    /88\.jpg: the items 1, 2 have this PLU/,
    /3\.jpg: the picture is neither a JPEG nor a PNG/,
    /4\.jpg: has more than 4194304 bytes/,
    /5\.jpg: is no plain file/,
    /nothing was put down/,
  ])
    assert.match(words, fault);
  assert.equal(await subjectsOf(hub), []);
  assert.match(await failure(said(hub, 'describe', table, '--pictures', join(folder.path, 'none'))), 'there is no');
});

pictures.run();
