/** The native runtime as a release has it: the pinned library, the program, and the shipped model in both. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Embedder } from '../../firmware/recognition/embedding/embedder.ts';
import { loadModel } from '../../firmware/recognition/embedding/manifest.ts';
import { selfTestPicture } from '../../firmware/recognition/embedding/native.ts';
import { missingPrograms, suiteNeeding } from '../needing.ts';
import { prepare } from '../prepare.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { ROOT } from '../root.ts';
import { temporaryFolder, until } from '../support.ts';

const native = suiteNeeding(missingPrograms('gcc', 'python3'), 'native runtime, the real one');
const work = temporaryFolder();
const folder = join(work.path, 'litert');
/** Measured 1e-7; a template of one runtime is as good as one of the other. */
const ROUNDING = 1e-6;
const PICTURES = 20;

const PARTS = ['say', 'stage', 'native'].map((part) => `. "$PROJECT/scripts/lib/${part}.sh"`).join('; ');
/** What the script of a release runs. */
const TAKE = ['-euc', `${PARTS}; make_native "$PROJECT" "$1" "$2"`, 'native'];

prepare(native, () => {
  const env = { ...process.env, PROJECT: ROOT };
  execFileSync('bash', [...TAKE, folder, process.arch], { env });
});
native.after(() => work[Symbol.dispose]());

/** Noise over a slope: a picture that nothing rounds away. */
function picture(seed: number, bytes: number): Uint8Array {
  let state = seed * 2654435761;
  return Uint8Array.from({ length: bytes }, (_, at) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((at * seed) / 997 + (state >>> 26)) % 256;
  });
}

const open = (more: { readonly native?: string } = {}) =>
  Embedder.open({ manifestPath: SHIPPED_MANIFEST, threads: 1, ...more });

native('its vectors are those of WebAssembly, but for rounding', async () => {
  const [fast, everywhere] = [await open({ native: folder }), await open()];
  try {
    assert.equal([fast.runtime?.name, everywhere.runtime?.name], ['native', 'webassembly']);
    const { input } = (await loadModel(SHIPPED_MANIFEST)).manifest;
    const pictures = Array.from({ length: PICTURES }, (_, at) => picture(at + 1, selfTestPicture(input).length));
    for (const [at, pixels] of [selfTestPicture(input), ...pictures].entries()) {
      const [one, other] = [await fast.embed(pixels), await everywhere.embed(pixels)];
      const difference = Math.max(...one.map((value, place) => Math.abs(value - (other[place] ?? Number.NaN))));
      assert.ok(difference <= ROUNDING, `picture ${at}: ${difference}`);
    }
  } finally {
    await Promise.all([fast.close(), everywhere.close()]);
  }
});

/** A folder like the real one, in which some files are others. */
function altered(name: string, files: Readonly<Record<string, Uint8Array>>): string {
  const path = join(work.path, name);
  mkdirSync(path);
  for (const file of ['look', 'libLiteRt.so']) {
    const other = files[file];
    if (other === undefined) linkSync(join(folder, file), join(path, file));
    else writeFileSync(join(path, file), other);
  }
  return path;
}

native('a library that cannot be loaded leaves WebAssembly in its place', async () => {
  const library = readFileSync(join(folder, 'libLiteRt.so'));
  for (const [name, bytes, why] of [
    ['torn', library.subarray(0, library.length >> 1), /dlopen|signal SIG/], // the loader itself may crash on it
    ['text', Buffer.from('not a library'), /dlopen/],
  ] as const) {
    const embedder = await open({ native: altered(name, { 'libLiteRt.so': bytes }) });
    try {
      await until(`WebAssembly with a library that is ${name}`, () => embedder.state.name === 'ready');
      assert.is(embedder.runtime?.name, 'webassembly', name);
      assert.match(embedder.runtime?.nativeFault ?? '', why);
    } finally {
      await embedder.close();
    }
  }
});

native('a manifest with other known numbers leaves WebAssembly in its place', async () => {
  const other = join(work.path, 'other.json');
  const manifest = JSON.parse(readFileSync(SHIPPED_MANIFEST, 'utf8'));
  copyFileSync(join(ROOT, 'models', manifest.file), join(work.path, manifest.file));
  const [first, ...rest] = manifest.selfTest;
  writeFileSync(other, JSON.stringify({ ...manifest, selfTest: [first + 0.002, ...rest] }));
  const embedder = await Embedder.open({ manifestPath: other, threads: 1, native: folder });
  try {
    assert.match(embedder.runtime?.nativeFault ?? '', /number 0 of the known picture's vector/);
  } finally {
    await embedder.close();
  }
});

native('it cannot be made without a network or a compiler: why is said, and nothing of it stays', () => {
  const temporary = join(work.path, 'temporary');
  mkdirSync(temporary);
  const without = (env: Readonly<Record<string, string>>, path = process.env.PATH): string => {
    const { status, stderr } = spawnSync('bash', [...TAKE, join(work.path, 'unmade'), process.arch], {
      env: { ...process.env, PROJECT: ROOT, TMPDIR: temporary, PATH: path, ...env },
      encoding: 'utf8',
    });
    assert.is(status, 1);
    assert.equal(readdirSync(temporary), []);
    return stderr;
  };
  const unreachable = { PIP_INDEX_URL: 'http://127.0.0.1:9', PIP_NO_INDEX: '1', PIP_NO_CACHE_DIR: '1' };
  assert.match(without(unreachable), 'the native runtime cannot be fetched');
  const programs = join(work.path, 'programs');
  mkdirSync(programs);
  for (const program of ['bash', 'uname']) symlinkSync(`/bin/${program}`, join(programs, program));
  assert.match(without({}, programs), /needs gcc to build the native runtime for \w+ \(Debian: gcc\)$/m);
  assert.match(without({ NATIVE: '1' }, programs), /\(Debian: gcc\), or --without-native$/m);
});

native('the program asks for no newer system than the oldest of a lane has', () => {
  // of these newer compilers make names that Debian 12 lacks, as __isoc23_strtol
  assert.not.match(readFileSync(join(folder, 'look'), 'latin1'), /strto|scanf/);
});

native('the program ends with an answer to a file that is no model, and at the end of its input', async () => {
  const [program, library] = [join(folder, 'look'), join(folder, 'libLiteRt.so')];
  const wrong = join(work.path, 'wrong.tflite');
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(4096, 7), readFileSync(join(ROOT, 'LICENSE'))]) {
    writeFileSync(wrong, bytes);
    const child = spawn(program, [library, wrong, '1'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const [[line], [code]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
    assert.match(String(line), /^failed LiteRtCreateModelFromFile: status \d+\n$/);
    assert.is(code, 1);
  }
  const model = (await loadModel(SHIPPED_MANIFEST)).path;
  const child = spawn(program, [library, model, '1'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [line] = await once(child.stdout, 'data');
  assert.is(String(line), 'ready uint8 1x224x224x3 float32 1x512\n');
  child.stdin.write(Buffer.alloc(1000)); // half a picture: the device was killed while it wrote
  child.stdin.end();
  assert.equal(await once(child, 'exit'), [0, null]);
});

native.run();
