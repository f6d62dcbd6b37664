/** Shifts on the page of payments: the open one is closed after a question, once, and what it held is read on paper and in files. */
import * as assert from 'uvu/assert';
import { profileNames } from '../../firmware/payments/model/words.ts';
import { shiftPage } from '../../firmware/payments/reports/papers/print-page.ts';
import { call, each, LETTERHEAD, onSetUpDevice, type TestDevice } from '../support.ts';
import { findNothing } from './audit.ts';
import { browserSuite, button, live, PHONE, paid, REFUSED, RU, sell, settled } from './support.ts';

const { test, browsing } = browserSuite('shifts in Chromium');
const it = each(test, onSetUpDevice);

const shot = (name: string) => ({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true });
/** The serial number of the device, and the cashier's name. */
const isOwn = (problem: string): boolean => /TEST0001|Anna/.test(problem);

const closed = async ({ terminal }: TestDevice): Promise<number[]> =>
  (await call(`${terminal}/v1/shifts`)).body.shifts.map(({ number }: { number: number }) => number);
const close = (device: TestDevice, key: string) =>
  call(`${device.terminal}/v1/shifts/close`, {
    json: { cashier: 'Anna' },
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  });

it('the shift is closed after a question, and stands in the list with what it held', async (device) => {
  await paid(device, 12_345);
  await paid(device, 70_000);
  await using page = await browsing.open(`${device.recognition}/#/payments`);
  await page.getByRole('link', { name: 'Shifts', exact: true }).click();
  await page.locator('#shift .net', { hasText: '₽823.45' }).waitFor();
  await page.locator('#shifts').getByText('No shift has been closed yet.').waitFor();
  await button(page, 'Close the shift').click();
  await page.getByRole('heading', { name: 'Close shift 1? Net: ₽823.45' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await closed(device), [], 'a question that is left closes nothing');
  await button(page, 'Close the shift').click();
  await button(page.getByRole('dialog'), 'Close the shift').click();
  await page.getByRole('heading', { name: 'Shift 2' }).waitFor();
  await page.locator('#shift .net', { hasText: '₽0.00' }).waitFor();
  await page.locator('#shift .outcome.done', { hasText: 'Shift 1 is closed.' }).waitFor();
  await page.locator('#shift .sum-of', { hasText: /Refunded.*0 refunds/s }).waitFor();
  assert.equal(await closed(device), [1]);
  await page.locator('#shifts li', { hasText: 'Shift 1' }).click();
  await page.locator('#shift .net', { hasText: '₽823.45' }).waitFor();
  assert.is(await page.getByRole('link', { name: 'Print' }).getAttribute('href'), '/v1/shifts/1?format=html&lang=en');
  const accountant = page.getByRole('link', { name: 'For the accountant (Excel)' });
  assert.is(await accountant.getAttribute('href'), '/v1/shifts/1?format=payments-xlsx&lang=en');
  const other = page.locator('#other-files a');
  assert.is(await other.first().isVisible(), false, 'the others are folded away');
  assert.equal(
    await other.evaluateAll((links) =>
      links.map((link) => link.getAttribute('href')?.replace('/v1/shifts/1?format=', '')),
    ),
    ['xlsx&lang=en', 'csv-ru', 'csv', 'payments-csv-ru', 'payments'],
  );
  assert.is(new Set(await other.allTextContents()).size, 5, 'each has a name of its own');
  await page.getByText(/^Opened .+ · closed /).waitFor();
  await page.getByRole('link', { name: 'All shifts' }).click();
  await page.getByRole('heading', { name: 'Shift 2' }).waitFor();
  await page.getByText(/^Open since /).waitFor();
});

it('one press closes the shift and prints its paper, once, and a way leads back', async (device) => {
  await call(`${device.recognition}/console/api/shop`, {
    method: 'PUT',
    json: { name: 'Ромашка', address: 'ул. Ленина, 1', zone: null },
    headers: { 'content-type': 'application/json' },
  });
  await paid(device, 12_345);
  await using page = await browsing.open(`${device.recognition}/#/payments/shifts`, RU);
  await page.addInitScript('globalThis.printed = 0; globalThis.print = () => { globalThis.printed += 1; }');
  await button(page, 'Закрыть и распечатать').click();
  await button(page.getByRole('dialog'), 'Закрыть и распечатать').click();
  await page.getByRole('heading', { name: 'Смена № 1' }).waitFor();
  await page.waitForFunction('globalThis.printed === 1');
  assert.equal(await closed(device), [1]);
  const text = await page.locator('main').innerText();
  for (const line of ['Ромашка', 'ул. Ленина, 1', 'Устройство: TEST0001', 'ТЕСТ: деньги не списываются', 'Подпись'])
    assert.ok(text.includes(line), `${line} in ${text}`);
  await page.emulateMedia({ media: 'print' });
  assert.not.ok(await page.locator('#bar').isVisible(), 'no button is on the paper');
  await page.emulateMedia({ media: null });
  await page.reload();
  assert.is(await page.evaluate<number>('printed'), 0, 'a reload prints nothing');
  await button(page, 'Назад').click();
  await page.getByRole('heading', { name: 'Смена 2' }).waitFor();
});

it('a close whose answer is lost closes once, however often it is pressed', async (device) => {
  await paid(device, 12_345);
  await using page = await browsing.open(`${device.recognition}/#/payments/shifts`, {}, /ERR_FAILED/);
  await live(page);
  let isLost = true;
  await page.route('**/v1/shifts/close', async (route) => {
    const answer = await route.fetch();
    if (isLost) await route.abort();
    else await route.fulfill({ response: answer });
  });
  await page.route('**/v1/shifts/current', (route) => (isLost ? route.abort() : route.continue()));
  await button(page, 'Close the shift').click();
  await button(page.getByRole('dialog'), 'Close the shift').click();
  await page.locator('.outcome.failed').waitFor();
  assert.equal(await closed(device), [1]);
  await button(page, 'Close the shift').click();
  const yes = button(page.getByRole('dialog'), 'Close the shift');
  await yes.waitFor();
  isLost = false; // not before: the page would see shift 2, and the press would mean that one
  await yes.click();
  await page.getByRole('heading', { name: 'Shift 2' }).waitFor();
  assert.equal(await closed(device), [1], 'the same key');
});

it('closing a shift that another window has closed closes no other one, and says so', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/payments/shifts`, {}, REFUSED);
  await button(page, 'Close the shift').click();
  const yes = button(page.getByRole('dialog'), 'Close the shift');
  await yes.waitFor();
  await page.route('**/v1/shifts/close', async (route) => {
    await close(device, 'of another window');
    await route.continue();
  });
  await yes.click();
  await page.getByText('This shift is no longer open. Nothing was closed now.').waitFor();
  await page.getByRole('heading', { name: 'Shift 2' }).waitFor();
  assert.equal(await closed(device), [1]);
});

it('paid without a receipt is live in the open shift, and in a closed one as counted then', async (device) => {
  const print = (id: string) =>
    call(`${device.terminal}/v1/payments/${id}/receipt`, { method: 'PUT', json: { state: 'printed' } });
  await print(await paid(device, 100));
  const lacking = await paid(device, 12_300);
  await using page = await browsing.open(`${device.recognition}/#/payments/shifts/current`);
  const line = page.locator('#shift .sum-of', { hasText: 'Paid without a receipt' });
  await line.getByText('₽123.00').waitFor();
  await page.getByRole('columnheader', { name: 'No receipt' }).waitFor();
  await close(device, 'one');
  await print(lacking);
  await page.goto(`${device.recognition}/#/payments/shifts`);
  await page.locator('#shift .net', { hasText: '₽0.00' }).waitFor();
  assert.is(await line.count(), 0);
  await page.goto(`${device.recognition}/#/payments/shifts/1`);
  await line.getByText('₽123.00').waitFor();
  await findNothing(page, 'a shift without a receipt', undefined, isOwn);
});

it('an earlier shift’s payments are named; axe finds nothing, in both languages, on a phone', async (device) => {
  await paid(device, 12_345);
  const late = await sell(device, 5000);
  await close(device, 'one');
  const { body } = await call(`${device.terminal}/v1/payments/${late}`);
  await call(`${device.sandbox}/sandbox/payments/${body.qrcId}/pay`, { method: 'POST' });
  await call(`${device.terminal}/v1/payments/${late}?wait=25`);
  await close(device, 'two');
  await paid(device, 99_900);
  await browsing.visit(`${device.recognition}/#/payments/shifts/2`, {}, async (page) => {
    await page.locator('#earlier + .ledger', { hasText: '· Shift 1' }).waitFor();
    await settled(page);
    await findNothing(page, 'a shift', undefined, isOwn);
    await page.goto(`${device.recognition}/#/payments/shifts`);
    await page.getByRole('heading', { name: /Shift 3|Смена 3/ }).waitFor();
    await findNothing(page, 'shifts', undefined, isOwn);
  });
  for (const [name, settings] of Object.entries({
    phone: RU,
    dark: { viewport: PHONE, colorScheme: 'dark' as const },
    desk: { viewport: { width: 1280, height: 800 }, locale: 'ru-RU' },
  }))
    await browsing.visit(`${device.recognition}/#/payments/shifts`, settings, async (page) => {
      await page.locator('#shifts li').nth(1).waitFor();
      assert.ok(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), name);
      if (process.env.SCREENSHOTS !== undefined) await page.screenshot(shot(`shifts-${name}`));
      await page.locator('#shifts li').first().click();
      await page.locator('#earlier').waitFor();
      assert.ok(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), name);
      if (process.env.SCREENSHOTS !== undefined) await page.screenshot(shot(`shift-${name}`));
    });
});

for (const language of ['ru', 'en'] as const)
  test(`nothing is cut off on a roll of 80 mm: ${language}`, async () => {
    const sums = {
      accepted: { count: 1093, sum: 123_456_789 },
      refunds: { count: 12, sum: 456_700 },
      withoutReceipt: { count: 0, sum: 0 },
    };
    const group = {
      profile: 'ООО «Ромашка», касса 7',
      bank: 'Raiffeisenbank',
      till: 'w'.repeat(64),
      cashier: 'Анна',
      owner: null,
      ...sums,
    };
    const named = { id: 'order', number: 123_456, amount: 9_999_900, till: null, askedShift: 1092 };
    const report = {
      groups: [group, { ...group, profile: 'q' }],
      earlier: [named],
      returned: [named],
      numbers: [],
      refunded: {},
      first: 1,
      last: 9,
    };
    const shift = { number: 1093, openedAt: 0, closedAt: 86_400_000, closedBy: null, report };
    await using page = await browsing.open('about:blank', { viewport: { width: 272, height: 800 } });
    await page.emulateMedia({ media: 'print' });
    await page.setContent(shiftPage(shift, language, 0, profileNames({}), LETTERHEAD));
    if (process.env.SCREENSHOTS !== undefined) await page.screenshot(shot(`paper-${language}`));
    assert.is(await page.evaluate<number>('document.documentElement.scrollWidth'), 272);
  });

test.run();
