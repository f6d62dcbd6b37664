/** What was acknowledged of an item is there after a kill at any moment; a full disk takes nothing, says so, and loses nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../skipping.ts';
import { SmallDisk, whyNoSmallDisk } from '../small-disk.ts';
import { call, temporaryFolder } from '../support.ts';
import { picture, startRig } from './support.ts';

const DEVICE = fileURLToPath(new URL('./fixtures/crash-device.ts', import.meta.url));
const KILLS = Number(process.env.LANEWARE_CRASH_ROUNDS ?? 5);
const CHUNK = 300;

const test = suite('recognition: items and a kill');

const importing = (url: string, from: number) =>
  call(`${url}/v1/catalogue`, {
    json: { items: Array.from({ length: CHUNK }, (_, at) => ({ id: `i${from + at}`, price: from })) },
  });

async function killed(folder: string, from: number): Promise<number> {
  const child = spawn(process.execPath, [DEVICE, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const url = String(line).trim();
  const exited = once(child, 'exit');
  let acknowledged = from;
  const calls = (async () => {
    for (;;) {
      if ((await importing(url, acknowledged)).status !== 200) throw new Error('an import failed');
      acknowledged += CHUNK;
    }
  })().catch((error: unknown) => error);
  await pause(150 + Math.random() * 200);
  child.kill('SIGKILL');
  await exited;
  await calls;
  return acknowledged;
}

test(`${KILLS} kills while items come in: whole files or nothing, and all that was acknowledged`, async () => {
  using folder = temporaryFolder();
  let acknowledged = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    acknowledged = await killed(folder.path, acknowledged);
    await using rig = await startRig({ folder: folder.path });
    const { items } = (await rig.get('/v1/catalogue')).body as { items: { id: string; price: number }[] };
    assert.is(items.length % CHUNK, 0, 'a file is whole');
    assert.ok(items.length >= acknowledged, `${items.length} of ${acknowledged}`);
    assert.ok(items.length <= acknowledged + CHUNK);
    acknowledged = items.length;
  }
  assert.ok(acknowledged > 0);
});

test.run();

const small = suiteNeeding(whyNoSmallDisk(), 'recognition: items and a full disk');

small('a full disk is told, nothing is lost by it, and it goes on when there is room', async () => {
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

small.run();
