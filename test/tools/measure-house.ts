/**
 * Measures how the sources under `firmware/` and `drivers/` are laid out: files, folders, importers, circles, functions.
 *
 *   node test/tools/measure-house.ts [--root FOLDER] [--json] [--walks]
 *
 * `--root` measures another checkout, so that figures of two commits come from the same script. `--walks` also starts
 * devices of it, and counts the files that an amount, a frame and a template pass through (`house/walks.ts` says how).
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../root.ts';
import { type Figures, measure } from './house/figures.ts';
import type { Walk } from './house/walks.ts';

const FOLDERS_SHOWN = 10;

function list(title: string, lines: readonly string[]): string {
  return [`${title}: ${lines.length}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

const arrows = (found: readonly string[][]) => found.map((circle) => circle.join(' <-> '));

function report(figures: Figures): string {
  const { files, lines, folders, small, singleImporter, strays, circles, rooms, functions } = figures;
  const fullest = folders.slice(0, FOLDERS_SHOWN).map(([folder, count]) => `${String(count).padStart(3)} ${folder}`);
  return [
    `source files: ${files}, lines: ${lines}`,
    `folders: ${folders.length}, files in the fullest: ${folders[0]?.[1] ?? 0}`,
    ...fullest.map((line) => `  ${line}`),
    `files with a single importer: ${singleImporter.length}`,
    `files under 40 lines: ${small.length}, with a single importer: ${small.filter((path) => singleImporter.includes(path)).length}`,
    list('  of those, imported by no test', strays),
    list('files over 200 lines', figures.long),
    list('import circles', arrows(circles.all)),
    list('import circles without imports of types', arrows(circles.runtime)),
    list('circles of rooms', arrows(rooms)),
    `functions: ${functions.count}, median length: ${functions.median} lines`,
    ...functions.longest.map((line) => `  ${line}`),
  ].join('\n');
}

const TITLES = {
  amount: 'an amount, from the call to the wire',
  frame: 'a frame, from its arrival to the answer',
  template: 'a template, from its frame to the other device',
} as const;

function reportWalk(title: string, { wide, narrow }: Walk): string {
  const rest = wide.filter((path) => !narrow.includes(path));
  return [list(`walk of ${title} (${wide.length} files), in its own rooms`, narrow), list('  elsewhere', rest)].join(
    '\n',
  );
}

/** @param walks those of a template begin with the frame that it is learned from: what comes after that stands apart */
function reportWalks(walks: Readonly<Record<keyof typeof TITLES, Walk>>): string {
  const { amount, frame, template } = walks;
  const onward = template.narrow.filter((path) => !frame.narrow.includes(path));
  return [
    reportWalk(TITLES.amount, amount),
    reportWalk(TITLES.frame, frame),
    reportWalk(TITLES.template, template),
    list('  of its own rooms, after what a frame passes too', onward),
  ].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      root: { type: 'string' },
      json: { type: 'boolean', default: false },
      walks: { type: 'boolean', default: false },
    },
  });
  const root = resolve(values.root ?? ROOT);
  const figures = measure(root);
  // what starts devices is loaded only when asked for: the figures need nothing but the sources
  const walks = values.walks ? await (await import('./house/walks.ts')).walks(root) : null;
  const text = walks === null ? report(figures) : `${report(figures)}\n${reportWalks(walks)}`;
  process.stdout.write(`${values.json ? JSON.stringify({ ...figures, ...(walks && { walks }) }, null, 2) : text}\n`);
}
