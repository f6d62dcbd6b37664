/** What the tests of the pages share: a browser, and a reader of server-sent events. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { suite, type Test } from 'uvu';
import * as assert from 'uvu/assert';

export const CHROMIUM = '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'];

export const launch = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

/** Long enough for a page to draw what it has heard. */
export const DRAWN_MS = 300;
export const PHONE = { width: 390, height: 844 };
export const TILL = { width: 1024, height: 768 };
export const PANELS = [
  { width: 480, height: 800 },
  { width: 800, height: 480 },
  { width: 1920, height: 1080 },
] as const;

export interface Browsing {
  /**
   * Opens a page, and afterwards fails where the browser found something to complain about, a broken policy for one.
   * @param expected complaints that the test provokes
   */
  visit(
    url: string,
    options: BrowserContextOptions,
    work: (page: Page) => Promise<void>,
    expected?: RegExp,
  ): Promise<void>;
}

/** A connection that is refused or lost is what some tests are about. */
const OF_THE_NETWORK = /ERR_CONNECTION|ERR_SOCKET|ERR_INCOMPLETE|ERR_EMPTY/;

/** A suite in real Chromium; without one it says so, and skips. */
export function browserSuite(name: string): { test: Test; browsing: Browsing } {
  const all = suite(name);
  let browser: Browser | null = null;
  const visit: Browsing['visit'] = async (url, options, work, expected) => {
    if (browser === null) throw new Error('the browser is not there yet');
    const context = await browser.newContext({ viewport: TILL, locale: 'en-GB', ...options });
    const complaints: string[] = [];
    const complain = (text: string): void => {
      if (!OF_THE_NETWORK.test(text) && expected?.test(text) !== true) complaints.push(text);
    };
    const listen = (page: Page): void => {
      page.on('pageerror', (error) => complain(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') complain(message.text());
      });
    };
    context.on('page', listen);
    try {
      const page = await context.newPage();
      await page.goto(url);
      await work(page);
    } finally {
      await context.close();
    }
    assert.equal(complaints, [], 'the browser found something to complain about');
  };
  all.before(async () => {
    browser = await launch();
  });
  all.after(async () => {
    await browser?.close();
  });
  if (hasChromium) return { test: all, browsing: { visit } };
  process.stdout.write(`SKIPPED ${name}: there is no ${CHROMIUM}\n`);
  const skipped = suite(name);
  return { test: Object.assign(skipped.skip, skipped), browsing: { visit } };
}

export interface ServerEvent {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into states of every shape
  readonly data: any;
}

/** Follows a stream as a program would, without a browser. */
export class EventReader implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly #abort: AbortController;
  readonly headers: Headers;
  #text = '';

  private constructor(response: Response, abort: AbortController) {
    if (response.body === null) throw new Error('the stream has no body');
    this.headers = response.headers;
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    this.#abort = abort;
  }

  static async open(url: string): Promise<EventReader> {
    const abort = new AbortController();
    return new EventReader(await fetch(url, { signal: abort.signal }), abort);
  }

  /** The next event; null when the stream has ended in good order. */
  async next(): Promise<ServerEvent | null> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const event = parse(this.#text.slice(0, end));
        this.#text = this.#text.slice(end + 2);
        return event;
      }
      const { done, value } = await this.#reader.read();
      if (done) return null;
      this.#text += value;
    }
  }

  /** The next state: greetings and beats left out. */
  async state(): Promise<ServerEvent['data']> {
    for (;;) {
      const event = await this.next();
      if (event === null) throw new Error('the stream ended');
      if (event.name === 'message') return event.data;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#reader.cancel().catch(() => undefined); // already ended by the abort
  }
}

function parse(block: string): ServerEvent {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  return { name: fields.get('event') ?? 'message', data: JSON.parse(fields.get('data') ?? 'null') };
}
