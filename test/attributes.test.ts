/** What git and its hosts are told of the files: `.gitattributes`. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { IN_PART, WHOLE } from '../scripts/generate.ts';
import { missingPrograms, suiteNeeding } from './needing.ts';
import { ROOT } from './root.ts';
import { temporaryFolder } from './support.ts';

const test = suiteNeeding(missingPrograms('git'), '.gitattributes');

const git = (cwd: string, ...words: string[]): string => execFileSync('git', words, { cwd, encoding: 'utf8' });

test('a clone made by git for Windows has the repository’s line ends: its scripts run in WSL', () => {
  using folder = temporaryFolder();
  const script = '#!/usr/bin/env bash\necho runs\n';
  copyFileSync(join(ROOT, '.gitattributes'), join(folder.path, '.gitattributes'));
  for (const name of ['lanectl', 'table.csv']) writeFileSync(join(folder.path, name), script);
  git(folder.path, 'init', '--quiet');
  git(folder.path, 'add', '.');
  for (const name of ['lanectl', 'table.csv']) rmSync(join(folder.path, name));
  git(folder.path, '-c', 'core.autocrlf=true', '-c', 'core.eol=crlf', 'checkout', '--', '.');
  for (const name of ['lanectl', 'table.csv']) assert.is(readFileSync(join(folder.path, name), 'utf8'), script, name);
});

test('every script and source has LF at its ends of lines', () => {
  const files = globSync(
    '{clients,drivers,firmware,models,scripts,systemd,test}/**/*.{c,conf,js,mjs,py,service,sh,sql,ts}',
    {
      cwd: ROOT,
      exclude: (name) => name.split('/').some((part) => part === 'node_modules' || part === 'generated'),
    },
  );
  assert.ok(files.length > 1000, `${files.length} files`);
  assert.equal(
    files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('\r\n')),
    [],
  );
});

const pathOf = (place: URL): string => relative(ROOT, fileURLToPath(place));

test('output of `npm run generate` is marked as generated: whole files for hosts, tables inside', () => {
  const whole = ['package-lock.json', ...WHOLE.map(([place]) => pathOf(place))];
  const inPart = IN_PART.map(([place]) => pathOf(place));
  using folder = temporaryFolder();
  copyFileSync(join(ROOT, '.gitattributes'), join(folder.path, '.gitattributes'));
  git(folder.path, 'init', '--quiet');
  const said = git(folder.path, 'check-attr', 'linguist-generated', '--', ...whole, ...inPart)
    .trim()
    .split('\n');
  assert.equal(said, [
    ...whole.map((path) => `${path}: linguist-generated: true`),
    ...inPart.map((path) => `${path}: linguist-generated: unspecified`),
  ]);
  for (const path of inPart)
    assert.match(readFileSync(join(ROOT, path), 'utf8'), /<!-- (\w+) -->\n[\s\S]*<!-- \/\1 -->/);
});

test('`npm run generate` writes no file beside these', () => {
  const source = readFileSync(join(ROOT, 'scripts/generate.ts'), 'utf8');
  assert.is(source.match(/writeFileSync\(/g)?.length, 2);
});

test.run();
