/**
 * Inference alone: the shipped model beside others, in one process, turn by turn, on one core.
 *
 *     node scripts/bench/inference.ts [--model models/lane-embed-1.json] [--runs 300] [--beside FOLDER_OF_TFLITE_FILES]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type OpenModel, openModel, type TensorValues } from '../../firmware/recognition/embedding/litert.ts';
import { loadModel } from '../../firmware/recognition/embedding/manifest.ts';
import { amountOf } from './quick.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const WARM_RUNS = 20;
const LIMIT_MS = 8;

interface Contestant {
  readonly name: string;
  readonly model: OpenModel;
  readonly values: TensorValues;
  readonly times: number[];
}

async function contestant(name: string, bytes: Uint8Array): Promise<Contestant> {
  const model = await openModel(bytes);
  const size = model.input.shape.reduce((product, side) => product * side, 1);
  const pixels = Uint8Array.from({ length: size }, (_, at) => (at * 37) % 251);
  const values = model.input.dtype === 'uint8' ? pixels : Float32Array.from(pixels, (pixel) => pixel / 127.5 - 1);
  return { name, model, values, times: [] };
}

function quantile(times: readonly number[], share: number): string {
  const sorted = times.toSorted((one, other) => one - other);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2);
}

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: join(ROOT, 'models/lane-embed-1.json') },
    runs: { type: 'string', default: String(amountOf({ full: 300, quick: 3 })) },
    quick: { type: 'boolean' },
    beside: { type: 'string' },
  },
});
const contestants: Contestant[] = [];
const { bytes, identity } = await loadModel(values.model);
contestants.push(await contestant(identity, bytes));
const { beside } = values;
if (beside === undefined) process.stdout.write('SKIPPED other models: no --beside FOLDER was named\n');
else
  for (const file of readdirSync(beside).filter((name) => name.endsWith('.tflite')))
    contestants.push(await contestant(basename(file, '.tflite'), readFileSync(join(beside, file))));

for (let run = -WARM_RUNS; run < Number(values.runs); run++) {
  for (const { model, values: input, times } of contestants) {
    const began = performance.now();
    await model.run(input);
    if (run >= 0) times.push(performance.now() - began);
  }
}

process.stdout.write(`${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}, ${values.runs} runs each\n`);
for (const { name, model, times } of contestants) {
  const shape = `${model.input.dtype} ${model.input.shape.join('×')} to ${model.output.dtype} ${model.output.shape.join('×')}`;
  process.stdout.write(`${name}: p50 ${quantile(times, 0.5)} ms, p99 ${quantile(times, 0.99)} ms (${shape})\n`);
  model.close();
}
const [own] = contestants;
const verdict = Number(quantile(own?.times ?? [], 0.5)) <= LIMIT_MS ? 'within' : 'ABOVE';
process.stdout.write(`p50 of the shipped model is ${verdict} the limit of ${LIMIT_MS} ms\n`);
