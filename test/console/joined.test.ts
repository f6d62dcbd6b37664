/** The scripts that are made of the pages' modules say what the modules say: esbuild, which reads them by another way, finds no difference. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, stop, transform } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASSETS, joined } from '../../firmware/console/joined.ts';
import { fileOf } from '../../firmware/console/pages.ts';
import { MARK, stripped } from '../../firmware/console/stripped.ts';
import { ROOT } from '../root.ts';

const test = suite('joined pages');
test.after(stop);

const placeOf = (name: string): string => join(ROOT, fileOf(name));
const textOf = (name: string): string => readFileSync(placeOf(name), 'utf8');
const ENTRIES = ['console.js', 'claim.js', 'display.js', 'qr.js'].concat(
  ['en', 'ru'].flatMap((language) =>
    ['index', 'integrate', 'log', 'self-test'].map((name) => `words/${language}/${name}.js`),
  ),
);
const NAMES = [...new Set(ENTRIES.flatMap((entry) => [...joined(entry, textOf).modules]))];

/** What esbuild makes of a text: no comments, no gaps, short names. */
const essence = async (text: string): Promise<string> =>
  (await transform(text, { minify: true, legalComments: 'none', format: 'esm' })).code;

test('without comments and gaps each module is the same program', async () => {
  assert.ok(NAMES.length > 150, `${NAMES.length} modules`);
  for (const name of NAMES) {
    const text = textOf(name);
    assert.is(await essence(stripped(text).replaceAll(MARK, '')), await essence(text), name);
  }
});

test('a script holds the modules that its entry leads to, and loads the same ones late', async () => {
  for (const entry of ENTRIES) {
    const { metafile } = await build({
      entryPoints: [placeOf(entry)],
      bundle: true,
      splitting: true,
      format: 'esm',
      outdir: '/out',
      write: false,
      metafile: true,
      plugins: [
        {
          name: 'assets',
          setup: ({ onResolve }) =>
            onResolve({ filter: /^\/console\/assets\// }, ({ path }) => ({ path: placeOf(path.slice(ASSETS.length)) })),
        },
      ],
    });
    const nameOf = new Map(NAMES.map((name) => [placeOf(name), name]));
    const named = (path: string): string => nameOf.get(join(process.cwd(), path)) ?? path;
    const imports = (path: string) => metafile.inputs[path]?.imports ?? [];
    const seen = new Set<string>();
    const late = new Set<string>();
    const visit = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      for (const { kind, path: other } of imports(path))
        if (kind === 'dynamic-import') late.add(named(other));
        else visit(other);
    };
    const first = Object.keys(metafile.inputs).find((path) => named(path) === entry) ?? '';
    visit(first);
    const script = joined(entry, textOf);
    assert.equal([...script.modules].sort(), [...seen].map(named).sort(), entry);
    assert.equal([...script.late].sort(), [...late].sort(), entry);
  }
});

test('each module exports what it did, and no module imports what is not exported', async () => {
  for (const entry of ENTRIES) {
    const script = joined(entry, textOf);
    await essence(script.text); // it can be parsed
    const given = new Map<string, ReadonlySet<string>>();
    for (const [, number = '', list = ''] of script.text.matchAll(
      /const \$m(\d+)=\(\(\)=>\{[\s\S]*?\nreturn \{([^}]*)\};\}\)\(\);\n/g,
    ))
      given.set(number, new Set(list.split(',').map((member) => member.split(':')[0] ?? '')));
    assert.is(given.size, script.modules.size - 1);
    const own = [...script.modules].slice(1);
    const named = await Promise.all(own.map(exportsOf));
    const sorted = (sets: readonly Iterable<string>[]) => sets.map((set) => [...set].sort().join()).sort();
    assert.equal(sorted([...given.values()]), sorted(named), entry);
    for (const [, list = '', number = ''] of script.text.matchAll(/const \{([^}]*)\}=\$m(\d+);/g))
      for (const member of list.split(',').filter((each) => each !== ''))
        assert.ok(given.get(number)?.has(member.split(':')[0] ?? ''), `${entry}: ${member}`);
  }
});

async function exportsOf(name: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [placeOf(name)],
    format: 'esm',
    outdir: '/out',
    write: false,
    metafile: true,
  });
  return Object.values(metafile.outputs)[0]?.exports ?? [];
}

test('texts, templates, patterns and properties that look like something else are what they are', async () => {
  const modules: Readonly<Record<string, string>> = {
    'whole.js': 'export default [1]\n',
    'other.js': `
      import whole from './whole.js';
      export const half = (4 / 2) / 4; /* export const none = 0; */
      export { half as other };
      const odd = { import: 1, export: \`\${\`export const \${"}"} // no\`}\` /* kept */ };
      // import nothing from 'nowhere'
      export function pattern() { return /[/'"]\\/\\{/.test("//{") ? whole : 'no' }
      export async function late() { return [odd.import, odd.export, 8 / 4 / 2] }
      export class Kept { text = \`a\nimport x from "./y.js"; /* b */\` }
      export default \`\${{ a: { b: 2 } }.a.b}\``,
    'entry.js': `import two from './other.js';
      import { half, Kept, late as asked,
        other, pattern } from './other.js';
      export const all = [half, other, pattern(), await asked(), new Kept().text, two]`,
  };
  const { text } = joined('entry.js', (name) => modules[name] ?? '');
  const { all } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  assert.equal(all, [0.5, 0.5, [1], [1, 'export const } // no', 1], 'a\nimport x from "./y.js"; /* b */', '2']);
});

test('what cannot be joined is refused by name', () => {
  for (const [modules, refusal] of [
    [
      { 'entry.js': "import './a.js';", 'a.js': "import './b.js';", 'b.js': "import './a.js';" },
      /a\.js imports itself/,
    ],
    [{ 'entry.js': "import './a.js';", 'a.js': 'export let a = 1;' }, /a\.js: an export/],
    [{ 'entry.js': "import './a.js';", 'a.js': "export * from './b.js';" }, /otherwise/],
    [{ 'entry.js': 'const late = (name) => import(name);' }, /otherwise/],
    [{ 'entry.js': 'const a = `${1' }, /unreadable/],
  ] as const) {
    const texts: Readonly<Record<string, string>> = modules;
    assert.throws(() => joined('entry.js', (name) => texts[name] ?? ''), refusal, JSON.stringify(modules));
  }
});

test.run();
