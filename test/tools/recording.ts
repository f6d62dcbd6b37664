/** The first minutes with a fresh device, as a picture that moves: each step is pressed on the real pages. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { REPLAY_INTERVAL_MS } from '../../drivers/camera/replay.ts';
import { escaped } from '../../drivers/lib/text.ts';
import { type Language, post, type Size, Studio, send, WEBP_QUALITY } from './studio.ts';

const DESKTOP: Size = { width: 1280, height: 800 };
/** As a phone held before the screen. */
const POCKET: Size = { width: 480, height: 800 };
const FRAME: Size = { width: 960, height: 600 };
const CAPTION_PX = 56;
const GROUND = '#10151c';
const STEP_MS = 2600;
const MOST_BYTES = 700_000;
const SETTLED_MS = 700;

const WORDS = {
  en: {
    start: '1. npm start, then “Set up for testing”',
    amount: '2. Type an amount, show the code',
    code: '3. The customer sees this, and scans it',
    payer: '4. The customer pays (here at the sandbox bank)',
    success: '5. The display says so at once',
    paid: '6. So does the checkout: hand the goods out',
    teach: '7. Put bananas on the tray, give them a number and a name',
    hold: '8. Hold the button and turn them',
    scale: '9. From now on they are recognised',
    tryGo: 'Set up for testing',
    show: 'Show QR code',
    field: 'Amount (roubles)',
    pay: 'Pay',
    done: 'Paid',
    bananas: 'Bananas',
    sought: 'Name or PLU',
    recognised: 'Recognised',
    name: 'Name of the new item',
    create: 'Create and teach 4011',
  },
  ru: {
    start: '1. npm start, затем «Попробовать без банка»',
    amount: '2. Наберите сумму, покажите код',
    code: '3. Это видит покупатель; он наводит на код телефон',
    payer: '4. Покупатель платит (здесь — тестовому банку)',
    success: '5. Дисплей сразу показывает, что оплачено',
    paid: '6. Касса тоже: товар можно отдавать',
    teach: '7. Положите бананы на лоток, введите код и название',
    hold: '8. Держите кнопку и поворачивайте товар',
    scale: '9. Теперь устройство распознаёт их само',
    tryGo: 'Попробовать без банка',
    show: 'Показать QR-код',
    field: 'Сумма, ₽',
    pay: 'Оплатить',
    done: 'Оплачен',
    bananas: 'Бананы',
    sought: 'Название или код (PLU)',
    recognised: 'Распознан',
    name: 'Название нового товара',
    create: 'Добавить товар «4011»',
  },
} as const;

const captionOf = (text: string): Buffer =>
  Buffer.from(
    `<svg width="${FRAME.width}" height="${CAPTION_PX}"><text x="24" y="37" font-family="DejaVu Sans, sans-serif" font-size="24" font-weight="700" fill="#fff">${escaped(text)}</text></svg>`,
  );

class Film {
  readonly #frames: Buffer[] = [];

  async take(page: Page, caption: string): Promise<void> {
    await page.waitForTimeout(SETTLED_MS);
    const screen = sharp(await page.screenshot()).resize({ height: FRAME.height });
    const { data, info } = await screen.png().toBuffer({ resolveWithObject: true });
    const canvas = { width: FRAME.width, height: FRAME.height + CAPTION_PX, background: GROUND };
    const frame = sharp({ create: { ...canvas, channels: 3 } }).composite([
      { input: data, left: Math.round((FRAME.width - info.width) / 2), top: 0 },
      { input: captionOf(caption), left: 0, top: FRAME.height },
    ]);
    this.#frames.push(await frame.png().toBuffer());
  }

  /** A frame with what is about to be pressed, then presses it. */
  async press(page: Page, what: Locator, caption: string): Promise<void> {
    await what.waitFor();
    await what.scrollIntoViewIfNeeded();
    await what.evaluate((element) => {
      element.style.outline = '5px solid #e0481e';
      element.style.outlineOffset = '4px';
    });
    await this.take(page, caption);
    // a later frame of the same page must not point there
    await what.evaluate((element) => element.removeAttribute('style'));
    await what.click();
  }

  async write(file: string): Promise<void> {
    await sharp(this.#frames, { join: { animated: true } })
      .webp({ quality: WEBP_QUALITY, delay: this.#frames.map(() => STEP_MS), loop: 0 })
      .toFile(file);
  }
}

/** @returns bytes of `first-minutes.webp` in that folder */
export async function record(language: Language, folder: string): Promise<number> {
  await using studio = await Studio.open();
  const film = new Film();
  const { recognition } = studio.device.urls;
  const words = WORDS[language];
  const look = (path: string, size = DESKTOP) => studio.look(recognition + path, size, language);
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  const lane = await look('/');
  await film.press(lane, button(lane, words.tryGo), words.start);
  await lane.locator('#ready').waitFor();
  await lane.goto(`${recognition}/#/lane`);
  await lane.getByLabel(words.field).fill('129.90');
  await film.press(lane, button(lane, words.show), words.amount);
  await button(lane, words.pay).waitFor();

  const display = await look(`/display?lang=${language}`);
  await film.take(display, words.code);
  const payer = await studio.look(await studio.payersPage(language), POCKET, language);
  await film.press(payer, payer.locator('button.pay'), words.payer);
  await film.take(display, words.success);
  await lane.locator('#latest .chip', { hasText: words.done }).waitFor();
  await film.take(lane, words.paid);

  await send('PUT', `${recognition}/console/api/camera/empty-tray`, {});
  studio.lay('05-banana.jpg');
  const teach = await look('/#/teach');
  await teach.getByLabel(words.sought).fill('4011');
  await teach.waitForTimeout(2 * REPLAY_INTERVAL_MS);
  await teach.getByLabel(words.name).fill(words.bananas);
  await film.press(teach, button(teach, words.create), words.teach);
  await teach.locator('#collecting .hold.primary').waitFor();
  await film.take(teach, words.hold);
  for (let n = 0; n < 3; n += 1) await post(`${recognition}/v1/items/4011/templates`);
  const item = { name: words.bananas, plu: '4011', price: 12_990 };
  await send('PUT', `${recognition}/v1/items/4011`, item);
  const scale = await look('/scale');
  await scale.getByText(words.recognised).waitFor();
  await film.take(scale, words.scale);

  const file = join(folder, 'first-minutes.webp');
  await film.write(file);
  const bytes = statSync(file).size;
  if (bytes > MOST_BYTES) throw new Error(`${file} has ${bytes} bytes, at most ${MOST_BYTES}`);
  return bytes;
}
