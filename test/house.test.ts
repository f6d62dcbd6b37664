/** The house stays in order, and the script that says so sees what is not. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { releaseContents } from './release-contents.ts';
import { ROOT } from './root.ts';
import { temporaryFolder } from './support.ts';
import { isPage, measure, moduleOf } from './tools/house/figures.ts';
import { commandsAsQuestions } from './tools/house/questions.ts';
import { namesOf, readSources, type Source } from './tools/house/sources.ts';
import { titlesBeyond } from './tools/house/titles.ts';

const house = suite('the house');
/** What speaks HTTP; everything else is called by these, and is the same for any caller. */
const HTTP_FOLDERS = [
  'firmware/core/http/',
  'firmware/console/',
  'firmware/tools/sandbox-bank/',
  'firmware/tools/sim/',
  'firmware/payments/http/',
  'firmware/recognition/http/',
  'firmware/sync/http/',
];
const HTTP_FILES = [
  // the client of this device's own health call
  'firmware/core/host/supervision.ts',
  // compose the device
  'firmware/device/device.ts',
  // the client of banks, and what it has of their answers
  'firmware/banks/bank-connection.ts',
  'firmware/banks/http-answer.ts',
  // the client that delivers events to addresses
  'firmware/features/webhooks/signed-post.ts',
  // names what the routes of a feature are added to
  'firmware/features/feature.ts',
  // adds its own route
  'firmware/core/host/metrics.ts',
];
const ROUTES_OF_FEATURE = /^firmware\/features\/[^/]+\/(?:\w+-)*(?:routes|form|calls)\.ts$/;
const HTTP_LIBRARY = /^(?:fastify|@fastify\/.*|node:https?|node:http2)$/;

/** A made-up checkout: path → text. */
function made(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  }
  return folder;
}

const HERE = measure(ROOT);
const SOURCES = readSources(ROOT);

house('no file imports itself by way of others, types counted', () => {
  assert.equal(HERE.circles.all, []);
});

house('no module imports itself by way of others', () => {
  assert.equal(HERE.modules.circles, []);
});

/** Folders that know each other; at most these, each for its reason. */
const KNOWN_CIRCLES: readonly (readonly [folders: readonly string[], why: string])[] = [
  [
    ['drivers/display', 'drivers/display/wire'],
    'the registry names each wire, and a wire rests on the contract beside the registry: another display is one file and one line',
  ],
  [
    ['firmware/banks', 'firmware/banks/dialects'],
    'the registry names each bank, and a bank rests on the contract beside the registry: another bank is one file and one line',
  ],
  [
    ['firmware/sync', 'firmware/sync/centre'],
    'a round asks the centre, and the centre reports failures and devices in the words of synchronisation',
  ],
];
const MOST_KNOWN_CIRCLES = 3;

house('folders import each other in no circle, inside a module or between modules', () => {
  assert.equal(HERE.circles.folders.map(String).sort(), KNOWN_CIRCLES.map(([folders]) => String(folders)).sort());
  assert.ok(KNOWN_CIRCLES.length <= MOST_KNOWN_CIRCLES);
});

/** `firmware/payments`, `firmware/core/files` of what lies in it; null for files beside the modules, and for drivers: the public API of these is their contracts. */
const enclosingModule = (path: string): string | null =>
  path.startsWith('firmware/') && path !== moduleOf(path) ? moduleOf(path) : null;
const PUBLIC_API = /^\/\*\*\n(?: \* .*\n)+ \*\/\n+(?:export (?:type )?\{[^}]*\} from '\.\/[^']+';\n)+$/;
const isPublicApi = ({ path }: Source): boolean => path === `${enclosingModule(path)}/index.ts`;
const SENTENCES = /[.:](?:\s|$)/g;

const FEATURES = 'firmware/features.ts';
/** What a feature is, for the list of all: its public API. */
const RECORD = /^firmware\/features\/[^/]+\/feature\.ts$/;
/** Files that load nothing but Node's own parts. */
const LEAVES = new Set(
  SOURCES.filter(
    ({ imports, packages }) =>
      imports.every(({ typeOnly }) => typeOnly) && packages.every((name) => name.startsWith('node:')),
  ).map(({ path }) => path),
);
const MOST_AT_THE_TOP = 13;
/** Without features, as the arrows. */
const MOST_MODULES = 27;
const MOST_ARROWS = 157;
/** Most of them to the shell. */
const MOST_ARROWS_OF_PAGES = 8;
/** Interfaces of options, parts and deps: what a class needs are its parameters. */
const MOST_CARRIERS = 54;
/** The self-test looks at every part. */
const MOST_OF_A_FEATURE = 13;
/** The command line: its shell, what commands stand on, and the commands that features bring. */
const isOfLanectl = (path: string): boolean =>
  ['firmware/lanectl', CLI].includes(enclosingModule(path) ?? '') ||
  /^firmware\/features\/[^/]+\/command\.ts$/.test(path);
const CLI = 'firmware/core/cli';
/** The records of a module's codes load nothing but their shape: all that report codes name them by their own file. */
const isOfRecords = (path: string): boolean =>
  /^firmware\/(?:.*\/)?(?:(?:\w+-)*(?:error|reason)-)?records\.ts$/.test(path);

/** From the lowest: a module knows what stands below it, those of `core` know each other, and features know no feature. */
const LAYERS = [
  ['drivers'],
  ['firmware/core'],
  ['firmware/banks', 'firmware/recognition', 'firmware/tools/sandbox-bank'],
  ['firmware/payments'],
  ['firmware/features/feature.ts'],
  ['firmware/features'],
  ['firmware/features.ts'],
  ['firmware/sync'],
  ['firmware/console'],
  ['firmware/device'],
  ['firmware/main.ts', 'firmware/lanectl', 'firmware/tools/sim', 'firmware/tools/trial'],
];
/** Each stands here until it is mended; none may come to it. */
const UPWARD: readonly string[] = [];
/** By the longest name that it stands under. */
const layerOf = (path: string): number => {
  const names = LAYERS.flat().filter((name) => path === name || path.startsWith(`${name}/`));
  const longest = names.sort((a, b) => b.length - a.length)[0];
  return LAYERS.findIndex((layer) => longest !== undefined && layer.includes(longest));
};

house('imports run down alone', () => {
  const upward = SOURCES.flatMap(({ path, imports }) =>
    imports
      .map(({ from }) => moduleOf(from))
      .filter((to) => to !== moduleOf(path) && layerOf(path) <= layerOf(to))
      .filter((to) => layerOf(to) > 1 && !(path.startsWith('drivers/') && to.startsWith('drivers/')))
      .map((to) => `${path} -> ${to}`),
  );
  assert.equal([...new Set(upward)].sort(), [...UPWARD].sort());
  assert.equal(
    SOURCES.map(({ path }) => path).filter((path) => layerOf(path) === -1),
    [],
  );
});

house('work that lets others have their turns shares one queue of them', () => {
  const apart = SOURCES.filter(
    ({ path, text }) => path.startsWith('firmware/') && /setImmediate(?: as |\(resolve)/.test(text),
  );
  assert.equal(
    apart.map(({ path }) => path),
    [],
    'nextTurn of drivers/lib/turns.ts',
  );
});

house('the top of firmware/ says what matters', () => {
  const top = new Set(SOURCES.filter(({ path }) => path.startsWith('firmware/')).map(({ path }) => path.split('/')[1]));
  assert.ok(top.size <= MOST_AT_THE_TOP, [...top].join(', '));
  assert.ok(HERE.modules.arrows <= MOST_ARROWS, `${HERE.modules.arrows} arrows`);
  assert.ok(HERE.modules.arrowsOfPages <= MOST_ARROWS_OF_PAGES, `${HERE.modules.arrowsOfPages} arrows of pages`);
  assert.ok(HERE.modules.count <= MOST_MODULES, `${HERE.modules.count} modules`);
  assert.ok(HERE.modules.mostOfFeature <= MOST_OF_A_FEATURE, `a feature knows ${HERE.modules.mostOfFeature} modules`);
});

house('what a class needs are its parameters: no more interfaces that only carry come to it', () => {
  assert.ok(HERE.carriers <= MOST_CARRIERS, `${HERE.carriers} interfaces of options, parts and deps`);
});

house('a module is imported by its public API, index.ts, which says in sentences what it is for', () => {
  const past = SOURCES.flatMap(({ path, imports, late }) =>
    imports
      .filter(
        ({ from }) =>
          !late.includes(from) && enclosingModule(from) !== null && enclosingModule(from) !== enclosingModule(path),
      )
      .filter(({ from }) => from !== `${enclosingModule(from)}/index.ts` && !(isPage(path) && isPage(from)))
      .filter(({ from }) => path !== FEATURES || !RECORD.test(from))
      .filter(({ from }) => !isOfLanectl(path) || !LEAVES.has(from))
      .filter(({ from }) => !isOfRecords(from))
      .map(({ from }) => `${path} -> ${from}`),
  );
  assert.equal(past, []);
  const records = SOURCES.filter(({ path }) => isOfRecords(path));
  for (const { path, imports, packages } of records) {
    const others = imports.filter(({ from }) => !(isOfRecords(from) && dirname(from) === dirname(path)));
    const known = [...new Set(others.map(({ from }) => from)), ...packages];
    assert.ok(
      known.every((from) => from === 'drivers/lib/records.ts'),
      `${path}: records stand on records alone`,
    );
  }
  assert.ok(records.length > 5, 'there are records');
  const apis = SOURCES.filter(isPublicApi);
  for (const { path, text, imports } of apis) {
    assert.match(text, PUBLIC_API, path);
    assert.ok(
      (text.split('*/')[0]?.match(SENTENCES)?.length ?? 0) >= 3,
      `${path} says in three sentences what it is for`,
    );
    assert.equal(
      imports.filter(({ from }) => enclosingModule(from) !== enclosingModule(path)),
      [],
    );
  }
  assert.ok(apis.length > 15, 'there are public APIs');
});

house('a page imports the shell and what index.js of other pages names, and no device code', () => {
  const pages = SOURCES.filter(({ path }) => isPage(path) && path.endsWith('.js'));
  const past = pages.flatMap(({ path, imports }) =>
    imports
      .filter(({ from }) => moduleOf(from) !== moduleOf(path) && moduleOf(from) !== 'firmware/core/pages')
      .filter(({ from, typeOnly }) => !typeOnly && from !== `${dirname(from)}/index.js`)
      .map(({ from }) => `${path} -> ${from}`),
  );
  assert.equal(past, []);
  assert.ok(pages.length > 100, `${pages.length} pages`);
});

house('a page has its text limits from the device, and only a search cuts what is pasted', () => {
  const own = /\b(maxlength|most)="?\d|^(?!.*type="search").*\bmaxlength=/im;
  const pages = SOURCES.filter(({ path }) => isPage(path) && path.endsWith('.js'));
  assert.equal(
    pages.filter(({ text }) => own.test(text)).map(({ path }) => path),
    [],
  );
  assert.ok(
    own.test('<input maxlength="140">') && pages.some(({ text }) => /\bmost=\$\{LIMITS\./.test(text)),
    'the search finds what it looks for',
  );
});

house('what a public API names, another module takes', () => {
  const all = readSources(ROOT, ['firmware', 'drivers', 'scripts', 'models']);
  const idle = all.filter(isPublicApi).flatMap((api) => {
    const takers = all.filter(({ imports }) => imports.some(({ from }) => from === api.path));
    const words = new Set(takers.flatMap(({ text }) => text.match(/\w+/g) ?? []));
    const names = [...namesOf(api).values()].flat().filter((name) => !words.has(name));
    return names.map((name) => `${api.path}: ${name}`);
  });
  assert.equal(idle, []);
});

house('lanectl loads no module, which is slow: of modules it imports files that load nothing', () => {
  const whole = SOURCES.filter(({ path }) => isOfLanectl(path) && path !== 'firmware/features/backup/backup-file.ts');
  const loaded = whole.flatMap(({ path, imports, late }) =>
    imports
      .filter(({ from, typeOnly }) => !typeOnly && !late.includes(from) && !isOfLanectl(from))
      .filter(({ from }) => enclosingModule(from) !== null && !LEAVES.has(from))
      .map(({ from }) => `${path} -> ${from}`),
  );
  assert.equal(loaded, []);
  assert.ok(
    whole.length > 25 && LEAVES.has('firmware/core/config/limits.ts') && !LEAVES.has('firmware/core/config/index.ts'),
  );
});

/** Knotted with the start of a device: a folder of its own, and known beside the list. */
const KNOTTED = new Set(['backup']);

house('the list alone knows a feature, and its record loads nothing of it', () => {
  const featureOf = (path: string): string | undefined => /^firmware\/features\/([^/]+)\//.exec(path)?.[1];
  const known = SOURCES.flatMap(({ path, imports }) =>
    imports
      .map(({ from }) => ({ from, feature: featureOf(from) }))
      .filter(({ feature }) => feature !== undefined && feature !== featureOf(path) && !KNOTTED.has(feature))
      .filter(({ from }) => path !== FEATURES || !RECORD.test(from))
      .map(({ from }) => `${path} -> ${from}`),
  );
  assert.equal(known, []);
  const records = SOURCES.filter(({ path }) => RECORD.test(path));
  const loading = records.flatMap(({ path, imports, packages, late }) => [
    ...imports
      .filter(({ from, typeOnly }) => !typeOnly && !late.includes(from) && !isOfRecords(from))
      .map(({ from }) => `${path} -> ${from}`),
    ...packages.map((name) => `${path} -> ${name}`),
  ]);
  assert.equal(loading, []);
  assert.ok(records.length > 5, 'there are features');
});

house('every import of a file leads to a file of the house', () => {
  const paths = new Set(SOURCES.map(({ path }) => path));
  const astray = SOURCES.flatMap(({ path, imports }) =>
    imports.filter(({ from }) => from.endsWith('.ts') && !paths.has(from)).map(({ from }) => `${path} -> ${from}`),
  );
  assert.equal(astray, []);
  assert.ok(SOURCES.length > 200, 'the house is not empty');
});

house('tests read each answer to its end: an unread one holds its socket in the shared process', () => {
  const unread = /\(await fetch\((?:[^()]|\([^()]*\))*\)\)\.(?:status|headers|ok)\b/;
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  assert.equal(
    tests.filter((name) => unread.test(readFileSync(join(ROOT, 'test', name), 'utf8'))),
    [],
  );
  assert.ok(tests.length > 300 && unread.test(`(await ${'fetch'}('a')).status`), 'the search finds what it looks for');
});

/** A title is read in a list: subject, condition, result. */
const MOST_LETTERS_OF_A_TITLE = 90;

house('the title of a test, or of a suite, fits in a line of a list', () => {
  const tests = readSources(ROOT, ['test']);
  const found = tests.flatMap(({ path, text }) =>
    titlesBeyond(text, MOST_LETTERS_OF_A_TITLE).map((title) => `${path}: ${title}`),
  );
  assert.equal(found, []);
});

house('titles that are too long are found, in any quotes, wrapped and made by a template', () => {
  const long = 'x'.repeat(20);
  const text = [
    `test('${long}', async () => {`,
    `  it(\n    "${long}",\n    inStore(async (store) => {`,
    `  test(\`\${word} ${'x'.repeat(9)}\`, () => {`,
    `  test(\`\${word} ${'x'.repeat(8)}\`, () => {`,
    `const named = suite('${long}');`,
    `test('${'x'.repeat(17)}\\'s', () => {`,
    `  assert.is('${long}', one());`,
    `send('${long}', body);`,
  ].join('\n');
  const found = [`'${long}'`, `"${long}"`, `\`\${word} ${'x'.repeat(9)}\``, `'${long}'`];
  assert.equal(titlesBeyond(text, 19), found);
});

house('SQLite files are opened where another connection is waited for', () => {
  const own = ['firmware/core/files/database.ts', 'firmware/core/files/data-dir.ts']; // the second is a lock: it never waits
  const opening = /new DatabaseSync\((?!':memory:'\))/;
  const all = readSources(ROOT, ['firmware', 'drivers', 'scripts', 'test']);
  const found = all.filter(({ text }) => opening.test(text)).map(({ path }) => path);
  assert.equal(found.sort(), own.sort(), 'others call openFile of firmware/core/files/database.ts');
});

house('drivers know nothing of the firmware', () => {
  const drivers = SOURCES.filter(({ path }) => path.startsWith('drivers/'));
  const knowing = drivers.filter(({ imports }) => imports.some(({ from }) => from.startsWith('firmware/')));
  assert.equal(
    knowing.map(({ path }) => path),
    [],
  );
  assert.ok(drivers.length > 40, 'there are drivers');
});

house('services speak no HTTP: it stays in its modules', () => {
  const speaking = SOURCES.filter(({ packages }) => packages.some((name) => HTTP_LIBRARY.test(name)));
  const outside = speaking.filter(
    ({ path }) => !HTTP_FOLDERS.some((folder) => path.startsWith(folder)) && !ROUTES_OF_FEATURE.test(path),
  );
  assert.equal(outside.map(({ path }) => path).sort(), [...HTTP_FILES].sort());
  for (const folder of HTTP_FOLDERS)
    assert.ok(
      speaking.some(({ path }) => path.startsWith(folder)),
      folder,
    );
});

house('the calls of /v1 know nothing of the older interfaces, which translate into them', () => {
  const [newer, older] = ['v1', '(?:nine|original)'].map(
    (folder) => new RegExp(`^firmware/(?:payments|recognition)/http/${folder}/`),
  ) as [RegExp, RegExp];
  /** What both take. */
  const shared = /^firmware\/(?:payments|recognition)\/http\/[^/]+$/;
  const up = SOURCES.flatMap(({ path, imports }) =>
    imports
      .filter(({ from }) => older.test(from) && (newer.test(path) || shared.test(path)))
      .concat(imports.filter(({ from }) => newer.test(from) && shared.test(path)))
      .map(({ from }) => `${path} -> ${from}`),
  );
  assert.equal(up, []);
  for (const [what, least] of [
    [newer, 25],
    [older, 8],
    [shared, 3],
  ] as const)
    assert.ok(SOURCES.filter(({ path }) => what.test(path)).length >= least, `${what} finds what it looks for`);
});

/** The configuration asks these for the names of their drivers; they load one when it is opened. */
const REGISTRIES = new Set(['drivers/camera/registry.ts', 'drivers/gpio/registry.ts']);

/** Every file and package that files lead to, types counted. */
function reach(files: readonly string[]): string[] {
  const sources = new Map(SOURCES.map((source) => [source.path, source]));
  const seen = new Set(files);
  for (const file of seen) {
    const { imports = [], packages = [] } = sources.get(file) ?? {};
    for (const { from } of REGISTRIES.has(file) ? [] : imports) seen.add(from);
    for (const name of packages) seen.add(name);
  }
  return [...seen];
}

house('the terminal goes on without a model, a camera or a picture library: it never loads them', () => {
  // the simulated display as a picture is for people, and a tool of its own
  const own = /^(?:firmware\/payments|drivers\/display\/(?!wire\/simulator-png))/;
  const reached = reach(SOURCES.map(({ path }) => path).filter((path) => own.test(path)));
  const seeing = /^firmware\/recognition|^drivers\/camera\/(?!registry|contract)|^@litertjs|^sharp$/;
  assert.equal(
    reached.filter((file) => seeing.test(file)),
    [],
  );
  assert.ok(reached.length > 200, 'the walk found nothing');
  const model = reach(['firmware/recognition/embedding/embedder-worker.ts']);
  assert.ok(model.includes('@litertjs/core'), 'the walk finds what recognition does load');
});

house('another feature adds no module and no arrow to the rest', () => {
  const rest = {
    'firmware/a/index.ts': "import '../b/index.ts';\n",
    'firmware/b/index.ts': 'x;\n',
    'firmware/b/pages/index.js': 'x;\n',
    'firmware/features/feature.ts': "import type { A } from '../a/index.ts';\n",
  };
  using without = made({ ...rest, 'firmware/features.ts': 'x;\n' });
  using folder = made({
    ...rest,
    'firmware/features.ts': "import './features/c/feature.ts';\n",
    'firmware/features/c/feature.ts': "import type { F } from '../feature.ts';\nconst load = () => import('./c.ts');\n",
    'firmware/features/c/c.ts': "import '../../a/index.ts';\nimport '../../b/index.ts';\n",
    'firmware/features/c/page/page.js': "import '../../../b/pages/index.js';\n",
  });
  const { mostOfFeature: none, ...before } = measure(without.path).modules;
  const { mostOfFeature, ...after } = measure(folder.path).modules;
  assert.equal(
    { count: before.count, arrows: before.arrows, arrowsOfPages: before.arrowsOfPages },
    { count: 3, arrows: 2, arrowsOfPages: 0 },
  );
  assert.equal(after, before);
  assert.equal([none, mostOfFeature], [0, 3]);
});

house('circles of files are found, through types, through export … from and through workers', () => {
  using folder = made({
    'firmware/a/one.ts': "import { two } from '../b/two.ts';\n",
    'firmware/b/two.ts': "import {\n  type One,\n  type Other,\n} from '../a/one.ts';\n",
    'firmware/b/three.ts': "export * from './four.ts';\n",
    'firmware/b/four.ts': "const FILE = new URL('./five.ts', import.meta.url);\n",
    'firmware/b/five.ts': "const load = () => import('./three.ts');\n",
    'drivers/six.ts': "import 'node:fs';\nimport type { Five } from '../firmware/b/five.ts';\n",
  });
  const { circles, modules } = measure(folder.path);
  const workers = ['firmware/b/five.ts', 'firmware/b/four.ts', 'firmware/b/three.ts'];
  assert.equal(circles.all, [workers, ['firmware/a/one.ts', 'firmware/b/two.ts']]);
  assert.equal(circles.runtime, [workers]);
  assert.equal(modules.circles, [['firmware/a', 'firmware/b']]);
});

house('circles of folders without one of files are found; public APIs, and loose files, tie none', () => {
  using folder = made({
    'firmware/a/top/one.ts': "import type { B } from '../low/two.ts';\n",
    'firmware/a/low/two.ts': 'x;\n',
    'firmware/a/low/three.ts': "import '../top/four.ts';\n",
    'firmware/a/top/four.ts': 'x;\n',
    'firmware/b/index.ts': "export { five } from './low/five.ts';\n",
    'firmware/b/low/five.ts': 'x;\n',
    'firmware/b/six.ts': "import './low/five.ts';\n",
    'firmware/b/low/seven.ts': "import '../index.ts';\n",
    'firmware/main.ts': "import './b/six.ts';\n",
    'firmware/features.ts': 'x;\n',
    'firmware/b/eight.ts': "import '../features.ts';\n",
    'firmware/c/pages/page.js': "/** @import { T } from '../types.ts' */\n",
    'firmware/c/types.ts': "const load = () => import('./pages/late.js');\n",
    'firmware/c/pages/late.js': 'x;\n',
  });
  const { circles } = measure(folder.path);
  assert.equal(circles.all, []);
  assert.equal(circles.folders.map(String).sort(), ['firmware/a/low,firmware/a/top', 'firmware/c,firmware/c/pages']);
});

house('what is imported in strings, by name, for types or in a comment is distinguished', () => {
  using folder = made({
    'firmware/a.ts': [
      "import http, { type Agent } from 'node:http';",
      "import type { Server } from 'fastify';",
      "import { type B } from './b.ts';",
      "export type { B } from './b.ts';",
      "const c: typeof import('./c.ts') = await import('./c.ts');",
      'const text = "import \'./d.ts\'";',
      "const e: typeof import('./e.ts') | null = null;",
      "import f, { type F } from './f.ts';",
      '/** @import { G, H } from "./not.js" */',
      "/** @import { G, H } from './g.ts' @import words from './words.js' */",
      "/**\n * @import { I } from './i.js'\n * @type {import('./j.js').J}\n */",
      "const k = await import('./k.ts');",
      "const l = import('./l.ts').then(({ l }) => l);",
      '',
    ].join('\n'),
  });
  const [source] = readSources(folder.path);
  assert.equal(source?.packages, ['node:http', 'fastify']);
  assert.equal(source?.imports, [
    { from: 'firmware/b.ts', typeOnly: true },
    { from: 'firmware/f.ts', typeOnly: false },
    { from: 'firmware/c.ts', typeOnly: false },
    { from: 'firmware/k.ts', typeOnly: false },
    { from: 'firmware/l.ts', typeOnly: false },
    { from: 'firmware/e.ts', typeOnly: true },
    { from: 'firmware/j.js', typeOnly: true },
    { from: 'firmware/g.ts', typeOnly: true },
    { from: 'firmware/words.js', typeOnly: true },
    { from: 'firmware/i.js', typeOnly: true },
  ]);
});

house('a fat folder, a stray and a long file are found', () => {
  const long = 'x;\n'.repeat(201);
  using folder = made({
    ...Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`firmware/fat/file-${index}.ts`, long])),
    'drivers/thin/alone.ts': "import './stray.ts';\nimport './tested.ts';\nimport './shared.ts';\n",
    'drivers/thin/other.ts': "import './shared.ts';\n",
    'drivers/thin/stray.ts': 'x;\n',
    'drivers/thin/tested.ts': 'x;\n',
    'drivers/thin/shared.ts': 'x;\n',
    'test/tested.test.ts': "import '../drivers/thin/tested.ts';\n",
  });
  const figures = measure(folder.path);
  assert.equal(figures.folders, [
    ['firmware/fat', 15],
    ['drivers/thin', 5],
  ]);
  assert.equal(figures.strays, ['drivers/thin/stray.ts']);
  assert.equal(figures.singleImporter, ['drivers/thin/stray.ts', 'drivers/thin/tested.ts']);
  assert.is(figures.small.length, 5);
  assert.is(figures.long.length, 15);
});

house('a file is small below 40 lines and long above 200', () => {
  const ofLines = (count: number) => 'x;\n'.repeat(count);
  using folder = made({
    'firmware/39.ts': ofLines(39),
    'firmware/40.ts': ofLines(40),
    'firmware/200.ts': ofLines(200),
    'firmware/201.ts': ofLines(201),
  });
  const { small, long } = measure(folder.path);
  assert.equal([small, long], [['firmware/39.ts'], ['firmware/201.ts (201 lines)']]);
});

house('a command is not named as a question: no is… and no has… returns nothing', () => {
  assert.equal(HERE.asQuestions, []);
});

house('commands that are named as questions are found, and questions are none', () => {
  const text = `export interface Sink {
  readonly isTyped: (a: number) => void;
  readonly isAsked: (a: number) => boolean;
  isOptional?(): Promise<void>;
}
export function isExported(
  a: (b: number) => number,
): void {}
const isArrow = async (): Promise<void> => {
const isQuestion = ({ a }: Sink): boolean => {
const isShort = (a: number) => a > 0;
class Made {
  #isPrivate(): void {
  isUntyped() {
  hasParts(): boolean {
  get isThere(): boolean {
  static async hasEnded(a = call()): Promise<void> {
  isolate(): void {
    if (this.isCalled(1)) {
    isCalled(1);
`;
  const found = ['isTyped', 'isOptional', 'isExported', 'isArrow', '#isPrivate', 'isUntyped', 'hasEnded'];
  assert.equal(commandsAsQuestions(text), found);
  using folder = made({
    'firmware/a.ts': text,
    'drivers/b.ts': 'interface BOptions {\n}\nexport interface CDeps {\n}\n',
  });
  const { asQuestions, carriers } = measure(folder.path);
  assert.equal(
    asQuestions,
    found.map((name) => `firmware/a.ts ${name}`),
  );
  assert.is(carriers, 2);
});

house('the script prints the figures of the checkout that it is given', () => {
  using folder = made({ 'firmware/a.ts': "import './b.ts';\n", 'firmware/b.ts': "import './a.ts';\n" });
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'test/tools/measure-house.ts'), '--root', folder.path, ...args], {
      encoding: 'utf8',
    }).stdout;
  assert.match(run(), /^circles of folders: 1$/m);
  assert.match(run(), /^commands named as questions: 0\ninterfaces of options, parts and deps: 0$/m);
  assert.match(run(), /^import circles: 1\n {2}firmware\/a\.ts <-> firmware\/b\.ts$/m);
  assert.equal(JSON.parse(run('--json')), JSON.parse(JSON.stringify(measure(folder.path))));
});

house('a literal names its fields one a line: none is spread only to stand beside others', () => {
  const dense = SOURCES.filter(({ text }) => /^\s*\.\.\.\{ .*\},?$/m.test(text)).map(({ path }) => path);
  assert.equal(dense, []);
});

house('a write that may take a part of the bytes is made in one place, which writes the rest', () => {
  const partly = /import \{[^}]*\bwritev?(?:Sync)?\b[^}]*\} from 'node:fs'/;
  const byHandle = /import \{[^}]*\bopen\b[^}]*\} from 'node:fs\/promises'[\s\S]*await [\w.#]+\.writev?\((?!\()/;
  const writing = SOURCES.filter(
    ({ path, text }) => !path.startsWith('test/') && (partly.test(text) || byHandle.test(text)),
  );
  assert.equal(
    writing.map(({ path }) => path),
    ['firmware/core/files/write-whole.ts'],
    'writeWhole of it, or appendFile',
  );
});

house('a release has every file that its process, its lanectl or its trial loads', () => {
  const contents = releaseContents();
  const sources = new Map(SOURCES.map((source) => [source.path, source]));
  const loaded = new Set(['firmware/main.ts', 'firmware/lanectl/main.ts', 'firmware/tools/trial/main.ts']);
  for (const path of loaded)
    for (const { from, typeOnly } of sources.get(path)?.imports ?? []) if (!typeOnly) loaded.add(from);
  assert.equal(
    [...loaded].filter((path) => !contents.has(path)),
    [],
  );
  assert.ok(loaded.size > 400 && loaded.has('firmware/device/device.ts'), 'the walk found nothing');
});

house('what refuses what does not fit is named require…: there is no second word for it', () => {
  const others = SOURCES.flatMap(({ path, text }) =>
    (text.match(/\bmust[A-Z]\w*/g) ?? []).map((name) => `${path} ${name}`),
  );
  assert.equal(others, []);
});

/** The list of languages, words, and the records of codes. */
const OF_WORDS =
  /^drivers\/lib\/languages\.ts$|\/(?:late-)?words\/|\/(?:picture-)?words\.(?:js|ts|d\.ts)$|[-/]records\.ts$/;
/** How a program compares texts or reads parts of a date concerns nobody who reads. */
const OF_PROGRAMS = /(?:Format|Compare)\([^)]*'en'/g;
const NAMED = /'(?:ru|en)'|(?<![-.\w])(?:ru|en):|\b(?:[A-Z]{3,}|\w*[wW]ords|\w*[tT]exts)(?:\.\w+)?\.(?:ru|en)\b/;

house('languages are named in their list and in words alone: another one needs only these', () => {
  const naming = SOURCES.filter(
    ({ path, text }) => !OF_WORDS.test(path) && NAMED.test(text.replaceAll(OF_PROGRAMS, '')),
  ).map(({ path }) => path);
  assert.equal(naming, []);
  for (const line of [
    "if (language === 'ru') {",
    '  en: { a: 1 },',
    'const text = WORDS.code.ru;',
    "const en = words['en'];",
  ])
    assert.match(line, NAMED, line);
});

house.run();
