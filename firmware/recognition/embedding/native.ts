/**
 * Runs a model in LiteRT's native runtime, in a child process (`native/look.c` describes its protocol). It is up to
 * three times as fast as WebAssembly and takes a fifth of the memory. No fault in it can end the device's own process.
 *
 * A release has the program and the library in `bin/litert`; a clone runs WebAssembly. The runtime is trusted once it has
 * made the vector of a known picture that the manifest names (`selfTest`).
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import {
  AskedWorker,
  type AskedWorkerOptions,
  type Workplace,
  type WorkplaceEvents,
} from '../../../drivers/lib/asked-worker.ts';
import { toUnitVector } from '../model/vectors.ts';
import type { Manifest, VerifiedModel } from './manifest.ts';
import {
  type Answer,
  type ModelTensors,
  mismatch,
  type Question,
  type TensorShape,
  toInput,
  toReal,
} from './tensors.ts';

/** One thread per process: two processes with a look each are faster than two looks with two threads each. */
const THREADS = '1';
/** Longest line; the first line of the program is far shorter. */
const MAX_LINE_BYTES = 4096;
/** By how much a number of the known vector may differ: other instructions round differently, measured 2e-7. */
const SELF_TEST_TOLERANCE = 1e-3;

export interface NativeFiles {
  readonly program: string;
  readonly library: string;
}

/** The files of a folder; null where it lacks one of them. */
export function nativeIn(folder: string): NativeFiles | null {
  const files = { program: join(folder, 'look'), library: join(folder, 'libLiteRt.so') };
  return existsSync(files.program) && existsSync(files.library) ? files : null;
}

/** The known picture of the self-test: a pattern without a meaning. */
export const selfTestPicture = ({ width, height, channels }: Manifest['input']): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: width * height * channels }, (_, at) => (at * 37) % 251);

/** How the vector differs from the manifest's, or null. */
function selfTestFault(vector: Float32Array, expected: readonly number[]): string | null {
  const at = expected.findIndex(
    (value, place) => !(Math.abs((vector[place] ?? Number.NaN) - value) <= SELF_TEST_TOLERANCE),
  );
  return at < 0
    ? null
    : `number ${at} of the known picture's vector is ${vector[at]}, the manifest says ${expected[at]}`;
}

function tensorOf(dtype: string, sizes: string): TensorShape | null {
  if (dtype !== 'float32' && dtype !== 'int32' && dtype !== 'uint8') return null;
  return { dtype, shape: sizes.split('x').map(Number) };
}

/** Reads the tensors from the line `ready uint8 1x224x224x3 float32 1x256`. */
function tensorsOf(line: string): ModelTensors | null {
  const [word, inputType = '', inputSizes = '', outputType = '', outputSizes = ''] = line.split(' ');
  const input = tensorOf(inputType, inputSizes);
  const output = tensorOf(outputType, outputSizes);
  return word === 'ready' && input !== null && output !== null ? { input, output } : null;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Turns the program's output into answers. */
class Conversation {
  readonly #child: Child;
  readonly #manifest: Manifest;
  readonly #say: (answer: Answer) => void;
  readonly #fail: (error: Error) => void;
  /** Whether a picture was sent, so that its vector must follow. */
  #isAsked = false;
  #had: Buffer = Buffer.alloc(0);
  #stage: 'starting' | 'self-test' | 'asked' | 'over' = 'starting';

  constructor(child: Child, manifest: Manifest, { onAnswer, onFailed }: WorkplaceEvents<Answer>) {
    this.#child = child;
    this.#manifest = manifest;
    this.#say = onAnswer;
    this.#fail = onFailed;
  }

  hear(chunk: Buffer): void {
    if (this.#stage === 'over') return;
    this.#had = Buffer.concat([this.#had, chunk]);
    if (this.#stage === 'starting') this.#hearLine();
    else this.#hearVector();
  }

  ask(pixels: Uint8Array<ArrayBuffer>): void {
    this.#isAsked = true;
    const { buffer, byteOffset, byteLength } = toInput(pixels, this.#manifest.input);
    this.#child.stdin.write(new Uint8Array(buffer, byteOffset, byteLength));
  }

  #hearLine(): void {
    const end = this.#had.indexOf('\n');
    if (end < 0 && this.#had.length <= MAX_LINE_BYTES) return;
    const [line = ''] = this.#had.toString('utf8', 0, MAX_LINE_BYTES).split('\n', 1);
    this.#had = this.#had.subarray(end + 1);
    const tensors = tensorsOf(line);
    const difference = tensors === null ? null : mismatch(tensors, this.#manifest);
    if (tensors === null) this.#refuse('not-loadable', line);
    else if (difference !== null) this.#refuse('shape-mismatch', difference);
    else {
      this.#stage = 'self-test';
      this.ask(selfTestPicture(this.#manifest.input));
    }
  }

  #hearVector(): void {
    const { dtype, dimension } = this.#manifest.output;
    const bytes = dtype === 'uint8' ? dimension : dimension * Float32Array.BYTES_PER_ELEMENT;
    if (this.#had.length > (this.#isAsked ? bytes : 0)) this.#distrust();
    else if (this.#had.length === bytes) {
      const raw = new Uint8Array(this.#had); // a copy, which begins at a multiple of four
      this.#had = Buffer.alloc(0);
      this.#isAsked = false;
      this.#answer(dtype === 'uint8' ? raw : new Float32Array(raw.buffer));
    }
  }

  #answer(raw: Uint8Array | Float32Array): void {
    try {
      const vector = toUnitVector(toReal(raw, this.#manifest.output));
      if (this.#stage === 'asked') this.#say({ kind: 'vector', vector });
      else this.#judge(selfTestFault(vector, this.#manifest.selfTest ?? []));
    } catch (error) {
      if (this.#stage === 'asked') this.#say({ kind: 'error', message: String(error) });
      else this.#judge(String(error));
    }
  }

  #judge(fault: string | null): void {
    if (fault === null) {
      this.#stage = 'asked';
      this.#say({ kind: 'ready' });
    } else this.#refuse('not-loadable', fault);
  }

  /** Ends the conversation: the program's output may be the vector of another picture. */
  #distrust(): void {
    this.#stage = 'over';
    this.#fail(new Error('it wrote more than it was asked for'));
  }

  #refuse(code: 'not-loadable' | 'shape-mismatch', message: string): void {
    this.#stage = 'over';
    this.#say({ kind: 'failed', code, message });
  }
}

const NOWHERE: Workplace<Question> = { post: () => undefined, stop: () => Promise.resolve() };

/** Starts the program; a child for which the system lacks memory or files counts as failed, too. */
function startChild(files: NativeFiles, model: VerifiedModel, events: WorkplaceEvents<Answer>): Workplace<Question> {
  try {
    return spawnChild(files, model, events);
  } catch (error) {
    process.nextTick(events.onFailed, error); // after a better reason, which the child itself may have
    return NOWHERE;
  }
}

/** @throws {Error} as `spawn` for most faults of the system; without a free file it makes a child that has no pipes */
function spawnChild(
  { program, library }: NativeFiles,
  { path, manifest }: VerifiedModel,
  events: WorkplaceEvents<Answer>,
): Workplace<Question> {
  const { onFailed, onEnded } = events;
  // nothing of the environment: it holds what a library has no business with
  const child = spawn(program, [library, path, THREADS], { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
  child.on('error', onFailed);
  const conversation = new Conversation(child, manifest, events);
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stdin.on('error', () => undefined); // it is gone, which `close` says with its code
  child.stdout.on('data', (chunk: Buffer) => conversation.hear(chunk));
  child.once('close', (code, signal) => onEnded(signal === null ? `code ${code}` : `signal ${signal}`));
  return {
    post: ({ pixels }) => conversation.ask(pixels),
    stop: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** Says `ready` once it has made the known vector, or `failed`; the model's manifest has a `selfTest`. */
export const startNative = (
  files: NativeFiles,
  model: VerifiedModel,
  options: AskedWorkerOptions,
): AskedWorker<Question, Answer> =>
  new AskedWorker<Question, Answer>((events) => startChild(files, model, events), options);
