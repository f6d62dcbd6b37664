/**
 * The worker thread that owns LiteRT: one model, one picture at a time. It starts with `workerData` of type
 * `WorkerStart`, answers once with `ready` or `failed`, then an `Answer` to each `Question`.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { toUnitVector } from './embedder-vectors.ts';
import { type OpenModel, openModel, type TensorShape, type TensorValues } from './litert.ts';
import type { Manifest } from './manifest.ts';

export interface WorkerStart {
  readonly bytes: Uint8Array;
  readonly manifest: Manifest;
}

export interface Question {
  /** RGB, row by row, of the model's input size. */
  readonly pixels: Uint8Array<ArrayBuffer>;
}

export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly code: 'not-loadable' | 'shape-mismatch'; readonly message: string }
  | { readonly kind: 'vector'; readonly vector: Float32Array<ArrayBuffer> }
  | { readonly kind: 'error'; readonly message: string };

const describe = ({ dtype, shape }: TensorShape): string => `${dtype} ${shape.join('×')}`;

/** What differs between the model and its manifest, or null. */
function mismatch(model: OpenModel, { input, output }: Manifest): string | null {
  const shape = [1, input.height, input.width, input.channels];
  if (model.input.dtype !== input.dtype || model.input.shape.join() !== shape.join()) {
    return `input is ${describe(model.input)}, the manifest says ${describe({ dtype: input.dtype, shape })}`;
  }
  const dimension = model.output.shape.reduce((product, size) => product * size, 1);
  if (model.output.dtype !== output.dtype || dimension !== output.dimension) {
    return `output is ${describe(model.output)}, the manifest says ${output.dtype} of ${output.dimension}`;
  }
  return null;
}

/** Pixels as the model wants them: as they are, or (pixel - mean) * scale. */
function toInput(
  pixels: Uint8Array<ArrayBuffer>,
  { dtype, mean = [0, 0, 0], scale = [1, 1, 1] }: Manifest['input'],
): TensorValues {
  if (dtype === 'uint8') return pixels;
  const values = new Float32Array(pixels.length);
  for (const channel of [0, 1, 2]) {
    const offset = mean[channel] ?? 0;
    const factor = scale[channel] ?? 1;
    for (let at = channel; at < pixels.length; at += 3) values[at] = ((pixels[at] ?? 0) - offset) * factor;
  }
  return values;
}

/** Outputs as real numbers. */
function toReal(raw: ArrayLike<number>, { dtype, scale = 1, zeroPoint = 0 }: Manifest['output']): Float64Array {
  return Float64Array.from(raw, dtype === 'uint8' ? (value) => (value - zeroPoint) * scale : (value) => value);
}

async function main({ bytes, manifest }: WorkerStart): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('embedder-worker.ts runs in a worker thread only');
  const say = (answer: Answer, transfer: ArrayBuffer[] = []): void => port.postMessage(answer, transfer);

  let model: OpenModel;
  try {
    model = await openModel(bytes);
  } catch (error) {
    return say({ kind: 'failed', code: 'not-loadable', message: String(error) });
  }
  const difference = mismatch(model, manifest);
  if (difference !== null) return say({ kind: 'failed', code: 'shape-mismatch', message: difference });

  const { width, height, channels } = manifest.input;
  // the first run prepares buffers and takes ten times as long as the others
  await model.run(toInput(new Uint8Array(width * height * channels), manifest.input));

  let turn = Promise.resolve();
  const answer = async ({ pixels }: Question): Promise<void> => {
    try {
      const vector = toUnitVector(toReal(await model.run(toInput(pixels, manifest.input)), manifest.output));
      say({ kind: 'vector', vector }, [vector.buffer]);
    } catch (error) {
      say({ kind: 'error', message: String(error) });
    }
  };
  port.on('message', (question: Question) => {
    turn = turn.then(() => answer(question));
  });
  say({ kind: 'ready' });
}

await main(workerData);
