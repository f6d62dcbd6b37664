/** What git and its hosts are told of the files: `.gitattributes`. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { CALLS_PAGE, CHOICES, DASHBOARD, DOCUMENTS, PAGE_WORDS } from '../scripts/generate.ts';
import { missingPrograms, suiteNeeding } from './needing.ts';
import { ROOT } from './root.ts';
import { temporaryFolder } from './support.ts';

const test = suiteNeeding(missingPrograms('git'), '.gitattributes');

const git = (cwd: string, ...words: string[]): string => execFileSync('git', words, { cwd, encoding: 'utf8' });

test('a clone that git for Windows makes has the lines of the repository, so that its scripts run in WSL', () => {
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

test('what a program writes as a whole is marked as generated, so that hosts fold it in a review', () => {
  const urls = [...Object.values(DOCUMENTS), CALLS_PAGE, CHOICES, DASHBOARD, PAGE_WORDS];
  const generated = ['package-lock.json', ...urls.map((url) => relative(ROOT, fileURLToPath(url)))];
  using folder = temporaryFolder();
  copyFileSync(join(ROOT, '.gitattributes'), join(folder.path, '.gitattributes'));
  git(folder.path, 'init', '--quiet');
  const said = git(folder.path, 'check-attr', 'linguist-generated', '--', ...generated, 'README.md')
    .trim()
    .split('\n');
  assert.equal(said, [
    ...generated.map((path) => `${path}: linguist-generated: true`),
    'README.md: linguist-generated: unspecified',
  ]);
});

test.run();
