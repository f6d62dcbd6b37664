/**
 * Makes the page of a release, which is the part of CHANGELOG.md about the version in package.json. `node
 * scripts/release/release-page.ts` prints it; with `--tag` it becomes the message of the tag `v…` on the last commit, which
 * hosts show beside the release's files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** @throws where the changelog has no such version */
export function releasePage(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const [, ...text] = sections.find((section) => section.split('\n')[0] === version)?.split('\n') ?? [];
  const page = text.join('\n').trim();
  if (page === '')
    throw new Error(`CHANGELOG.md has no section "## ${version}": write it, or change the version of package.json`);
  return `Laneware ${version}\n\n${page}\n`;
}

/** @param folder of the checkout */
export function tagRelease(folder: string, version: string, page: string): string {
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', args, { cwd: folder, input, encoding: 'utf8' });
  if (git(['status', '--porcelain']) !== '')
    throw new Error('the checkout has changes that are not committed: commit them first');
  const name = `v${version}`;
  if (git(['tag', '--list', name]) !== '')
    throw new Error(`the tag ${name} is there: change the version of package.json`);
  git(['tag', '--annotate', name, '--cleanup=verbatim', '--file=-'], page);
  return name;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { tag: { type: 'boolean', default: false } } });
  try {
    if (!existsSync('CHANGELOG.md'))
      throw new Error('CHANGELOG.md is not here: run this in the first folder of the checkout');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const page = releasePage(readFileSync('CHANGELOG.md', 'utf8'), version);
    process.stdout.write(values.tag ? `${tagRelease('.', version, page)}\n` : page);
  } catch (error) {
    process.stderr.write(`release-page: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
