/** What the pages ask: `/v1`, the calls of the console and their own files. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isOfWords, PAGE_SCRIPTS, readPage } from './pages.ts';

const test = suite('calls of the pages');

/** Paths of this device in quotes; a comment is in none of them. */
const PATH = /['"`](\/[a-z][\w./?={}$&-]*)/gi;
/** What is no call: files of the pages, the customer's display and its stream, and what a link opens for a person. */
const OWN = [
  /^\/v1\//,
  /^\/console\/api\//,
  /^\/console\/assets\//,
  /^\/display(\/events)?$/,
  /^\/reference$/,
  /^\/certificate\.pem$/,
  /^\/claim(\?pin)?$/,
  /^\/scale$/,
];

const pathsOf = (file: string): readonly string[] => [...readPage(file).matchAll(PATH)].map(([, path = '']) => path);

test('no page asks anything outside of /v1 and the calls of the console', () => {
  const files = PAGE_SCRIPTS.filter((file) => !isOfWords(file) && !file.endsWith('/integrate.js')); // theirs are shown
  assert.ok(files.length > 50);
  const foreign = files.flatMap((file) =>
    pathsOf(file)
      .filter((path) => !OWN.some((own) => own.test(path)))
      .map((path) => `${file}: ${path}`),
  );
  assert.equal(foreign, []);
  assert.ok(files.flatMap(pathsOf).includes('/console/api/store'), 'paths are found at all');
});

test.run();
