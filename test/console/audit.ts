/** What every page is held to: nothing that axe finds, nothing wider than the window, no English where Russian is read. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { englishAmong } from './russian.ts';
import { settled } from './support.ts';

const SCHEMES = ['light', 'dark'] as const;
const LANGUAGES = ['en', 'ru'] as const;
const SIZES = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
] as const;
/** The narrowest phone; a till and a desktop at 200 %. */
const NARROW = [
  { width: 320, height: 640 },
  { width: 512, height: 384 },
  { width: 720, height: 450 },
] as const;

type Language = (typeof LANGUAGES)[number];
/** Has the page speak a language; null where it cannot be chosen, behind a question for one. */
export type Choose = ((language: Language) => Promise<void>) | null;

/** Text that is read: the visible text, and the text of attributes. Names of calls and addresses stand in `code`. */
const READ = `(() => {
  const skipped = 'code, pre, [lang=en], script, style, noscript, .picture .en';
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node.parentElement.closest(skipped) === null && node.parentElement.checkVisibility()) texts.push(node.data);
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
    if (element.closest(skipped) === null)
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.push(element.getAttribute(name) ?? '');
  return [document.title, ...texts];
})()`;

/** What of a page that is read in Russian is English. */
export async function englishIn(page: Page): Promise<string[]> {
  return englishAmong(await page.evaluate<string[]>(READ));
}

/** What stands out at the right, by its widest nodes. */
const WIDER = `(() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const wide = [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > width + 1);
  return wide.slice(-3).map((e) => e.tagName + '.' + e.className + ' ends at ' + Math.round(e.getBoundingClientRect().right));
})()`;

async function overflowing(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const size of NARROW) {
    await page.setViewportSize(size);
    for (const wide of await page.evaluate<string[]>(WIDER)) found.push(`wider than ${size.width}: ${wide}`);
  }
  return found;
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<axe.AxeResults>(
    "axe.run(document, { resultTypes: ['violations'] })",
  );
  return found.map(({ id, nodes }) => {
    const [first] = nodes;
    return `${id} ×${nodes.length}: ${first?.html.slice(0, 140)} ${first?.failureSummary?.split('\\n')[1]?.trim() ?? ''}`;
  });
}

/**
 * Three looks at each state of a page, in place of twelve: each size once, both schemes and both languages; any two of the three
 * meet within four states.
 * @param state its number
 */
const looksAt = (state: number) =>
  SIZES.map((size, at) => ({
    size,
    colorScheme: SCHEMES[(at + state) % 2] ?? 'light',
    language: LANGUAGES[(Math.ceil(at / 2) + Math.floor(state / 2)) % 2] ?? 'en',
  }));

let states = 0;

/** All that is wrong with a page as it stands, each with where it was seen. */
async function problemsOf(page: Page, choose: Choose): Promise<string[]> {
  const found: string[] = [];
  let spoken: Language | null = null;
  const looks = looksAt(states++).sort((one, other) => one.language.localeCompare(other.language));
  for (const { size, colorScheme, language } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    if (choose !== null && spoken !== language) {
      await choose(language);
      spoken = language;
      found.push(...(await overflowing(page)).map((problem) => `${language}: ${problem}`));
      await page.setViewportSize(size);
    }
    const where = `${choose === null ? '' : language} ${size.width} ${colorScheme}`;
    found.push(...(await violations(page)).map((problem) => `${where}: ${problem}`));
  }
  if (choose === null) found.push(...(await overflowing(page)));
  const isRussian = await page.evaluate<boolean>("document.documentElement.lang === 'ru'");
  return isRussian ? [...found, ...(await englishIn(page))] : found;
}

/** Chooses by the buttons that stand on every page of the console. */
export const inConsole = (page: Page) => async (language: Language) => {
  await page.locator(`.languages [lang=${language}]`).click();
  await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
};

/**
 * Fails where a page as it stands is not as every page is to be.
 * @param allowed what of it is no fault: names, that a device or a person has given
 */
export async function findNothing(
  page: Page,
  state: string,
  choose: Choose = inConsole(page),
  allowed: (problem: string) => boolean = () => false,
): Promise<void> {
  await settled(page);
  const found = await problemsOf(page, choose);
  assert.equal(
    found.filter((problem) => !allowed(problem)),
    [],
    state,
  );
}
