/**
 * How a model is judged: on items that its training has not seen, with a few templates each. The items are in two folds;
 * templates are drawn from the splits train and val, queries are all pictures of the split test; five draws. The same
 * protocol as `models/train/protocol.py`, with draws of its own.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { fits } from '../../firmware/core/schema/schema.ts';
import { isRecordedSet, LOOKS, readLooks } from '../../firmware/lanectl/commands/recorded-set.ts';
import { seeded } from '../../test/tools/seeded.ts';

export const DRAWS = 5;
export const TEMPLATE_COUNTS = [1, 3, 5, 10] as const;
const OWN_FOLD_SEED = 1;
const FOLDS_FILE = join(import.meta.dirname, '../train/folds.json');

/** The models that were trained without the fold that they are judged on: the honest rows. */
export const FOLD_MODELS: readonly string[] = [1, 2].map((fold) =>
  join(import.meta.dirname, `../folds/lane-embed-1-fold-${fold}.json`),
);

export interface Row {
  /** Below the folder of the data. */
  readonly path: string;
  readonly item: string;
  /** Look-alikes share one. */
  readonly group: string;
  readonly split: 'train' | 'val' | 'test';
}

export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const result = [...list];
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [result[at], result[other]] = [result[other] as T, result[at] as T];
  }
  return result;
}

/** What a folder of pictures to judge with holds. */
export const PICTURES =
  'It holds photographs of the Grocery Store Dataset (Klasson et al., WACV 2019), which are no part of this repository, and index.csv with the columns path,item,group,split; or what lanectl dataset record has made';

/** What lists the pictures of a folder. */
export const indexFile = (folder: string): string => join(folder, isRecordedSet(folder) ? LOOKS : 'index.csv');

/** Of a set that `lanectl dataset record` has made templates are drawn from the earlier half of each item's looks, and the later half is asked. */
function readRecorded(folder: string): Row[] {
  return [...Map.groupBy(readLooks(folder), ({ item }) => item)].flatMap(([item, looks]) =>
    looks.map(({ picture: path }, at) => ({
      path,
      item,
      group: item,
      split: at < looks.length / 2 ? 'train' : 'test',
    })),
  );
}

/** @throws {Error} the index is not there, or not one of ours */
export function readIndex(folder: string): Row[] {
  if (isRecordedSet(folder)) return readRecorded(folder);
  const index = join(folder, 'index.csv');
  if (!existsSync(index)) throw new Error(`${index} is not there: --data names the wrong folder. ${PICTURES}`);
  const [head, ...lines] = readFileSync(index, 'utf8').trim().split(/\r?\n/);
  if (head !== 'path,item,group,split') throw new Error(`${folder}/index.csv has the columns ${head}`);
  return lines.map((line) => {
    const [path = '', item = '', group = '', split] = line.split(',');
    if (split !== 'train' && split !== 'val' && split !== 'test') throw new Error(`index.csv: ${line}`);
    return { path, item, group, split };
  });
}

export interface Folds {
  readonly folds: readonly (readonly string[])[];
  /** Where they come from. */
  readonly source: string;
}

const FoldsSchema = Type.Object({ folds: Type.Array(Type.Array(Type.String())), seed: Type.Integer() });

/** The folds of the training, or, where it wrote none, of a shuffle of our own. @throws {Error} they do not fit the data */
export function readFolds(rows: readonly Row[]): Folds {
  const items = [...new Set(rows.map(({ item }) => item))].sort();
  if (!existsSync(FOLDS_FILE)) {
    const order = shuffled(items, seeded(OWN_FOLD_SEED));
    const folds = [0, 1].map((fold) => order.filter((_, at) => at % 2 === fold).sort());
    return { folds, source: `own shuffle with seed ${OWN_FOLD_SEED}: models/train/folds.json is not there` };
  }
  const read: unknown = JSON.parse(readFileSync(FOLDS_FILE, 'utf8'));
  if (!fits(FoldsSchema, read)) throw new Error(`${FOLDS_FILE} is not a list of folds`);
  if (read.folds.flat().sort().join() !== items.join())
    throw new Error(`${FOLDS_FILE} is of other items than the data`);
  return { folds: read.folds, source: `models/train/folds.json, seed ${read.seed}` };
}

/** Of a set that no model was trained with. @throws {Error} there is nothing to tell apart */
export function oneFold(rows: readonly Row[]): Folds {
  const asked = new Set(rows.flatMap(({ item, split }) => (split === 'test' ? [item] : [])));
  if (asked.size < 2) throw new Error('the set needs two items or more with two looks each');
  return { folds: [[...asked].sort()], source: 'one, of all items' };
}

/** One draw in one fold; numbers are places in the index. */
export interface Draw {
  readonly templates: ReadonlyMap<string, readonly number[]>;
  readonly queries: readonly { readonly row: number; readonly item: string }[];
  /** Halves of the items, enrolled while the others stay unknown. */
  readonly halves: readonly ReadonlySet<string>[];
}

const HALVES = 3;

/** Queries are the same in every draw. */
export function drawTemplates(rows: readonly Row[], judged: readonly string[], count: number, number: number): Draw {
  const random = seeded(1000 * count + number);
  const templates = new Map<string, number[]>();
  for (const item of judged) {
    const pool = rows.flatMap((row, at) => (row.item === item && row.split !== 'test' ? [at] : []));
    templates.set(item, shuffled(pool, random).slice(0, count));
  }
  const known = new Set(judged);
  const queries = rows.flatMap(({ item, split }, row) => (known.has(item) && split === 'test' ? [{ row, item }] : []));
  const half = () => new Set(shuffled(judged, random).slice(0, Math.floor(judged.length / 2)));
  return { templates, queries, halves: Array.from({ length: HALVES }, half) };
}
