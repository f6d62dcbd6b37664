/** The page of the self-test: its questions answered on a phone, a sale that breaks it off, its end, and its report. */
import * as assert from 'uvu/assert';
import { call, setUp, startTestDevice, until } from '../support.ts';
import { findNothing, inConsole } from './audit.ts';
import { browserSuite, button, PHONE, paid, RU } from './support.ts';

const { test, browsing } = browserSuite('the page of the self-test');
/** A serial number is read, too: it shall have no letters. */
const NAMELESS = { LANEWARE_SERIAL: '104' };

test('a self-test: asked, measuring nothing, broken off by a sale, and done', async () => {
  await using device = await startTestDevice({ ...NAMELESS, LANEWARE_CAMERA_DRIVER: 'push' });
  await setUp(device);
  await using page = await browsing.open(`${device.recognition}/#/device/self-test`);
  const answer = async (step: string, name: string) => {
    await page.locator('.self-test h2', { hasText: step }).waitFor();
    await button(page, name).click();
  };
  await button(page, 'Start the self-test').waitFor();
  await findNothing(page, 'before the first self-test');
  await inConsole(page)('en');
  await button(page, 'Start the self-test').click();
  await page.locator('.self-test-answers button').nth(1).waitFor();
  await findNothing(page, 'a question of the self-test');
  await inConsole(page)('en');
  await paid(device, 100);
  await page.getByText('Stopped: the till asked for a payment').waitFor();
  await findNothing(page, 'a self-test that a sale has broken off');
  await inConsole(page)('en');
  await until('an idle display', async () => (await call(`${device.recognition}/display/state`)).body.kind === 'clear');
  await button(page, 'Start again').click();
  for (const step of ['code', 'success', 'failure', 'blank'])
    await answer(`Display: ${step}`, step === 'success' ? 'No' : 'Yes');
  await page.locator('.self-test h2', { hasText: 'Camera: light' }).waitFor();
  await findNothing(page, 'the step of the light');
  await inConsole(page)('en');
  for (const step of ['light', 'focus']) await answer(`Camera: ${step}`, 'Skip');
  await page.getByText('The device did not pass.').waitFor();
  await findNothing(page, 'the end of a self-test');
});

test('a phone in Russian: large answers, a report in Russian, steps that go on without the page', async () => {
  await using device = await startTestDevice(NAMELESS);
  await setUp(device);
  const path = `${device.recognition}/console/api/self-test`;
  await using page = await browsing.open(`${device.recognition}/#/device/self-test`, RU);
  await button(page, 'Начать самопроверку').click();
  const yes = button(page, 'Да');
  await yes.waitFor();
  const { width = 0, height = 0, y = 0 } = (await yes.boundingBox()) ?? {};
  assert.ok(width > 140 && height > 80 && y > PHONE.height / 2, `${width}×${height} at ${y}`);
  await yes.click();
  await page.getByText('На дисплее знак успеха?').waitFor();
  await page.getByText('Шаг 2 из 18').waitFor();
  await page.reload();
  await page.getByText('На дисплее знак успеха?').waitFor();
  // answered at another place, as by lanectl
  for (const step of ['success', 'failure', 'blank']) {
    await until(step, async () => (await call(path)).body.step === step);
    await call(`${path}/answer`, { method: 'PUT', json: { step, answer: 'yes' } });
  }
  await page.getByText('Устройство работает; некоторые шаги требуют внимания.').waitFor();
  await page.getByText('Тестовый банк: ответ за').waitFor();
  await page.getByRole('link', { name: 'Открыть отчёт' }).click();
  await page.getByRole('heading', { name: 'Отчёт о самопроверке № 1, устройство 104' }).waitFor();
  await button(page, 'Распечатать').waitFor();
  assert.is(await page.locator('tbody').first().locator('tr').count(), 18);
  await page.emulateMedia({ media: 'print' });
  const tall = await page.evaluate<number>('document.documentElement.scrollHeight');
  assert.ok(tall < 2 * 1123, `two pages of A4: ${tall}`);
  await page.emulateMedia({ media: null });
  await button(page, 'Назад').click();
  await page.locator('#self-test').waitFor();
});

test('it is stopped by a press, and does not begin while a payment is open', async () => {
  await using device = await startTestDevice(NAMELESS);
  await setUp(device);
  await using page = await browsing.open(`${device.recognition}/#/device/self-test`, { viewport: PHONE }, /409/);
  await button(page, 'Start the self-test').click();
  await button(page, 'Stop').click();
  await page.getByText('Stopped. Nothing was changed.').waitFor();
  await call(`${device.terminal}/showQR`, { json: { amount: 100 } });
  await button(page, 'Start again').click();
  await page.getByText('A payment is in progress, or its outcome is on the display').waitFor();
});

test.run();
