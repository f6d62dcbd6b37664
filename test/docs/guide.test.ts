/** The guide of a shop: it names what the pages name, says the same in both languages, and stays short. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filesOfWords, type Words, wordsOf } from '../console/pages.ts';
import { blocksOf, linksOf, read } from './pages.ts';

const test = suite('the guide of a shop');

const LANGUAGES = ['en', 'ru'] as const;
type Language = (typeof LANGUAGES)[number];
const MOST_WORDS = 1500;
const MOST_WORDS_OF_CODE = 350;

/** A key of the words of the pages, and all that a page shows of it. */
type Shown = readonly (readonly [key: string, pattern: RegExp])[];

const guideOf = (language: Language): string => read(`docs/${language}/README.md`);
const wordsIn = (text: string): number => text.trim().split(/\s+/).length;

/** A parameter is a number: one that may be anything would let any name pass. */
const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, String.raw`\d[\d\s.,:]*`)}$`,
  );

async function shownIn(language: Language): Promise<Shown> {
  const all = await Promise.all(filesOfWords(language).map((file): Promise<Words> => wordsOf(language, file)));
  return all.flatMap((words) =>
    Object.entries(words).flatMap(([key, said]) =>
      (typeof said === 'string' ? [said] : Object.values(said)).map((text) => [key, patternOf(text)] as const),
    ),
  );
}

const keysOf = (shown: Shown, name: string): string[] =>
  shown.filter(([, pattern]) => pattern.test(name)).map(([key]) => key);

/** What stands in bold in a part of the guide: the words of a page. */
const namesIn = (markdown: string): string[] => [...markdown.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name);
const sectionsOf = (markdown: string): string[] => markdown.split(/^(?=#+ )/m);
const levelsOf = (markdown: string): string[] => [...markdown.matchAll(/^(#+) /gm)].map(([, level = '']) => level);

/** Names of one section that its twin does not name. */
const withoutTwin = (own: readonly string[], other: readonly string[], shown: readonly [Shown, Shown]): string[] => {
  const known = new Set(other.flatMap((name) => keysOf(shown[1], name)));
  return own.filter((name) => !keysOf(shown[0], name).some((key) => known.has(key)));
};

const english = await shownIn('en');
const russian = await shownIn('ru');

test('a name that no page has is found, and so is one that stands in one language only', () => {
  assert.equal(keysOf(english, 'Give money back'), []);
  assert.ok(keysOf(russian, 'Вернуть').includes('refund.giveBack'));
  assert.ok(keysOf(english, '7 payments').includes('totals.count'));
  assert.not.ok(keysOf(english, 'Many payments').includes('totals.count'));
  assert.equal(withoutTwin(['Refund', 'Lane'], ['Вернуть'], [english, russian]), ['Lane']);
});

for (const [language, shown] of [
  ['en', english],
  ['ru', russian],
] as const) {
  test(`each name in bold is a word of the pages: ${language}`, () => {
    const names = namesIn(guideOf(language));
    assert.ok(names.length > 40, `${names.length} names`);
    assert.equal(
      names.filter((name) => keysOf(shown, name).length === 0),
      [],
    );
  });

  test(`it has at most 1,500 words: ${language}`, () => {
    const words = wordsIn(guideOf(language));
    assert.ok(words > 1000 && words <= MOST_WORDS, `${words} words`);
  });
}

test('both languages have the same sections, names of the pages’ words, and pictures', () => {
  const [en, ru] = [guideOf('en'), guideOf('ru')];
  assert.equal(levelsOf(ru), levelsOf(en));
  const others = sectionsOf(ru);
  for (const [at, section] of sectionsOf(en).entries()) {
    const [own, twin] = [namesIn(section), namesIn(others[at] ?? '')];
    assert.equal(withoutTwin(own, twin, [english, russian]), [], section.split('\n')[0]);
    assert.equal(withoutTwin(twin, own, [russian, english]), [], others[at]?.split('\n')[0]);
    const pictures = linksOf(section).filter((link) => /\.(webp|svg)$/.test(link));
    assert.equal(
      linksOf(others[at] ?? '').filter((link) => /\.(webp|svg)$/.test(link)),
      pictures.map((link) => link.replace('pages/en/', 'pages/ru/')),
    );
  }
});

test('the universal code’s page is short, names the pages’ words, and is the same in both', () => {
  const [en, ru] = LANGUAGES.map((language) => read(`docs/${language}/universal-code.md`));
  assert.ok(en !== undefined && ru !== undefined);
  assert.equal(levelsOf(ru), levelsOf(en));
  for (const [text, shown] of [
    [en, english],
    [ru, russian],
  ] as const) {
    assert.ok(wordsIn(text) <= MOST_WORDS_OF_CODE, `${wordsIn(text)} words`);
    assert.equal(
      namesIn(text).filter((name) => keysOf(shown, name).length === 0),
      [],
    );
  }
  assert.equal(withoutTwin(namesIn(en), namesIn(ru), [english, russian]), []);
  assert.equal(withoutTwin(namesIn(ru), namesIn(en), [russian, english]), []);
});

test('README in Russian is the twin of README: the same sections, tables, commands and pages', () => {
  const [en, ru] = [read('README.md'), read('README.ru.md')];
  assert.equal(levelsOf(ru), levelsOf(en));
  const commandsOf = (text: string) =>
    blocksOf(text).flatMap((block) => block.text.split('\n').map((line) => line.replace(/\s+#.*$/, '')));
  assert.equal(commandsOf(ru), commandsOf(en));
  const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('|')).length;
  assert.is(rowsOf(ru), rowsOf(en));
  /** Its own page of a language, or an anchor of it, counts as the other's. */
  const pagesOf = (text: string) =>
    new Set(
      linksOf(text).map((link) =>
        link
          .replace('README.ru.md', 'README.md')
          .replace(/docs\/(?:en|ru)\/(\S+?)#.*/, 'docs/en/$1')
          .replace('docs/ru/', 'docs/en/')
          .replace('pages/ru/', 'pages/en/'),
      ),
    );
  assert.equal(
    [...pagesOf(en)].filter((link) => !pagesOf(ru).has(link)),
    [],
  );
  assert.ok(linksOf(en).includes('README.ru.md') && linksOf(ru).includes('README.md'));
});

test.run();
