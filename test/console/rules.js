/** What a page is held to, looked at in the page itself, as it stands: each rule says what breaks it. `audit.ts` runs them. */

const FINGER_PX = 44;
const RING_PX = 2;
/** What rounding may hide. */
const NEARLY_PX = 1;
/** What is drawn below a line of text. */
const LINES_PX = 4;
const LETTERS_PX = 14;
/** The bar of a phone has five words in a row. */
const LETTERS_ON_PHONE_PX = 11;
const PHONE_PX = 640;
const CONTROLS = 'a[href], button, input, select, textarea, summary, label:has(> input)';
/** Which of several it is, or whether it is on. */
const CHOSEN = ['aria-pressed', 'aria-current'];
const LEVELS = ['go', 'wait', 'stop'];
const CLEAR = 'rgba(0, 0, 0, 0)';

/** @param {Element} element */
const named = (element) => element.outerHTML.replace(/\s+/g, ' ').slice(0, 120);
/** @param {Element} element */
const boxOf = (element) => element.getBoundingClientRect();
/** A question in front of the page is all that can be reached. */
const front = () => document.querySelector('dialog:modal') ?? document.body;
/** @param {Element} element */
const isSeen = (element) =>
  element.checkVisibility({ visibilityProperty: true }) && element.closest('.unseen, .skip') === null;
/** @param {string} selector */
const seen = (selector) => [...front().querySelectorAll(selector)].filter(isSeen);

/** @param {Element | null} element @param {(style: CSSStyleDeclaration) => boolean} is @returns {Element | null} */
const nearest = (element, is) =>
  element === null || is(getComputedStyle(element)) ? element : nearest(element.parentElement, is);
/** What stays where it is while the page moves below it. @param {Element} element */
const pinnedOf = (element) => nearest(element, ({ position }) => position === 'sticky' || position === 'fixed');
/** What cuts off all that stands out of it. @param {Element} element */
const cutterOf = (element) => nearest(element, ({ overflow }) => /hidden|clip/.test(overflow));

/** Each line of each text that is read. @returns {{node: Text, owner: Element, box: DOMRect}[]} */
function lines() {
  const walker = document.createTreeWalker(front(), NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const owner = node.parentElement;
    if (!(node instanceof Text) || node.data.trim() === '' || owner === null || !isSeen(owner)) continue;
    if (owner.closest('script, style, noscript, svg, option') !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width > NEARLY_PX) found.push({ node, owner, box });
  }
  return found;
}

function wide() {
  const { clientWidth, scrollWidth } = document.documentElement;
  const out = [...document.querySelectorAll('body *')].filter((e) => boxOf(e).right > clientWidth + NEARLY_PX);
  return scrollWidth <= clientWidth ? [] : out.slice(-3).map((e) => `ends at ${boxOf(e).right}: ${named(e)}`);
}

/** @param {Element} link */
const isInSentence = (link) =>
  getComputedStyle(link).display === 'inline' && link.parentElement?.textContent?.trim() !== link.textContent?.trim();

/** What a finger hits: of a mark to tick, its words as well. @param {Element} control */
const targetOf = (control) =>
  control.matches('[type="checkbox"], [type="radio"]') ? (control.closest('label') ?? control) : control;

function small() {
  const hit = seen(CONTROLS).filter((e) => !(e.matches('a') && isInSentence(e)));
  const low = hit.map(targetOf).filter((e) => Math.min(boxOf(e).width, boxOf(e).height) < FINGER_PX - 0.5);
  return low.map((e) => `${boxOf(e).width}×${boxOf(e).height}: ${named(e)}`);
}

function cut() {
  const out = lines().filter(({ owner, box }) => {
    const frame = owner.closest('button, .button, .chip, summary, label, th') ?? cutterOf(owner);
    // a row that is too long for its words leads to the whole
    if (frame === null || (!frame.matches('.chip') && getComputedStyle(frame).textOverflow === 'ellipsis'))
      return false;
    const { left, right, top, bottom } = boxOf(frame);
    const isBeside = box.left < left - NEARLY_PX || box.right > right + NEARLY_PX;
    return isBeside || box.top < top - LINES_PX || box.bottom > bottom + LINES_PX;
  });
  return out.map(({ node, owner }) => `“${node.data.trim().slice(0, 60)}” in ${named(owner)}`);
}

/** What is chosen in a list is read whole. */
function unread() {
  const brush = document.createElement('canvas').getContext('2d');
  if (brush === null) throw new Error('nothing can be measured');
  const cutOff = seen('select').filter((field) => {
    if (!(field instanceof HTMLSelectElement)) return false;
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    brush.font = font;
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    return brush.measureText(field.selectedOptions[0]?.text ?? '').width > room;
  });
  return cutOff.map(named);
}

/** A word that goes on in the next line, without a hyphen. */
function split() {
  return lines().flatMap(({ node, owner }) => {
    if (owner.closest('code, pre, .picture') !== null) return [];
    const words = [...node.data.matchAll(/(?<!\p{L})\p{L}{3,24}(?!\p{L})/gu)];
    const halved = words.filter(({ index, 0: word }) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      return range.getClientRects().length > 1;
    });
    return halved.map(([word]) => `${word} in ${named(owner)}`);
  });
}

/** @param {Element} owner @param {DOMRect} box @returns what of it is seen */
function shownOf(owner, box) {
  const frame = cutterOf(owner);
  const { left, right, top, bottom } = frame === null ? box : boxOf(frame);
  const [x, y] = [Math.max(box.left, left), Math.max(box.top, top)];
  return new DOMRect(x, y, Math.min(box.right, right) - x, Math.min(box.bottom, bottom) - y);
}

/** @param {DOMRect} one @param {DOMRect} other */
const meet = (one, other) =>
  Math.min(one.right, other.right) - Math.max(one.left, other.left) > LINES_PX &&
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > LINES_PX;

function overlapping() {
  const controls = seen('button, .button, select, textarea, input:not([type="file"])');
  const parts = [
    ...lines().map(({ node, owner, box }) => ({ what: node, owner, box: shownOf(owner, box) })),
    ...controls.map((owner) => ({ what: owner, owner, box: boxOf(owner) })),
  ];
  return parts.flatMap((one, at) =>
    parts
      .slice(at + 1)
      .filter(({ box }) => meet(one.box, box))
      .filter(({ what }) => !what.contains(one.what) && !one.what.contains(what))
      .filter(({ owner }) => pinnedOf(owner) === pinnedOf(one.owner))
      .map(({ owner }) => `${named(owner)} over ${named(one.owner)}`),
  );
}

/** A question stands in the middle, wherever in the page it is asked. */
function offCentre() {
  const questions = [...document.querySelectorAll('dialog:modal')];
  return questions.filter((e) => Math.abs(boxOf(e).top + boxOf(e).bottom - innerHeight) > 2 * NEARLY_PX).map(named);
}

function tiny() {
  if (matchMedia('print').matches) return [];
  const least = innerWidth < PHONE_PX ? LETTERS_ON_PHONE_PX : LETTERS_PX;
  const low = lines().filter(({ owner }) => Number.parseFloat(getComputedStyle(owner).fontSize) < least - 0.01);
  return low.filter(({ owner }) => owner.closest('.picture') === null).map(({ owner }) => named(owner));
}

/** @param {'color' | 'backgroundColor'} property @param {string} suffix @returns {Map<string, string>} level of each colour */
function coloursOf(property, suffix) {
  const probe = document.body.appendChild(document.createElement('i'));
  const colours = LEVELS.map((level) => {
    probe.style[property] = `var(--${level}${suffix}, transparent)`;
    return /** @type {const} */ ([getComputedStyle(probe)[property], level]);
  });
  probe.remove();
  return new Map(colours.filter(([colour]) => colour !== CLEAR));
}

/** A colour that says how something is has words beside it and an edge where colours are forced; the same words have one colour. */
function coloured() {
  const inks = coloursOf('color', '');
  const grounds = coloursOf('backgroundColor', '-ground');
  /** @type {Map<string, string>} */
  const said = new Map();
  return seen('*').flatMap((e) => {
    const { color, backgroundColor, borderTopWidth } = getComputedStyle(e);
    const hasWords = [...e.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
    const level = grounds.get(backgroundColor) ?? (hasWords ? inks.get(color) : undefined);
    if (level === undefined) return [];
    const words = e.textContent?.trim() ?? '';
    const before = said.get(words) ?? level;
    said.set(words, before);
    if (grounds.has(backgroundColor) && borderTopWidth === '0px') return [`no edge: ${named(e)}`];
    return words === '' || before !== level ? [`${before} and ${level}, but the same words: ${named(e)}`] : [];
  });
}

/** @param {Element} element */
function edgeOf(element) {
  const { borderStyle, borderWidth, textDecorationLine } = getComputedStyle(element);
  return [borderStyle, borderWidth, textDecorationLine].join();
}

function unmarked() {
  return CHOSEN.flatMap((name) =>
    seen(`:is(a, button)[${name}]:not([${name}="false"])`).filter((element) => {
      const value = element.getAttribute(name) ?? '';
      const chosen = edgeOf(element);
      element.removeAttribute(name);
      const other = edgeOf(element);
      element.setAttribute(name, value);
      return chosen === other;
    }),
  ).map(named);
}

function undrawn() {
  const bare = seen('button, .button, select, textarea, input:not([type="range"], [type="file"])').filter((e) => {
    const { borderTopWidth, appearance } = getComputedStyle(e);
    return borderTopWidth === '0px' && appearance === 'none' && e.textContent?.trim() === '';
  });
  return bare.map(named);
}

/** @param {Element} element or what stands for it */
const hasRing = (element) =>
  [element, element.nextElementSibling ?? element].some((each) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= RING_PX;
  });

/** @param {Element} element whether a bar hides it, of what has room between the bars */
function isBehindBars(element) {
  const [strip, rail] = ['.strip', '.rail:not(.wide)'].map((bar) => document.querySelector(bar));
  if (!strip || !rail || pinnedOf(element) !== null || front() !== document.body) return false;
  const { top, bottom, height } = boxOf(element);
  const from = boxOf(strip).bottom;
  const to = boxOf(rail).top > innerHeight / 2 ? boxOf(rail).top : innerHeight;
  return height <= to - from && (top < from - NEARLY_PX || bottom > to + NEARLY_PX);
}

/** Goes to each control, as the Tab key does. */
function lost() {
  const before = document.activeElement;
  if (before instanceof HTMLElement) before.blur(); // to one that has the focus by a press no ring would come
  const found = seen(CONTROLS).flatMap((e) => {
    if (!(e instanceof HTMLElement) || e.tabIndex < 0) return [];
    e.focus({ focusVisible: true });
    if (document.activeElement !== e) return [];
    return [...(hasRing(e) ? [] : [`no ring: ${named(e)}`]), ...(isBehindBars(e) ? [`behind a bar: ${named(e)}`] : [])];
  });
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  scrollTo(0, 0);
  return found;
}

/** @param {Readonly<Record<string, () => string[]>>} rules @returns {string[]} */
const broken = (rules) =>
  Object.entries(rules).flatMap(([rule, look]) => [...new Set(look())].map((what) => `${rule}: ${what}`));

Object.assign(globalThis, {
  pageRules: {
    atSize: () => broken({ wide, small, cut, unread, split, overlapping, offCentre, tiny }),
    inColour: () => broken({ coloured }),
    inForcedColours: () => broken({ unmarked, undrawn, lost }),
  },
});
