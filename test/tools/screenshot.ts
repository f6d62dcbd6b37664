/**
 * Photographs the pages at work for the documents: `node test/tools/screenshot.ts [FOLDER]` makes every page in both languages,
 * small, under docs/pages, or in another folder, and the two pictures of README: a first look, and the first minutes, which move. With `--quick` it takes one small picture, and keeps none: it is shown to work.
 * Needs Chromium at CHROMIUM or /usr/bin/chromium.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { REPLAY_INTERVAL_MS } from '../../drivers/camera/replay.ts';
import type { Device } from '../../firmware/device/device.ts';
import { record } from './recording.ts';
import { LANGUAGES, type Language, PANEL, PHONE, post, type Size, Studio, send, WEBP_QUALITY } from './studio.ts';

const DOCS = 'docs';
const PAGES = ['welcome', 'lane', 'payments', 'items', 'teach', 'camera', 'store', 'device', 'integrate'] as const;
const ON_PHONE = ['lane', 'teach'] as const;
const DESKTOP = { width: 1280, height: 800 };
/** All of them together, so that the repository stays small. */
const MOST_BYTES = 2_000_000;
const TILL = { width: 1024, height: 768 };

async function settle({ urls }: Device, action: 'pay' | 'decline'): Promise<void> {
  const payments = (await (await fetch(`${urls.sandbox}/sandbox/payments`)).json()) as { qrcId: string }[];
  await post(`${urls.sandbox}/sandbox/payments/${payments[0]?.qrcId}/${action}`);
}

const RECEIPT = { en: 'Receipt', ru: 'Чек' } as const;

/** A few payments with different ends, and one that is being paid. */
async function business({ device }: Studio, language: Language): Promise<void> {
  const ask = (amount: number, receipt: number) =>
    post(`${device.urls.terminal}/showQR`, { amount, purpose: `${RECEIPT[language]} ${receipt}` });
  for (const [amount, receipt, action] of [
    [45_900, 1090, 'pay'],
    [12_800, 1091, 'decline'],
    [210_050, 1092, 'pay'],
  ] as const) {
    await ask(amount, receipt);
    await settle(device, action);
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  await ask(123_450, 1093);
}

async function shootSmall(page: Page, file: string): Promise<number> {
  // a page of the console begins with its name alone, and a busy machine takes a while for the rest
  if (page.url().includes('#/')) await page.locator('main > :not(h1)').first().waitFor();
  await page.waitForTimeout(1200);
  await sharp(await page.screenshot())
    .webp({ quality: WEBP_QUALITY })
    .toFile(file);
  return statSync(file).size;
}

/** Every page in one language. @returns bytes */
async function inLanguage(studio: Studio, language: Language, folder: string): Promise<number> {
  const { recognition } = studio.device.urls;
  const consoleAt = (hash: string) => `${recognition}/#/${hash}`;
  const wanted: readonly (readonly [string, string, Size])[] = [
    ...PAGES.map((hash) => [hash, consoleAt(hash), DESKTOP] as const),
    ...ON_PHONE.map((hash) => [`${hash}-phone`, consoleAt(hash), PHONE] as const),
    ['scale', `${recognition}/scale`, PANEL],
    ['display', `${recognition}/display?lang=${language}`, PANEL],
    ['payer', await studio.payersPage(language), PHONE],
    ['claim', `${recognition}/claim`, PHONE],
  ];
  let bytes = 0;
  for (const [name, url, viewport] of wanted) {
    const page = await studio.look(url, viewport, language);
    bytes += await shootSmall(page, join(folder, `${name}.webp`));
    await page.context().close();
  }
  return bytes;
}

const FRAME = { gap: 16, ground: '#10151c' };

/** What README shows first: the customer's display beside the screen of the scale. @returns bytes */
async function firstLook(folder: string): Promise<number> {
  const file = join(folder, 'first-look.webp');
  const { gap, ground } = FRAME;
  const canvas = { width: 2 * PANEL.width + 3 * gap, height: PANEL.height + 2 * gap, channels: 3, background: ground };
  await sharp({ create: { ...canvas, channels: 3 } })
    .composite([
      { input: join(folder, 'display.webp'), left: gap, top: gap },
      { input: join(folder, 'scale.webp'), left: PANEL.width + 2 * gap, top: gap },
    ])
    .webp({ quality: WEBP_QUALITY })
    .toFile(file);
  return statSync(file).size;
}

/** What is learned: a drawn picture of it, and its name in each language. */
const GOODS = [
  { plu: '4017', picture: '01-apple-green.jpg', price: 15_900, names: { en: 'Apples, green', ru: 'Яблоки зелёные' } },
  { plu: '4388', picture: '03-orange.jpg', price: 17_900, names: { en: 'Oranges', ru: 'Апельсины' } },
  { plu: '2100', picture: '02-milk-carton.jpg', price: 9_450, names: { en: 'Milk, 1 l', ru: 'Молоко, 1 л' } },
  { plu: '4011', picture: '05-banana.jpg', price: 12_990, names: { en: 'Bananas', ru: 'Бананы' } },
] as const;
const TEMPLATES = 3;

/** Each of the goods is laid on the tray and learned; the last one stays there. */
async function shelf(studio: Studio): Promise<void> {
  for (const { plu, picture } of GOODS) {
    studio.lay(picture);
    await new Promise((resolve) => setTimeout(resolve, 2 * REPLAY_INTERVAL_MS));
    for (let n = 0; n < TEMPLATES; n += 1) await post(`${studio.device.urls.recognition}/v1/items/${plu}/templates`);
  }
}

async function named({ device }: Studio, language: Language): Promise<void> {
  for (const { plu, price, names } of GOODS)
    await send('PUT', `${device.urls.recognition}/v1/items/${plu}`, { name: names[language], plu, price });
}

async function one(): Promise<void> {
  await using studio = await Studio.open();
  const { recognition } = studio.device.urls;
  await post(`${recognition}/console/api/sandbox/setup`);
  await (await studio.look(`${recognition}/#/lane`, PANEL, 'en')).screenshot();
}

async function photographLane(studio: Studio, folder: string): Promise<void> {
  const console = await studio.look(studio.device.urls.recognition, TILL, 'en');
  await console.waitForTimeout(800);
  await console.screenshot({ path: join(folder, 'console.png') });
  await console.context().close();
}

/** @returns bytes */
async function ofPages(folder: string, language: Language): Promise<number> {
  await using studio = await Studio.open();
  const { recognition } = studio.device.urls;
  await post(`${recognition}/console/api/sandbox/setup`);
  await send('PUT', `${recognition}/console/api/camera/empty-tray`, {});
  await shelf(studio);
  await business(studio, language);
  await named(studio, language);
  const own = join(folder, 'pages', language);
  mkdirSync(own, { recursive: true });
  if (language === 'en') await photographLane(studio, folder);
  return (await inLanguage(studio, language, own)) + (await firstLook(own));
}

async function forTheDocs(folder: string): Promise<void> {
  let bytes = 0;
  for (const language of LANGUAGES) {
    bytes += await ofPages(folder, language);
    bytes += await record(language, join(folder, 'pages', language));
  }
  process.stdout.write(`${(bytes / 1e6).toFixed(2)} MB of pictures in ${join(folder, 'pages')}\n`);
  if (bytes > MOST_BYTES) throw new Error(`that is more than ${MOST_BYTES} bytes`);
}

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
await (values.quick ? one() : forTheDocs(positionals[0] ?? DOCS));
