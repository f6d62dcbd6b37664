/** The page for developers of a till that calls the device, in real Chromium. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { ROOT } from '../root.ts';
import { call, each, onDevice, onSetUpDevice, SCREEN, setUp, startTestDevice, until } from '../support.ts';
import { findNothing } from './audit.ts';
import { browserSuite, button, REFUSED, settled } from './support.ts';

const { test, browsing } = browserSuite('page for makers of tills in Chromium');
const it = each(test, onDevice);
const ready = each(test, onSetUpDevice);
const run = promisify(execFile);

const rows = (page: Page) => page.locator('#log li');
const SECRET = 'Kolibri-4711-made-up';

ready('what a till calls appears by itself, is found, and is opened with both bodies', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/integrate`);
  await rows(page).filter({ hasText: '/updateDriverSettings' }).waitFor();
  await call(`${device.terminal}/health`);
  await call(`${device.terminal}/showQR`, { json: { amount: 4200, purpose: "Bread 'and' $milk" } });
  await rows(page).filter({ hasText: 'POST /showQR' }).waitFor();
  assert.is(await rows(page).count(), 2, 'who looks after the device is not shown');
  await page.locator('summary').click();
  await page.locator('#origin').selectOption('watch');
  await rows(page).filter({ hasText: 'GET /health' }).waitFor();
  await page.reload();
  await rows(page).filter({ hasText: 'GET /health' }).waitFor();
  await page.locator('#origin').selectOption('till');
  await page.locator('#status').selectOption('4');
  await page.getByText('No calls yet').waitFor();
  await call(`${device.terminal}/showQR`, { json: { amount: 'a lot' } });
  await rows(page).filter({ hasText: 'RequestParams' }).waitFor();
  await page.locator('#status').selectOption('2');
  await rows(page).filter({ hasText: 'POST /showQR' }).locator('a').click();
  await page.locator('#call pre', { hasText: '"amount": 4200' }).waitFor();
  await page.locator('#call pre', { hasText: '"status": "success"' }).waitFor();
  const line = (await page.locator('#curl').textContent()) ?? '';
  const answer = await run('sh', ['-c', `${line} --silent`]);
  assert.is(JSON.parse(answer.stdout).status, 'success', 'the line is what a shell takes');
  const { calls } = (await call(`${device.recognition}/console/api/calls?path=showQR&status=2`)).body;
  const bodies = await Promise.all(
    calls.map(
      async ({ n }: { n: number }) => (await call(`${device.recognition}/console/api/calls/${n}`)).body.request.text,
    ),
  );
  assert.is(bodies[0], bodies[1]);
});

it('a list that is paused stays as it is', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/integrate`);
  await page.getByText('No calls yet').waitFor();
  await call(`${device.terminal}/version`);
  await rows(page).first().waitFor();
  await button(page, 'Pause').click();
  await settled(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await call(`${device.terminal}/getDynamicQRStatus`);
  // the device sends a payment to its windows as it sends a call
  await setUp(device);
  await page.locator('.strip .test').waitFor();
  const called = asked.filter((url) => url.includes('/console/api/calls'));
  assert.equal(called, []);
  assert.is(await rows(page).count(), 1);
  await button(page, 'Resume').click();
  await rows(page).nth(2).waitFor();
});

it('no secret comes to the page: neither in the list nor in a call nor in its curl line', async (device) => {
  const profile = { bankName: 'CFT', login: 'shop', password: SECRET };
  const settings = { settings: { bankProfile: 'main', bankProfiles: { main: profile }, deviceConnection: SCREEN } };
  const headers = { 'content-type': 'application/json' };
  const post = (body: string) => call(`${device.terminal}/updateDriverSettings`, { method: 'POST', headers, body });
  await post(JSON.stringify(settings));
  await post(`{"password": ${SECRET}}`);
  await call(`${device.terminal}/version?token=${SECRET}`, { headers: { authorization: `Bearer ${SECRET}` } });
  await using page = await browsing.open(`${device.recognition}/#/integrate`);
  await rows(page).nth(2).waitFor();
  assert.is((await page.content()).includes(SECRET.slice(0, 6)), false);
  for (const n of [1, 2, 3]) {
    await page.goto(`${device.recognition}/#/integrate/${n}`);
    await page.locator('#call h3').first().waitFor();
    await page.locator('#call-title', { hasText: n === 3 ? '/version' : '/updateDriverSettings' }).waitFor();
    if (n === 1) await page.locator('#call pre', { hasText: '"password": "<PASSWORD>"' }).first().waitFor();
    if (n === 2) await page.getByText('that may hold a secret').nth(1).waitFor();
    assert.is((await page.content()).includes(SECRET.slice(0, 6)), false, `call ${n}`);
  }
});

it('a call that is no longer kept is shown as such, and leads back to the list', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/integrate/77`, {}, REFUSED);
  await page.getByText('This call is no longer kept').waitFor();
  await page.getByRole('link', { name: 'All calls' }).click();
  await page.getByText('No calls yet').waitFor();
});

ready('the line of a call has its key: the same sale is made again, and the page sends nothing', async (device) => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'receipt 7' };
  const { id } = (await call(`${device.terminal}/v1/payments`, { method: 'POST', headers, body: '{"amount":4200}' }))
    .body;
  await using page = await browsing.open(`${device.recognition}/#/integrate/2`);
  const line = (await page.locator('#curl').textContent()) ?? '';
  const answer = await run('sh', ['-c', `${line} --silent`]);
  assert.is(JSON.parse(answer.stdout).id, id);
  assert.equal(await page.locator('#call button').allInnerTexts(), ['Copy']);
});

test('the list and an open call: nothing found by axe, nothing too wide, no English in Russian', async () => {
  await using device = await startTestDevice({ LANEWARE_SERIAL: '104' });
  await setUp(device);
  await call(`${device.terminal}/showQR`, { json: { amount: 4200, purpose: 'Хлеб' } });
  await call(`${device.terminal}/v1/payments/${'long'.repeat(30)}`);
  await call(`${device.terminal}/health`);
  await using page = await browsing.open(`${device.recognition}/#/integrate?who=all`, {}, REFUSED);
  await rows(page).nth(3).waitFor();
  await findNothing(page, 'the list');
  await page.goto(`${device.recognition}/#/integrate/2`);
  await page.locator('#curl').waitFor();
  await findNothing(page, 'a call');
  await page.goto(`${device.recognition}/#/integrate/3`);
  await page.locator('#call-title', { hasText: '/v1/payments/' }).waitFor();
  await findNothing(page, 'a call with a long path');
});

it('every sample is there', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/integrate`);
  const links = page.locator('#reference .line a');
  await links.first().waitFor();
  const samples = await links.evaluateAll((all) => all.map((a) => a.getAttribute('href')));
  const shown = samples.map((address) => basename(String(address))).toSorted();
  assert.equal(shown, readdirSync(join(ROOT, 'clients/samples')).toSorted());
  for (const sample of samples) assert.is((await call(`${device.recognition}${sample}`)).status, 200, `${sample}`);
});

it('a thousand calls leave the page live, with the newest on top', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/integrate`);
  await page.getByText('No calls yet').waitFor();
  for (let round = 0; round < 50; round += 1)
    await Promise.all(Array.from({ length: 20 }, () => call(`${device.terminal}/version`)));
  await call(`${device.terminal}/getDynamicQRStatus?last`);
  await rows(page).first().filter({ hasText: '?last' }).waitFor();
  await until('the list is whole', async () => (await rows(page).count()) === 200);
});

test.run();
