/** The words of the pages: the same keys, parameters and forms in both languages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DISPLAY_FIELDS } from '../../drivers/display/registry.ts';
import { BANKS } from '../../firmware/banks/registry.ts';
import { codeWords } from '../../firmware/console/page-data.ts';
import { ITEMS_CSV_HEAD } from '../../firmware/recognition/items/item-csv.ts';
import { AUDITED } from '../http/declared.ts';
import { ROOT } from '../root.ts';
import { filesOfWords, isOfWords, pageModule, type Words, wordsOf } from './pages.ts';
import { SAME_IN_RUSSIAN } from './russian.ts';

const test = suite('words of the pages');
/** What the device itself notes. */
const EVENTS_OF_NO_CALL = [
  ...['call', 'device-paired', 'lines-lost', 'more-refusals', 'release-changed'],
  'token-code-called-up',
];

const files = filesOfWords;
const parametersOf = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();
const formsOf = (words: Words[string]): string[] => (typeof words === 'string' ? [words] : Object.values(words));

test('both languages have the same files, each with the same keys', async () => {
  assert.equal(files('ru'), files('en'));
  for (const file of files('en')) {
    const [en, ru] = await Promise.all([wordsOf('en', file), wordsOf('ru', file)]);
    assert.equal(Object.keys(ru).sort(), Object.keys(en).sort(), file);
  }
});

test('no key stands in two files, nor in one and the records of codes', async () => {
  const all = await Promise.all(files('en').map(async (file) => Object.keys(await wordsOf('en', file))));
  const keys = [...all.flat(), ...Object.keys(codeWords('en'))].sort();
  const twice = keys.filter((key, at) => key === keys[at + 1]);
  assert.equal(twice, []);
});

/** The words of each file, and those of the records of codes, in both languages. */
async function wordsOfAll(): Promise<readonly { readonly place: string; readonly en: Words; readonly ru: Words }[]> {
  const ofFiles = files('en').map(async (file) => ({
    place: file,
    en: await wordsOf('en', file),
    ru: await wordsOf('ru', file),
  }));
  return [...(await Promise.all(ofFiles)), { place: 'records', en: codeWords('en'), ru: codeWords('ru') }];
}

test('a text has the same parameters in both, and a number has every form of its language', async () => {
  const all = (texts: readonly string[]) => [...new Set(texts.flatMap(parametersOf))].sort();
  for (const { place, en, ru } of await wordsOfAll())
    for (const [key, words] of Object.entries(en)) {
      const russian = ru[key] ?? '';
      assert.equal(all(formsOf(russian)), all(formsOf(words)), `${place}: ${key}`);
      for (const [language, forms] of [
        ['en', words],
        ['ru', russian],
      ] as const) {
        if (typeof forms === 'string') continue;
        const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        // two and two and a half are written alike, which are few, and other: not as many, which English knows as other
        const has = new Set([...Object.keys(forms), 'other', ...(forms.other === forms.many ? [] : ['few'])]);
        const lacking = needed.filter((form) => !has.has(form));
        assert.equal(lacking, [], `${place}: ${key} in ${language}`);
      }
    }
});

test('a Russian form of 21 names its number: a text without it is said of 1 alone', async () => {
  for (const { place, ru } of await wordsOfAll())
    for (const [key, words] of Object.entries(ru)) {
      if (typeof words === 'string') continue;
      const { one = '', other = '' } = words;
      assert.equal(parametersOf(one), parametersOf(other), `${place}: ${key}`);
    }
  const { loadWords, TRANSLATORS } = await pageModule<{
    loadWords(language: string): Promise<void>;
    TRANSLATORS: { ru: { t(key: string, parameters: object): string } };
  }>('core/pages/app/language.js');
  await loadWords('ru');
  const said = [1, 21].map((n) => TRANSLATORS.ru.t('table.first', { n }));
  assert.equal(said, ['Первая строка', 'Первые 21 строка']);
});

test('no sentence holds the English one of the device: that is folded away', async () => {
  for (const { place, en, ru } of await wordsOfAll())
    for (const [key, words] of [...Object.entries(en), ...Object.entries(ru)])
      assert.not(formsOf(words).flatMap(parametersOf).includes('{detail}'), `${place}: ${key}`);
});

test('no Russian text is the English one, but for names', async () => {
  for (const { place, en, ru } of await wordsOfAll()) {
    const same = Object.keys(en).filter((key) => JSON.stringify(en[key]) === JSON.stringify(ru[key]));
    const named = same.filter((key) =>
      formsOf(en[key] ?? '').some((text) => /[a-z]{4}/.test(text) && !SAME_IN_RUSSIAN.has(text)),
    );
    assert.equal(named, [], place);
  }
});

test('what is wrong with a value of a table of items has words for each column', async () => {
  const columns = ITEMS_CSV_HEAD.replace('\ufeff', '').trim().split(/[;,]/);
  assert.ok(columns.includes('pieceWeight'), ITEMS_CSV_HEAD);
  const keys = Object.keys(await wordsOf('en', 'recognition/pages/words/*/items.js'));
  for (const column of columns) assert.ok(keys.includes(`table.value.${column}`), column);
});

test('each bank has a name in both languages', async () => {
  const keys = BANKS.map(({ name }) => `bank.${name}`).sort();
  for (const language of ['en', 'ru']) {
    const named = Object.keys(await wordsOf(language, 'banks/pages/words/*.js')).filter((key) =>
      key.startsWith('bank.'),
    );
    assert.equal(named.sort(), keys, `firmware/banks/pages/words/${language}.js`);
  }
});

test('each field of a bank or display has a name and help in both languages, each display a name', async () => {
  const fields = [
    ...BANKS.flatMap(({ schema }) => Object.keys(schema.properties)),
    ...DISPLAY_FIELDS.flatMap((each) => each.fields),
  ];
  const asked = new Set(fields.filter((field) => field !== 'bankName'));
  const needed = [
    ...[...asked].flatMap((field) => [`field.${field}`, `field.${field}.help`]),
    ...DISPLAY_FIELDS.map(({ name }) => `display.${name}`),
  ];
  for (const language of ['en', 'ru']) {
    const files = ['banks/pages/words/*.js', 'console/pages/words/*/welcome.js'];
    const keys = (await Promise.all(files.map(async (file) => Object.keys(await wordsOf(language, file))))).flat();
    const lacking = needed.filter((key) => !keys.includes(key));
    assert.equal(lacking, [], language);
  }
});

test('each event of the audit trail has words in both languages', async () => {
  const calls = Object.values(AUDITED).flatMap((audited) => (audited === null ? [] : [audited.event]));
  for (const language of ['en', 'ru']) {
    const all = await Promise.all(files(language).map(async (file) => Object.keys(await wordsOf(language, file))));
    const keys = new Set(all.flat());
    const events = new Set([...calls, ...EVENTS_OF_NO_CALL]);
    const missing = [...events].filter((event) => !keys.has(`audit.${event}`));
    assert.equal(missing, [], language);
  }
});

test('no unused words: each key stands in a source, or is composed of a prefix and a word there', async () => {
  const sources = ['firmware', 'drivers'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|js)$/.test(name) && !isOfWords(name))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );
  const text = sources.join('\n');
  const updater = ['update.sh', 'way-back.sh']
    .map((name) => readFileSync(join(ROOT, 'scripts/lib', name), 'utf8'))
    .join('');
  const said = new Set([
    ...[...text.matchAll(/(['"`])([\w. -]+)\1/g)].map(([, , word = '']) => word),
    ...(text.match(/\b[A-Za-z]\w*(?=\??:)/g) ?? []),
    // the steps of an update, which the updater's own programs say
    ...[...updater.matchAll(/\b(?:set_state|enter) (\w+)/g)].map(([, step = '']) => step),
  ]);
  const beginnings = [
    ...[...text.matchAll(/`([\w.-]+[.-])\$\{/g)].map(([, beginning = '']) => beginning),
    ...[...text.matchAll(/nameOf\(\s*'([\w.]+)'/g)].map(([, kind]) => `${kind}.`),
  ];
  const ends = [...text.matchAll(/\$\{\w+\}([A-Z]\w*|\.\w+)`/g)].map(([, end = '']) => end).concat('');
  const isComposed = (key: string): boolean =>
    beginnings
      .filter((beginning) => key.startsWith(beginning))
      .some((beginning) =>
        ends.some((end) => {
          const rest = key.endsWith(end) ? key.slice(beginning.length, key.length - end.length) : '';
          const parts = rest.split('.');
          return (
            said.has(rest) ||
            isComposed(rest) ||
            said.has(parts.slice(0, 2).join('.')) ||
            parts.every((part) => said.has(part))
          );
        }),
      );
  const keys = await Promise.all(files('en').map(async (file) => Object.keys(await wordsOf('en', file))));
  const calls = Object.values(AUDITED).flatMap((audited) => (audited === null ? [] : [`audit.${audited.event}`]));
  const noted = new Set([...calls, ...EVENTS_OF_NO_CALL.map((event) => `audit.${event}`)]);
  assert.equal(
    keys
      .flat()
      .filter((key) =>
        key.startsWith('audit.') ? !noted.has(key) && !said.has(key) : !said.has(key) && !isComposed(key),
      ),
    [],
  );
  assert.not(isComposed('problem.Nowhere.Said'));
});

test.run();
