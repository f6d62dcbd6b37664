/** The native runtime of the model, with a program in its place that speaks its protocol; `models/native` has the real one. */
import { execFile } from 'node:child_process';
import { chmodSync, closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Embedder, type EmbedderLimits } from '../../firmware/recognition/embedding/embedder.ts';
import { selfTestPicture } from '../../firmware/recognition/embedding/native.ts';
import { EmbedderError } from '../../firmware/recognition/model/embedder-error.ts';
import { toUnitVector } from '../../firmware/recognition/model/vectors.ts';
import { each, failed, until } from '../support.ts';
import { FAULT } from './fixtures/faults.ts';
import { manifestOf, tinyFolder } from './fixtures/models.ts';
import { type NativeProgram, nativeProgram } from './fixtures/native-program.ts';
import { TINY_DIMENSION, TINY_SIDE, tinyModel } from './fixtures/tiny-model.ts';
import { HandTimer } from './hand-timer.ts';

const test = suite('native runtime');
const FEW_FILES = fileURLToPath(new URL('./fixtures/few-files.ts', import.meta.url));
const LIMITS = {
  deadlineMs: 3000,
  startMs: 30_000,
  backoffMs: 100,
  maxBackoffMs: 100,
  stableMs: 600_000,
  lossBudget: 2,
};
const KNOWN = toUnitVector(Float64Array.from(selfTestPicture(manifestOf(tinyModel()).input)));
const SELF_TEST = Array.from(KNOWN.slice(0, 16), (value) => Number(value.toFixed(5)));

/** A picture that the model hands on. */
function picture(first = 0): Uint8Array {
  const pixels = Uint8Array.from({ length: TINY_DIMENSION }, (_, at) => (at * 7) % 199);
  pixels[0] = first;
  return pixels;
}
const vectorOf = (pixels: Uint8Array): Float32Array => toUnitVector(Float64Array.from(pixels));

interface Opening {
  readonly changes?: Readonly<Record<string, unknown>>;
  readonly limits?: Partial<EmbedderLimits>;
  readonly threads?: number;
}

async function open(
  program: NativeProgram,
  { changes = { selfTest: SELF_TEST }, limits = {}, threads = 1 }: Opening = {},
) {
  const folder = tinyFolder(changes);
  const time = new HandTimer();
  const { manifestPath } = folder;
  const embedder = await Embedder.load({
    ...{ manifestPath, native: program.folder, threads, after: time.after },
    limits: { ...LIMITS, ...limits },
  });
  const starting = embedder.start();
  return {
    embedder,
    time,
    starting,
    /** Lets the waits for another worker pass until one is ready. */
    replaced: async () =>
      await until('another worker', () => {
        if (embedder.state.name !== 'ready') time.pass(LIMITS.backoffMs);
        return embedder.state.name === 'ready';
      }),
    [Symbol.asyncDispose]: async () => {
      await embedder.close();
      folder[Symbol.dispose]();
    },
  };
}

const failure = async (work: Promise<unknown>) => (await failed(EmbedderError, work)).code;
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Where the program runs. */
const it = each<[Awaited<ReturnType<typeof open>>, NativeProgram]>(test, (run) => async () => {
  using program = nativeProgram();
  await using opened = await open(program);
  await opened.starting;
  await run(opened, program);
});

it('it makes the vectors of WebAssembly, in a process that knows nothing of the environment', async (opened, program) => {
  assert.equal(opened.embedder.runtime, { name: 'native', nativeFault: null });
  const pixels = [1, 2, 3].map(picture);
  const vectors = await Promise.all(pixels.map((each) => opened.embedder.embed(each)));
  assert.equal(vectors, pixels.map(vectorOf));
  const [start, ...more] = program.starts();
  assert.is(more.length, 0);
  const given = start?.arguments.slice(1).map((each) => each.split('/').at(-1));
  assert.equal(given, ['model.tflite', '1']);
  assert.equal(start?.environment, []);
  assert.is(await failure(opened.embedder.embed(new Uint8Array(TINY_DIMENSION))), 'bad-output');
  assert.equal(await opened.embedder.embed(picture(4)), vectorOf(picture(4)));
});

it('closing ends the process', async (opened, program) => {
  const [start] = program.starts();
  assert.ok(isAlive(start?.pid ?? 0));
  const hung = failure(opened.embedder.embed(picture(FAULT.hang)));
  await opened.embedder.close();
  assert.is(await hung, 'closed');
  assert.not(isAlive(start?.pid ?? 0));
});

const SHAPES_OF_THIS = `ready uint8 1x${TINY_SIDE}x${TINY_SIDE}x3 uint8 1x${TINY_DIMENSION}`;
const SHAPES_OF_ANOTHER = 'ready uint8 1x8x8x3 uint8 1x192';
for (const [what, behaviour, fault] of [
  ['cannot load its library', 'failed dlopen: no such file', 'failed dlopen: no such file'],
  ['has read another model', SHAPES_OF_ANOTHER, 'input is uint8 1×8×8×3'],
  ['makes another vector of the known picture', 'wrong', "number 0 of the known picture's vector"],
  ['makes no vector of the known picture', 'nothing', 'has no direction'],
  ['ends at once', 'die', 'ended with code 3'],
  ['writes something else', 'flood', 'xxx'],
  ['writes a line and more', `${SHAPES_OF_THIS}\nmore`, 'more than it was asked for'],
] as const)
  test(`where it ${what}, WebAssembly runs, with the reason`, async () => {
    using program = nativeProgram(behaviour);
    await using opened = await open(program);
    await opened.starting;
    await opened.replaced();
    const { runtime } = opened.embedder;
    assert.is(runtime?.name, 'webassembly');
    assert.match(runtime?.nativeFault ?? '', fault);
    assert.equal(await opened.embedder.embed(picture(1)), vectorOf(picture(1)));
    const [start, ...more] = program.starts();
    assert.equal(more, [], 'it is not tried again');
    await until('its end', () => !isAlive(start?.pid ?? 0));
  });

test('where it says nothing, WebAssembly takes its place after the time for a start', async () => {
  using program = nativeProgram('hang');
  await using opened = await open(program);
  await until('its start', () => program.starts().length === 1);
  opened.time.pass(LIMITS.startMs);
  await opened.starting;
  await opened.replaced();
  assert.equal(opened.embedder.runtime?.name, 'webassembly');
  assert.match(opened.embedder.runtime?.nativeFault ?? '', 'said nothing for 30000 ms');
});

test('a program that may not be run is as one that fails', async () => {
  using program = nativeProgram();
  chmodSync(join(program.folder, 'look'), 0o644);
  await using opened = await open(program);
  await opened.starting;
  await opened.replaced();
  assert.match(opened.embedder.runtime?.nativeFault ?? '', 'EACCES');
  assert.equal(await opened.embedder.embed(picture(1)), vectorOf(picture(1)));
});

test('a program that is being written is as one that fails', async () => {
  using program = nativeProgram();
  const written = openSync(join(program.folder, 'look'), 'r+');
  await using opened = await open(program);
  await opened.starting;
  await opened.replaced();
  closeSync(written);
  assert.match(opened.embedder.runtime?.nativeFault ?? '', 'ETXTBSY');
  assert.equal(await opened.embedder.embed(picture(1)), vectorOf(picture(1)));
});

test('where no file is free for a process, WebAssembly takes its place once one is', async () => {
  using program = nativeProgram();
  using folder = tinyFolder({ selfTest: SELF_TEST });
  const few = 'ulimit -n 80; exec "$0" "$@"';
  const words = [process.execPath, FEW_FILES, folder.manifestPath, program.folder];
  const { stdout } = await promisify(execFile)('bash', ['-c', few, ...words]);
  const { name, nativeFault } = JSON.parse(stdout);
  assert.is(name, 'webassembly');
  assert.match(nativeFault, /spawn .* EMFILE$/);
});

test('a folder without a file, or without a known vector, is no native runtime and no fault', async () => {
  using whole = nativeProgram();
  using half = nativeProgram();
  rmSync(join(half.folder, 'libLiteRt.so'));
  for (const [program, changes] of [
    [half, { selfTest: SELF_TEST }],
    [whole, {}],
  ] as const) {
    await using opened = await open(program, { changes });
    await opened.starting;
    assert.equal(opened.embedder.runtime, { name: 'webassembly', nativeFault: null });
    assert.is(program.starts().length, 0);
  }
});

it('a crash fails the picture that it worked on, and the process is started anew', async (opened, program) => {
  assert.is(await failure(opened.embedder.embed(picture(FAULT.die))), 'unavailable');
  await opened.replaced();
  assert.equal(opened.embedder.runtime, { name: 'native', nativeFault: null });
  assert.equal(await opened.embedder.embed(picture(1)), vectorOf(picture(1)));
  assert.is(program.starts().length, 2);
});

it('a process that hangs is ended when its time is up, and started anew', async (opened, program) => {
  const hung = failure(opened.embedder.embed(picture(FAULT.hang)));
  opened.time.pass(LIMITS.deadlineMs);
  assert.is(await hung, 'timeout');
  await opened.replaced();
  assert.is(opened.embedder.runtime?.name, 'native');
  await until('its end', () => !isAlive(program.starts()[0]?.pid ?? 0));
});

it('surplus output is never the vector of another picture: the runtime is started anew', async (opened) => {
  assert.is(await failure(opened.embedder.embed(picture(FAULT.repeat))), 'unavailable');
  assert.match(opened.embedder.state.reason ?? '', 'more than it was asked for');
  await opened.replaced();
  assert.equal(await opened.embedder.embed(picture(1)), vectorOf(picture(1)));
  assert.equal(opened.embedder.runtime, { name: 'native', nativeFault: null });
});

it('what it writes unasked ends it before the next picture', async (opened) => {
  assert.equal(await opened.embedder.embed(picture(FAULT.stray)), vectorOf(picture(FAULT.stray)));
  await until('its loss', () => opened.embedder.state.reason?.includes('more than it was asked for') === true);
  await opened.replaced();
  assert.equal(await opened.embedder.embed(picture(1)), vectorOf(picture(1)));
});

test('where it fails at the start, one worker of WebAssembly takes its place, and no more', async () => {
  using program = nativeProgram('wrong');
  const { input } = manifestOf(tinyModel());
  const changes = { selfTest: SELF_TEST, input: { ...input, closerLooks: [0.7] } };
  await using opened = await open(program, { changes, threads: 2 });
  await opened.starting;
  assert.is(opened.embedder.runtime?.name, 'webassembly');
  assert.is(program.starts().length, 1, 'the second is not tried');
  const pictures = [1, 2].map((first) => picture(first));
  assert.equal(await Promise.all(pictures.map((pixels) => opened.embedder.embed(pixels))), pictures.map(vectorOf));
});

test('where one of two has given way, that is said', async () => {
  using program = nativeProgram();
  const { input } = manifestOf(tinyModel());
  await using opened = await open(program, {
    changes: { selfTest: SELF_TEST, input: { ...input, closerLooks: [0.7] } },
    threads: 2,
  });
  await opened.starting;
  chmodSync(join(program.folder, 'look'), 0o644);
  const pictures = [picture(1), picture(FAULT.die)].map((pixels) => opened.embedder.embed(pixels));
  assert.is(await failure(pictures[1] ?? Promise.resolve()), 'unavailable');
  await Promise.allSettled(pictures);
  opened.time.pass(LIMITS.backoffMs);
  await until('its fall', () => opened.embedder.runtime?.nativeFault?.includes('EACCES') === true);
  assert.is(opened.embedder.runtime?.name, 'webassembly');
});

it('one that reads no picture more is as one that hangs', async (opened) => {
  await opened.embedder.embed(picture(FAULT.deaf));
  const unread = failure(opened.embedder.embed(picture(1)));
  await setImmediate();
  opened.time.pass(LIMITS.deadlineMs);
  assert.is(await unread, 'timeout');
  await opened.replaced();
  assert.equal(await opened.embedder.embed(picture(2)), vectorOf(picture(2)));
});

it('one that crashes again and again gives way to WebAssembly', async (opened) => {
  for (let crash = 1; crash <= LIMITS.lossBudget + 1; crash++) {
    assert.is(opened.embedder.runtime?.name, 'native');
    assert.is(await failure(opened.embedder.embed(picture(FAULT.die))), 'unavailable');
    assert.is(opened.embedder.state.name, 'loading');
    await opened.replaced();
  }
  assert.is(opened.embedder.runtime?.name, 'webassembly');
  assert.match(opened.embedder.runtime?.nativeFault ?? '', 'ended with signal SIGSEGV');
  assert.equal(await opened.embedder.embed(picture(1)), vectorOf(picture(1)));
});

test('crashes that lie far apart do not add up', async () => {
  using program = nativeProgram();
  await using opened = await open(program, { limits: { stableMs: 0 } });
  await opened.starting;
  for (let crash = 1; crash <= LIMITS.lossBudget + 2; crash++) {
    await failure(opened.embedder.embed(picture(FAULT.die)));
    await opened.replaced();
    assert.is(opened.embedder.runtime?.name, 'native');
  }
});

test.run();
