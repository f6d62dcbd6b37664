/**
 * Pages that the device writes itself: their language, and how they print. On the screen such a page has a button to
 * print, and one back; paper has neither.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { DEFAULT_LANGUAGE, isLanguage, LANGUAGES, type Language } from '../../../drivers/lib/languages.ts';
import { PRINT_WORDS } from './words.ts';

export const LanguageName = Type.Enum([...LANGUAGES], {
  title: 'PageLanguage',
  description: 'of html and of a workbook (that of the browser when left out), or of the voice',
});
/** The language of a page that the device writes itself: from its address, else from the browser. */
export const LangField = Type.Optional(LanguageName);

/** The first language of the device that a reader wants, else the default. @param accepted header `Accept-Language` */
export function languageOf(accepted: string | undefined): Language {
  const parts = (accepted ?? '').split(',').filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part)); // not wanted at all
  const wanted = parts.map((part) => part.trim().slice(0, 2).toLowerCase());
  return wanted.find(isLanguage) ?? DEFAULT_LANGUAGE;
}

/**
 * Script of the buttons. With `#print` in its address the page prints itself, once: not after Back or a reload. A page
 * in a window of its own has no way back.
 */
const SCRIPT = `
const bar = document.getElementById('bar');
const [paper, back] = bar.children;
bar.hidden = false;
back.hidden = history.length < 2;
paper.onclick = () => print();
back.onclick = () => history.back();
if (location.hash === '#print') {
  history.replaceState(null, '', location.pathname + location.search);
  addEventListener('load', () => print());
}
`;

const STYLE = `
#bar { display: flex; gap: 8px; margin: 0 0 16px }
#bar[hidden] { display: none }
#bar button { font: inherit; font-size: 16px; min-height: 44px; padding: 0 16px; border: 0; border-radius: 8px; background: #e8ebef; color: #000 }
#bar button:first-child { background: #1b5fc1; color: #fff }
#bar button:focus-visible { outline: 3px solid #0b3d91; outline-offset: 2px }
@media print { #bar { display: none } }
`;

const digest = createHash('sha256').update(SCRIPT).digest('base64');

/** Headers of a page to read or print, which runs only the script of its buttons. */
export const PRINT_HEADERS = Object.freeze({
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${digest}'; frame-ancestors 'none'`,
});

const barIn = ({ print, back }: (typeof PRINT_WORDS)[Language]): string =>
  `<style>${STYLE}</style><div id="bar" hidden><button type="button">${print}</button><button type="button">${back}</button></div>`;

/** Adds the buttons to a page. @param page a whole document, complete without them */
export const withPrintBar = (page: string, language: Language): string =>
  page
    .replace('<body>', () => `<body>\n${barIn(PRINT_WORDS[language])}`)
    .replace('</body>', () => `<script>${SCRIPT}</script></body>`);

// The console's address for a browser that has opened the first page of a port for programs.

/** The console's address by the request's host name and protocol; null for no browser. @param port of the console */
export function consoleAddress({ headers, host }: FastifyRequest, port: number): string | null {
  return headers.accept?.includes('text/html') === true ? `//${host.replace(/:\d+$/, '')}:${port}/` : null;
}
