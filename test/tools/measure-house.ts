/**
 * Measures how the sources under `firmware/` and `drivers/` are laid out: files, folders, importers, circles.
 *
 *   node test/tools/measure-house.ts [--root FOLDER] [--json]
 *
 * `--root` measures another checkout, so that figures of two commits come from the same script.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../root.ts';
import { type Figures, measure } from './house/figures.ts';

const FOLDERS_SHOWN = 10;

function list(title: string, lines: readonly string[]): string {
  return [`${title}: ${lines.length}`, ...lines.map((line) => `  ${line}`)].join('\n');
}

const arrows = (found: readonly string[][]) => found.map((circle) => circle.join(' <-> '));

function report(figures: Figures): string {
  const { folders, small, singleImporter, strays, circles, modules, asQuestions, carriers } = figures;
  const fullest = folders.slice(0, FOLDERS_SHOWN).map(([folder, count]) => `${String(count).padStart(3)} ${folder}`);
  return [
    `folders: ${folders.length}, files in the fullest: ${folders[0]?.[1] ?? 0}`,
    ...fullest.map((line) => `  ${line}`),
    `files with a single importer: ${singleImporter.length}`,
    `files under 40 lines: ${small.length}, with a single importer: ${small.filter((path) => singleImporter.includes(path)).length}`,
    list('  of those, imported by no test', strays),
    list('files over 200 lines', figures.long),
    list('import circles', arrows(circles.all)),
    list('import circles without imports of types', arrows(circles.runtime)),
    list('circles of folders', arrows(circles.folders)),
    `modules without features: ${modules.count}, arrows between them: ${modules.arrows}, and of their pages: ${modules.arrowsOfPages}`,
    list('circles of modules', arrows(modules.circles)),
    list('commands named as questions', asQuestions),
    `interfaces of options, parts and deps: ${carriers}`,
  ].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { root: { type: 'string' }, json: { type: 'boolean', default: false } } });
  const figures = measure(resolve(values.root ?? ROOT));
  process.stdout.write(`${values.json ? JSON.stringify(figures, null, 2) : report(figures)}\n`);
}
