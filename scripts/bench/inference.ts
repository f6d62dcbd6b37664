/**
 * Measures inference alone: the shipped model beside others, in one process, in turns, on one core.
 *
 *     node scripts/bench/inference.ts [--model models/lane-embed-1.json] [--runs 300] [--beside FOLDER_OF_TFLITE_FILES]
 *
 * Also in the native runtime, where `scripts/native.sh` has made it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type OpenModel, openModel } from '../../firmware/recognition/embedding/litert.ts';
import { loadModel, type VerifiedModel } from '../../firmware/recognition/embedding/manifest.ts';
import {
  type NativeFiles,
  nativeIn,
  selfTestPicture,
  startNative,
} from '../../firmware/recognition/embedding/native.ts';
import { percentile } from './firmware.ts';
import { amountOf } from './quick.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const WARM_RUNS = 20;
const LIMIT_MS = 20;
const NATIVE = 'native LiteRT';
const START_LIMIT_MS = 30_000;
const RUN_LIMIT_MS = 10_000;

interface Contestant {
  readonly name: string;
  readonly shape: string;
  /** Runs one inference; returns its milliseconds. */
  readonly run: () => Promise<number>;
  readonly close: () => void;
  readonly times: number[];
}

const shapeOf = ({ input, output }: OpenModel): string =>
  `${input.dtype} ${input.shape.join('×')} to ${output.dtype} ${output.shape.join('×')}`;

async function contestant(name: string, bytes: Uint8Array): Promise<Contestant> {
  const model = await openModel(bytes);
  const size = model.input.shape.reduce((product, side) => product * side, 1);
  const pixels = Uint8Array.from({ length: size }, (_, at) => (at * 37) % 251);
  const values = model.input.dtype === 'uint8' ? pixels : Float32Array.from(pixels, (pixel) => pixel / 127.5 - 1);
  const run = async (): Promise<number> => {
    const began = performance.now();
    await model.run(values);
    return performance.now() - began;
  };
  return { name, shape: shapeOf(model), run, close: () => model.close(), times: [] };
}

/** The same file in the native runtime, called as the device calls it. */
function native(files: NativeFiles, model: VerifiedModel): Contestant {
  const worker = startNative(files, model, { name: NATIVE });
  const pixels = selfTestPicture(model.manifest.input);
  const ready = worker.hear(START_LIMIT_MS);
  const run = async (): Promise<number> => {
    const first = await ready;
    if (first.kind === 'failed') throw new Error(first.message);
    const began = performance.now();
    await worker.ask({ pixels }, RUN_LIMIT_MS);
    return performance.now() - began;
  };
  return { name: NATIVE, shape: 'the same file', run, close: () => void worker.end(), times: [] };
}

const quantile = (times: readonly number[], share: number): string => percentile(times, share).toFixed(2);

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: join(ROOT, 'models/lane-embed-1.json') },
    runs: { type: 'string', default: String(amountOf({ full: 300, quick: 3 })) },
    quick: { type: 'boolean' },
    beside: { type: 'string' },
  },
});
const contestants: Contestant[] = [];
const model = await loadModel(values.model);
contestants.push(await contestant(model.identity, model.bytes));
const { beside } = values;
if (beside === undefined) process.stdout.write('SKIPPED other models: no --beside FOLDER was named\n');
else
  for (const file of readdirSync(beside).filter((name) => name.endsWith('.tflite')))
    contestants.push(await contestant(basename(file, '.tflite'), readFileSync(join(beside, file))));
const files = nativeIn(join(ROOT, 'bin/litert'));
if (files === null) process.stdout.write('SKIPPED the native runtime: scripts/native.sh makes it\n');
else contestants.push(native(files, model));

for (let run = -WARM_RUNS; run < Number(values.runs); run++) {
  for (const { run: inference, times } of contestants) {
    const took = await inference();
    if (run >= 0) times.push(took);
  }
}

process.stdout.write(`${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}, ${values.runs} runs each\n`);
for (const { name, shape, times, close } of contestants) {
  process.stdout.write(`${name}: p50 ${quantile(times, 0.5)} ms, p99 ${quantile(times, 0.99)} ms (${shape})\n`);
  close();
}
const [own] = contestants;
const verdict = Number(quantile(own?.times ?? [], 0.5)) <= LIMIT_MS ? 'within' : 'ABOVE';
process.stdout.write(`p50 of the shipped model is ${verdict} the limit of ${LIMIT_MS} ms\n`);
const yardstick = contestants.find(({ name }) => name === NATIVE);
if (yardstick !== undefined) {
  const ratio = Number(quantile(own?.times ?? [], 0.5)) / Number(quantile(yardstick.times, 0.5));
  process.stdout.write(`WebAssembly takes ${ratio.toFixed(2)} of the native runtime's time\n`);
}
