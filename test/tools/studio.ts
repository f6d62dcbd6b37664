/** A device with the sandbox bank and a folder of pictures for its tray, and Chromium before it: what takes pictures of the pages. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createLog } from '../../firmware/core/host/log.ts';
import { loadConfig } from '../../firmware/device/composition/config.ts';
import { type Device, startDevice } from '../../firmware/device/device.ts';

export const LOCALES = { en: 'en-GB', ru: 'ru-RU' } as const;
export type Language = keyof typeof LOCALES;
export const LANGUAGES = ['en', 'ru'] as const;
export type Size = { readonly width: number; readonly height: number };
export const PANEL: Size = { width: 800, height: 480 };
export const PHONE: Size = { width: 390, height: 844 };
export const WEBP_QUALITY = 82;
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'];
const EMPTY = '06-empty.jpg';

export const send = async (method: string, url: string, body: object): Promise<void> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
};
export const post = (url: string, body: object = {}): Promise<void> => send('POST', url, body);

export class Studio implements AsyncDisposable {
  readonly device: Device;
  readonly browser: Browser;
  readonly #dataDir: string;

  private constructor(device: Device, browser: Browser, dataDir: string) {
    this.device = device;
    this.browser = browser;
    this.#dataDir = dataDir;
  }

  static async open(): Promise<Studio> {
    const dataDir = mkdtempSync(join(tmpdir(), 'laneware-pictures-'));
    mkdirSync(join(dataDir, 'tray'));
    const { config } = loadConfig(null, {
      LANEWARE_TERMINAL_PORT: '0',
      LANEWARE_RECOGNITION_PORT: '0',
      LANEWARE_SANDBOXBANK_PORT: '0',
      LANEWARE_DATADIR: dataDir,
      LANEWARE_CAMERA_DIRECTORY: join(dataDir, 'tray'),
      LANEWARE_SERIAL: 'LANE-04',
    });
    lay(dataDir, EMPTY);
    const device = await startDevice(config, createLog('error', []), {
      tuning: { pace: { askingSpeed: 10, symbolMs: 20_000 } },
    });
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
    return new Studio(device, await chromium.launch({ executablePath, args: FLAGS }), dataDir);
  }

  /** Lays a drawn picture on the tray, and nothing else. */
  lay(picture: string): void {
    lay(this.#dataDir, picture);
  }

  async look(url: string, viewport: Size, language: Language): Promise<Page> {
    const context = await this.browser.newContext({ viewport, locale: LOCALES[language] });
    const page = await context.newPage();
    await page.goto(url);
    return page;
  }

  /** The page on which the customer pays the last payment. */
  async payersPage(language: Language): Promise<string> {
    const answer = await fetch(`${this.device.urls.recognition}/console/api/overview`);
    const { payment } = (await answer.json()) as { payment: { link: string } };
    return `${payment.link}?lang=${language}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.device.close();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

function lay(dataDir: string, picture: string): void {
  const tray = join(dataDir, 'tray');
  for (const before of readdirSync(tray)) rmSync(join(tray, before));
  copyFileSync(join('drivers/camera/pictures', picture), join(tray, picture));
}
