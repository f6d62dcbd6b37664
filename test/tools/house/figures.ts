/** The figures of a house: what its files, folders and imports amount to. */
import { dirname } from 'node:path';
import { circles } from './circles.ts';
import { commandsAsQuestions } from './questions.ts';
import { type Import, readSources, type Source, testedDirectly } from './sources.ts';

/** Below this a file is small: with one importer, and no test of its own, it belongs to that importer. */
const SMALL_LINES = 40;
/** Above this a file is long. */
const LONG_LINES = 200;

export interface Figures {
  /** Files of its own in every folder, the fullest first. */
  readonly folders: readonly (readonly [folder: string, files: number])[];
  readonly small: readonly string[];
  readonly singleImporter: readonly string[];
  /** Small, imported by one file, and by no test. */
  readonly strays: readonly string[];
  readonly long: readonly string[];
  /** Circles of files, `runtime` without imports of types; and of the folders that files lie in, types counted. */
  readonly circles: {
    readonly all: readonly string[][];
    readonly runtime: readonly string[][];
    readonly folders: readonly string[][];
  };
  /**
   * `firmware/payments`, `drivers/camera` and their like, with all that is in them: how many, how many know another, and their circles.
   * Features and tools count apart: another one adds nothing to what the rest must know.
   */
  readonly modules: {
    readonly count: number;
    /** Of what runs on the device. */
    readonly arrows: number;
    /** Of what browsers load, or of its words: types are not loaded. */
    readonly arrowsOfPages: number;
    /** How many modules the feature knows that knows most. */
    readonly mostOfFeature: number;
    readonly circles: readonly string[][];
  };
  /** Commands that are named as questions. */
  readonly asQuestions: readonly string[];
  /** Interfaces whose name says that they carry what a class or a function is given. */
  readonly carriers: number;
}

const CARRIER = /\binterface \w*(?:Options|Parts|Deps)\b/g;

/** What holds modules, and is none itself. */
const SHELVES = /^firmware\/(?:core|features|tools)\//;

/** `firmware/core/tables/csv.ts` → `firmware/core/tables`, `drivers/camera/replay.ts` → `drivers/camera`; a file beside the modules is one of its own. */
export const moduleOf = (path: string): string =>
  path
    .split('/')
    .slice(0, SHELVES.test(path) ? 3 : 2)
    .join('/');

function graphOf(sources: readonly Source[], withTypes: boolean): Map<string, string[]> {
  return new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter(({ typeOnly }) => withTypes || !typeOnly).map(({ from }) => from),
    ]),
  );
}

const isIndex = (path: string): boolean => path.endsWith('/index.ts');
/** A file beside the modules is one of its own. */
const folderOf = (path: string): string => (moduleOf(path) === path ? path : dirname(path));

/** Without the public APIs, which name files of every folder of their module. */
function graphOfFolders(sources: readonly Source[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const { path, imports } of sources.filter((source) => !isIndex(source.path))) {
    const own = folders.get(folderOf(path)) ?? new Set();
    for (const { from } of imports) if (!isIndex(from) && folderOf(from) !== folderOf(path)) own.add(folderOf(from));
    folders.set(folderOf(path), own);
  }
  return folders;
}

/** What browsers load, of `firmware/payments/pages/` or `firmware/features/teach/page/`. */
export const isPage = (path: string): boolean => /^firmware\/(?:[\w-]+\/pages|features\/[\w-]+\/page)\//.test(path);

/** Files beside the sources, as package.json, are no module. */
function graphOfModules(
  sources: readonly Source[],
  isCounted: (path: string, imported: Import) => boolean = () => true,
): Map<string, Set<string>> {
  const all = new Set(sources.map(({ path }) => moduleOf(path)));
  const modules = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    const own = modules.get(moduleOf(path)) ?? new Set();
    for (const imported of imports) {
      const known = moduleOf(imported.from);
      if (known !== moduleOf(path) && all.has(known) && isCounted(path, imported)) own.add(known);
    }
    modules.set(moduleOf(path), own);
  }
  return modules;
}

/** Of what browsers load, or of its words. */
const isOfPages = (path: string, { from }: Import): boolean => isPage(path) || isPage(from);

/** Of a feature, or the list of all. */
const isOfFeature = (path: string): boolean => /^firmware\/features(?:\.ts$|\/[^/.]+(?:\/|$))/.test(path);
/** Counted apart: what can be taken off, and what no lane that sells needs. */
const isApart = (name: string): boolean => isOfFeature(name) || name.startsWith('firmware/tools/');

function countBy<T>(items: readonly T[], key: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}

/** @returns the figures of the checkout in `root` */
export function measure(root: string): Figures {
  const sources = readSources(root);
  const typed = sources.filter(({ path }) => path.endsWith('.ts'));
  const importers = countBy(
    sources.flatMap(({ imports }) => imports),
    ({ from }) => from,
  );
  const modules = graphOfModules(sources);
  const arrowsOf = (isCounted: typeof isOfPages): number =>
    [...graphOfModules(sources, isCounted)]
      .filter(([name]) => !isApart(name))
      .reduce((sum, [, known]) => sum + known.size, 0);
  const ofFeatures = [...graphOfModules(sources, (path, imported) => !isOfPages(path, imported))].filter(
    ([name]) => isOfFeature(name) && !name.endsWith('.ts'),
  );
  const tested = testedDirectly(root);
  const pathsOf = (keep: (source: Source) => boolean) => sources.filter(keep).map(({ path }) => path);
  const isSmall = ({ lines }: Source) => lines < SMALL_LINES;
  const hasOne = ({ path }: Source) => importers.get(path) === 1;
  return {
    folders: [...countBy(sources, ({ path }) => dirname(path))].sort(([, a], [, b]) => b - a),
    small: pathsOf(isSmall),
    singleImporter: pathsOf(hasOne),
    strays: pathsOf((source) => isSmall(source) && hasOne(source) && !tested.has(source.path)),
    long: sources.filter(({ lines }) => lines > LONG_LINES).map(({ path, lines }) => `${path} (${lines} lines)`),
    circles: {
      all: circles(graphOf(sources, true)),
      runtime: circles(graphOf(sources, false)),
      folders: circles(graphOfFolders(sources)),
    },
    modules: {
      count: [...modules.keys()].filter((name) => !isApart(name)).length,
      arrows: arrowsOf((path, imported) => !isOfPages(path, imported)),
      arrowsOfPages: arrowsOf((path, imported) => isOfPages(path, imported) && !imported.typeOnly),
      mostOfFeature: Math.max(0, ...ofFeatures.map(([, known]) => known.size)),
      circles: circles(modules),
    },
    asQuestions: typed.flatMap(({ path, text }) => commandsAsQuestions(text).map((name) => `${path} ${name}`)),
    carriers: typed.reduce((sum, { text }) => sum + (text.match(CARRIER)?.length ?? 0), 0),
  };
}
