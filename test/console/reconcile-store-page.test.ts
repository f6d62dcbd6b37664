/** The page of reconciliation at the master of a store, and at one of its lanes. */
import * as assert from 'uvu/assert';
import { until } from '../support.ts';
import {
  csvOf,
  join,
  pairSilent,
  reconcileAt,
  sellAt,
  startLaneDevice,
  startMasterDevice,
} from '../terminal/store-devices.ts';
import { findNothing, inConsole } from './audit.ts';
import { browserSuite, button, PHONE } from './support.ts';

const { test, browsing } = browserSuite('page of reconciliation in a store, in Chromium');

test('at the master each lane has its sums, silent lanes named; a lane says where the rest is', async () => {
  await using master = await startMasterDevice('LW1');
  const lane = await startLaneDevice('LW2');
  await using third = await startLaneDevice('LW3');
  const own = await sellAt(master, 4200);
  const other = await sellAt(lane, 5300);
  for (const each of [lane, third]) await join(each, master);
  const csv = csvOf([
    [own, 4300],
    [other, 5400],
  ]);
  await until('both have reported', async () => {
    const { lanes } = (await reconcileAt(master, csv)).body;
    return lanes.length === 3 && lanes.every(({ missing }: { missing: boolean }) => !missing);
  });
  const file = { name: 'registry.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  const named = { 'Order ID': 'order', Amount: 'amount' };
  await browsing.visit(
    `${master.recognition}/#/payments/reconcile`,
    {},
    async (page) => {
      await page.getByLabel('Bank’s report').setInputFiles(file);
      await button(page, 'Reconcile').click();
      for (const [label, column] of Object.entries(named))
        await page.getByLabel(label, { exact: true }).selectOption(column);
      await button(page, 'Reconcile').click();
      const lanes = page.getByRole('group', { name: 'Lanes of the store' });
      await lanes.waitFor();
      assert.equal(await lanes.locator('tbody tr td:first-child').allTextContents(), ['LW1', 'LW2', 'LW3']);
      assert.is(await page.locator('#reconcile').getByRole('alert').count(), 0);
      const rows = page.getByRole('group', { name: 'Reconcile with the bank' }).locator('tbody tr');
      assert.equal(await rows.locator('td:nth-child(2)').allTextContents(), ['LW1', 'LW2']);
      assert.is(await rows.getByRole('link').count(), 1, 'a payment of another lane has no page here');
      await pairSilent('LW9', master);
      const late = csvOf([
        [own, 4200],
        ['nobody', 100],
      ]);
      await page.getByLabel('Bank’s report').setInputFiles({ ...file, buffer: Buffer.from(late) });
      await button(page, 'Reconcile').click();
      const alert = page.locator('#reconcile').getByRole('alert');
      await page.locator('#reconcile').getByText('The columns were recognised').waitFor();
      for (const [label, column] of Object.entries(named))
        await page.getByLabel(label, { exact: true }).selectOption(column);
      await button(page, 'Reconcile').click();
      await alert.getByText('Lane LW9 has never reported: its payments may be missing here.').waitFor();
      await rows.getByText('may belong to a lane that has not reported').waitFor();
      assert.is(await rows.getByText('not in the ledger').count(), 0);
      await page.setViewportSize(PHONE);
      const words = lanes.locator('tbody tr').first().locator('td').first();
      assert.is(await words.evaluate((cell) => cell.getClientRects().length), 1);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.is(width, PHONE.width, 'a wide table scrolls by itself');
      await findNothing(page, 'a store is reconciled', inConsole(page), (problem) => /LW\d/.test(problem));
    },
    /status of 400/,
  );
  await browsing.visit(
    `${lane.recognition}/#/payments/reconcile`,
    {},
    async (page) => {
      await page.getByLabel('Bank’s report').setInputFiles(file);
      await button(page, 'Reconcile').click();
      for (const [label, column] of Object.entries(named))
        await page.getByLabel(label, { exact: true }).selectOption(column);
      await button(page, 'Reconcile').click();
      await page.getByText('reconcile on its master LW1').waitFor();
    },
    /status of 400/,
  );
  await lane[Symbol.asyncDispose]();
});

test.run();
