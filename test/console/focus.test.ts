/** Where the pages put the keyboard: before the page is painted, so that no key is typed into nothing. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pick } from '../support.ts';
import { PAGE_SCRIPTS, readPage } from './pages.ts';

const test = suite('the focus of the pages');

const EFFECT = /\buse(Layout)?Effect\(/g;
const MOVES = /\.(?:focus|showModal)\(/;

/** From its opening parenthesis to the closing one. */
function callAt(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return text.slice(start, at);
  }
  return text.slice(start);
}

/** Each effect that moves the focus: whether it runs before the page is painted. */
const effectsOf = (text: string): boolean[] =>
  [...text.matchAll(EFFECT)]
    .filter(({ 0: name, index }) => MOVES.test(callAt(text, index + name.length - 1)))
    .map(([, layout]) => layout !== undefined);

const FILES = PAGE_SCRIPTS.map((file) => ({ file, text: readPage(file) }));

test('an effect that moves the focus runs before the page is painted', () => {
  assert.equal(effectsOf('useEffect(() => (a(), field.current?.focus()), [])'), [false]);
  const all = FILES.map(({ file, text }) => ({ file, effects: effectsOf(text) }));
  const late = all.filter(({ effects }) => effects.includes(false)).map(({ file }) => file);
  assert.equal(late, []);
  assert.ok(all.flatMap(({ effects }) => effects).length > 8, 'such effects are found');
});

test('nothing relies on autofocus, which a browser obeys once in the life of a document', () => {
  assert.equal(
    pick(
      FILES.filter(({ text }) => /\bautofocus\b/i.test(text)),
      'file',
    ),
    [],
  );
});

test.run();
