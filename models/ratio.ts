/**
 * Learns the likelihood ratio of a model (`firmware/recognition/matching/ratio.ts`) from the vectors of the items that it was trained with,
 * and writes it into its manifest: of the fold models from the items of the other fold, of the shipped one from all.
 *
 *     node models/ratio.ts --data FOLDER [--model models/lane-embed-1.json] [--fold-models FIRST.json,SECOND.json]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../drivers/lib/errors.ts';
import { parseManifest } from '../firmware/recognition/embedding/manifest.ts';
import { embedPictures } from './evaluation/embeddings.ts';
import { FOLD_MODELS, PICTURES, type Row, readFolds, readIndex } from './evaluation/protocol.ts';
import { learnRatio } from './gallery/ratio.ts';

/** Nets whose vectors stand side by side in one. */
const PARTS = 2;

async function learn(path: string, data: string, rows: readonly Row[], hidden: readonly string[]): Promise<void> {
  const { vectors } = await embedPictures(path, data, rows);
  const trained = Map.groupBy(
    vectors.normal.map((vector, at) => ({ vector, item: rows[at]?.item ?? '' })),
    ({ item }) => item,
  );
  const items = [...trained].filter(([item]) => !hidden.includes(item));
  const ratio = learnRatio(
    items.map(([, looks]) => looks.map(({ vector }) => vector)),
    PARTS,
  );
  const before: object = JSON.parse(readFileSync(path, 'utf8'));
  const text = `${JSON.stringify({ ...before, ratio }, null, 2)}\n`;
  parseManifest(text);
  writeFileSync(path, text);
  process.stdout.write(`${path}: learned from ${items.length} items\n`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      model: { type: 'string', default: join(import.meta.dirname, 'lane-embed-1.json') },
      'fold-models': { type: 'string', default: FOLD_MODELS.join(',') },
    },
  });
  const { data } = values;
  if (data === undefined) throw new Error(`name the folder of the pictures to learn from: --data FOLDER. ${PICTURES}`);
  const rows = readIndex(data);
  const { folds } = readFolds(rows);
  for (const [at, path] of values['fold-models'].split(',').entries()) await learn(path, data, rows, folds[at] ?? []);
  await learn(values.model, data, rows, []);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
