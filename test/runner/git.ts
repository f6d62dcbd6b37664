/** What git knows of the checkout. */
import { spawnSync } from 'node:child_process';

const MOST_BYTES = 1 << 30;

/** @throws {Error} in a sentence: there is no git here, no repository, no such revision */
export function git(root: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
  });
  if (status === 0) return stdout;
  const [problem = ''] = (error?.message ?? stderr).split('\n', 1);
  throw new Error(`git says: ${problem}`);
}

/** Paths from the root, whatever letters they have: without `-z` git writes some of them in another way. */
export const pathsByGit = (root: string, ...args: readonly string[]): string[] =>
  git(root, ...args, '-z')
    .split('\0')
    .filter(Boolean);

/** Files that are new, and not ignored. A folder is a repository of its own. */
export const addedPaths = (root: string): string[] => pathsByGit(root, 'ls-files', '--others', '--exclude-standard');
