/** Which test files a change can touch: those that reach a changed file, by their imports or by its name. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { readSources, type Source } from '../../scripts/house/sources.ts';
import { ROOT } from '../root.ts';

const PARTS = ['firmware', 'drivers', 'scripts', 'models', 'clients', 'test'];
/** What each test stands on: after a change of these, all run. */
const OF_ALL = /^(?:package(?:-lock)?\.json|tsconfig\.json|test\/(?:runner\/|root\.ts$))/;

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Paths from the root that differ from a revision, new files included. */
export const changedSince = (revision: string): string[] => [
  ...new Set([...git('diff', '--name-only', revision), ...git('ls-files', '--others', '--exclude-standard')]),
];

/** Files that each file leads to, itself included. Types count: a changed schema is a changed type. */
function reachOf(sources: readonly Source[]): (path: string) => ReadonlySet<string> {
  const imports = new Map(sources.map(({ path, imports }) => [path, imports.map(({ from }) => from)]));
  return (path) => {
    const reached = new Set<string>();
    const waiting = [path];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      waiting.push(...(imports.get(next) ?? []));
    }
    return reached;
  };
}

/**
 * @param files absolute paths of test files
 * @param changed paths from the root
 * @returns those of the files that a change can touch. A file that is not imported (a page, a script, a document) touches the
 *   tests whose own files name it.
 */
export function touchedBy(files: readonly string[], changed: readonly string[]): string[] {
  if (changed.some((path) => OF_ALL.test(path))) return [...files];
  const sources = readSources(ROOT, PARTS);
  const reach = reachOf(sources);
  const known = new Set(sources.map(({ path }) => path));
  const named = changed.filter((path) => !known.has(path) || !path.endsWith('.ts')).map((path) => basename(path));
  return files.filter((file) => {
    const reached = reach(relative(ROOT, file));
    if (changed.some((path) => reached.has(path))) return true;
    const own = [...reached].filter((path) => path.startsWith('test/'));
    return named.some((name) => own.some((path) => readFileSync(join(ROOT, path), 'utf8').includes(name)));
  });
}
