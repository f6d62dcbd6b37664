/** The page of payments as a cashier and an accountant use it, in real Chromium. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { call, each, onSetUpDevice, type TestDevice, until } from '../support.ts';
import { englishIn } from './audit.ts';
import { askForSale, browserSuite, button, Gate, live, PHONE, paid, play, sell } from './support.ts';

const { test, browsing } = browserSuite('page of payments in Chromium');
const it = each(test, onSetUpDevice);

const last = async ({ recognition }: TestDevice) => (await call(`${recognition}/v1/payments?limit=1`)).body.payments[0];
it('a day with its totals: what the page says is what its CSV says, to the kopeck', async (device) => {
  const amounts = [12_345, 44, 99_999, 70_000];
  for (const amount of amounts) await paid(device, amount);
  await browsing.visit(`${device.recognition}/#/payments`, {}, async (page) => {
    await page.locator('#totals .sums', { hasText: '₽1,823.88' }).waitFor();
    await page.locator('#list tbody tr').nth(3).waitFor();
    const address = await page.getByRole('link', { name: 'Payments (CSV)' }).getAttribute('href');
    const csv = (await call(`${device.recognition}${address}`)).text;
    const column = csv.split('\r\n')[0]?.split(',').indexOf('amount_kopecks') ?? -1;
    const sums = csv
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => Number(line.split(',')[column]));
    assert.equal(
      sums.toSorted((one, other) => one - other),
      amounts.toSorted((one, other) => one - other),
    );
    const bars = await page
      .locator('.hours rect')
      .evaluateAll((all) => all.map((each) => Number(each.getAttribute('height'))));
    assert.is(bars.length, 24);
    assert.is(Math.max(...bars), 100);
    for (const size of [PHONE, { width: 320, height: 640 }]) {
      await page.setViewportSize(size);
      const heights = await page.locator('.hours span').evaluateAll((all) => all.map((each) => each.clientHeight));
      assert.is(new Set(heights).size, 1, 'no hour stands in two lines');
    }
  });
});

/** Of what has moved by itself since the page was opened; a page is called stable up to 0.1 (web.dev, "Cumulative Layout Shift"). */
const shift = (page: Page) =>
  page.evaluate<number>(`(() => {
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: 'layout-shift', buffered: true });
    return observer.takeRecords().reduce((sum, { value }) => sum + value, 0);
  })()`);

it('a page is shown once all its parts have their first answer, and does not move', async (device) => {
  await paid(device, 4200);
  await browsing.visit(`${device.recognition}/#/device`, {}, async (page) => {
    const gate = await Gate.at(page, '**/v1/reports/day', 'call', () => true);
    const finder = page.locator('#find');
    await page.goto(`${device.recognition}/#/payments`);
    await page.reload();
    await live(page);
    await finder.waitFor({ state: 'attached' });
    assert.is(await finder.isVisible(), false);
    assert.is(await page.getByRole('heading', { level: 1 }).isVisible(), true);
    gate.letGo();
    await finder.waitFor();
    await page.locator('#list tbody tr').waitFor();
    assert.ok((await shift(page)) <= 0.1);
  });
});

it('a page whose answer does not come is shown after two seconds, and a later question hides nothing', async (device) => {
  await browsing.visit(`${device.recognition}/#/device`, {}, async (page) => {
    await page.clock.install();
    await Gate.at(page, '**/v1/reports/day*', 'call', () => true);
    const finder = page.locator('#find');
    await page.goto(`${device.recognition}/#/payments`);
    await finder.waitFor({ state: 'attached' });
    await page.clock.fastForward(2000);
    await finder.waitFor();
    await page.goto(`${device.recognition}/#/payments?day=2026-01-05`);
    await page.locator('#list').waitFor();
    assert.is(await finder.isVisible(), true);
  });
});

it('payments are found by amount, by id and by state, and the search outlives a reload', async (device) => {
  const id = await paid(device, 4200, 'Apples');
  const other = await sell(device, 10_000, 'Pears');
  await play(device, other, 'decline');
  await until('it is declined', async () => (await last(device)).state === 'REJECTED');
  await browsing.visit(`${device.recognition}/#/payments`, {}, async (page) => {
    const rows = page.locator('#list tbody tr');
    await rows.nth(1).waitFor();
    await page.getByLabel('Amount or ID').fill('42');
    await page.keyboard.press('Enter');
    await rows.nth(1).waitFor({ state: 'detached' });
    assert.match(await rows.innerText(), /Apples/);
    await page.reload();
    await rows.first().waitFor();
    assert.is(await rows.count(), 1);
    await page.getByLabel('Amount or ID').fill(other);
    await page.keyboard.press('Enter');
    await page.locator('#list td', { hasText: 'Pears' }).waitFor();
    assert.is(await rows.count(), 1);
    await page.getByLabel('Amount or ID').fill('');
    // quicker than the page is drawn anew
    await page.evaluate(`(() => {
      document.querySelector('#find form').requestSubmit();
      const state = document.querySelector('#find select');
      state.value = 'ACCEPTED';
      state.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await page.locator('#list td', { hasText: 'Apples' }).waitFor();
    await until('only what is paid is listed', async () => (await rows.count()) === 1);
    await rows.getByRole('link').click();
    await page.locator('#payment code', { hasText: id }).waitFor();
    await page.locator('.timeline li', { hasText: 'Payment confirmed' }).waitFor();
  });
});

it('a part of the money goes back, then the rest; what is too much is refused beside its field', async (device) => {
  const id = await paid(device, 5000);
  await browsing.visit(`${device.recognition}/#/payments/${id}`, {}, async (page) => {
    const amount = page.getByLabel('Refund amount (roubles)');
    await amount.fill('50,01');
    await button(page, 'Refund').click();
    await page.locator('#refund-problem', { hasText: 'up to ₽50.00' }).waitFor();
    await amount.fill('20');
    await button(page, 'Refund').click();
    const question = page.getByRole('dialog');
    await question.getByText('Refund ₽20.00?').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.locator('button:focus', { hasText: 'Refund' }).waitFor(); // who leaves a question is where it was asked
    assert.is((await last(device)).refunded, 0, 'a question that is left gives nothing back');
    await button(page, 'Refund').click();
    await question.getByRole('button', { name: 'Refund' }).click();
    await page.locator('#payment .chip', { hasText: 'Paid, partly refunded' }).waitFor();
    await button(page, 'Refund').click();
    await question.getByText('Refund ₽30.00?').waitFor();
    await question.getByRole('button', { name: 'Refund' }).click();
    await page.locator('#payment .chip', { hasText: /^Refunded$/ }).waitFor();
    assert.is((await last(device)).refunded, 5000);
    assert.is(await amount.count(), 0, 'nothing is left to give back');
  });
});

it('a payment that came in late stands above all others until somebody has looked into it', async (device) => {
  const id = await sell(device, 5500, 'Receipt <1095>');
  await play(device, id, 'late');
  await until('it is late', async () => (await last(device)).late);
  await browsing.visit(device.recognition, { viewport: PHONE }, async (page) => {
    await page.locator('#recent .advice', { hasText: '1 payment needs a review' }).getByRole('link').click();
    const rows = page.locator('#late tbody tr');
    await rows.first().waitFor();
    assert.is(await rows.count(), 1);
    assert.is(await page.locator('#late ~ #totals').count(), 1, 'nothing stands above it');
    await page.getByLabel('Day', { exact: true }).fill('2024-02-01');
    await page.locator('#list').getByText('No payments found.').waitFor();
    assert.is(await rows.count(), 1, 'another day is looked at, and it still waits');
    await rows.getByRole('link').click();
    await page.getByLabel('Note').fill('Anna: paid in cash');
    await button(page, 'Mark reviewed').click();
    await page.locator('.timeline li', { hasText: 'Anna: paid in cash' }).waitFor();
    assert.is((await last(device)).late, false);
    await page.goto(`${device.recognition}/#/payments`);
    await page.locator('#list tbody tr').first().waitFor();
    await page.locator('#late').waitFor({ state: 'detached' });
    await page.goto(`${device.recognition}/#/lane`);
    await page.locator('#recent .chip', { hasText: 'Paid' }).waitFor();
    await page.locator('#recent .advice').waitFor({ state: 'detached' });
  });
});

it('for a late payment whose money has gone back the page does not ask to give it back', async (device) => {
  const id = await sell(device, 5500);
  await play(device, id, 'late');
  await until('it is late', async () => (await last(device)).late);
  await browsing.visit(`${device.recognition}/#/payments/${id}`, {}, async (page) => {
    await page.getByText('Give the customer the goods or a refund').waitFor();
    const refund = { amount: 5500, id: 'back' };
    assert.is((await call(`${device.terminal}/v1/payments/${id}/refunds`, { json: refund })).status, 200);
    await page.getByText('It has been refunded in full').waitFor();
    assert.is(await page.getByText('Give the customer the goods').count(), 0);
    await button(page, 'Mark reviewed').click();
    await until('it is looked into', async () => !(await last(device)).late);
  });
});

it('why a payment failed, and why nothing is known of another, is shown in the language of the reader', async (device) => {
  const refused = await askForSale(device, 5028);
  const open = await sell(device, 6003);
  await until('the bank is silent', async () => (await last(device)).silence !== null);
  assert.is(refused.body.id, undefined, 'the call returns its refusal');
  const [, { id, failure }] = (await call(`${device.recognition}/v1/payments?limit=2`)).body.payments;
  assert.is(failure.code, 'Bank.Refused');
  await browsing.visit(`${device.recognition}/#/payments/${id}`, { locale: 'ru-RU' }, async (page) => {
    const advice = page.locator('#payment .advice');
    await advice.getByText(/Банк отказал/).waitFor();
    await advice.locator('[lang=en]', { hasText: failure.detail }).waitFor();
    await page.goto(`${device.recognition}/#/payments/${open}`);
    await advice.getByText(/банк не сообщает/).waitFor();
    const isOwn = (english: string): boolean => english.includes('TEST0001'); // the serial number of the device
    assert.equal(
      (await englishIn(page)).filter((english) => !isOwn(english)),
      [],
    );
    await page.goto(`${device.recognition}/#/lane`);
    await page.locator('#recent .chip').nth(1).waitFor();
    assert.equal(
      (await englishIn(page)).filter((english) => !isOwn(english)),
      [],
    );
  });
});

it("a bank's file is laid beside the ledger, and each difference leads to its payment", async (device) => {
  const id = await paid(device, 4200);
  const work = async (page: Page) => {
    await page.locator('#list tbody tr').first().waitFor();
    // as Windows writes it: ‘Сумма’ is no UTF-8
    const buffer = Buffer.concat([
      Buffer.from('orderId;'),
      Buffer.from('d1f3ecece0', 'hex'),
      Buffer.from(`\n${id};43.00\n`),
    ]);
    const file = { name: 'registry.csv', mimeType: 'text/csv', buffer };
    await page.getByLabel('Bank’s report').setInputFiles(file);
    await button(page, 'Reconcile').click();
    const result = page.locator('#reconcile');
    await result.locator('.outcome.failed', { hasText: 'columns of this file are unknown' }).waitFor();
    await page.getByLabel('Order ID').selectOption('orderId');
    await page.getByLabel('Amount', { exact: true }).selectOption('Сумма');
    await button(page, 'Reconcile').click();
    await result.locator('.chip', { hasText: '1 difference' }).waitFor();
    await result.locator('td', { hasText: 'amounts differ' }).waitFor();
    await result.locator('tbody').getByRole('link').click();
    await page.locator('#payment code', { hasText: id }).waitFor();
  };
  await browsing.visit(`${device.recognition}/#/payments`, {}, work, /status of 400/);
});

test.run();
