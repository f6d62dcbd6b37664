/**
 * Judges a model through the device's own embedder and classifier, on the pictures of a folder (`index.csv` lists them), beside
 * two baselines that are computed in the same run where the public MobileNet v1 extractor is named. Queries are seen at both speeds, templates always with all looks.
 *
 *     node models/evaluate.ts --data FOLDER [--baseline MOBILENET_V1_EXTRACTOR.tflite]
 *                             [--model models/lane-embed-1.json] [--fold-models FIRST.json,SECOND.json]
 *
 * The shipped model was trained on all items of this data, so its own row is marked: the honest rows are those of the
 * fold models, trained in the same way but without the fold that they are judged on (the first on the first fold).
 * Of a set that `lanectl dataset record` has made all items are asked of that model alone, which has seen none of them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../drivers/lib/errors.ts';
import { SPEEDS, type Speed } from '../firmware/core/config/choices.ts';
import { isRecordedSet } from '../firmware/lanectl/commands/recorded-set.ts';
import type { Manifest } from '../firmware/recognition/embedding/manifest.ts';
import { type Embeddings, embedPictures } from './evaluation/embeddings.ts';
import { extractorManifest } from './evaluation/extractor.ts';
import { classifier, type Figures, type Head, judge, meanPrototype, nearestTemplate } from './evaluation/judge.ts';
import {
  FOLD_MODELS,
  oneFold,
  PICTURES,
  type Row,
  readFolds,
  readIndex,
  TEMPLATE_COUNTS,
} from './evaluation/protocol.ts';
import { learnWhitening } from './evaluation/whitening.ts';

interface Contestant {
  readonly name: string;
  readonly vectorsOf: (fold: number) => readonly Float32Array[];
  readonly head: Head;
}

/** Vectors of the public extractor, by a manifest that is made for it here. */
async function embedBaseline(file: string, data: string, rows: readonly Row[]): Promise<Embeddings> {
  const bytes = readFileSync(file);
  const folder = mkdtempSync(join(tmpdir(), 'laneware-baseline-'));
  try {
    writeFileSync(join(folder, 'model.tflite'), bytes);
    writeFileSync(join(folder, 'model.json'), JSON.stringify(extractorManifest(bytes)));
    return await embedPictures(join(folder, 'model.json'), data, rows);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Baseline vectors whitened for the judging of each fold, by what the other folds show. */
function whitenedFor(rows: readonly Row[], folds: readonly (readonly string[])[], vectors: readonly Float32Array[]) {
  return folds.map((judged) => {
    const byItem = new Map<string, Float32Array[]>();
    for (const [at, { item }] of rows.entries()) {
      const vector = vectors[at];
      if (judged.includes(item) || vector === undefined) continue;
      byItem.set(item, [...(byItem.get(item) ?? []), vector]);
    }
    const whiten = learnWhitening([...byItem.values()]);
    const wanted = new Set(judged);
    return rows.map(({ item }, at) =>
      wanted.has(item) ? whiten(vectors[at] ?? new Float32Array(0)) : new Float32Array(0),
    );
  });
}

async function baselines(file: string, data: string, rows: readonly Row[], folds: readonly (readonly string[])[]) {
  const {
    vectors: { fast: vectors },
  } = await embedBaseline(file, data, rows);
  const nearest = { name: 'MobileNet v1, nearest template', vectorsOf: () => vectors, head: nearestTemplate };
  if (folds.length === 1) return [nearest]; // nothing else to learn a whitening from
  const whitened = whitenedFor(rows, folds, vectors);
  return [
    nearest,
    {
      name: 'MobileNet v1, whitened, prototype',
      vectorsOf: (fold: number) => whitened[fold] ?? [],
      head: meanPrototype,
    },
  ];
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean and standard deviation over draws and folds. */
function spread(figures: readonly Figures[], key: keyof Figures, digits: number): string {
  const values = figures.map((one) => one[key]).filter((value) => value !== null);
  if (values.length === 0) return '-';
  const middle = mean(values);
  const deviation = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
  return `${middle.toFixed(digits)} ± ${deviation.toFixed(digits)}`;
}

const COLUMNS = [
  'top-1 %',
  'top-3 %',
  'AUROC',
  'certain %',
  'of these wrong %',
  'unknown flagged %',
  'unknown certain %',
];

function printRow(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function printTable(
  rows: readonly Row[],
  folds: readonly (readonly string[])[],
  contestants: readonly Contestant[],
): void {
  printRow(['model', 'templates', ...COLUMNS]);
  printRow(['---', '---', ...COLUMNS.map(() => '---')]);
  const pools = Map.groupBy(
    rows.filter(({ split }) => split !== 'test'),
    ({ item }) => item,
  );
  const most = Math.max(...[...pools.values()].map(({ length }) => length));
  for (const { name, vectorsOf, head } of contestants) {
    for (const count of TEMPLATE_COUNTS.filter((each) => each <= most)) {
      const figures = judge(rows, folds, vectorsOf, count, head);
      const verdict = (['certain', 'wrong', 'flagged', 'fooled'] as const).map((key) => spread(figures, key, 1));
      printRow([
        name,
        `${count}`,
        spread(figures, 'top1', 1),
        spread(figures, 'top3', 1),
        spread(figures, 'auroc', 3),
        ...verdict,
      ]);
    }
  }
}

/** A row for each speed of queries. */
const atEachSpeed = (
  name: string,
  manifest: Manifest,
  vectorsOf: (speed: Speed, fold: number) => readonly Float32Array[],
) =>
  SPEEDS.map((speed) => ({
    name: `${name}, ${speed}`,
    vectorsOf: (fold: number) => vectorsOf(speed, fold),
    head: classifier({ ...manifest, dimension: manifest.output.dimension }, speed),
  }));

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      model: { type: 'string', default: join(import.meta.dirname, 'lane-embed-1.json') },
      'fold-models': { type: 'string', default: FOLD_MODELS.join(',') },
      baseline: { type: 'string' },
    },
  });
  const { data, baseline } = values;
  if (data === undefined) throw new Error(`name the folder of the pictures to judge with: --data FOLDER. ${PICTURES}`);
  const rows = readIndex(data);
  const isRecorded = isRecordedSet(data);
  const { folds, source } = isRecorded ? oneFold(rows) : readFolds(rows);
  const items = folds.flat().length;
  process.stdout.write(`${rows.length} pictures of ${items} items; folds: ${source}\n\n`);

  const contestants: Contestant[] = [];
  if (baseline !== undefined) contestants.push(...(await baselines(baseline, data, rows, folds)));
  else process.stdout.write('SKIPPED both baselines: no --baseline FILE was named\n');
  if (values['fold-models'] !== '' && !isRecorded) {
    const models: Embeddings[] = [];
    for (const path of values['fold-models'].split(',')) models.push(await embedPictures(path, data, rows));
    const [first] = models;
    if (first === undefined || models.length !== folds.length)
      throw new Error(`--fold-models needs ${folds.length} manifests`);
    const vectorsOf = (speed: Speed, fold: number) => models[fold]?.vectors[speed] ?? [];
    contestants.push(...atEachSpeed('ours, without the judged fold', first.manifest, vectorsOf));
  }
  const { manifest, vectors } = await embedPictures(values.model, data, rows);
  const seen = `${manifest.name} ${manifest.version} (${basename(values.model)})${isRecorded ? '' : ', seen in training'}`;
  contestants.push(...atEachSpeed(seen, manifest, (speed) => vectors[speed]));
  printTable(rows, folds, contestants);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
