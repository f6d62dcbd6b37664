/** Which test files a change can touch: those that reach a changed file, by their imports or by its name. */
import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { ROOT } from '../root.ts';
import { needsOf, readSources, type Source } from '../tools/house/sources.ts';
import { addedPaths, pathsByGit } from './git.ts';

const PARTS = ['firmware', 'drivers', 'scripts', 'models', 'clients', 'test'];
/** What each test stands on: after a change of these, all run. */
const OF_ALL = /^(?:package(?:-lock)?\.json|tsconfig\.json|test\/(?:runner\/|root\.ts$))/;

/** Paths from the root that differ from a revision, new files included. @throws {Error} of `git.ts` */
export const changedSince = (revision: string, root = ROOT): string[] => [
  ...new Set([...pathsByGit(root, 'diff', '--name-only', '--relative', revision), ...addedPaths(root)]),
];

/** How far each file is that a file leads to, itself included. Types count: a changed schema is a changed type. */
function reachOf(sources: readonly Source[]): (path: string) => ReadonlyMap<string, number> {
  const needs = needsOf(sources);
  return (path) => {
    const reached = new Map([[path, 0]]);
    // a map is gone through in the order in which it grows: nearest first
    for (const [next, far] of reached)
      for (const from of needs.get(next) ?? []) if (needs.has(from) && !reached.has(from)) reached.set(from, far + 1);
    return reached;
  };
}

const NAMED = Number.MAX_SAFE_INTEGER;

/** What a path is about, after the folder that all share: `firmware/core/access/boot-settings.ts` is about access, boot, setting. */
const wordsOf = (path: string): ReadonlySet<string> =>
  new Set(
    path
      .split(/[/.-]/)
      .slice(1, -1)
      .map((word) => word.replace(/s$/, '')),
  );

function mostShared(file: string, changed: readonly string[]): number {
  const own = wordsOf(file);
  return Math.max(...changed.map((path) => [...wordsOf(path)].filter((word) => own.has(word)).length));
}

/**
 * @param files absolute paths of test files
 * @param changed paths from the root
 * @returns those of the files that a change can touch, the likeliest to fail first: those that import it, then those whose paths
 *   share most words with it, then the nearest, and of these those that reach least beside it. A file that is not imported (a page,
 *   a script, a document) touches the tests whose own files name it.
 */
export function touchedBy(files: readonly string[], changed: readonly string[]): string[] {
  if (changed.some((path) => OF_ALL.test(path))) return [...files];
  const sources = readSources(ROOT, PARTS);
  const reach = reachOf(sources);
  const known = new Set(sources.map(({ path }) => path));
  const named = changed.filter((path) => !known.has(path) || !path.endsWith('.ts')).map((path) => basename(path));
  const isNamedBy = (path: string): boolean => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return named.some((name) => text.includes(name));
  };
  const found = files.map((file) => {
    const path = relative(ROOT, file);
    const reached = reach(path);
    const far = Math.min(...changed.map((from) => reached.get(from) ?? Number.POSITIVE_INFINITY));
    const own = [...reached.keys()].filter((from) => from.startsWith('test/'));
    return {
      file,
      far: named.length > 0 && own.some(isNamedBy) ? Math.min(far, NAMED) : far,
      shared: mostShared(path, changed),
      reached: reached.size,
    };
  });
  const imports = ({ far }: { far: number }) => Number(far <= 1);
  return found
    .filter(({ far }) => Number.isFinite(far))
    .sort(
      (one, other) =>
        imports(other) - imports(one) ||
        other.shared - one.shared ||
        one.far - other.far ||
        one.reached - other.reached,
    )
    .map(({ file }) => file);
}
