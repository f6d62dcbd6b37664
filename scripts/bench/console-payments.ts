/**
 * `node scripts/bench/console-payments.ts`: measures from the click on "Payments" to the painted list in Chromium, with
 * 10,000 payments of a day in the ledger, beside 100. Goal: 200 ms.
 */
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../../test/support.ts';
import { type Filling, fillLedger } from '../../test/terminal/filled-ledger.ts';
import { startBrowser } from './browser.ts';
import { ALONE, p50, spread, startFirmware } from './firmware.ts';
import { amountOf } from './quick.ts';
import { PROFILE } from './sales.ts';

const SIZES = [100, amountOf({ full: 10_000, quick: 200 })] as const;
const ROUNDS = amountOf({ full: 40, quick: 2 });
const WARM_UP = amountOf({ full: 5, quick: 1 });
const LIMIT_MS = 200;

/** Payments of the last minutes: all of one day, unless it has just begun. */
function* sales(payments: number): Generator<Filling> {
  const now = Date.now();
  for (let n = payments; n > 0; n -= 1) yield { createdAt: now - n, amount: 100 + n, state: 'ACCEPTED' };
}

/** Runs in the page: opens the payments, and notes when the frame with the list has been painted. */
const GO = `new Promise((resolve) => {
  const began = performance.now();
  const look = () => {
    if (document.querySelector('#list li') === null) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
  };
  document.querySelector('nav a[href="#/payments"]').click();
  look();
})`;

async function spans(page: Page, lane: string): Promise<number[]> {
  const all: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    await page.goto(lane);
    await page.locator('#ask').waitFor();
    const took: number = await page.evaluate(GO);
    if (round >= WARM_UP) all.push(took);
  }
  return all;
}

const browser = await startBrowser();
process.stdout.write(`from the click to the painted list, asked: ${LIMIT_MS} ms\n`);
const medians: number[] = [];
for (const size of SIZES) {
  using folder = temporaryFolder();
  fillLedger(folder.path, sales(size), PROFILE);
  const firmware = await startFirmware(folder.path, ALONE);
  const page = await browser.newPage({ viewport: { width: 1024, height: 768 }, locale: 'ru-RU' });
  const taken = await spans(page, `${firmware.recognition}/#/lane`);
  medians.push(p50(taken));
  spread(`${size} payments`, taken);
  await page.close();
  await firmware.stop();
}
const [few = Number.NaN, many = Number.NaN] = medians;
process.stdout.write(`ratio ${(many / few).toFixed(2)}\n`);
await browser.close();
