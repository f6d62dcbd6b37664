/** PINs and sessions on a full disk: what cannot be kept is not claimed to be, and an ended session stays ended. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needing } from '../needing.ts';
import { SmallDisk, whyNoSmallDisk } from '../small-disk.ts';
import { call, startTestDevice } from '../support.ts';

const suiteOfDisk = suite('sign in on a full disk');
const test = needing(whyNoSmallDisk(), 'sign in on a full disk', suiteOfDisk);

const FIRST = '739105';
const OTHER = '905317';

test('a PIN is not set, the old one goes on; sessions begin and end, and ended ones stay ended', async () => {
  using disk = new SmallDisk(200);
  const folder = join(disk.path, 'data');
  const put = (base: string, pin: string) =>
    call(`${base}/console/api/pins/technician`, { method: 'PUT', json: { pin } });
  const signIn = async (base: string, pin: string) => {
    const { status, headers } = await call(`${base}/console/api/session`, { json: { pin } });
    return { status, cookie: headers.get('set-cookie')?.split(';')[0] ?? '' };
  };
  const asPage = (base: string, cookie: string) => ({ cookie, origin: base });
  const roleOf = async (base: string, cookie: string) =>
    (await call(`${base}/console/api/session`, { headers: asPage(base, cookie) })).body.role;
  let ended: string;
  {
    await using device = await startTestDevice({}, folder);
    const { recognition } = device;
    assert.is((await put(recognition, FIRST)).status, 200);
    const before = await signIn(recognition, FIRST);
    disk.fill();
    const refused = await put(recognition, OTHER);
    assert.equal([refused.status, refused.body.code], [507, 'Internal.StorageFull']);
    assert.is((await signIn(recognition, OTHER)).status, 403);
    assert.is(await roleOf(recognition, before.cookie), 'technician', 'no one was signed out for it');
    const beside = await signIn(recognition, FIRST);
    assert.equal([beside.status, await roleOf(recognition, beside.cookie)], [200, 'technician']);
    ended = before.cookie;
    const out = await call(`${recognition}/console/api/session`, {
      method: 'DELETE',
      headers: asPage(recognition, ended),
    });
    assert.equal([out.status, out.body.was], [200, 'technician']);
    const kept = join(folder, 'sessions.json');
    const digest = createHash('sha256')
      .update(ended.split('=')[1] ?? '')
      .digest('hex');
    assert.not.ok(existsSync(kept) && readFileSync(kept, 'utf8').includes(digest), 'no file brings it back');
    disk.empty();
    assert.is((await put(recognition, OTHER)).status, 200);
  }
  await using device = await startTestDevice({}, folder);
  assert.is(await roleOf(device.recognition, ended), null);
  assert.is((await signIn(device.recognition, FIRST)).status, 403);
  assert.is((await signIn(device.recognition, OTHER)).status, 200);
});

suiteOfDisk.run();
