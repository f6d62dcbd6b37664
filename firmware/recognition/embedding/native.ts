/**
 * Runs a model in LiteRT's native runtime, in a child process (`native/look.c` describes its protocol). This is up to
 * three times as fast as WebAssembly and takes a fifth of the memory. No fault in it can end the device's own process.
 *
 * A release has the program and the library in `bin/litert`; a clone runs WebAssembly. The runtime is trusted once it has
 * computed the vector of a known picture that the manifest holds (`selfTest`).
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
/** The most bytes that are awaited as the program's first line; a right one is far shorter. */
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
  readonly #onAnswer: (answer: Answer) => void;
  readonly #fail: (error: Error) => void;
  /** Whether the vector of a picture that was sent is still to come. */
  #isAwaiting = false;
  #received: Buffer = Buffer.alloc(0);
  #stage: 'starting' | 'self-test' | 'asked' | 'over' = 'starting';

  constructor(child: Child, manifest: Manifest, { onAnswer, onFailed }: WorkplaceEvents<Answer>) {
    this.#child = child;
    this.#manifest = manifest;
    this.#onAnswer = onAnswer;
    this.#fail = onFailed;
  }

  hear(chunk: Buffer): void {
    if (this.#stage === 'over') return;
    this.#received = Buffer.concat([this.#received, chunk]);
    if (this.#stage === 'starting') this.#readLine();
    else this.#readVector();
  }

  ask(pixels: Uint8Array<ArrayBuffer>): void {
    this.#isAwaiting = true;
    const { buffer, byteOffset, byteLength } = toInput(pixels, this.#manifest.input);
    this.#child.stdin.write(new Uint8Array(buffer, byteOffset, byteLength));
  }

  #readLine(): void {
    const end = this.#received.indexOf('\n');
    if (end < 0 && this.#received.length <= MAX_LINE_BYTES) return;
    const [line = ''] = this.#received.toString('utf8', 0, MAX_LINE_BYTES).split('\n', 1);
    this.#received = this.#received.subarray(end + 1);
    const tensors = tensorsOf(line);
    const difference = tensors === null ? null : mismatch(tensors, this.#manifest);
    if (tensors === null) this.#refuse('not-loadable', line);
    else if (difference !== null) this.#refuse('shape-mismatch', difference);
    else {
      this.#stage = 'self-test';
      this.ask(selfTestPicture(this.#manifest.input));
    }
  }

  #readVector(): void {
    const { dtype, dimension } = this.#manifest.output;
    const bytes = dtype === 'uint8' ? dimension : dimension * Float32Array.BYTES_PER_ELEMENT;
    if (this.#received.length > (this.#isAwaiting ? bytes : 0)) this.#distrust();
    else if (this.#received.length === bytes) {
      const raw = new Uint8Array(this.#received); // a copy, which begins at a multiple of four
      this.#received = Buffer.alloc(0);
      this.#isAwaiting = false;
      this.#answer(dtype === 'uint8' ? raw : new Float32Array(raw.buffer));
    }
  }

  #answer(raw: Uint8Array | Float32Array): void {
    try {
      const vector = toUnitVector(toReal(raw, this.#manifest.output));
      if (this.#stage === 'asked') this.#onAnswer({ kind: 'vector', vector });
      else this.#endSelfTest(selfTestFault(vector, this.#manifest.selfTest ?? []));
    } catch (error) {
      if (this.#stage === 'asked') this.#onAnswer({ kind: 'error', message: String(error) });
      else this.#endSelfTest(String(error));
    }
  }

  #endSelfTest(fault: string | null): void {
    if (fault === null) {
      this.#stage = 'asked';
      this.#onAnswer({ kind: 'ready' });
    } else this.#refuse('not-loadable', fault);
  }

  /** Ends the conversation: the program's output may be the vector of another picture. */
  #distrust(): void {
    this.#stage = 'over';
    this.#fail(new Error('it wrote more than it was asked for'));
  }

  #refuse(code: 'not-loadable' | 'shape-mismatch', message: string): void {
    this.#stage = 'over';
    this.#onAnswer({ kind: 'failed', code, message });
  }
}

const NOWHERE: Workplace<Question> = { post: () => undefined, stop: () => Promise.resolve() };

/** Starts the program; a child for which the system lacks memory or files counts as failed, too. */
function startChild(files: NativeFiles, model: VerifiedModel, events: WorkplaceEvents<Answer>): Workplace<Question> {
  try {
    return spawnChild(files, model, events);
  } catch (error) {
    process.nextTick(events.onFailed, error); // after the child's own `error` event, whose reason is better
    return NOWHERE;
  }
}

/** @throws {Error} of `spawn`, or of a child without pipes, which `spawn` makes where no file descriptor is free */
function spawnChild(
  { program, library }: NativeFiles,
  { path, manifest }: VerifiedModel,
  events: WorkplaceEvents<Answer>,
): Workplace<Question> {
  const { onFailed, onEnded } = events;
  // an empty environment: that of the device holds what the library must not read
  const child = spawn(program, [library, path, THREADS], { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
  child.on('error', onFailed);
  const conversation = new Conversation(child, manifest, events);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stdin.on('error', () => undefined); // the child has ended: `close` follows with its code
  child.stdout.on('data', (chunk: Buffer) => conversation.hear(chunk));
  child.once('close', (code, signal) => onEnded(signal === null ? `code ${code}` : `signal ${signal}`));
  return {
    post: ({ pixels }) => conversation.ask(pixels),
    stop: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** Answers `ready` once it has computed the known vector, or `failed`. The model's manifest must have a `selfTest`. */
export const startNative = (
  files: NativeFiles,
  model: VerifiedModel,
  options: AskedWorkerOptions,
): AskedWorker<Question, Answer> =>
  new AskedWorker<Question, Answer>((events) => startChild(files, model, events), options);
