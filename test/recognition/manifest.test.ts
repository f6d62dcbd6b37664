import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  identityOf,
  loadModel,
  type Manifest,
  ModelError,
  type ModelErrorCode,
  parseManifest,
} from '../../firmware/recognition/embedding/manifest.ts';
import { SPEAK_FOR } from '../../firmware/recognition/matching/confidence.ts';
import { type ModelFolder, manifestOf, modelFolder } from './fixtures/models.ts';
import { TINY_DIMENSION } from './fixtures/tiny-model.ts';
import { confidenceOf } from './steps.ts';

const SPEAKING = [...SPEAK_FOR];
const test = suite('model manifest');
const BYTES = new TextEncoder().encode('what the file holds does not matter here');

async function refusal(action: () => unknown, code: ModelErrorCode): Promise<string> {
  try {
    await action();
  } catch (error) {
    assert.instance(error, ModelError);
    assert.is((error as ModelError).code, code);
    return (error as ModelError).message;
  }
  throw new Error(`nothing was refused, expected ${code}`);
}

async function inFolder(use: (folder: ModelFolder) => Promise<void>, changes = {}): Promise<void> {
  using folder = modelFolder(BYTES, changes);
  await use(folder);
}

test('a file and its manifest are loaded, stamped with name, version and hash', () =>
  inFolder(async ({ manifestPath }) => {
    const model = await loadModel(manifestPath);
    assert.equal(new Uint8Array(model.bytes), BYTES);
    assert.match(model.identity, /^tiny@1\.0#[0-9a-f]{16}$/);
    assert.is(model.identity, identityOf(model.manifest));
  }));

test('another file, or another way to put pictures into it, is another identity', () =>
  inFolder(async ({ manifestPath }) => {
    const { manifest: one, identity } = await loadModel(manifestPath);
    const others = [
      { ...one, sha256: 'f'.repeat(64) },
      { ...one, version: '1.1' },
      { ...one, input: { ...one.input, width: one.input.width + 1 } },
      { ...one, input: { ...one.input, closerLooks: [0.7] } },
    ];
    assert.is(new Set([identity, ...others.map(identityOf)]).size, others.length + 1);
    const part = { mean: '', directions: '', between: [], rest: 1 };
    const confidence = confidenceOf({ certain: 0.9, margin: 0.02, unknown: 0.5 });
    const judgedOtherwise: Manifest = { ...one, confidence, ratio: [part] };
    assert.is(identityOf(judgedOtherwise), identity, 'how an answer is judged changes no template');
  }));

test('a flipped bit in the file is a checksum error', () =>
  inFolder(async ({ folder, manifestPath }) => {
    const damaged = Uint8Array.from(BYTES);
    damaged.set([(BYTES[5] ?? 0) ^ 1], 5);
    writeFileSync(join(folder, 'model.tflite'), damaged);
    await refusal(() => loadModel(manifestPath), 'checksum');
  }));

test('an absent file and an absent manifest are distinguished', () =>
  inFolder(async ({ folder, manifestPath }) => {
    rmSync(join(folder, 'model.tflite'));
    await refusal(() => loadModel(manifestPath), 'file-missing');
    rmSync(manifestPath);
    await refusal(() => loadModel(manifestPath), 'manifest-missing');
  }));

test('what is not JSON, or far too large, is an invalid manifest', () =>
  inFolder(async ({ manifestPath }) => {
    writeFileSync(manifestPath, readFileSync(manifestPath).subarray(0, 40));
    await refusal(() => loadModel(manifestPath), 'manifest-invalid');
    writeFileSync(manifestPath, ' '.repeat(300_000));
    await refusal(() => loadModel(manifestPath), 'manifest-invalid');
  }));

test('every error is listed at once, each with its place', async () => {
  const wrong = manifestOf(BYTES, {
    sha256: 'ABC',
    temperature: 0,
    output: { dtype: 'int8', dimension: 128 },
    input: { width: 0, height: 224, channels: 1, dtype: 'uint8', resize: 'cover' },
  });
  const message = await refusal(() => parseManifest(JSON.stringify(wrong)), 'manifest-invalid');
  for (const place of ['/sha256', '/temperature', '/output/dtype', '/input/width', '/input/channels']) {
    assert.ok(message.includes(place), `${place} is not in: ${message}`);
  }
});

test('a file name that leads out of the folder is refused', async () => {
  for (const file of ['../model.tflite', '/etc/passwd', 'a/b.tflite', '..']) {
    const text = JSON.stringify(manifestOf(BYTES, { file }));
    assert.match(await refusal(() => parseManifest(text), 'manifest-invalid'), '/file');
  }
});

test('closer looks are shares of the sides, and not many', async () => {
  const input = { width: 96, height: 96, channels: 3, dtype: 'uint8', resize: 'cover' };
  for (const closerLooks of [[0], [1.2], ['0.7'], 0.7, Array.from({ length: 8 }, () => 0.7)]) {
    await inFolder(
      async ({ manifestPath }) => {
        const message = await refusal(() => loadModel(manifestPath), 'manifest-invalid');
        assert.ok(message.includes('/input/closerLooks'), message);
      },
      { input: { ...input, closerLooks } },
    );
  }
});

test('float inputs need mean and scale, uint8 outputs scale and zero point', async () => {
  const cases: [string, Record<string, unknown>][] = [
    ['/input', { input: { width: 96, height: 96, channels: 3, dtype: 'float32', resize: 'cover' } }],
    ['/output', { output: { dtype: 'uint8', dimension: 128 } }],
    ['/selfTest', { selfTest: Array(8).fill(0), output: { dtype: 'float32', dimension: 7 } }],
  ];
  for (const [place, changes] of cases) {
    const text = JSON.stringify(manifestOf(BYTES, changes));
    assert.match(await refusal(() => parseManifest(text), 'manifest-invalid'), place);
  }
});

test('a confidence has all weights, none against an answer’s support, shares between their ends', async () => {
  const whole = confidenceOf({ certain: 0.9, margin: 0.02, unknown: 0.5 });
  const measured = { from: 0.9, certain: 60, wrong: 0.5, worst: 1, strangers: 7 };
  assert.ok(parseManifest(JSON.stringify(manifestOf(BYTES, { confidence: { ...whole, measured: [measured] } }))));
  const { lead: _, ...withoutLead } = whole.wrong;
  const cases: [string, Record<string, unknown>][] = [
    ['/wrong', { wrong: withoutLead }],
    ...SPEAKING.map((name): [string, Record<string, unknown>] => [
      `/stranger/${name}`,
      { stranger: { ...whole.stranger, [name]: 0.1 } },
    ]),
    ['/wrong/constant', { wrong: { ...whole.wrong, constant: 1001 } }],
    ['/stranger/own', { stranger: { ...whole.stranger, own: '1' } }],
    ['/certain', { certain: 1.1 }],
    ['/unknown', { unknown: -0.1 }],
    ['/floor', { floor: 2 }],
    ['/measured/0/wrong', { measured: [{ ...measured, wrong: 101 }] }],
    ['/measured', { measured: Array(33).fill(measured) }],
  ];
  for (const [place, changes] of cases)
    for (const [before, made] of [
      ['/confidence', { confidence: { ...whole, ...changes } }],
      ['/fast/confidence', { fast: { temperature: 0.1, confidence: { ...whole, ...changes } } }],
    ] as const) {
      const text = JSON.stringify(manifestOf(BYTES, made));
      const message = await refusal(() => parseManifest(text), 'manifest-invalid');
      assert.ok(message.includes(`${before}${place}`), message);
    }
});

test('a ratio is of the whole vector, with directions as long as their part', async () => {
  const text = (count: number, value = 0.5) =>
    Buffer.from(new Float32Array(count).fill(value).buffer).toString('base64');
  const half = TINY_DIMENSION / 2;
  const part = { mean: text(half), directions: text(3 * half), between: [3, 2, 1], rest: 0.1 };
  const parsed = (changes: object) => parseManifest(JSON.stringify(manifestOf(BYTES, { ...changes })));
  assert.is(parsed({ ratio: [part, part] }).ratio?.length, 2);
  assert.is(parsed({}).ratio, undefined);
  const cases: [string, object][] = [
    ['/ratio: the means have', { ratio: [part] }],
    ['/ratio/1/directions: must have', { ratio: [part, { ...part, between: [1, 1] }] }],
    ['/ratio/0/mean', { ratio: [{ ...part, mean: 'no base64' }, part] }],
    ['/ratio/0: has what is no number', { ratio: [{ ...part, directions: text(3 * half, Number.NaN) }, part] }],
    ['/ratio/0/between/0', { ratio: [{ ...part, between: [0, 1, 1] }, part] }],
    ['/ratio/0/rest', { ratio: [{ ...part, rest: -1 }, part] }],
  ];
  for (const [place, changes] of cases)
    assert.ok((await refusal(() => parsed(changes), 'manifest-invalid')).includes(place), place);
  const confidence = confidenceOf({ certain: 0.9, margin: 0.02, unknown: 0.5 });
  const weighing = { ...confidence, stranger: { ...confidence.stranger, ratio: -1 } };
  for (const judging of [{ confidence: weighing }, { fast: { temperature: 0.1, confidence: weighing } }]) {
    assert.ok(parsed({ ...judging, ratio: [part, part] }));
    assert.match(await refusal(() => parsed(judging), 'manifest-invalid'), '/ratio: a confidence weighs it');
  }
  const { ratio: _, ...withoutRatio } = confidence.wrong;
  assert.ok(
    parsed({ confidence: { ...confidence, wrong: withoutRatio } }),
    'one that was made before there was a ratio',
  );
});

test.run();
