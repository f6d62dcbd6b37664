/** Rows of templates as the database holds them, and what they may hold. */
import { createHash } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { isWholeJpeg, readJpegSize } from '../../../drivers/camera/jpeg-header.ts';
import type { TemplateVector, WholeTemplate } from '../model/template.ts';
import { isUnit } from '../model/vectors.ts';
import { momentOf } from './sid.ts';

/** Reads a vector; where a damaged row holds something else the vector is empty, and so no model's. */
export function toVector(value: unknown): Float32Array {
  if (!(value instanceof Uint8Array)) return new Float32Array(0);
  const bytes = value.byteOffset % 4 === 0 ? value : new Uint8Array(value);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}

export const toBlob = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

export const vectorOf = (row: Record<string, SQLOutputValue>): TemplateVector => ({
  id: Number(row.id),
  item: String(row.item),
  model: String(row.model),
  vector: toVector(row.vector),
  madeAt: momentOf(String(row.sid)),
});

/** SHA-256. */
export const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Whether a crop is the one that was stored: its digest was stored with it. */
export const isWhole = (crop: unknown, sha256: unknown): crop is Uint8Array =>
  crop instanceof Uint8Array && sha256 instanceof Uint8Array && digestOf(crop).equals(sha256);

/**
 * Prepares the inserts of thousands of templates, which run in the caller's transaction.
 * @returns the function that inserts a template and returns its row; batch null: the present batch of templates that
 * are added one by one
 */
export function templateInserter(db: DatabaseSync): (batch: number | null, template: WholeTemplate) => number {
  const vectors = db.prepare(
    `INSERT INTO templates (batch, item, sid, origin, created_at, model, vector)
      VALUES (coalesce(?, (SELECT max(id) FROM batches WHERE kind = 'local')), ?, ?, ?, ?, ?, ?)`,
  );
  const crops = db.prepare('INSERT INTO crops (template, sha256, jpeg) VALUES (?, ?, ?)');
  return (batch, { item, sid, origin, createdAt, model, vector, crop, cropSha256 }) => {
    const { lastInsertRowid } = vectors.run(batch, item, sid, origin, createdAt, model, vector);
    const id = Number(lastInsertRowid);
    crops.run(id, cropSha256, crop);
    return id;
  };
}

export const MAX_CROP_PIXELS = 1024 * 1024;

/** Whether bytes are a template's vector, from a package or another device. @param bytes float32, little-endian */
export const isTemplateVector = (bytes: Uint8Array): boolean => isUnit(toVector(bytes));

/** Whether bytes are a template's crop. */
export function isTemplateCrop(bytes: Buffer): boolean {
  const size = readJpegSize(bytes);
  return size !== null && size.width * size.height <= MAX_CROP_PIXELS && isWholeJpeg(bytes);
}
