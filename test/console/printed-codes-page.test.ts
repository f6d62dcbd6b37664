/** The page of the labels of scales: a layout is looked at by a label before it is kept, and a scanned label then finds its item on the scale. */
import * as assert from 'uvu/assert';
import { call, startTestDevice, until } from '../support.ts';
import { browserSuite, button, learnEmptyTray, PHONE, RU, SEEING, show } from './support.ts';

const { test, browsing } = browserSuite('the page of the labels of scales');

const LABEL = '2100042012349';
const THING = '<rect x="520" y="240" width="220" height="240" fill="#b3302a"/>';

test('an invalid layout is not saved; a valid one is previewed with the shop’s item, and saved', async () => {
  await using device = await startTestDevice();
  await call(`${device.recognition}/v1/items/pears`, { method: 'PUT', json: { name: 'Груши', plu: '42' } });
  await using page = await browsing.open(`${device.recognition}/#/device/printed-codes`, RU);
  await page.getByText('Форматов нет: коды весов не распознаются.').waitFor();
  const layouts = page.getByLabel('Форматы');
  await layouts.fill('21IIIIIWWWWW');
  await page.getByText('Неверный формат: 21IIIIIWWWWW.').waitFor();
  assert.ok(await button(page, 'Сохранить').isDisabled());
  await layouts.fill('21IIIIIWWWWWC');
  await page.locator('#printed-codes .rows li', { hasText: /Груши\s*код 00042\s*1\s234 г/ }).waitFor();
  await page.getByLabel('Код с этикетки').fill('21000');
  await page.locator('#printed-codes .rows li').waitFor();
  assert.is(await page.locator('#printed-codes').getByRole('alert').count(), 0, 'it is still being typed');
  await page.getByLabel('Код с этикетки').fill('2100042012340');
  await page.getByText('Последняя цифра не подходит').waitFor();
  await page.getByLabel('Код с этикетки').fill(LABEL);
  await page.locator('#printed-codes .rows li', { hasText: LABEL }).waitFor();
  await button(page, 'Сохранить').click();
  await page.getByText('Сохранено.').waitFor();
  const { layouts: kept } = (await call(`${device.recognition}/console/api/printed-codes`)).body;
  assert.equal(kept, ['21IIIIIWWWWWC']);
});

test('a label that is scanned into the search of the scale finds its item', async () => {
  await using device = await startTestDevice(SEEING);
  await learnEmptyTray(device);
  await call(`${device.recognition}/v1/items/pears`, { method: 'PUT', json: { name: 'Pears', plu: '42' } });
  const json = { layouts: ['21IIIIIWWWWWC'] };
  await call(`${device.recognition}/console/api/printed-codes`, { method: 'PUT', json });
  await show(device, THING);
  await until('a thing', async () => (await call(`${device.recognition}/v1/recognition`)).body.state === 'unknown');
  await using page = await browsing.open(`${device.recognition}/scale`, { viewport: PHONE });
  await button(page, 'Another item').click();
  await page.locator('#sought').fill(LABEL);
  await page.locator('.hits .tile', { hasText: 'Pears' }).waitFor();
});

test.run();
