/**
 * How far the honest word holds when a shop grows: what is certain and what unknown with 10 to 2,000 enrolled items. The models have not
 * seen the items that are asked for; drawn from seeds.
 *
 *     node models/gallery.ts --data FOLDER [--fold-models FIRST.json,SECOND.json] [--sizes 10,30,81,300,2000] [--fit]
 *
 * With `--fit` it fits the confidence of the manifest in place of judging, to photographs and to drawn trays together, and prints the table
 * of `models/README.md`: each item is judged by what was fitted to others. The looks at trays take half an hour the first time.
 */
import { parseArgs } from 'node:util';
import { messageOf } from '../drivers/lib/errors.ts';
import { SPEEDS, type Speed } from '../firmware/core/config/choices.ts';
import type { Manifest } from '../firmware/recognition/embedding/manifest.ts';
import type { Confidence } from '../firmware/recognition/matching/confidence.ts';
import { embedPictures, vectorKey } from './evaluation/embeddings.ts';
import { FOLD_MODELS, PICTURES, readFolds, readIndex } from './evaluation/protocol.ts';
import { COLUMNS, cellsOf, certaintyOf, FITTED_STRANGERS } from './gallery/certainty.ts';
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
import { type TrayVectors, trayVectors } from './gallery/trays.ts';

/** Measured with a few items: less similar even a right answer is no surer than a wrong one. */
const FLOORS: Readonly<Record<Speed, number>> = { normal: 0.66, fast: 0.62 };
/** Templates of an item in the smaller galleries that are judged beside those of five. */
const OTHER_COUNTS = [1, 3, 10, 20] as const;

const say = (line: string) => void process.stderr.write(`${line}\n`);
const print = (...cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);
const percent = (value: number | null): string => (value === null ? '-' : value.toFixed(1));

function galleriesOf(sizes: readonly number[]): Gallery[] {
  const five = sizes.flatMap((size) =>
    (size <= 10 ? KINDS.slice(0, 1) : KINDS).map((kind) => ({ size, kind, templates: STRANGER_TEMPLATES })),
  );
  const others = sizes
    .filter((size) => size <= 81)
    // strangers have photographs for five templates only
    .flatMap((size) => OTHER_COUNTS.map((templates) => ({ size, kind: KINDS[0], templates })));
  return [...five, ...others];
}

interface Loaded {
  readonly folds: readonly FoldVectors[];
  /** None where none are asked for. */
  readonly trays: readonly TrayVectors[];
  readonly manifest: Manifest;
}

async function load(data: string, manifests: readonly string[], strangers: number, onTrays: boolean): Promise<Loaded> {
  const rows = readIndex(data);
  const { folds } = readFolds(rows);
  if (manifests.length !== folds.length) throw new Error(`--fold-models needs ${folds.length} manifests`);
  const pictures = await strangerPictures(data, rows, strangers, say);
  const loaded: FoldVectors[] = [];
  const trays: TrayVectors[] = [];
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
    const judged = folds[at] ?? [];
    const { ratio, output } = own.manifest;
    loaded.push({ judged, rows, vectors: own.vectors, strangers: [...byItem.values()], ratio });
    if (!onTrays) continue;
    const model = { path, key: vectorKey(own.manifest), dimension: output.dimension };
    trays.push(...(await trayVectors(data, rows, judged, model, { say })).map((tray) => ({ ...tray, ratio })));
  }
  if (manifest === undefined) throw new Error('no fold models');
  return { folds: loaded, trays, manifest };
}

type Seen = ReadonlyMap<Gallery, readonly Sighting[]>;

/** Of the certain ones, in per cent; null where none is. */
function worstDraw(sightings: readonly Sighting[], confidence: Confidence): number | null {
  const draws = [...new Set(sightings.map(({ draw }) => draw))];
  const wrong = draws.map(
    (draw) =>
      sharesOf(
        sightings.filter((one) => one.draw === draw),
        confidence,
      ).wrong,
  );
  return wrong.reduce((worst, one) => (one === null || (worst !== null && worst > one) ? worst : one), null);
}

function printTable(seen: Seen, speed: Speed, manifest: Manifest): void {
  const confidence = (speed === 'fast' ? manifest.fast : undefined)?.confidence ?? manifest.confidence;
  if (confidence === undefined)
    throw new Error(`the manifest has no confidence for speed ${speed}: find one with --fit`);
  process.stdout.write(`\nspeed ${speed}\n\n`);
  print(
    ...['items', 'strangers', 'templates', 'top-1 %', 'in six tiles %', 'certain %', 'of these wrong %'],
    ...['in the worst draw %', 'unknown flagged %', 'known flagged %', 'unknown certain %', 'beside a look-alike %'],
  );
  print(...Array.from({ length: 12 }, () => '---'));
  for (const [{ size, kind, templates }, sightings] of seen) {
    const { top1, shown, certain, wrong, flagged, knownFlagged, fooled, fooledByAlike } = sharesOf(
      sightings,
      confidence,
    );
    const ofKnown = [top1, shown, certain, wrong, worstDraw(sightings, confidence)];
    const figures = [...ofKnown, flagged, knownFlagged, fooled, fooledByAlike];
    print(`${size}`, size <= 10 ? '-' : kind, `${templates}`, ...figures.map(percent));
  }
}

function printFit(folds: readonly FoldVectors[], trays: readonly TrayVectors[], speed: Speed): void {
  const { confidence, fitted, lines } = certaintyOf(folds, trays, speed, FLOORS[speed]);
  process.stdout.write(`${JSON.stringify({ speed, sightings: fitted, confidence }, null, 2)}\n\n`);
  print('', ...COLUMNS);
  print(...Array.from({ length: COLUMNS.length + 1 }, () => '---'));
  for (const { name, rated } of lines) {
    const cells = cellsOf(rated, confidence.certain);
    const auroc = cells.pop() ?? null;
    print(name, ...cells.map(percent), auroc?.toFixed(3) ?? '-');
  }
  process.stdout.write('\n');
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
      fit: { type: 'boolean', default: false },
    },
  });
  const { data } = values;
  if (data === undefined) throw new Error(`name the folder of the pictures to judge with: --data FOLDER. ${PICTURES}`);
  const sizes = readSizes(values.sizes);
  const { folds, trays, manifest } = await load(
    data,
    values['fold-models'].split(','),
    values.fit ? FITTED_STRANGERS : Math.max(...sizes),
    values.fit,
  );
  for (const speed of SPEEDS) {
    if (values.fit) {
      printFit(folds, trays, speed);
      continue;
    }
    const seen = new Map(galleriesOf(sizes).map((gallery) => [gallery, sightingsOf(folds, gallery, speed)]));
    printTable(seen, speed, manifest);
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
