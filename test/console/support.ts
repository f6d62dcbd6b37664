/** What the tests of the pages share: a browser, hands that press, answers that are held back, and a reader of server-sent events. */
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request as PageCall,
  type Route,
} from 'playwright-core';
import { suite, type Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PageFiles } from '../../firmware/console/page-files.ts';
import { drawTray, type Scene } from '../recognition/drawn-tray.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { call, showPages, type TestDevice, UNTIL_LIMIT_MS, until } from '../support.ts';
import { madePages } from './made-pages.ts';

export const CHROMIUM = '/usr/bin/chromium';
export const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  '--autoplay-policy=document-user-activation-required', // as a browser with a window has it
];

export const PHONE = { width: 390, height: 844 };
export const TILL = { width: 1024, height: 768 };
export const NARROW = { width: 320, height: 640 };
export const PANELS = [
  { width: 480, height: 800 },
  { width: 800, height: 480 },
  { width: 1920, height: 1080 },
] as const;
/** A phone of a Russian. */
export const RU = { viewport: PHONE, locale: 'ru-RU' };
/** A device whose camera sees what a test shows it. */
export const SEEING = { LANEWARE_CAMERA_DRIVER: 'push', LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST };
/** What the browser logs for a refused call, where the page itself shows the refusal. */
export const REFUSED = /status of (4|5)\d\d/;

/** A connection that is refused or lost is what some tests are about. */
const OF_THE_NETWORK = /ERR_CONNECTION|ERR_SOCKET|ERR_INCOMPLETE|ERR_EMPTY/;

/** Calls of each page that have no answer yet; a stream of events has none. */
const underWay = new WeakMap<Page, Set<PageCall>>();

function noteCalls(page: Page): void {
  const calls = new Set<PageCall>();
  underWay.set(page, calls);
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') calls.add(request);
  });
  page.on('requestfinished', (request) => calls.delete(request));
  page.on('requestfailed', (request) => calls.delete(request));
}

/** What a page asked for has come, and what it then asked for, too. */
export async function settled(page: Page): Promise<void> {
  for (const _ of ['when it opens', 'by what came']) {
    await drawn(page);
    await until('an answer to all that was asked', () => underWay.get(page)?.size === 0);
  }
  await drawn(page);
}

/** A suite in real Chromium, which is started once for it. Devices of this process show what ships. */
export function browserSuite(name: string) {
  const own = suite(name);
  let browser: Browser | null = null;
  let complaints: string[] = [];
  const test: Test = Object.assign((title: string, run: () => Promise<void> | void) => {
    own(title, async () => {
      complaints = [];
      await run();
      assert.equal(complaints, [], 'the browser found something to complain about');
    });
  }, own);
  /**
   * Opens a page until the end of its block. The test fails where the browser found something to complain about, a broken policy for
   * one.
   * @param expected complaints that the test provokes
   */
  const open = async (url: string, options: BrowserContextOptions = {}, expected?: RegExp): Promise<Page> => {
    if (browser === null) throw new Error('the browser is not there yet');
    const context = await browser.newContext({ viewport: TILL, locale: 'en-GB', ...options });
    context.setDefaultTimeout(UNTIL_LIMIT_MS);
    const complain = (text: string): void => {
      if (!OF_THE_NETWORK.test(text) && expected?.test(text) !== true) complaints.push(text);
    };
    context.on('page', (page) => {
      noteCalls(page);
      page.on('pageerror', (error) => complain(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') complain(`${message.text()} ${message.location().url}`.trim());
      });
    });
    const page = await context.newPage();
    await page.goto(url);
    return Object.assign(page, { [Symbol.asyncDispose]: () => context.close() });
  };
  /** The same while `work` runs. */
  const visit = async (
    url: string,
    options: BrowserContextOptions,
    work: (page: Page) => Promise<void>,
    expected?: RegExp,
  ) => {
    await using page = await open(url, options, expected);
    await work(page);
  };
  test.before(async () => {
    let made: Promise<PageFiles> | null = null;
    showPages(() => {
      made ??= madePages();
      return made;
    });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  });
  test.after(async () => {
    await browser?.close();
  });
  return { test, browsing: { open, visit } };
}

type Place = Pick<TestDevice, 'recognition'>;

export const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name, exact: true });
/** The window follows its device. */
export const live = (page: Page) => page.locator('.shell[data-live=yes]').waitFor();
export const focused = (page: Page) => page.evaluate<string>('document.activeElement.id');
/** Has drawn all that it has heard by now. */
export const drawn = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/** Holds calls back until they are let go, all of them from then on. */
export class Gate {
  readonly #open = Promise.withResolvers<void>();
  count = 0;
  answered = 0;
  readonly letGo = this.#open.resolve;

  /**
   * @param when the call itself is held back, or only its answer
   * @param isHeld which calls are; the others go on as if there were no gate
   */
  static async at(
    page: Page,
    path: string | RegExp,
    when: 'call' | 'answer' = 'call',
    isHeld = (method: string): boolean => method !== 'GET',
  ): Promise<Gate> {
    const gate = new Gate();
    await page.route(path, (route) => (isHeld(route.request().method()) ? gate.#pass(route, when) : route.continue()));
    return gate;
  }

  async #pass(route: Route, when: 'call' | 'answer'): Promise<void> {
    this.count += 1;
    if (when === 'call') {
      await this.#open.promise;
      await route.continue();
    } else {
      const response = await route.fetch();
      await this.#open.promise;
      await route.fulfill({ response });
    }
    this.answered += 1;
  }
}

/** The camera sees a tray with these things on it, drawn as SVG. */
export async function show({ recognition }: Place, things: string, light?: Scene['light']): Promise<void> {
  const body = new Uint8Array(await drawTray({ things, ...(light && { light }) }));
  await call(`${recognition}/camera/frame`, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body });
}

/** The camera sees a tray, an empty one by default, and the model runs. */
export async function awaitSight(device: Place, things = ''): Promise<void> {
  await show(device, things);
  await until('the model', async () => (await call(`${device.recognition}/v1/recognition`)).status === 200);
}

/** It sees an empty one, which is learned. */
export async function learnEmptyTray(device: Place): Promise<void> {
  await awaitSight(device);
  await call(`${device.recognition}/api/learn_background`, { method: 'POST' });
}

export const templatesOf = async ({ recognition }: Place, item: string): Promise<number> =>
  (await call(`${recognition}/v1/items/${item}/templates`)).body.templates.length;

export async function setPin({ recognition }: Place, person: string, pin: string): Promise<void> {
  const { status, text } = await call(`${recognition}/console/api/pins/${person}`, { method: 'PUT', json: { pin } });
  assert.is(status, 200, text);
}

export async function typePin(page: Page, pin: string): Promise<void> {
  await page.locator('#sign-in').waitFor();
  await page.keyboard.type(pin);
  await page.keyboard.press('Enter');
}

let sales = 0;

/** Asks for a sale as a till does, each with a key of its own. */
export function askForSale({ terminal }: Pick<TestDevice, 'terminal'>, amount: number, purpose?: string) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': `test ${++sales}` };
  return call(`${terminal}/v1/payments`, { method: 'POST', headers, body: JSON.stringify({ amount, purpose }) });
}

/** @returns the id of a sale that is open now */
export async function sell(device: Pick<TestDevice, 'terminal'>, amount: number, purpose?: string): Promise<string> {
  const { status, text, body } = await askForSale(device, amount, purpose);
  assert.is(status, 201, text);
  return body.id;
}

export const play = ({ recognition }: Place, id: string, does: string) =>
  call(`${recognition}/console/api/sandbox/payments/${id}`, { json: { does } });
export const payment = async ({ terminal }: Pick<TestDevice, 'terminal'>, id: string) =>
  (await call(`${terminal}/v1/payments/${id}`)).body;

/** Waits for the end of a sale as its till does: before it has heard of that, the next is none. */
export async function hear({ terminal }: Pick<TestDevice, 'terminal'>, id: string, state: string): Promise<void> {
  const heard = () => call(`${terminal}/v1/payments/${id}?wait=5`);
  await until(`a till hears: ${state}`, async () => (await heard()).body.state === state);
}

/** A sale that is paid. @returns its id */
export async function paid(device: TestDevice, amount: number, purpose?: string): Promise<string> {
  const id = await sell(device, amount, purpose);
  await play(device, id, 'pay');
  await hear(device, id, 'ACCEPTED');
  return id;
}
