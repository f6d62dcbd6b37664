/**
 * The format of a package of templates: a zip of
 *
 * - `manifest.json`: format, origin, number of templates, size and SHA-256 of the two files below
 * - `manifest.sha256`: the SHA-256 of `manifest.json`, in hexadecimal
 * - `templates.jsonl`: one template a line, with size and SHA-256 of its crop
 * - `vectors.f32`: their vectors, one after the other, float32, little-endian
 * - `crops/NNNNNN.jpg`: their crops, numbered from 0 like the lines
 *
 * So one checksum covers every byte that would be imported; the checksums of the zip itself are not relied on.
 */
import Type, { type Static } from 'typebox';
import { GivenId } from '../model/item-id.ts';
import { MAX_DIMENSION } from '../model/vectors.ts';
import { SID_PATTERN } from './sid.ts';

export const MANIFEST_NAME = 'manifest.json';
export const DIGEST_NAME = 'manifest.sha256';
export const TEMPLATES_NAME = 'templates.jsonl';
export const VECTORS_NAME = 'vectors.f32';
export const cropName = (index: number): string => `crops/${String(index).padStart(6, '0')}.jpg`;

export const FORMAT = 'laneware-templates';
export const FORMAT_VERSION = 1;

/** Bounds of a package, so that no file can ask for more memory or disk than a device has; a ZIP file counts its parts in 16 bits. */
export const MAX_TEMPLATES = 65_000;
export const MAX_MANIFEST_BYTES = 64 * 1024;
export const MAX_CROP_BYTES = 512 * 1024;
export const MAX_LINE_BYTES = 4096;
const LATEST_MS = Date.UTC(9999, 11, 31);

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const part = Type.Object({ bytes: Type.Integer({ minimum: 0 }), sha256 });

export const PackageManifestSchema = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Literal(FORMAT_VERSION),
  serial: Type.String({ minLength: 1, maxLength: 64 }),
  createdAt: Type.String({ maxLength: 40 }),
  count: Type.Integer({ minimum: 0, maximum: MAX_TEMPLATES }),
  parts: Type.Object({ [TEMPLATES_NAME]: part, [VECTORS_NAME]: part }),
});
export type PackageManifest = Static<typeof PackageManifestSchema>;

export const PackageLineSchema = Type.Object({
  item: GivenId,
  sid: Type.String({ pattern: SID_PATTERN.source }),
  origin: Type.String({ minLength: 1, maxLength: 64 }),
  createdAt: Type.Integer({ minimum: 0, maximum: LATEST_MS }),
  model: Type.String({ minLength: 1, maxLength: 128 }),
  dimension: Type.Integer({ minimum: 1, maximum: MAX_DIMENSION }),
  cropBytes: Type.Integer({ minimum: 1, maximum: MAX_CROP_BYTES }),
  cropSha256: sha256,
});
export type PackageLine = Static<typeof PackageLineSchema>;

/** The file is no whole package, or a package cannot be made; the message is for the status of the task. */
export class PackageError extends Error {}
