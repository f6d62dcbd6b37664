/** The page of a release is the changelog's, and its tag carries it. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { releasePage, tagRelease } from '../../scripts/release/release-page.ts';
import { temporaryFolder } from '../support.ts';
import { read } from './pages.ts';

const test = suite('the page of a release');

const CHANGELOG = '# Changelog\n\n## 0.2.0\n\nThe second.\n\n### For tills\n- New.\n\n## 0.1.0\n\nThe first.\n';

test('it has the section of its version, and nothing of others', () => {
  assert.is(releasePage(CHANGELOG, '0.2.0'), 'Laneware 0.2.0\n\nThe second.\n\n### For tills\n- New.\n');
  assert.is(releasePage(CHANGELOG, '0.1.0'), 'Laneware 0.1.0\n\nThe first.\n');
  assert.throws(() => releasePage(CHANGELOG, '0.3.0'), /no section "## 0\.3\.0": write it/);
});

test('this version has one', () => {
  const { version } = JSON.parse(read('package.json'));
  assert.ok(releasePage(read('CHANGELOG.md'), version).length > 1000);
});

test('the tag’s message is the page with headings; an existing tag or a dirty checkout stops it', () => {
  using folder = temporaryFolder();
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder.path, encoding: 'utf8' });
  git('init', '--quiet');
  git('config', 'user.name', 'test');
  git('config', 'user.email', 'test@example.org');
  writeFileSync(join(folder.path, 'CHANGELOG.md'), CHANGELOG);
  assert.throws(() => tagRelease(folder.path, '0.2.0', 'x'), /not committed/);
  git('add', '.');
  git('commit', '--quiet', '-m', 'First');
  const page = releasePage(CHANGELOG, '0.2.0');
  assert.is(tagRelease(folder.path, '0.2.0', page), 'v0.2.0');
  assert.is(git('for-each-ref', '--format=%(contents)', 'refs/tags/v0.2.0'), `${page}\n`);
  assert.throws(() => tagRelease(folder.path, '0.2.0', page), /v0\.2\.0 is there/);
});

test.run();
