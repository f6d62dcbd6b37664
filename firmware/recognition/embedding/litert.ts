/**
 * LiteRT (`@litertjs/core`) outside a browser. The package is written for web workers: it loads its WebAssembly glue
 * with `importScripts` and writes to the console. Here is the smallest set of globals that it needs under Node. It must
 * run in a worker thread, so that neither the globals nor an abort of the WebAssembly can touch the rest of the
 * process.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import type { ModelTensors, TensorValues } from './tensors.ts';

/** A compiled model with exactly one input and one output. Runs must not overlap. */
export interface OpenModel extends ModelTensors {
  /** `values` has as many entries as `input.shape` holds; the result is a copy. */
  run(values: TensorValues): Promise<ArrayLike<number>>;
  close(): void;
}

const silent = (): void => undefined;

/** Runs a classic script as `importScripts` would; the glue leaves its factory in a global variable of its name. */
function runScript(path: string): void {
  const source = `${readFileSync(path, 'utf8')}\nreturn ModuleFactory;`;
  const run = compileFunction(source, ['require', '__filename', '__dirname'], { filename: path });
  Object.assign(globalThis, { ModuleFactory: run(createRequire(path), path, dirname(path)) });
}

async function load(): Promise<typeof import('@litertjs/core')> {
  Object.assign(globalThis, {
    self: globalThis,
    Module: { print: silent, printErr: silent },
    importScripts: runScript,
  });
  const litert = await import('@litertjs/core');
  const wasm = join(dirname(fileURLToPath(import.meta.resolve('@litertjs/core'))), '..', 'wasm');
  // it warns on the console that there is no WebGPU, which no lane has
  const { warn } = console;
  console.warn = silent;
  try {
    await litert.loadLiteRt(`${wasm}/`, { threads: false });
  } finally {
    console.warn = warn;
  }
  return litert;
}

let loaded: ReturnType<typeof load> | undefined;

/**
 * Compiles a model. Each failed attempt leaks the file's size inside the runtime: end the thread after one.
 * @throws {Error} of the runtime, when it cannot read the file, or when the model has several inputs or outputs
 */
export async function openModel(bytes: Uint8Array): Promise<OpenModel> {
  loaded ??= load();
  const { loadAndCompile, Tensor } = await loaded;
  const model = await loadAndCompile(bytes, { accelerator: 'wasm' });
  const inputs = model.getInputDetails();
  const outputs = model.getOutputDetails();
  const [input, output] = [inputs[0], outputs[0]];
  if (input === undefined || output === undefined || inputs.length > 1 || outputs.length > 1) {
    model.delete();
    throw new Error(`the model has ${inputs.length} inputs and ${outputs.length} outputs, expected one of each`);
  }
  const shape = Array.from(input.shape);
  return {
    input: { dtype: input.dtype, shape },
    output: { dtype: output.dtype, shape: Array.from(output.shape) },
    async run(values) {
      // every tensor lives in the WebAssembly heap, which never shrinks: a forgotten one is lost for good
      const tensor = new Tensor(values, shape);
      try {
        const results = await model.run([tensor]);
        try {
          const [result] = results;
          if (result === undefined) throw new Error('the model answered no tensor');
          return result.toTypedArray();
        } finally {
          for (const result of results) result.delete();
        }
      } finally {
        tensor.delete();
      }
    },
    close: () => model.delete(),
  };
}
