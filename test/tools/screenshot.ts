/**
 * Photographs the pages at work for the documents: `node test/tools/screenshot.ts [FOLDER]` makes every page in both languages,
 * small, under docs/pages, or in another folder. With `--quick` it takes one small picture, and keeps none: it is shown to work.
 * Needs Chromium at CHROMIUM or /usr/bin/chromium.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { REPLAY_INTERVAL_MS } from '../../drivers/camera/replay.ts';
import { loadConfig } from '../../firmware/core/config/load.ts';
import { createLog } from '../../firmware/core/host/log.ts';
import { type Device, startDevice } from '../../firmware/device/device.ts';

const DOCS = 'docs';
const LOCALES = { en: 'en-GB', ru: 'ru-RU' } as const;
type Language = keyof typeof LOCALES;
const PAGES = ['welcome', 'lane', 'payments', 'items', 'teach', 'camera', 'store', 'device', 'integrate'] as const;
const ON_PHONE = ['lane', 'teach'] as const;
const DESKTOP = { width: 1280, height: 800 };
const PANEL = { width: 800, height: 480 };
const WEBP_QUALITY = 82;
/** All of them together, so that the repository stays small. */
const MOST_BYTES = 2_000_000;
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'];
const PHONE = { width: 390, height: 844 };
const TILL = { width: 1024, height: 768 };
const send = async (method: string, url: string, body: object): Promise<void> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
};
const post = (url: string, body: object = {}): Promise<void> => send('POST', url, body);

async function settle({ urls }: Device, action: 'pay' | 'decline'): Promise<void> {
  const payments = (await (await fetch(`${urls.sandbox}/sandbox/payments`)).json()) as { qrcId: string }[];
  await post(`${urls.sandbox}/sandbox/payments/${payments[0]?.qrcId}/${action}`);
}

interface Studio {
  readonly device: Device;
  readonly browser: Browser;
  readonly folder: string;
}

type Size = { readonly width: number; readonly height: number };

async function open(studio: Studio, path: string, size: Size): Promise<Page> {
  const context = await studio.browser.newContext({ viewport: size, locale: LOCALES.en });
  const page = await context.newPage();
  await page.goto(studio.device.urls.recognition + path);
  return page;
}

/** A few payments with different ends, and one that is being paid. */
async function business({ device }: Studio): Promise<void> {
  const ask = (amount: number, purpose: string) => post(`${device.urls.terminal}/showQR`, { amount, purpose });
  for (const [amount, purpose, action] of [
    [45_900, 'Receipt 1090', 'pay'],
    [12_800, 'Receipt 1091', 'decline'],
    [210_050, 'Receipt 1092', 'pay'],
  ] as const) {
    await ask(amount, purpose);
    await settle(device, action);
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  await ask(123_450, 'Receipt 1093');
}

async function shootSmall(page: Page, file: string): Promise<number> {
  await page.waitForTimeout(1200);
  await sharp(await page.screenshot())
    .webp({ quality: WEBP_QUALITY })
    .toFile(file);
  return statSync(file).size;
}

/** Every page in one language. @returns bytes */
async function inLanguage({ device, browser, folder }: Studio, language: Language, payer: string): Promise<number> {
  const own = join(folder, 'pages', language);
  mkdirSync(own, { recursive: true });
  const { recognition } = device.urls;
  const consoleAt = (hash: string) => `${recognition}/#/${hash}`;
  const wanted: readonly (readonly [string, string, Size])[] = [
    ...PAGES.map((hash) => [hash, consoleAt(hash), DESKTOP] as const),
    ...ON_PHONE.map((hash) => [`${hash}-phone`, consoleAt(hash), PHONE] as const),
    ['scale', `${recognition}/scale`, PANEL],
    ['display', `${recognition}/display?lang=${language}`, PANEL],
    ['payer', `${payer}?lang=${language}`, PHONE],
    ['claim', `${recognition}/claim`, PHONE],
  ];
  let bytes = 0;
  for (const [name, url, viewport] of wanted) {
    const context = await browser.newContext({ viewport, locale: LOCALES[language] });
    const page = await context.newPage();
    await page.goto(url);
    bytes += await shootSmall(page, join(own, `${name}.webp`));
    await context.close();
  }
  return bytes;
}

/** What is learned: a drawn picture of it, and its name in each language. */
const GOODS = [
  { plu: '4017', picture: '01-apple-green.jpg', price: 15_900, names: { en: 'Apples, green', ru: 'Яблоки зелёные' } },
  { plu: '4388', picture: '03-orange.jpg', price: 17_900, names: { en: 'Oranges', ru: 'Апельсины' } },
  { plu: '4011', picture: '05-banana.jpg', price: 12_990, names: { en: 'Bananas', ru: 'Бананы' } },
  { plu: '2100', picture: '02-milk-carton.jpg', price: 9_450, names: { en: 'Milk, 1 l', ru: 'Молоко, 1 л' } },
] as const;
const TEMPLATES = 3;

/** Lays a drawn picture on the tray, and nothing else. */
function lay(picture: string): void {
  for (const before of readdirSync(tray)) rmSync(join(tray, before));
  copyFileSync(join('drivers/camera/pictures', picture), join(tray, picture));
}

/** Each of the goods is laid on the tray and learned; the last one stays there. */
async function shelf({ device }: Studio): Promise<void> {
  for (const { plu, picture } of GOODS) {
    lay(picture);
    await new Promise((resolve) => setTimeout(resolve, 2 * REPLAY_INTERVAL_MS));
    for (let n = 0; n < TEMPLATES; n += 1) await post(`${device.urls.recognition}/v1/items/${plu}/templates`);
  }
}

async function named({ device }: Studio, language: Language): Promise<void> {
  for (const { plu, price, names } of GOODS)
    await send('PUT', `${device.urls.recognition}/v1/items/${plu}`, { name: names[language], plu, price });
}

async function one(studio: Studio): Promise<void> {
  await post(`${studio.device.urls.recognition}/console/api/sandbox/setup`);
  const page = await open(studio, '/#/lane', PANEL);
  await shootSmall(page, join(studio.folder, 'lane.webp'));
}

async function forTheDocs(studio: Studio): Promise<void> {
  const { recognition } = studio.device.urls;
  await post(`${recognition}/console/api/sandbox/setup`);
  await shelf(studio);
  await business(studio);
  await named(studio, 'en');
  const console = await open(studio, '/', TILL);
  await console.waitForTimeout(800);
  await console.screenshot({ path: join(studio.folder, 'console.png') });
  await console.context().close();
  const { payment } = (await (await fetch(`${recognition}/console/api/overview`)).json()) as {
    payment: { link: string };
  };
  let bytes = await inLanguage(studio, 'en', payment.link);
  await named(studio, 'ru');
  bytes += await inLanguage(studio, 'ru', payment.link);
  process.stdout.write(`${(bytes / 1e6).toFixed(2)} MB of pictures in ${join(studio.folder, 'pages')}\n`);
  if (bytes > MOST_BYTES) throw new Error(`that is more than ${MOST_BYTES} bytes`);
}

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const isQuick = values.quick;
const dataDir = mkdtempSync(join(tmpdir(), 'laneware-pictures-'));
const folder = isQuick ? dataDir : (positionals[0] ?? DOCS);
mkdirSync(folder, { recursive: true });
const tray = join(dataDir, 'tray');
mkdirSync(tray);
lay('06-empty.jpg');
const ports = { LANEWARE_TERMINAL_PORT: '0', LANEWARE_RECOGNITION_PORT: '0', LANEWARE_SANDBOXBANK_PORT: '0' };
const pace = {
  LANEWARE_TERMINAL_POLLFIRSTMS: '100',
  LANEWARE_TERMINAL_POLLMAXMS: '300',
  LANEWARE_TERMINAL_SYMBOLMS: '20000',
};
const { config } = loadConfig(null, {
  ...ports,
  ...pace,
  LANEWARE_DATADIR: dataDir,
  LANEWARE_CAMERA_DIRECTORY: tray,
  LANEWARE_SERIAL: 'LANE-04',
});
const device = await startDevice(config, createLog('error', []));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
try {
  await (isQuick ? one : forTheDocs)({ device, browser, folder });
} finally {
  await browser.close();
  await device.close();
  rmSync(dataDir, { recursive: true, force: true });
}
