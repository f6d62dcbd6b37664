/**
 * How far the honest word holds when a shop grows: what is certain and what unknown with 10, 80, 300 and 2,000 enrolled items, by
 * fixed thresholds and by those that follow the gallery. The models have not seen the items that are asked for; drawn from seeds.
 *
 *     node models/gallery.ts --data FOLDER [--fold-models FIRST.json,SECOND.json] [--sizes 10,80,300,2000] [--choose]
 *
 * With `--choose` it also chooses the constants of the manifest anew: on half of the items, judged on the other half, both
 * ways; those of all items are for the manifest.
 */
import { parseArgs } from 'node:util';
import { messageOf } from '../drivers/lib/errors.ts';
import { SPEEDS, type Speed } from '../firmware/config/choices.ts';
import type { Manifest } from '../firmware/recognition/embedding/manifest.ts';
import type { Judging } from '../firmware/recognition/matching/bounds.ts';
import { seeded } from '../test/tools/seeded.ts';
import { embedPictures } from './evaluation/embeddings.ts';
import { FOLD_MODELS, PICTURES, readFolds, readIndex, shuffled } from './evaluation/protocol.ts';
import { chooseJudging } from './gallery/choose.ts';
import {
  type FoldVectors,
  type Gallery,
  KINDS,
  SIZES,
  type Sighting,
  sharesOf,
  sightingsOf,
} from './gallery/sightings.ts';
import { STRANGER_TEMPLATES, strangerPictures } from './gallery/strangers.ts';

/** As they were chosen with twelve enrolled items, for comparison. */
const FIXED: Readonly<Record<Speed, Judging>> = {
  normal: { thresholds: { certain: 0.66, margin: 0.1, unknown: 0.473 } },
  fast: { thresholds: { certain: 0.62, margin: 0.06, unknown: 0.436 } },
};
/** Templates of an item in the smaller galleries that are judged beside those of five. */
const OTHER_COUNTS = [1, 3, 10] as const;
const HALF_SEED = 17;

const say = (line: string) => void process.stderr.write(`${line}\n`);
const print = (...cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);
const percent = (value: number | null): string => (value === null ? '-' : value.toFixed(1));

function galleriesOf(sizes: readonly number[]): Gallery[] {
  const five = sizes.flatMap((size) =>
    (size <= 10 ? KINDS.slice(0, 1) : KINDS).map((kind) => ({ size, kind, templates: STRANGER_TEMPLATES })),
  );
  const others = sizes
    .filter((size) => size <= 80)
    // strangers have photographs for five templates only
    .flatMap((size) => OTHER_COUNTS.map((templates) => ({ size, kind: KINDS[0], templates })));
  return [...five, ...others];
}

interface Loaded {
  readonly folds: readonly FoldVectors[];
  readonly manifest: Manifest;
}

async function load(data: string, manifests: readonly string[], strangers: number): Promise<Loaded> {
  const rows = readIndex(data);
  const { folds } = readFolds(rows);
  if (manifests.length !== folds.length) throw new Error(`--fold-models needs ${folds.length} manifests`);
  const pictures = await strangerPictures(data, rows, strangers, say);
  const loaded: FoldVectors[] = [];
  let manifest: Manifest | undefined;
  for (const [at, path] of manifests.entries()) {
    const own = await embedPictures(path, data, rows);
    manifest ??= own.manifest;
    const others = await embedPictures(path, pictures.folder, pictures.rows);
    const byItem = new Map<string, Float32Array[]>();
    for (const [row, { item }] of pictures.rows.entries()) {
      const vector = others.vectors.normal[row];
      if (vector !== undefined) byItem.set(item, [...(byItem.get(item) ?? []), vector]);
    }
    loaded.push({ judged: folds[at] ?? [], rows, vectors: own.vectors, strangers: [...byItem.values()] });
  }
  if (manifest === undefined) throw new Error('no fold models');
  return { folds: loaded, manifest };
}

type Seen = ReadonlyMap<Gallery, readonly Sighting[]>;

function printTable(seen: Seen, speed: Speed, manifest: Manifest): void {
  const judging = (speed === 'fast' ? manifest.fast : undefined) ?? manifest;
  process.stdout.write(`\nspeed ${speed}\n\n`);
  print(
    ...['items', 'strangers', 'templates', 'top-1 %', 'thresholds', 'certain %', 'of these wrong %'],
    ...['unknown flagged %', 'known flagged %', 'unknown certain %'],
  );
  print(...Array.from({ length: 10 }, () => '---'));
  for (const [{ size, kind, templates }, sightings] of seen)
    for (const [name, one] of [
      ['fixed', FIXED[speed]],
      ['of the gallery', judging],
    ] as const) {
      const { top1, certain, wrong, flagged, knownFlagged, fooled } = sharesOf(sightings, one);
      const figures = [certain, wrong, flagged, knownFlagged, fooled].map(percent);
      print(`${size}`, size <= 51 ? '-' : kind, `${templates}`, percent(top1), name, ...figures);
    }
}

function printChoice(seen: Seen): void {
  const all = [...seen.values()];
  const items = [...new Set(all.flat().map(({ item }) => item))].sort();
  const first = new Set(shuffled(items, seeded(HALF_SEED)).slice(0, items.length / 2));
  const halfOf = (isFirst: boolean) =>
    all.map((sightings) => sightings.filter(({ item }) => first.has(item) === isFirst));
  for (const isFirst of [true, false]) {
    const judging = chooseJudging(halfOf(isFirst));
    const judged = halfOf(!isFirst).map((sightings) => sharesOf(sightings, judging));
    const line = judged.map(({ certain, wrong }) => `${percent(certain)}, ${percent(wrong)} wrong`).join('; ');
    process.stdout.write(`chosen on half of the items, certain on the other half, %: ${line}\n`);
  }
  process.stdout.write(`for the manifest: ${JSON.stringify(chooseJudging(all))}\n`);
}

function readSizes(text: string): number[] {
  const sizes = text.split(',').map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 2))
    throw new Error(`--sizes ${text} are no numbers of items`);
  return sizes;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      'fold-models': { type: 'string', default: FOLD_MODELS.join(',') },
      sizes: { type: 'string', default: SIZES.join(',') },
      choose: { type: 'boolean', default: false },
    },
  });
  const { data } = values;
  if (data === undefined) throw new Error(`name the folder of the pictures to judge with: --data FOLDER. ${PICTURES}`);
  const sizes = readSizes(values.sizes);
  const { folds, manifest } = await load(data, values['fold-models'].split(','), Math.max(...sizes));
  for (const speed of SPEEDS) {
    const seen = new Map(galleriesOf(sizes).map((gallery) => [gallery, sightingsOf(folds, gallery, speed)]));
    printTable(seen, speed, manifest);
    if (values.choose) printChoice(seen);
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
