/** What the shop says of itself: kept, and its zone asked of the system; `/health` where nobody has chosen one. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addShopRoutes } from '../../firmware/console/api/machine-routes.ts';
import { HealthBoard } from '../../firmware/core/host/health.ts';
import { HostError, NO_HOST } from '../../firmware/core/host/host.ts';
import { Shop, SystemClock, watchClock, zoneNow } from '../../firmware/core/host/index.ts';
import { recognitionProblems } from '../../firmware/recognition/http/v1/problem.ts';
import { each, inFolder } from '../support.ts';
import { openServer } from './servers.ts';

const test = suite('the shop');
const it = each(test, inFolder);
const OWN = { name: 'Ромашка', address: 'ул. Ленина, 1', zone: 'Europe/Moscow' };

/** This process keeps its zone: what is asked of the system is noted. */
async function on(folder: string, setZone: (zone: string) => Promise<void>) {
  const app = await openServer('recognition', { version: '1.2.0', envelope: recognitionProblems });
  const shop = new Shop(join(folder, 'shop.json'));
  addShopRoutes(app, shop, { ...NO_HOST, setZone });
  const send = async (method: 'GET' | 'PUT', payload?: object) => {
    const answer = await app.inject({ method, url: '/console/api/shop', ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { shop, send, [Symbol.asyncDispose]: () => app.close() };
}

it('what was said is kept, and a zone is asked of the system once', async ({ path }) => {
  const asked: string[] = [];
  await using device = await on(path, async (zone) => void asked.push(zone));
  assert.equal((await device.send('GET')).body, { name: '', address: '', zone: null });
  assert.equal(await device.send('PUT', OWN), { status: 200, body: OWN });
  assert.is((await device.send('PUT', { ...OWN, name: 'Василёк' })).status, 200);
  assert.equal(asked, ['Europe/Moscow'], 'another name is no other zone');
  assert.equal(new Shop(join(path, 'shop.json')).facts, { ...OWN, name: 'Василёк' });
});

it('a zone is one of the list, and where the system does not take it nothing is kept', async ({ path }) => {
  await using device = await on(path, () => Promise.reject(new HostError('FAILED', 'made up')));
  for (const zone of ['', 'Europe', 'europe/moscow', '../etc/passwd', '+03:00']) {
    const { status, body } = await device.send('PUT', { ...OWN, zone });
    assert.equal([status, body.field], [400, 'zone'], zone);
  }
  assert.equal((await device.send('PUT', OWN)).body.code, 'Device.SystemFailed');
  assert.equal((await device.send('PUT', { ...OWN, name: 'x'.repeat(121) })).body.field, 'name');
  assert.equal((await device.send('GET')).body, { name: '', address: '', zone: null });
});

it('where the disk refuses, the zone stays as it was', async ({ path }) => {
  const asked: string[] = [];
  await using device = await on(path, async (zone) => void asked.push(zone));
  mkdirSync(join(path, `shop.json.${process.pid}.tmp`)); // what the file is written as
  assert.is((await device.send('PUT', OWN)).status, 500);
  assert.equal(asked, []);
  assert.equal((await device.send('GET')).body, { name: '', address: '', zone: null });
});

it('a change without a zone leaves the zone', async ({ path }) => {
  await using device = await on(path, async () => undefined);
  await device.send('PUT', OWN);
  assert.equal(await device.send('PUT', { ...OWN, name: 'Василёк', zone: null }), {
    status: 200,
    body: { ...OWN, name: 'Василёк' },
  });
});

it('a name and an address hold no control characters: they stand on papers', async ({ path }) => {
  await using device = await on(path, async () => undefined);
  for (const field of ['name', 'address'])
    for (const text of ['a\u0000b', 'a\u001b[31m', 'a\r\nb', 'a\u0085b', 'a\ud800b']) {
      const { status, body } = await device.send('PUT', { ...OWN, [field]: text });
      assert.equal([status, body.field], [400, field], JSON.stringify(text));
    }
  assert.equal((await device.send('GET')).body, { name: '', address: '', zone: null });
});

it('a zone has any name of the IANA list, the present one and those before', async ({ path }) => {
  await using device = await on(path, async () => undefined);
  for (const zone of ['Europe/Kyiv', 'Europe/Kiev', 'Asia/Kolkata', 'GMT', 'UTC', 'Etc/GMT-3'])
    assert.equal(await device.send('PUT', { ...OWN, zone }), { status: 200, body: { ...OWN, zone } }, zone);
});

it('a shop whose zone nobody has chosen is told, and one that has chosen UTC is not', ({ path }) => {
  assert.is(zoneNow(), 'UTC', 'tests run in it');
  const shop = new Shop(join(path, 'shop.json'));
  const health = new HealthBoard(() => ({
    ...{ version: '1', serial: '1', instance: '1', ports: { terminal: 1, recognition: 2 }, uptimeSeconds: 1 },
  }));
  let takesMoney = false;
  watchClock(health, new SystemClock(0), { unknown: null, isMissed: () => shop.isZoneUnset && takesMoney });
  const reasons = () => health.report().parts.flatMap(({ reasons }) => reasons.map(({ code }) => code));
  assert.equal(reasons(), [], 'a trial is not asked');
  takesMoney = true;
  assert.equal(reasons(), ['zone-unset']);
  assert.is(health.report().sales, 'sells-look-later');
  for (const zone of ['UTC', 'Etc/UTC']) {
    shop.store({ ...OWN, zone });
    assert.equal(reasons(), [], zone);
  }
});

test.run();
