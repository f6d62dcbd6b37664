/**
 * What a device makes of what it learns by itself: items that look different from their sides, items that change,
 * what is confirmed; of what a scale adds; and of what it does not do: whiten by its own templates. The models have not seen the
 * items that are asked for; drawn from seeds.
 *
 *     node models/learning.ts --data FOLDER [--fold-models FIRST.json,SECOND.json] [--draws 8]
 */
import { parseArgs } from 'node:util';
import { messageOf } from '../drivers/lib/errors.ts';
import { embedPictures } from './evaluation/embeddings.ts';
import { FOLD_MODELS, PICTURES, type Row, readFolds, readIndex } from './evaluation/protocol.ts';
import { agedItems, changedItems } from './learning/ages.ts';
import { confirmedItems } from './learning/confirmed.ts';
import { whitenedItems } from './learning/scatter.ts';
import { ask, cellsOf, enrol, type FoldItems, foldItems, type Trial, type Vectors } from './learning/trial.ts';
import { boxes, plainItems } from './learning/views.ts';
import { SAID, weighedItems } from './learning/weighed.ts';

const TEMPLATES = [4, 5, 6, 10, 20, 30] as const;

const print = (...cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

function printHead(...first: readonly string[]): void {
  const columns = [...first, 'top-1 %', 'certain %', 'of these wrong %', 'prototypes an item'];
  process.stdout.write('\n');
  print(...columns);
  print(...columns.map(() => '---'));
}

type Folds = readonly FoldItems[];

const drawn = (folds: Folds, draws: number, make: (fold: FoldItems, seed: number) => Trial): Trial[] =>
  folds.flatMap((fold) => Array.from({ length: draws }, (_, draw) => make(fold, 1000 * draw + 1)));

function printViews(folds: Folds, draws: number): void {
  printHead('items', 'templates');
  for (const [name, make] of [
    ['of one look', plainItems],
    ['front and back', boxes],
  ] as const)
    for (const count of TEMPLATES) {
      const trials = drawn(folds, draws, (fold, seed) => make(fold, count, seed));
      print(name, `${count}`, ...cellsOf(trials.map((trial) => ask(enrol(trial), trial, 'normal'))));
    }
}

function printAges(folds: Folds, rows: readonly Row[], draws: number): void {
  printHead('items', 'ages');
  const seeds = Array.from({ length: draws }, (_, draw) => 1000 * draw + 1);
  for (const [name, make] of [
    [
      'changed: 10 old templates of a look-alike, 5 new ones',
      (fold: FoldItems, seed: number) => changedItems(fold, rows, seed),
    ],
    ['unchanged: 10 templates of two years', (fold: FoldItems, seed: number) => agedItems(fold, 10, seed)],
    ['unchanged: 20 templates of two years', (fold: FoldItems, seed: number) => agedItems(fold, 20, seed)],
  ] as const) {
    const trials = folds.flatMap((fold) => seeds.map((seed) => make(fold, seed)));
    for (const [ages, which] of [
      ['not told', 'ageless'],
      ['told', 'trial'],
    ] as const) {
      print(name, ages, ...cellsOf(trials.map((aged) => ask(enrol(aged[which]), aged.trial, 'normal'))));
    }
  }
}

const WRONG_SHARES = [0, 0.1, 0.3] as const;

function printConfirmed(folds: Folds, draws: number): void {
  printHead('templates', 'wrongly confirmed', 'asked');
  for (const count of [5, 10, 30])
    for (const wrong of WRONG_SHARES) {
      const lanes = folds.flatMap((fold) =>
        Array.from({ length: draws }, (_, draw) => confirmedItems(fold, count, wrong, 1000 * draw + 1, 'normal')),
      );
      for (const when of ['before', 'after'] as const)
        print(`${count}`, `${100 * wrong} %`, when, ...cellsOf(lanes.map((lane) => lane[when])));
    }
}

const SPREADS = [0.1, 0.15, 0.25] as const;

function printWeighed(folds: Folds, draws: number): void {
  printHead('templates', 'spread of a loose piece', 'pieces whose weight is said');
  for (const count of [5, 10])
    for (const spread of SPREADS)
      for (const [name, said] of Object.entries(SAID)) {
        const tallies = folds.flatMap((fold) =>
          Array.from({ length: draws }, (_, draw) =>
            weighedItems(fold, { said, count, spread }, 1000 * draw + 1, 'normal'),
          ),
        );
        print(`${count}`, `${100 * spread} %`, name, ...cellsOf(tallies));
      }
}

const SHRINKS = [1, 0.9, 0.8, 0.6, 0.4] as const;

function printScatter(folds: Folds, draws: number): void {
  printHead('templates', 'shrunk to');
  for (const count of [5, 10, 20])
    for (const shrink of SHRINKS) {
      const trials = drawn(folds, draws, (fold, seed) => whitenedItems(fold, count, shrink, seed));
      const name = shrink === 1 ? 'not used' : `${shrink}`;
      print(`${count}`, name, ...cellsOf(trials.map((trial) => ask(enrol(trial), trial, 'normal'))));
    }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      'fold-models': { type: 'string', default: FOLD_MODELS.join(',') },
      draws: { type: 'string', default: '8' },
    },
  });
  const { data } = values;
  if (data === undefined) throw new Error(`name the folder of the pictures to judge with: --data FOLDER. ${PICTURES}`);
  const rows = readIndex(data);
  const { folds } = readFolds(rows);
  const paths = values['fold-models'].split(',');
  if (paths.length !== folds.length) throw new Error(`--fold-models needs ${folds.length} manifests`);
  const models: Vectors[] = [];
  for (const path of paths) {
    const { manifest, vectors } = await embedPictures(path, data, rows);
    models.push({ rules: { ...manifest, dimension: manifest.output.dimension }, rows, vectors });
  }
  const draws = Number(values.draws);
  const judged = models.map((model, at) => foldItems(folds[at] ?? [], model, 'normal'));
  printViews(judged, draws);
  printAges(judged, rows, draws);
  printConfirmed(judged, draws);
  printWeighed(judged, draws);
  printScatter(judged, draws);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
