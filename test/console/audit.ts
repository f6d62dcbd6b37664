/** What every page is held to: nothing that axe finds, nothing wider than the window, no English where Russian is read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { ROOT } from '../root.ts';
import { englishAmong } from './russian.ts';
import { drawn, PHONE, settled, TILL } from './support.ts';

const SCHEMES = ['light', 'dark'] as const;
const LANGUAGES = ['en', 'ru'] as const;
const DESKTOP = { width: 1440, height: 900 };
/** A phone, the narrowest one, a desktop at 200 %. */
const NARROW = [PHONE, { width: 320, height: 568 }, { width: 640, height: 400 }] as const;

type Language = (typeof LANGUAGES)[number];
/** Has the page speak a language; null where it cannot be chosen, behind a question for one. */
export type Choose = ((language: Language) => Promise<void>) | null;

/** Text that is read: the visible text, and the text of attributes. Names of calls and addresses stand in `code`. */
const READ = `(() => {
  const skipped = 'code, pre, [lang=en], script, style, noscript';
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
export const englishIn = async (page: Page): Promise<string[]> => englishAmong(await page.evaluate<string[]>(READ));

const RULES = readFileSync(join(ROOT, 'test', 'console', 'rules.js'), 'utf8');

/** Once for each document. */
async function bring(page: Page): Promise<void> {
  if (await page.evaluate<boolean>("'pageRules' in globalThis")) return;
  await page.evaluate(axe.source);
  await page.evaluate(`(() => { ${RULES} })()`);
}

/** What breaks the rules at each narrow size, and where colours are forced. */
async function broken(page: Page): Promise<string[]> {
  const found: string[] = [];
  await bring(page);
  const look = async (rules: string, where: string) => {
    for (const problem of await page.evaluate<string[]>(`pageRules.${rules}()`)) found.push(`${where}: ${problem}`);
  };
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await look('inColour', 'light');
  for (const size of NARROW) {
    await page.setViewportSize(size);
    await drawn(page);
    await look('atSize', `${size.width}×${size.height}`);
    if (size === PHONE) continue;
    await page.emulateMedia({ forcedColors: 'active' });
    await look('inForcedColours', `${size.width}×${size.height}, forced colours`);
    await page.emulateMedia({ forcedColors: 'none' });
  }
  return found;
}

export async function violations(page: Page): Promise<string[]> {
  await bring(page);
  const { violations: found } = await page.evaluate<axe.AxeResults>(
    "axe.run(document, { resultTypes: ['violations'], preload: false })",
  );
  return found.map(({ id, nodes }) => {
    const [first] = nodes;
    return `${id} ×${nodes.length}: ${first?.html.slice(0, 140)} ${first?.failureSummary?.split('\n')[1]?.trim() ?? ''}`;
  });
}

/**
 * Two looks at each state of a page, in place of twelve: a phone and another size, both schemes and both languages; any two of the
 * three meet within eight states.
 * @param state its number
 */
const looksAt = (state: number) =>
  [PHONE, state % 4 < 2 ? TILL : DESKTOP].map((size, at) => ({
    size,
    colorScheme: SCHEMES[(at + state) % 2] ?? 'light',
    language: LANGUAGES[(at + Math.floor(state / 4)) % 2] ?? 'en',
  }));

let states = 0;

/** All that is wrong with a page as it stands, each with where it was seen. */
async function problemsOf(page: Page, choose: Choose): Promise<string[]> {
  const found: string[] = [];
  let spoken: Language | null = null;
  const looks = looksAt(states++).sort((one, other) => one.language.localeCompare(other.language));
  for (const { size, colorScheme, language } of looks) {
    if (choose !== null && spoken !== language) {
      await choose(language);
      spoken = language;
      found.push(...(await broken(page)).map((problem) => `${language} ${problem}`));
    }
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const where = `${choose === null ? '' : language} ${size.width} ${colorScheme}`;
    found.push(...(await violations(page)).map((problem) => `${where}: ${problem}`));
  }
  if (choose === null) found.push(...(await broken(page)));
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
  const faults = found.filter((problem) => !allowed(problem));
  assert.equal(faults, [], state);
}
