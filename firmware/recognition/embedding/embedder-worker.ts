/**
 * The worker thread that owns LiteRT in WebAssembly: one model, one picture at a time. It starts with `workerData` of type
 * `WorkerStart`, answers once with `ready` or `failed`, then an `Answer` to each `Question`.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { toUnitVector } from '../model/vectors.ts';
import { type OpenModel, openModel } from './litert.ts';
import type { Manifest } from './manifest.ts';
import { type Answer, mismatch, type Question, toInput, toReal } from './tensors.ts';

interface WorkerStart {
  readonly bytes: Uint8Array;
  readonly manifest: Manifest;
}

async function main({ bytes, manifest }: WorkerStart): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('embedder-worker.ts runs in a worker thread only');
  const send = (answer: Answer, transfer: ArrayBuffer[] = []): void => port.postMessage(answer, transfer);

  let model: OpenModel;
  try {
    model = await openModel(bytes);
  } catch (error) {
    return send({ kind: 'failed', code: 'not-loadable', message: String(error) });
  }
  const difference = mismatch(model, manifest);
  if (difference !== null) return send({ kind: 'failed', code: 'shape-mismatch', message: difference });

  const { width, height, channels } = manifest.input;
  // the first run prepares buffers and takes ten times as long as the others
  await model.run(toInput(new Uint8Array(width * height * channels), manifest.input));

  port.on('message', async ({ pixels }: Question) => {
    try {
      const vector = toUnitVector(toReal(await model.run(toInput(pixels, manifest.input)), manifest.output));
      send({ kind: 'vector', vector }, [vector.buffer]);
    } catch (error) {
      send({ kind: 'error', message: String(error) });
    }
  });
  send({ kind: 'ready' });
}

await main(workerData);
