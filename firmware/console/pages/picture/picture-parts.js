/** Makes the nodes of the customer's picture. Words are added as text nodes: a till's text never becomes markup. */
import { languagesOf, WORDS } from './picture-words.js';

/** @import { DisplayLanguage } from '../../../../drivers/lib/languages.ts' */
/** @import { ScreenWords } from './picture-words.js' */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {keyof HTMLElementTagNameMap} tag
 * @param {string} name class of the node
 * @param {(Node | string)[]} children
 */
export function node(tag, name, ...children) {
  const made = document.createElement(tag);
  made.className = name;
  made.append(...children);
  return made;
}

/** @param {string} tag @param {Readonly<Record<string, string>>} attributes @param {Node[]} children @returns {SVGElement} */
export function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * Fills a node with the words in each language that is shown.
 * @param {Element} into
 * @param {ScreenWords} words
 * @param {DisplayLanguage} language
 */
export function fillWords(into, words, language) {
  const spans = languagesOf(language).map((spoken) => {
    const span = node('span', '', words[spoken]);
    span.lang = spoken;
    return span;
  });
  into.replaceChildren(...spans.flatMap((span) => [span, ' ']).slice(0, -1));
}

/**
 * A node with words.
 * @param {keyof HTMLElementTagNameMap} tag
 * @param {string} name class of the node
 * @param {keyof typeof WORDS} key
 * @param {DisplayLanguage} language
 */
export function wordNode(tag, name, key, language) {
  const made = node(tag, name);
  fillWords(made, WORDS[key], language);
  return made;
}

/** The mark of test mode: no real money moves. @param {DisplayLanguage} language */
const mark = (language) =>
  node('p', 'mark', wordNode('strong', '', 'test', language), ' ', wordNode('span', 'means', 'testMeans', language));

/** A symbol in a circle. @param {string} path inside a circle of radius 45 in a square of 100 */
const symbol = (path) =>
  drawn(
    'svg',
    { viewBox: '0 0 100 100', 'aria-hidden': 'true' },
    drawn('circle', { cx: '50', cy: '50', r: '45' }),
    drawn('path', { d: path }),
  );

/** A clock face, which needs no words. */
const face = () =>
  drawn(
    'svg',
    { viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    drawn('circle', { cx: '12', cy: '12', r: '9' }),
    drawn('path', { d: 'M12 7v5l3 2' }),
  );

/** The section that shows a code, and its nodes whose content changes. @param {DisplayLanguage} language */
export function codeParts(language) {
  const path = drawn('path', { fill: '#000' });
  const code = drawn(
    'svg',
    { class: 'code', role: 'img', 'shape-rendering': 'crispEdges', 'aria-label': WORDS.code[languagesOf(language)[0]] },
    path,
  );
  const hint = node('p', 'hint');
  const amount = node('p', 'amount');
  const purpose = node('p', 'purpose');
  const how = node('p', 'how');
  const time = node('span', 'time');
  const left = node('p', 'left', face(), wordNode('span', 'unseen', 'left', language), ' ', time);
  left.setAttribute('role', 'timer');
  const words = node('div', 'words', hint, amount, purpose, left, how);
  const side = node('div', 'side', mark(language), words);
  return { section: node('section', 'qr', code, side), code, path, side, hint, amount, purpose, how, left, time };
}

/** The sections of the other pictures, and their mark of test mode. @param {DisplayLanguage} language */
export const otherParts = (language) => [
  node('section', 'symbol success', symbol('M29 52l14 14 29-31'), wordNode('p', 'what', 'success', language)),
  node(
    'section',
    'symbol failure',
    symbol('M36 36l28 28M64 36L36 64'),
    wordNode('p', 'what', 'failure', language),
    wordNode('p', 'next', 'next', language),
  ),
  node('section', 'symbol waiting', symbol('M29 50h.1M50 50h.1M71 50h.1'), wordNode('p', 'what', 'waiting', language)),
  node('section', 'lost', wordNode('p', 'what', 'lost', language), wordNode('p', 'next', 'lostNext', language)),
  mark(language),
];
