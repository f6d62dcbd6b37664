/** What every page is held to: nothing that axe finds, nothing wider than the window, no English where Russian is read. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

export const SCHEMES = ['light', 'dark'] as const;
export const SIZES = [
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

/** Words that are the same in Russian: what shops, makers and wires call themselves. */
export const SAME_IN_RUSSIAN = new Set(
  'Laneware QR PLU CSV JSON URL HTTP HTTPS TLS API USB Bluetooth BLE PIN ID IP UTC Wi Fi EN RU CFT YooKassa Sandbox XXXX curl GET POST PUT PATCH DELETE JavaScript PHP Python'.split(
    ' ',
  ),
);
/** Names of settings, and addresses. */
const NAMES = /[\w-]*([./][\w-]+)+/g;
const LATIN = /[A-Za-z][A-Za-z’']+/g;

/** Text that is read: of what is visible, and what is told by attributes. Names of calls and addresses stand in `code`. */
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

export async function englishIn(page: Page): Promise<string[]> {
  const texts = await page.evaluate<string[]>(READ);
  return texts.flatMap((text) => {
    const words = (text.replaceAll(NAMES, '').match(LATIN) ?? []).filter((word) => !SAME_IN_RUSSIAN.has(word));
    return words.length === 0 ? [] : [`English under ru: ${words.join(' ')} in "${text.trim().slice(0, 80)}"`];
  });
}

/** What stands out at the right, by its widest nodes. */
const WIDER = `(() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const wide = [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > width + 1);
  return wide.slice(-3).map((e) => e.tagName + '.' + e.className + ' ends at ' + Math.round(e.getBoundingClientRect().right));
})()`;

export async function overflowing(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const size of NARROW) {
    await page.setViewportSize(size);
    for (const wide of await page.evaluate<string[]>(WIDER)) found.push(`wider than ${size.width}: ${wide}`);
  }
  return found;
}

export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<axe.AxeResults>(
    "axe.run(document, { resultTypes: ['violations'] })",
  );
  return found.map(({ id, nodes }) => {
    const [first] = nodes;
    return `${id} ×${nodes.length}: ${first?.html.slice(0, 140)} ${first?.failureSummary?.split('\\n')[1]?.trim() ?? ''}`;
  });
}
