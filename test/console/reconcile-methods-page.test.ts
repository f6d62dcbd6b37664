/** The page of reconciliation with two files of one day: a registry, and a statement of digital roubles. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { startTestDevice } from '../support.ts';
import { sellAt } from '../terminal/store-devices.ts';
import { findNothing, inConsole } from './audit.ts';
import { browserSuite, button, PHONE } from './support.ts';

const { test, browsing } = browserSuite('page of reconciliation by two files, in Chromium');

const csv = (name: string, lines: readonly string[]) => ({
  ...{ name, mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\n')}\n`) },
});

/** Names the lines of the second file as those of a third: the page sends two, and the call takes more. */
const answeredOfThirdFile = (page: Page) =>
  page.route('**/reconciliations', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"file":2', '"file":3') });
  });

test('both files are read, with sums and fees by method; an unknown operation is named', async () => {
  await using device = await startTestDevice();
  const [one, two] = [await sellAt(device, 4200), await sellAt(device, 5300)];
  await sellAt(device, 6400);
  const registry = ['order id;Тип операции;Сумма;Комиссия', `${one};Оплата по СБП;42.00;0.17`];
  const statement = ['order id;operationId;transactionType;amount', `${two};D1;C2B;53.00`, ';D2;BUY;500'];
  const work = async (page: Page) => {
    await page.getByLabel('Bank’s report').setInputFiles(csv('registry.csv', registry));
    await page.getByLabel('Digital-rouble statement').setInputFiles(csv('statement.csv', statement));
    const result = page.locator('#reconcile');
    const recognised = result.locator('.advice', { hasText: 'columns were recognised' });
    for (const columns of ['Columns in the file', 'Columns in the digital-rouble statement']) {
      await button(page, 'Reconcile').click();
      await result.getByText(columns, { exact: true }).waitFor();
      await recognised.waitFor();
    }
    await button(page, 'Reconcile').click();
    const methods = result.getByRole('group', { name: 'By payment method' }).locator('tbody tr');
    await methods.first().waitFor();
    const cells = await Promise.all((await methods.all()).map((row) => row.locator('td').allInnerTexts()));
    const rows = cells.map((row) => row.slice(0, 4));
    assert.equal(rows, [
      ['Digital roubles (1)', '₽53.00', '₽0.00', '–'],
      ['SBP (1)', '₽42.00', '₽0.00', '₽0.17'],
    ]);
    const unknown = result.locator('.differences tbody tr');
    const texts = (await unknown.locator('td').allInnerTexts()).map((text) => text.trim());
    assert.equal(texts, [...['file 2, line 3', '', '₽500.00', '–', 'unknown operation BUY']]);
    await result.getByText('1 test payment for ₽64.00 is not compared').waitFor();
    await page.getByLabel('What is “BUY” in the file?').selectOption('A sale');
    await answeredOfThirdFile(page);
    await button(page, 'Reconcile').click();
    await result.locator('.differences', { hasText: 'not in the ledger' }).waitFor();
    assert.ok((await result.locator('.differences').innerText()).includes('file 3, line 3'));
    assert.is(await unknown.getByText('unknown operation').count(), 0);
    await page.setViewportSize(PHONE);
    assert.is(await page.evaluate<number>('document.documentElement.scrollWidth'), PHONE.width);
    await findNothing(page, 'two files are reconciled', inConsole(page), (problem) => /BUY|TEST0001/.test(problem));
  };
  await browsing.visit(`${device.recognition}/#/payments/reconcile`, {}, work, /status of 400/);
});

test.run();
