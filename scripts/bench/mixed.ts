/**
 * `node scripts/bench/mixed.ts [--minutes 60]`: measures the memory of a lane's bundle under mixed load: a sale each 15
 * s, a look each 2 s, a template each 30 s, and the console in Chromium (CHROMIUM or /usr/bin/chromium), which goes
 * from page to page.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startBanks } from '../../test/banks/banks.ts';
import { temporaryFolder } from '../../test/support.ts';
import { startBrowser } from './browser.ts';
import { bundleInto, OF_UNIT, p50, post, startFirmware } from './firmware.ts';
import { amountOf } from './quick.ts';
import { sellWith, settle } from './sales.ts';

const SALE_EVERY_MS = 15_000;
const LOOK_EVERY_MS = 2000;
const LEARN_EVERY_MS = 30_000;
const PAGE_EVERY_MS = 20_000;
const ASK_EVERY_MS = 500;
const MARKS = 12;
const ITEMS = 20;
const PAGES = ['', 'payments', 'items', 'device', 'camera', 'integrate'];
/** Memory counts as flat if it grows by less than this from the second quarter to the last, in MB. */
const FLAT_MB = 15;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: String(amountOf({ full: 60, quick: 0.2 })) },
    quick: { type: 'boolean' },
  },
});

using folder = temporaryFolder();
const bank = await startBanks({ port: 0, dataFile: join(folder.path, 'bank.db') });
const env = { ...OF_UNIT.env, LANEWARE_BANKS_CFT_BASEURL: bank.url, LANEWARE_CAMERA_DRIVER: 'replay' };
const main = bundleInto(folder.path);
const firmware = await startFirmware(join(folder.path, 'data'), env, { ...OF_UNIT, main });
await sellWith(firmware.url);

const endsAt = performance.now() + Number(values.minutes) * 60_000;
const done = { sales: 0, looks: 0, templates: 0, pages: 0, failures: 0 };

/** Repeats something until the end, and counts its failures. */
async function repeat(everyMs: number, work: (turn: number) => Promise<void>): Promise<void> {
  for (let turn = 0; performance.now() < endsAt; turn += 1) {
    const began = performance.now();
    try {
      await work(turn);
    } catch (error) {
      done.failures += 1;
      process.stderr.write(`${error}\n`);
    }
    await pause(Math.max(0, Math.min(endsAt, began + everyMs) - performance.now()));
  }
}

async function sell(turn: number): Promise<void> {
  await post(`${firmware.url}/showQR`, { amount: 100 * ((turn % 1000) + 1) });
  await settle(bank.url, firmware.url, { askEveryMs: ASK_EVERY_MS });
  done.sales += 1;
}

async function look(): Promise<void> {
  const answer = await fetch(`${firmware.recognition}/v1/recognition`);
  await answer.arrayBuffer();
  if (answer.ok) done.looks += 1;
}

async function learn(turn: number): Promise<void> {
  await post(`${firmware.recognition}/api/add_item_template`, { id: `item${turn % ITEMS}` });
  done.templates += 1;
}

const browser = await startBrowser();
const page = await browser.newPage();
async function visit(turn: number): Promise<void> {
  await page.goto(`${firmware.recognition}/#/${PAGES[turn % PAGES.length]}`);
  done.pages += 1;
}

const marks: number[] = [];
const mark = async (): Promise<void> => {
  marks.push(firmware.rssMb());
  process.stdout.write(`${marks.at(-1)?.toFixed(0)} MB ${JSON.stringify(done)}\n`);
};
await Promise.all([
  repeat(SALE_EVERY_MS, sell),
  repeat(LOOK_EVERY_MS, look),
  repeat(LEARN_EVERY_MS, learn),
  repeat(PAGE_EVERY_MS, visit),
  repeat((Number(values.minutes) * 60_000) / MARKS, mark),
]);
await mark();
await browser.close();
await firmware.stop();
await bank.close();

const quarter = Math.max(1, Math.floor(marks.length / 4));
const [second, last] = [p50(marks.slice(quarter, 2 * quarter)), p50(marks.slice(-quarter))];
process.stdout.write(
  `memory of the processes: median of the second quarter ${second.toFixed(0)} MB, of the last ${last.toFixed(0)} MB, most ${Math.max(...marks).toFixed(0)} MB: ${last - second < FLAT_MB ? 'flat' : 'GROWING'}\n`,
);
