/** The pages run in the oldest browser that the manual names: Chrome 109 is the last on Windows 7, which many tills still have. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../root.ts';

const test = suite('the oldest browser');

/** What came to Chrome after 109, by its version. Source: MDN's tables of browsers. */
const NEWER: Readonly<Record<string, RegExp>> = {
  '110, arrays': /\.(?:toSorted|toReversed|toSpliced)\(|\.with\(/,
  '111, texts': /\.(?:isWellFormed|toWellFormed)\(|startViewTransition/,
  '112, expressions': /\/[a-z]*v[a-z]*\.(?:test|exec)\(/,
  '114, popovers': /\b(?:showPopover|hidePopover|togglePopover)\(|\bpopover(?:target)?=/,
  '116, signals': /AbortSignal\.any\(/,
  '117, groups': /\b(?:Object|Map)\.groupBy\(/,
  '119, promises': /\.withResolvers\(|Promise\.try\(/,
  '120, addresses': /URL\.(?:canParse|parse)\(/,
  '121, arrays': /Array\.fromAsync\(/,
  '122, iterators':
    /\.(?:values|keys|entries)\(\)\s*\.(?:map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find)\(/,
  '122, sets': /\.(?:union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(/,
  '134, ends': /\b(?:await )?using \w+ =/,
};
/** Of style sheets; what only looks better where it is known is none. */
const NEWER_STYLES: Readonly<Record<string, RegExp>> = {
  '111, colours': /color-mix\(|oklch\(|oklab\(/,
  '112, nesting': /^\s*&/m,
  '117, grids': /(?<!supports \()grid-template-(?:columns|rows): subgrid/,
  '118, scopes': /@scope\b/,
  '123, colours': /light-dark\(|field-sizing/,
};
const IN_SUPPORTS = /@supports [^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g;

const files = readdirSync(join(ROOT, 'firmware'), { recursive: true, encoding: 'utf8' });
const textsOf = (end: string): (readonly [name: string, text: string])[] =>
  files.filter((name) => name.endsWith(end)).map((name) => [name, readFileSync(join(ROOT, 'firmware', name), 'utf8')]);
const found = (texts: ReturnType<typeof textsOf>, newer: typeof NEWER): string[] =>
  texts.flatMap(([name, text]) =>
    Object.entries(newer).flatMap(([what, expression]) => (expression.test(text) ? [`${name}: ${what}`] : [])),
  );

test('scripts of pages use nothing that it lacks', () => {
  const scripts = textsOf('.js');
  assert.equal(found(scripts, NEWER), []);
  assert.ok(scripts.length > 100 && found([['a', 'all.toSorted()']], NEWER).length === 1, 'the search finds');
});

test('style sheets ask first for what it lacks', () => {
  const styles = textsOf('.css').map(([name, text]) => [name, text.replaceAll(IN_SUPPORTS, '')] as const);
  assert.equal(found(styles, NEWER_STYLES), []);
  assert.ok(styles.length > 15, 'there are style sheets');
});

test('the manual names it', () => {
  for (const language of ['en', 'ru'])
    assert.match(readFileSync(join(ROOT, 'docs', language, 'README.md'), 'utf8'), 'Chrome 109', language);
});

test.run();
