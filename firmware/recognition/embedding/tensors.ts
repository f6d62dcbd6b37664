/** Converts pictures to a model's input tensors and its output to vectors, the same for every runtime. */
import type { Manifest } from './manifest.ts';

export interface TensorShape {
  readonly dtype: 'float32' | 'int32' | 'uint8';
  /** Sizes of all axes, the batch first. */
  readonly shape: readonly number[];
}

export type TensorValues = Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** A model with exactly one input and one output. */
export interface ModelTensors {
  readonly input: TensorShape;
  readonly output: TensorShape;
}

/** The messages of a runtime in its own thread or process: first `ready` or `failed`, then an `Answer` to each `Question`. */
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
export function mismatch(model: ModelTensors, { input, output }: Manifest): string | null {
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

/** The values of a model's input: the pixels themselves (uint8), or (pixel - mean) * scale (float32). */
export function toInput(
  pixels: Uint8Array<ArrayBuffer>,
  { dtype, mean = [0, 0, 0], scale = [1, 1, 1] }: Manifest['input'],
): Uint8Array<ArrayBuffer> | Float32Array<ArrayBuffer> {
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
export function toReal(raw: ArrayLike<number>, { dtype, scale = 1, zeroPoint = 0 }: Manifest['output']): Float64Array {
  return Float64Array.from(raw, dtype === 'uint8' ? (value) => (value - zeroPoint) * scale : (value) => value);
}
