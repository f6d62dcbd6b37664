/** Each thing that the device may find wrong with itself has words in both languages, and one thing that mends it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ReasonRecords, reasonsFrom } from '../../drivers/lib/records.ts';
import { REASONS } from '../../firmware/console/page-data.ts';
import { degradedBy, HealthBoard } from '../../firmware/core/host/health.ts';
import { ROOT } from '../root.ts';
import { readSources } from '../tools/house/sources.ts';
import { pageModule } from './pages.ts';

const test = suite('reasons of health');
type Words = Readonly<Record<string, string | Readonly<Record<string, string>>>>;
const wordsOf = async (language: string) => (await pageModule<{ default: Words }>(`words/${language}.js`)).default;
const LANGUAGES: Readonly<Record<string, Words>> = { en: await wordsOf('en'), ru: await wordsOf('ru') };
/** What the device does at a press; what neither leads to a page nor is done so is done by hand. */
const DOINGS = ['clock', 'sync', 'tryFile'];
const { LEADING }: { readonly LEADING: Readonly<Record<string, readonly string[]>> } =
  await pageModule('core/pages/parts/remedies.js');
const RECORDS: ReasonRecords = REASONS;
const REMEDIES = new Set(Object.values(RECORDS).flatMap(({ remedy }) => (remedy === null ? [] : [remedy])));
const reasonOf = reasonsFrom(REASONS);

const textsOf = (words: Words[string] | undefined): string[] =>
  words === undefined ? [] : typeof words === 'string' ? [words] : Object.values(words);

for (const [language, words] of Object.entries(LANGUAGES)) {
  test(`${language}: every reason is worded, with nothing that its code does not bring along`, () => {
    for (const [code, { about: names }] of Object.entries(RECORDS)) {
      const texts = textsOf(words[`reason.${code}`]);
      assert.ok(texts.length > 0, `${code} has no words`);
      const asked = texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
      const missing = asked.filter((name) => !names.includes(name));
      assert.equal(missing, [], code);
      if (texts.length > 1) assert.ok(names.includes('n'), `${code} has forms, and no number`);
    }
  });

  test(`${language}: every remedy is worded, with its steps`, () => {
    for (const remedy of REMEDIES) {
      const isByHand = !(remedy in LEADING) && !DOINGS.includes(remedy);
      const keys = isByHand ? ['', '.1', '.2', '.3'].map((end) => `steps.${remedy}${end}`) : [`remedy.${remedy}`];
      for (const key of keys) assert.ok(textsOf(words[key]).length > 0, key);
    }
    for (const key of Object.keys(words)) {
      const [, name = ''] = /^(?:remedy|steps)\.(\w+)/.exec(key) ?? [];
      assert.ok(name === '' || REMEDIES.has(name), `nothing leads to ${key}`);
    }
  });
}

test('every reason is raised somewhere', () => {
  const text = readSources(ROOT, ['firmware'])
    .filter(({ path }) => !/[-/]records\.ts$|\/pages?\//.test(path))
    .map((source) => source.text)
    .join('\n');
  // composed of the kind of a certificate, of the state of an entry, of the part whose file lies aside
  const composed = /^(?:certificate-|ledger-(?:sought|damaged|lost)$|(?:templates|items)-aside$)/;
  const idle = Object.keys(RECORDS).filter((code) => !text.includes(`'${code}'`) && !composed.test(code));
  assert.equal(idle, []);
  assert.not(text.includes("'camera-nowhere'"));
});

test('the report has the sentence and, beside it, the code with what it is about', () => {
  const board = new HealthBoard(() => ({
    ...{ version: '1', serial: '2', instance: '3', uptimeSeconds: 4 },
    ports: { terminal: 1, recognition: 2 },
  }));
  board.add('disk', () =>
    degradedBy(reasonOf('disk-full', { free: 3, needed: 200 }), reasonOf('disk-worn', { percent: 90 }, 'it is worn')),
  );
  const { state, parts } = board.report();
  assert.is(state, 'degraded');
  assert.equal(parts, [
    {
      part: 'disk',
      state: 'degraded',
      sales: 'sells-look-later',
      reason:
        'Space is running out: 3 MB free, updates and payments need 200 MB. The storage has used up to 90 % of its life. (it is worn)',
      reasons: [
        { code: 'disk-full', sales: 'sells-look-later', about: { free: 3, needed: 200 } },
        { code: 'disk-worn', sales: 'sells-look-later', about: { percent: 90 } },
      ],
    },
  ]);
});

test('every part that a device may have has a name in both languages', () => {
  const parts = new Set(
    readSources(ROOT)
      .filter(({ path }) => path.startsWith('firmware/'))
      .flatMap(({ text }) => [...text.matchAll(/(?:health|board)\.add\('([\w-]+)'/g)].map(([, part = '']) => part)),
  );
  assert.ok(parts.size > 15, `${parts.size}`);
  for (const words of Object.values(LANGUAGES)) for (const part of parts) assert.ok(`part.${part}` in words, part);
});

test.run();
