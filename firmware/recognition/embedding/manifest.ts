/**
 * The manifest of an embedding model, `models/<name>.json`: everything that the device must know of a `.tflite` file
 * that the file itself does not contain. A model file is loaded only if its bytes match the manifest, because the
 * runtime accepts most damaged files silently.
 */

import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Static, Type } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { CodedError } from '../../../drivers/lib/errors.ts';
import { floatsOf, MAX_DIMENSION } from '../model/vectors.ts';

const MAX_MANIFEST_BYTES = 256 * 1024;
/** The largest model file: a wrong manifest must not fill the memory of a device, which may be 1 GB. */
const MAX_MODEL_BYTES = 64 * 1024 * 1024;
const MAX_SIDE_PIXELS = 1024;
/** The most closer looks: a wrong manifest must not make a recognition slow. */
const MAX_CLOSER_LOOKS = 7;
const MIN_SHARE = 0.1;
const IDENTITY_HASH_DIGITS = 16;
/** How a picture is cut for the model (`vision/cut.ts`); another cut makes other vectors. */
const CUT = 'around the thing, 1';
/** The manifest of the model that a release and a clone have. */
export const shippedModel = (): string => fileURLToPath(new URL('../../../models/lane-embed-1.json', import.meta.url));
/** The shipped net uses the middle 160 of the 224 pixels that it is given (models/README.md). */
export const SHIPPED_MODEL_SEES = 160 / 224;

const Dtype = Type.Union([Type.Literal('uint8'), Type.Literal('float32')]);
const Channels = Type.Array(Type.Number(), { minItems: 3, maxItems: 3 });
const Cosine = Type.Number({ minimum: -1, maximum: 1 });
const Probability = Type.Number({ minimum: 0, maximum: 1 });
const Percent = Type.Number({ minimum: 0, maximum: 100 });
/** One weight of a confidence, see `matching/confidence.ts`. */
const Weight = Type.Number({ minimum: -1000, maximum: 1000 });
/** The weight of a feature that speaks for an answer: it never raises the log odds against the answer. */
const Against = Type.Number({ minimum: -1000, maximum: 0 });
const WeightsSchema = Type.Object({
  constant: Weight,
  closeLead: Against,
  lead: Against,
  prototypeLead: Against,
  similarity: Against,
  nearest: Against,
  fewTemplates: Weight,
  fewOfSecond: Weight,
  ownLead: Weight,
  leadOfSecond: Weight,
  own: Weight,
  ownOfSecond: Weight,
  cosine: Weight,
  unlikeSecond: Against,
  likeOwn: Against,
  /** Left out for a model without a ratio. */
  ratio: Type.Optional(Against),
});
/** Measured with items that neither the net nor the weights have seen; all in per cent, except `from`. */
const MeasuredSchema = Type.Object({
  /** The probability from which an answer would be certain. */
  from: Probability,
  /** Share of certain answers among the answers on known items. */
  certain: Percent,
  /** Share of wrong answers among these. */
  wrong: Percent,
  /** Share of wrong answers in the worst draw of templates. */
  worst: Percent,
  /** Share of certain answers among the answers on strangers. */
  strangers: Percent,
});

/** Numbers of single precision, least byte first. */
const Floats = Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' });
const Variance = Type.Number({ exclusiveMinimum: 0, maximum: 1e6 });
/** The ratio's rules for one part of a vector, see `matching/ratio.ts`. */
const RatioSchema = Type.Object({
  /** Mean of the training's vectors, as long as the part. */
  mean: Floats,
  /** Directions in which items differ most: each as long as the part, of length 1, at right angles to the others. */
  directions: Floats,
  /** Variance between items in each of these directions, where looks at one item have the variance 1. */
  between: Type.Array(Variance, { maxItems: MAX_DIMENSION }),
  /** Variance between items in each other direction. */
  rest: Variance,
});

const Judging = {
  /** Softmax temperature that turns similarities into scores. */
  temperature: Type.Number({ exclusiveMinimum: 0, maximum: 100 }),
  /** How likely an answer is right; without it nothing is certain. */
  confidence: Type.Optional(
    Type.Object({
      /** Log odds, against a right answer, of an answer in place of another known item and of a stranger. */
      wrong: WeightsSchema,
      stranger: WeightsSchema,
      /** The least probability that a certain answer is right. */
      certain: Probability,
      /** The least probability that a thing called unknown is a stranger. */
      unknown: Probability,
      /** The least similarity of a certain answer where few items are known. */
      floor: Cosine,
      /** Measured risk and coverage, the surest first. */
      measured: Type.Array(MeasuredSchema, { maxItems: 32 }),
    }),
  ),
};

const ManifestSchema = Type.Object({
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,63}$' }),
  version: Type.String({ pattern: '^[0-9A-Za-z][0-9A-Za-z._+-]{0,31}$' }),
  /** A name beside the manifest, never a path. */
  file: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  bytes: Type.Integer({ minimum: 1, maximum: MAX_MODEL_BYTES }),
  input: Type.Object({
    width: Type.Integer({ minimum: 1, maximum: MAX_SIDE_PIXELS }),
    height: Type.Integer({ minimum: 1, maximum: MAX_SIDE_PIXELS }),
    channels: Type.Literal(3),
    dtype: Dtype,
    /** How an area of another shape is made to fit: cut to the middle. */
    resize: Type.Literal('cover'),
    /** float32 only: value = (pixel - mean) * scale, for red, green, blue. */
    mean: Type.Optional(Channels),
    scale: Type.Optional(Channels),
    /**
     * Looks in addition to the one at the whole area: shares of its sides, around its middle. A template is the mean of
     * all looks, and so is a query at speed `normal`; a query at speed `fast` is one look at the whole area.
     */
    closerLooks: Type.Optional(
      Type.Array(Type.Number({ minimum: MIN_SHARE, maximum: 1 }), { maxItems: MAX_CLOSER_LOOKS }),
    ),
  }),
  output: Type.Object({
    dtype: Dtype,
    dimension: Type.Integer({ minimum: 1, maximum: MAX_DIMENSION }),
    /** uint8 only: value = (output - zeroPoint) * scale. */
    scale: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    zeroPoint: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
  }),
  /** Always true: the device compares by cosine and normalises; another value would mean another kind of model. */
  normalise: Type.Literal(true),
  ...Judging,
  /** The rules at speed `fast`, whose queries are less similar; without them, those above. */
  fast: Type.Optional(Type.Object(Judging)),
  /** The likelihood ratio that a confidence may weigh, for each part of a vector, in their order. */
  ratio: Type.Optional(Type.Array(RatioSchema, { minItems: 1, maxItems: 8 })),
  /** The first numbers of the vector of a known picture (`native.ts`). Without them the model runs in WebAssembly alone. */
  selfTest: Type.Optional(Type.Array(Cosine, { minItems: 8, maxItems: MAX_DIMENSION })),
  licence: Type.String({ minLength: 1 }),
  trainedOn: Type.String({ minLength: 1 }),
  createdAt: Type.String({ minLength: 1 }),
});

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
export type Manifest = DeepReadonly<Static<typeof ManifestSchema>>;

/**
 * - `manifest-missing`, `manifest-invalid`, `file-missing`: what their names say; an invalid manifest lists every error
 * - `checksum`: the file is not the one that the manifest names (size or SHA-256)
 * - `not-loadable`: the runtime refuses the file, though it is the right one
 * - `shape-mismatch`: the model's tensors are not those of the manifest
 */
export type ModelErrorCode =
  | 'manifest-missing'
  | 'manifest-invalid'
  | 'file-missing'
  | 'checksum'
  | 'not-loadable'
  | 'shape-mismatch';

export class ModelError extends CodedError<ModelErrorCode> {}

export interface VerifiedModel {
  readonly manifest: Manifest;
  /** Path of the model's file. */
  readonly path: string;
  /** The whole file; its SHA-256 is the manifest's. */
  readonly bytes: Uint8Array;
  readonly identity: string;
}

/** The stamp of a model's vectors: two templates may be compared only if their models have the same identity. */
export function identityOf({
  name,
  version,
  sha256,
  input,
}: Pick<Manifest, 'name' | 'version' | 'sha256' | 'input'>): string {
  // the input and the cut make the vector as much as the file does
  const digest = createHash('sha256')
    .update(JSON.stringify([sha256, input, CUT]))
    .digest('hex');
  return `${name}@${version}#${digest.slice(0, IDENTITY_HASH_DIGITS)}`;
}

/** Faults that concern more than one field. */
function contradictions(manifest: Manifest): string[] {
  const { input, output, selfTest = [] } = manifest;
  const errors: string[] = [];
  if (input.dtype === 'float32' && (input.mean === undefined || input.scale === undefined)) {
    errors.push('/input: a float32 input needs mean and scale');
  }
  if (input.scale?.includes(0)) errors.push('/input/scale: must not be 0');
  if (output.dtype === 'uint8' && (output.scale === undefined || output.zeroPoint === undefined)) {
    errors.push('/output: a uint8 output needs scale and zeroPoint');
  }
  if (selfTest.length > output.dimension) errors.push('/selfTest: has more numbers than a vector');
  return [...errors, ...ratioFaults(manifest)];
}

/**
 * Faults of the ratio: its parts must cover the whole vector, and a confidence may weigh a ratio only if there is one.
 */
function ratioFaults({ ratio, output, confidence, fast }: Manifest): string[] {
  if (ratio === undefined) {
    const weights = [confidence, fast?.confidence].flatMap((one) =>
      one === undefined ? [] : [one.wrong, one.stranger],
    );
    const isWeighed = weights.some((one) => (one.ratio ?? 0) !== 0);
    return isWeighed ? ['/ratio: a confidence weighs it, and it is not there'] : [];
  }
  const means = ratio.map(({ mean }) => floatsOf(mean));
  const whole = means.reduce((sum, { length }) => sum + length, 0);
  return [
    ...(whole === output.dimension ? [] : [`/ratio: the means have ${whole} numbers, a vector ${output.dimension}`]),
    ...ratio.flatMap(({ directions, between }, at) => {
      const [mean = new Float32Array(0), given] = [means[at], floatsOf(directions)];
      const wanted = between.length * mean.length;
      if (given.length !== wanted)
        return [`/ratio/${at}/directions: must have ${wanted} numbers, and have ${given.length}`];
      return [...mean, ...given].every(Number.isFinite) ? [] : [`/ratio/${at}: has what is no number`];
    }),
  ];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ModelError('manifest-invalid', `the manifest is not JSON: ${String(cause)}`, { cause });
  }
}

/** @throws {ModelError} `manifest-invalid`, with every error in its message */
export function parseManifest(text: string): Manifest {
  const value = parseJson(text);
  const refuse = (errors: readonly string[]): ModelError =>
    new ModelError('manifest-invalid', `the manifest is not valid: ${errors.join('; ')}`);
  if (!Check(ManifestSchema, value)) {
    const [, errors] = Errors(ManifestSchema, value);
    throw refuse(errors.map((error) => `${error.instancePath || '/'}: ${error.message}`));
  }
  const errors = contradictions(value);
  if (errors.length > 0) throw refuse(errors);
  return value;
}

async function readWhole(path: string, limit: number, missing: ModelErrorCode): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > limit) throw new ModelError('manifest-invalid', `${path} holds ${size} bytes, more than ${limit}`);
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof ModelError) throw cause;
    throw new ModelError(missing, `${path} cannot be read: ${String(cause)}`, { cause });
  }
}

/** The same bytes in shared memory, so that threads need no copies. */
function shared(bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(new SharedArrayBuffer(bytes.length));
  all.set(bytes);
  return all;
}

/** Reads a manifest and the file that it names. @throws {ModelError} */
export async function loadModel(manifestPath: string): Promise<VerifiedModel> {
  const text = await readWhole(manifestPath, MAX_MANIFEST_BYTES, 'manifest-missing');
  const manifest = parseManifest(text.toString('utf8'));
  const path = join(dirname(manifestPath), manifest.file);
  const bytes = await readWhole(path, MAX_MODEL_BYTES, 'file-missing');
  if (bytes.length !== manifest.bytes) {
    throw new ModelError('checksum', `${path} holds ${bytes.length} bytes, its manifest says ${manifest.bytes}`);
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== manifest.sha256) {
    throw new ModelError('checksum', `${path} has SHA-256 ${sha256}, its manifest says ${manifest.sha256}`);
  }
  return Object.freeze({ manifest, path, bytes: shared(bytes), identity: identityOf(manifest) });
}
