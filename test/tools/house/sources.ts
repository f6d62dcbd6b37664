/** The source files of a checkout, and which of them imports which. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What belongs to the device; tests, scripts and models are not counted. */
const PARTS = ['firmware', 'drivers'];

export interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
}

export interface Source {
  /** Relative to the checkout. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Files of the checkout, each once; `typeOnly` when every import of it is erased. */
  readonly imports: readonly Import[];
  /** Those that are only imported late, or started as a worker or a program. */
  readonly late: readonly string[];
  /** Packages and `node:` modules, by the name they are imported with, for types too. */
  readonly packages: readonly string[];
}

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[\w$*\s,]|\{[^}]*\})*?\bfrom\s*'([^']+)'/gm;
const BARE = /^import\s*'([^']+)'/gm;
/** `import('./a.ts').A` is a type, in a comment or not: what is loaded late is awaited before its parts are named. */
const TYPE_DYNAMIC = /\btypeof import\(\s*'([^']+)'\s*\)|\bimport\(\s*'([^']+)'\s*\)\.(?!then\b|catch\b)/g;
const DYNAMIC = /(?<!typeof )\bimport\(\s*'([^']+)'\s*\)(?!\.(?!then\b|catch\b))/g;
/** Pages are JavaScript: they import types in comments. */
const IN_COMMENT = /@import\s+(?:\w+|\*\s*as\s+\w+|\{[^}']*\})\s+(?:\*\s+)?from\s*'([^']+)'/g;
/** A worker, or a program that is started. */
const BESIDE = /new URL\(\s*'([^']+\.(?:ts|js))'\s*,\s*import\.meta\.url\s*\)/g;

/** @returns what a text names, in no order: a comment that quotes an import at the start of a line would count too */
function named(text: string): Import[] {
  const found: Import[] = [];
  for (const [whole, type, from = ''] of text.matchAll(STATEMENT)) {
    const list = /\{([^}]*)\}/.exec(whole)?.[1];
    const others = /^(?:import|export)\s+(?:\w|\*)/.test(whole);
    const every = list !== undefined && !others && list.split(',').every((name) => /^\s*(type\s|$)/.test(name));
    found.push({ from, typeOnly: type !== undefined || every });
  }
  for (const pattern of [BARE, DYNAMIC, BESIDE])
    for (const [, from = ''] of text.matchAll(pattern)) found.push({ from, typeOnly: false });
  for (const [, of, from = of ?? ''] of text.matchAll(TYPE_DYNAMIC)) found.push({ from, typeOnly: true });
  for (const [, from = ''] of text.matchAll(IN_COMMENT)) found.push({ from, typeOnly: true });
  return found;
}

function importsOf(path: string, text: string): Pick<Source, 'imports' | 'late' | 'packages'> {
  const files = new Map<string, boolean>();
  const packages = new Set<string>();
  const fileOf = (from: string): string => normalize(join(dirname(path), from));
  const kept = [...text.matchAll(STATEMENT)].filter(([, type]) => type === undefined);
  const atStart = new Set(kept.map(([, , from = '']) => fileOf(from)));
  for (const { from, typeOnly } of named(text)) {
    if (from.startsWith('.')) {
      const file = fileOf(from);
      files.set(file, (files.get(file) ?? true) && typeOnly);
    } else packages.add(from);
  }
  const imports = [...files].map(([from, typeOnly]) => ({ from, typeOnly }));
  return { imports, late: [...files.keys()].filter((file) => !atStart.has(file)), packages: [...packages] };
}

function readSource(root: string, path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, text, lines: text.split('\n').length - 1, ...importsOf(path, text) };
}

function listed(root: string, part: string, endings: RegExp): string[] {
  if (!existsSync(join(root, part))) return [];
  return readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.test(name))
    .map((name) => join(part, name))
    .sort();
}

/** @returns every TypeScript and page source in some folders of `root`, those of the device when left out, sorted by path */
export function readSources(root: string, parts: readonly string[] = PARTS): Source[] {
  return parts.flatMap((part) => listed(root, part, /\.(ts|js)$/)).map((path) => readSource(root, path));
}

const LISTED = /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'([^']+)'/gm;

/** @returns the files that a text takes names from, each with these names */
export function namesOf({ path, text }: Source): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [, list = '', from = ''] of text.matchAll(LISTED)) {
    const file = normalize(join(dirname(path), from));
    const own = list.split(',').map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*/, ''),
    );
    names.set(file, [...(names.get(file) ?? []), ...own.filter(Boolean)]);
  }
  return names;
}

/** @returns for each source the files that it needs: of a module's public API, the files that hold the names which it takes there */
export function needsOf(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const apis = new Map(
    sources
      .filter(({ path }) => path.endsWith('/index.ts'))
      .map((api) => [
        api.path,
        new Map([...namesOf(api)].flatMap(([file, names]) => names.map((name) => [name, file] as const))),
      ]),
  );
  const needed = (source: Source): string[] => {
    if (apis.has(source.path)) return [];
    const names = namesOf(source);
    return source.imports.flatMap(({ from }) => {
      const behind = apis.get(from);
      if (behind === undefined) return [from];
      return [from, ...(names.get(from) ?? [...behind.keys()]).flatMap((name) => behind.get(name) ?? [])];
    });
  };
  return new Map(sources.map((source) => [source.path, needed(source)]));
}

/** @returns the files of the device that a test imports by name */
export function testedDirectly(root: string): Set<string> {
  const tests = listed(root, 'test', /\.ts$/).map((path) => readSource(root, path));
  return new Set(tests.flatMap(({ imports }) => imports.map(({ from }) => from)));
}
