/** A full disk takes no items, says so, and loses nothing. */
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { SmallDisk, whyNoSmallDisk } from '../small-disk.ts';
import { call } from '../support.ts';
import { picture, startRig } from './support.ts';

const CHUNK = 300;

const test = suiteNeeding(whyNoSmallDisk(), 'recognition: items and a full disk');

const importing = (url: string, from: number) =>
  call(`${url}/v1/catalogue`, {
    json: { items: Array.from({ length: CHUNK }, (_, at) => ({ id: `i${from + at}`, price: from })) },
  });

test('a full disk is reported, nothing is lost by it, and it goes on when there is room', async () => {
  using disk = new SmallDisk(24);
  await using rig = await startRig({ folder: disk.path });
  assert.is((await importing(rig.url, 0)).status, 200);
  disk.fill();
  const refused = await importing(rig.url, CHUNK);
  assert.equal([refused.status, refused.body.code], [507, 'Internal.StorageFull'], refused.text);
  assert.match(refused.body.detail, /full/);
  const jpeg = await picture(1);
  const put = { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: new Uint8Array(jpeg) };
  assert.is((await call(`${rig.url}/v1/items/i1/picture`, put)).status, 507);
  const { items } = (await rig.get('/v1/catalogue')).body;
  assert.is(items.length, CHUNK);
  disk.empty();
  assert.is((await importing(rig.url, CHUNK)).status, 200);
});

test.run();
