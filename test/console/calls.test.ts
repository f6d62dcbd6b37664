/** What the pages ask: `/v1`, the calls of the console and their own files. */
import { globSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('calls of the pages');

const FOLDER = new URL('../../firmware/console/pages/', import.meta.url);
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

const pathsOf = (file: string): readonly string[] =>
  [...readFileSync(new URL(file, FOLDER), 'utf8').matchAll(PATH)].map(([, path = '']) => path);

test('no page asks anything outside of /v1 and the calls of the console', () => {
  const files = globSync('**/*.js', { cwd: FOLDER }).filter((file) => !/^(words\/|integrate\/samples\.js$)/.test(file)); // theirs are shown
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
