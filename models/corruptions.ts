/**
 * Judges recognition where it is hard: items off the middle, small, turned, in other light, under a hand, in a bag, two at once, on
 * four trays. Frames are composed of photographs (`index.csv` of the folder lists them) and go through the product, from the camera to
 * the verdict; the models have not seen the items that they are asked about. Everything is drawn from seeds.
 *
 *     node models/corruptions.ts --data FOLDER [--speed normal|fast] [--queries 60] [--templates 5] [--enrolled 2000] [--rows 'turned,in a bag']
 *                                [--fold-models FIRST.json,SECOND.json]
 */
import { parseArgs } from 'node:util';
import { messageOf } from '../drivers/lib/errors.ts';
import { SPEEDS, type Speed } from '../firmware/core/config/choices.ts';
import { ROW_NAMES, type RowName } from './corruptions/shots.ts';
import { runSuite, type SuiteResult } from './corruptions/suite.ts';
import { type Figures, figuresOf } from './corruptions/tally.ts';
import { FOLD_MODELS, PICTURES, readFolds, readIndex } from './evaluation/protocol.ts';

const print = (...cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);
const percent = (value: number | null): string => (value === null ? '-' : value.toFixed(1));

function printRows(outcomes: SuiteResult['outcomes']): void {
  const figures = new Map([...outcomes].map(([name, all]) => [name, figuresOf(all)]));
  const whole = figures.get('undisturbed');
  const beside = (one: Figures): string => (whole === undefined ? '-' : (one.top1 / whole.top1).toFixed(2));
  print('row', 'queries', 'top-1 %', 'of undisturbed', 'top-3 %', 'certain %', 'of these wrong %', 'called empty %');
  print(...Array.from({ length: 8 }, () => '---'));
  for (const [name, one] of figures) {
    const cells = [one.top3, one.certain, one.wrong, one.missed].map(percent);
    print(name, `${one.queries}`, percent(one.top1), beside(one), ...cells);
  }
}

function printEmptiness(emptiness: SuiteResult['emptiness']): void {
  process.stdout.write('\n');
  print(
    'tray',
    'asked',
    'item of 3 % of the area called empty',
    'empty tray in 0.5 to 1.5 of the light called an item',
  );
  print(...Array.from({ length: 4 }, () => '---'));
  for (const [tray, { asked, missed, imagined }] of emptiness) print(tray, `${asked}`, `${missed}`, `${imagined}`);
}

/** @throws {Error} naming the option, what it may be */
function countOf(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} must be a whole number from 1, and is ${text}`);
  return count;
}

/** @throws {Error} likewise */
function oneOf<T extends string>(name: string, text: string, all: readonly T[]): T {
  const found = all.find((one) => one === text);
  if (found === undefined) throw new Error(`--${name} ${text} is not known: it may be ${all.join(', ')}`);
  return found;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      speed: { type: 'string', default: 'normal' },
      queries: { type: 'string', default: '60' },
      templates: { type: 'string', default: '5' },
      enrolled: { type: 'string', default: '1' },
      rows: { type: 'string' },
      'fold-models': { type: 'string', default: FOLD_MODELS.join(',') },
    },
  });
  const { data, rows } = values;
  if (data === undefined) throw new Error(`name the folder of the pictures to judge with: --data FOLDER. ${PICTURES}`);
  const asked: readonly RowName[] = rows?.split(',').map((name) => oneOf('rows', name.trim(), ROW_NAMES)) ?? ROW_NAMES;
  return {
    data,
    speed: oneOf<Speed>('speed', values.speed, SPEEDS),
    queries: countOf('queries', values.queries),
    templates: countOf('templates', values.templates),
    enrolled: countOf('enrolled', values.enrolled),
    names: [...new Set<RowName>(['undisturbed', ...asked])],
    manifests: values['fold-models'].split(','),
  };
}

async function main(): Promise<void> {
  const { manifests, ...options } = readOptions();
  const rows = readIndex(options.data);
  const { folds, source } = readFolds(rows);
  if (manifests.length !== folds.length) throw new Error(`--fold-models needs ${folds.length} manifests`);
  const judged = folds.map((items, at) => ({ items, manifestPath: manifests[at] ?? '' }));
  const { speed, templates } = options;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  process.stdout.write(
    `${Math.max(options.enrolled, folds.flat().length)} items enrolled with ${templates} templates; folds: ${source}; speed ${speed}\n\n`,
  );
  const { outcomes, emptiness } = await runSuite({ ...options, rows, folds: judged, say });
  printRows(outcomes);
  printEmptiness(emptiness);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
