/** The container of the simulated lane: what it copies is there and gets in, and is all that its program loads. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../root.ts';
import { readSources } from '../tools/house/sources.ts';
import { read } from './pages.ts';

const test = suite('the container');

const FILE = read('Dockerfile');
const LET_IN = read('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));
const COPIED = [...FILE.matchAll(/^COPY (?:--chown=node )?(?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
  paths.split(' '),
);
const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

test('what is copied exists, and the list of what is left out lets it in', () => {
  assert.ok(COPIED.length > 5);
  for (const path of COPIED) {
    assert.ok(existsSync(join(ROOT, path)), path);
    assert.ok(
      LET_IN.some((let_in) => isIn(path, let_in) || isIn(let_in, path)),
      path,
    );
  }
});

test('the program that it runs finds all that it loads', () => {
  const [, program = ''] = /^ENTRYPOINT \["node", "([^"]+)"/m.exec(FILE) ?? [];
  const sources = new Map(readSources(ROOT).map((source) => [source.path, source]));
  const reached = new Set([program]);
  for (const path of reached) for (const { from } of sources.get(path)?.imports ?? []) reached.add(from);
  assert.ok(reached.size > 200, `${program} loads ${reached.size} files`);
  assert.equal(
    [...reached].filter((path) => !COPIED.some((folder) => isIn(path, folder))),
    [],
  );
});

test('its base stands in one place, which a digest can take', () => {
  const bases = FILE.match(/^FROM .+$/gm) ?? [];
  assert.is(bases.length, 2);
  for (const base of bases) assert.match(base, /^FROM \$\{BASE\}/);
  assert.match(FILE, /^ARG BASE=node:24-slim$/m);
});

test('its user can read the program, also where only its owner can read the clone', () => {
  const run = FILE.slice(FILE.lastIndexOf('FROM '), FILE.indexOf('USER node'));
  assert.match(run, /^COPY --chown=node firmware /m);
  assert.not.match(run, /^COPY (?!--from|--chown=node)/m);
});

test('its health is asked with what the image has, at a port that it has', () => {
  const [, command = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(FILE) ?? [];
  const [program, option, script]: string[] = JSON.parse(command);
  assert.equal([program, option], ['node', '-e']);
  const [, port = ''] = /:(\d+)\//.exec(script ?? '') ?? [];
  assert.ok(/^EXPOSE (.+)$/m.exec(FILE)?.[1]?.split(' ').includes(port), port);
});

test('README runs it with ports that it has', () => {
  const [, exposed = ''] = /^EXPOSE (.+)$/m.exec(FILE) ?? [];
  const published = [...read('README.md').matchAll(/-p 127\.0\.0\.1:(\d+):\1/g)].map(([, port = '']) => port);
  assert.ok(published.length >= 3);
  for (const port of published) assert.ok(exposed.split(' ').includes(port), port);
});

test.run();
