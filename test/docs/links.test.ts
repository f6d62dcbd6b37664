/** The documents: every link leads somewhere, every file that they name exists, and README stays short. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../root.ts';
import { anchorsOf, linksOf, PAGES, read } from './pages.ts';

const test = suite('links of the documents');

const MAX_README_WORDS = 1200;
/** Words that somebody has written, in all pages of `docs/`, README, ARCHITECTURE, CONTRIBUTING and CHANGELOG: who writes more takes something out. */
const MOST_WORDS = 40_000;
/** The part of CHANGELOG about the version to come: a page. */
const MOST_WORDS_OF_RELEASE = 1200;
const MOST_DECISIONS = 50;
const GENERATED = /<!-- (\w+) -->.*?<!-- \/\1 -->/gs;
const wordsIn = (text: string): number => text.trim().split(/\s+/).length;
/** Without the tables that are generated: a setting or a code brings its own row. */
const byHand = (page: string): string => read(page).replaceAll(GENERATED, '');

const filesUnder = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));

function problemOf(page: string, link: string): string | null {
  const [path = '', anchor = null] = link.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, file))) return `${page}: ${link} leads to no file`;
  if (anchor !== null && !anchorsOf(read(file)).includes(anchor)) return `${page}: ${link} leads to no heading`;
  return null;
}

test('a link to no file and one to no heading are found', () => {
  assert.match(problemOf('README.md', 'docs/nowhere.md') ?? '', 'leads to no file');
  assert.match(problemOf('README.md', 'docs/till.md#nowhere') ?? '', 'leads to no heading');
  assert.is(problemOf('docs/technician.md', 'nine-calls.md#taking-a-payment'), null);
});

for (const page of PAGES)
  test(`each relative link of ${page} leads to a file, and its heading`, () => {
    const problems = linksOf(read(page)).map((link) => problemOf(page, link));
    assert.equal(
      problems.filter((problem) => problem !== null),
      [],
    );
  });

test('README has at most 1,200 words and leads to every page of docs/', () => {
  const text = read('README.md');
  assert.ok(wordsIn(text) <= MAX_README_WORDS);
  const missing = PAGES.filter((page) => page.startsWith('docs/') && !linksOf(text).includes(page));
  assert.equal(missing, []);
});

test('documents written by hand have at most 40,000 words, Russian twins not counted', () => {
  const pages = filesUnder('docs').filter((page) => page.endsWith('.md') && !/^docs\/(?:pages\/)?ru\//.test(page));
  assert.ok(pages.includes('docs/decisions/README.md') && pages.includes('docs/acceptance/sbp.md'));
  const all = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pages];
  const words = all.reduce((sum, page) => sum + wordsIn(byHand(page)), 0);
  assert.ok(words <= MOST_WORDS && words > MOST_WORDS / 2, `${words} words: cut as many as you add`);
});

test('the newest version fits a page of CHANGELOG: what a user gets', () => {
  const [, newest = ''] = read('CHANGELOG.md').split(/^## .+$/m);
  const words = wordsIn(newest);
  assert.ok(words > 100 && words <= MOST_WORDS_OF_RELEASE, `${words} words`);
});

test('records of decisions are at most 50, have three parts and stand in their index', () => {
  const folder = 'docs/decisions';
  const records = readdirSync(join(ROOT, folder)).filter((name) => name !== 'README.md');
  assert.ok(
    records.length <= MOST_DECISIONS,
    `${records.length} records: a reason that nobody would pass over is a comment at its place`,
  );
  const texts = records.map((name) => read(`${folder}/${name}`));
  const parts = /^# [^\n]+\n\n\*\*Context\.\*\* .+\n\n\*\*Decision\.\*\* .+\n\n\*\*What would change it\.\*\* .+$/s;
  assert.equal(
    records.filter((_, index) => !parts.test(texts[index] ?? '')),
    [],
  );
  const links = records.flatMap((name, index) =>
    linksOf(texts[index] ?? '').map((link) => problemOf(`${folder}/${name}`, link)),
  );
  assert.equal(
    links.filter((problem) => problem !== null),
    [],
  );
  assert.equal(
    linksOf(read(`${folder}/README.md`))
      .filter((link) => !link.startsWith('../'))
      .sort(),
    records.sort(),
  );
});

test('a decision that a source names by its number is there', () => {
  const records = readdirSync(join(ROOT, 'docs/decisions'));
  const files = ['drivers', 'firmware', 'models', 'scripts', 'systemd']
    .flatMap(filesUnder)
    .filter((file) => /\.(?:c|js|md|mjs|py|service|sh|ts)$/.test(file));
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/\bdecisions?[ /](\d{4})\b/gi)].map(([, number = '']) => ({ file, number })),
  );
  assert.ok(named.length > 0);
  assert.equal(
    named.filter(({ number }) => !records.some((name) => name.startsWith(`${number}-`))),
    [],
  );
});

test('every file that ARCHITECTURE.md and CONTRIBUTING.md name between backticks exists', () => {
  for (const page of ['ARCHITECTURE.md', 'CONTRIBUTING.md']) {
    const named = [...read(page).matchAll(/`((?:drivers|firmware|scripts|test|models|systemd)\/[\w./-]*\w\/?)`/g)];
    assert.ok(named.length > 0);
    assert.equal(
      named.map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path))),
      [],
      page,
    );
  }
});

/** Pages about the sources; CHANGELOG names what is gone, docs/sources.md what others have. */
const OF_SOURCES = [
  ...PAGES.filter((page) => !['CHANGELOG.md', 'docs/sources.md'].includes(page)),
  ...filesUnder('docs/decisions').filter((file) => !PAGES.includes(file)),
  ...filesUnder('firmware/features').filter((file) => file.endsWith('README.md')),
];

test('every source that a page names between backticks exists, also where it names no folder', () => {
  const sources = ['clients', 'drivers', 'firmware', 'models', 'scripts', 'test'].flatMap(filesUnder);
  const isThere = (name: string): boolean => sources.some((file) => `/${file}`.endsWith(`/${name}`));
  assert.ok(isThere('anyway.ts') && !isThere('way-nowhere.ts'));
  const missing = OF_SOURCES.flatMap((page) =>
    [...read(page).matchAll(/`(\w[\w./-]*\.(?:ts|js|mjs|py|sh))`/g)]
      .filter(([, name = '']) => !isThere(name))
      .map(([, name]) => `${page}: ${name}`),
  );
  assert.equal(missing, []);
});

/** Physical pin to what is there, of every Raspberry Pi with 40 pins; a number is a BCM number. */
const HEADER: Readonly<Record<number, string>> = Object.fromEntries(
  '3.3 V,5 V,BCM 2,5 V,BCM 3,ground,BCM 4,BCM 14,ground,BCM 15,BCM 17,BCM 18,BCM 27,ground,BCM 22,BCM 23,3.3 V,BCM 24,BCM 10,ground'
    .split(',')
    .map((what, index) => [index + 1, what]),
);

test('the header is drawn as it is, and the table of its pins says the same', () => {
  const page = read('docs/tinkerer.md');
  const drawn = [...page.matchAll(/(BCM \d+|3\.3 V|ground)\s+\[ ?(\d+)\] \[ ?(\d+)\] {2}(BCM \d+|5 V|ground)/g)];
  assert.is(drawn.length * 2, Object.keys(HEADER).length);
  for (const [, left, odd, even, right] of drawn) {
    assert.is(left, HEADER[Number(odd)]);
    assert.is(right, HEADER[Number(even)]);
  }
  const rows = [...page.matchAll(/^\| [\w ]+ \| (\d+) \| (\d+) \|/gm)];
  assert.is(rows.length, 5);
  for (const [, bcm, pin] of rows) assert.is(HEADER[Number(pin)], `BCM ${bcm}`);
});

test('comments cite only what a reader has: docs/sources.md has each heading that is cited', () => {
  const headings = [...read('docs/sources.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  const sources = ['drivers', 'firmware']
    .flatMap(filesUnder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: read(file).replaceAll(/\n\s*\* /g, ' ') }));
  const withoutSource = sources.filter(({ text }) => /\bfacts, section/.test(text)).map(({ file }) => file);
  assert.equal(withoutSource, []);
  const cited = sources.flatMap(({ text }) =>
    [...text.matchAll(/docs\/sources\.md, "([^"]+)"/g)].map(([, heading]) => heading),
  );
  assert.ok(cited.length > 0);
  assert.equal(
    cited.filter((heading) => !headings.includes(heading ?? '')),
    [],
  );
});

test.run();
