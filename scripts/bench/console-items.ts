/**
 * The list of the items in a browser: how long its longest task is while 5,000 of them are fetched, scrolled through and sought.
 * Chromium reports tasks of 50 ms and more, by the clock of the wall: on a machine with other work these wait, too. So the longest
 * by the processor's own time stands beside them. Once as the machine is, once with its processor slowed down four times.
 */
import type { Browser, Page } from 'playwright-core';
import { temporaryFolder } from '../../test/support.ts';
import { startBrowser } from './browser.ts';
import { startFirmware } from './firmware.ts';
import { amountOf } from './quick.ts';

const ITEMS = amountOf({ full: 5000, quick: 100 });
/** Turns of a wheel, then leaps to anywhere. */
const TURNS = amountOf({ full: 400, quick: 5 });
const LEAPS = amountOf({ full: 40, quick: 2 });
const SLOWDOWNS = [1, 4] as const;
const MOST_MS = 50;
const SCREENS = { phone: { width: 390, height: 844 }, till: { width: 1024, height: 768 } } as const;

const NAMES = ['Бананы', 'Яблоки Гала', 'Хлеб Бородинский', 'Чай зелёный крупнолистовой', 'Milk 3.2 %'];
const table = (): string =>
  [
    'id,name,price',
    ...Array.from({ length: ITEMS }, (_, at) => `${4000 + at},${NAMES[at % NAMES.length]} ${at},${990 + at}`),
  ].join('\n');

interface Tasks {
  readonly longest: number;
  readonly count: number;
}

/** Runs in the page. */
const OBSERVE = `window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });`;

/** @returns what Chromium reports of long tasks since the last look */
async function tasksOf(page: Page): Promise<Tasks> {
  const tasks: number[] = await page.evaluate('window.tasks.splice(0)');
  return { longest: Math.max(0, ...tasks), count: tasks.length };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of the processor. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** @returns the processor's own time of the longest task of the page, in milliseconds */
async function longestOwn(browser: Browser, page: Page, work: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const isMain = ({ name, args }: TraceEvent): boolean => name === 'thread_name' && args.name === 'CrRendererMain';
  const mains = new Set(traceEvents.filter(isMain).map(threadOf));
  const tasks = traceEvents.filter((event) => /RunTask/.test(event.name) && mains.has(threadOf(event)));
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

const say = (what: string, { longest, count }: Tasks): void =>
  void process.stdout.write(
    `  ${what}: ${count === 0 ? `no task of ${MOST_MS} ms` : `${count} tasks of ${MOST_MS} ms and more, the longest ${longest.toFixed(0)} ms`}\n`,
  );

async function scroll(page: Page): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await page.mouse.wheel(0, 900);
  for (let leap = 0; leap < LEAPS; leap++)
    await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${((leap * 37) % 100) / 100});
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`);
}

async function seek(page: Page): Promise<void> {
  await page.evaluate('scrollTo(0, 0)');
  await page.locator('#text').pressSequentially('хлеб 49', { delay: 30 });
  await page.locator('#text').fill('');
}

using folder = temporaryFolder();
const firmware = await startFirmware(folder.path, { LANEWARE_CAMERA_DRIVER: 'push' });
const browser = await startBrowser();
try {
  const headers = { 'content-type': 'text/csv' };
  const put = await fetch(`${firmware.recognition}/v1/catalogue`, { method: 'POST', headers, body: table() });
  if (!put.ok) throw new Error(await put.text());
  for (const [name, viewport] of Object.entries(SCREENS))
    for (const rate of SLOWDOWNS) {
      const page = await browser.newPage({ viewport, locale: 'ru-RU' });
      await page.addInitScript(OBSERVE);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate });
      process.stdout.write(`${ITEMS} items, ${name}, ${rate === 1 ? 'as the machine is' : `${rate} times slower`}\n`);
      await page.goto(`${firmware.recognition}/#/items`);
      await page.locator(`[aria-setsize="${ITEMS}"]`).first().waitFor();
      await page.waitForTimeout(500);
      say('opened and fetched', await tasksOf(page));
      const own = await longestOwn(browser, page, () => scroll(page));
      process.stdout.write(`  scrolled through: the longest task takes ${own.toFixed(0)} ms of the processor\n`);
      say('scrolled through', await tasksOf(page));
      await seek(page);
      say('sought', await tasksOf(page));
      await page.close();
    }
} finally {
  await browser.close();
  await firmware.stop();
}
