/** A day of 10,000 payments on the page of payments: its totals, its hours and its file say the same, to the kopeck. */
import * as assert from 'uvu/assert';
import { localDayOf } from '../../firmware/payments/model/local-day.ts';
import { call, setUp, startTestDevice, temporaryFolder } from '../support.ts';
import { type Filling, fillLedger } from '../terminal/filled-ledger.ts';
import { browserSuite } from './support.ts';

const { test, browsing } = browserSuite('10,000 payments in Chromium');

const PAYMENTS = 10_000;
const PROFILE = { bankName: 'CFT', accAlias: 'a', extEntityId: 'e', merchantId: 'm', password: 'made-up' };
const HOURS = 24;
const DAY_MS = HOURS * 3_600_000;

/** No two of an amount, some of them over a billion roubles in all: no rounding stays hidden. Every seventh is declined. */
function* sales(from: number, to: number): Generator<Filling> {
  for (let n = 0; n < PAYMENTS; n += 1)
    yield {
      createdAt: from + Math.floor(((to - from) * n) / PAYMENTS),
      amount: ((n * 7919) % 99_991) * 1009 + 1,
      state: n % 7 === 3 ? 'REJECTED' : 'ACCEPTED',
    };
}

/** As `Intl` writes it for the page. */
const roubles = (kopecks: number) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'RUB', currencyDisplay: 'narrowSymbol' }).format(
    kopecks / 100,
  );

test('the totals of the page are the sums of the file, and the list goes on to its last line', async () => {
  using folder = temporaryFolder();
  const { day, from, to } = localDayOf(Date.now() - DAY_MS);
  const all = [...sales(from, to)];
  fillLedger(folder.path, all, PROFILE);
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  const accepted = all.filter(({ state }) => state === 'ACCEPTED');
  const sum = accepted.reduce((total, { amount }) => total + amount, 0);
  await using page = await browsing.open(`${device.recognition}/#/payments/totals?day=${day}`);
  const said = await page.locator('#totals .sum-of').first().innerText();
  assert.match(said, roubles(sum));
  assert.match(said, accepted.length.toLocaleString('en'));
  const address = await page.locator('#other-files a').last().getAttribute('href');
  const lines = (await call(`${device.recognition}${address}`)).text.trimEnd().split('\r\n');
  const [head = '', ...rows] = lines.map((line) => line.split(','));
  const column = (name: string) => head.indexOf(name);
  assert.is(rows.length, accepted.length);
  const total = rows.reduce((total, row) => total + Number(row[column('amount_kopecks')]), 0);
  assert.is(total, sum);
  const hours: number[] = new Array(HOURS).fill(0);
  for (const { createdAt, amount } of accepted) {
    const hour = new Date(createdAt).getHours();
    hours[hour] = (hours[hour] ?? 0) + amount;
  }
  const labels = await page
    .locator('.hours svg')
    .evaluateAll((bars) => bars.map((bar) => bar.getAttribute('aria-label')));
  assert.is(labels.length, HOURS);
  for (const [hour, label] of labels.entries()) assert.match(label ?? '', roubles(hours[hour] ?? 0));
  await page.getByRole('link', { name: 'All payments' }).click();
  await page.locator('#list li').nth(99).waitFor();
  await page.getByRole('button', { name: 'Earlier payments' }).click();
  await page.locator('#list li').nth(199).waitFor();
});

test('a payment that comes while earlier ones are shown pushes none of them out of sight', async () => {
  using folder = temporaryFolder();
  const now = Date.now();
  const { from } = localDayOf(now);
  const FILLED = 250;
  const times = Array.from({ length: FILLED }, (_, n) => from + Math.floor(((now - from) * n) / FILLED));
  fillLedger(
    folder.path,
    times.map((createdAt) => ({ createdAt, amount: 100, state: 'ACCEPTED' as const })),
    PROFILE,
  );
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  await using page = await browsing.open(`${device.recognition}/#/payments`);
  const rows = page.locator('#list li');
  await rows.nth(99).waitFor();
  await page.getByRole('button', { name: 'Earlier payments' }).click();
  await rows.nth(199).waitFor();
  const shown = () => page.locator('#list li a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  const before = await shown();
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'receipt 1' };
  const { id } = (
    await call(`${device.terminal}/v1/payments`, { method: 'POST', headers, body: JSON.stringify({ amount: 5000 }) })
  ).body;
  await page.locator(`#list li a[href*="${id}"]`).waitFor();
  assert.equal((await shown()).slice(1), before.slice(0, -1));
});

test.run();
