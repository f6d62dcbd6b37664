/** A template's rows: vectors and crops as the database holds them, and how they get there. */
import { createHash } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { MAX_SIZE_MM, type Size } from '../calibration/thing-size.ts';
import { momentOf } from './sid.ts';
import type { WholeTemplate } from './template-name.ts';

export interface TemplateVector {
  readonly id: number;
  readonly item: string;
  readonly model: string;
  readonly vector: Float32Array;
  /** Ms since 1970, as its identifier says; null where that is damaged. */
  readonly madeAt: number | null;
}

/** Empty, and so no vector of any model, where a damaged row holds something else. */
export function toVector(value: unknown): Float32Array {
  if (!(value instanceof Uint8Array)) return new Float32Array(0);
  const bytes = value.byteOffset % 4 === 0 ? value : value.slice();
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

const isLength = (value: SQLOutputValue | undefined): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_SIZE_MM;

/** Of a row's `length_mm` and `width_mm`, as a part of a template; nothing where it has none, or a damaged one. */
export const sizeIn = ({ length_mm: lengthMm, width_mm: widthMm }: Record<string, SQLOutputValue>): { size?: Size } =>
  isLength(lengthMm) && isLength(widthMm) ? { size: { lengthMm, widthMm } } : {};

/** SHA-256. */
export const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Whether a crop is the one that was stored: its digest was stored with it. */
export const isWhole = (crop: unknown, sha256: unknown): crop is Uint8Array =>
  crop instanceof Uint8Array && sha256 instanceof Uint8Array && digestOf(crop).equals(sha256);

/**
 * Prepared once for thousands of templates; part of its caller's transaction.
 * @returns what inserts a template and returns its row; batch null is the present one of those that are added one by one
 */
export function templateInserter(db: DatabaseSync): (batch: number | null, template: WholeTemplate) => number {
  const vectors = db.prepare(
    `INSERT INTO templates (batch, item, sid, origin, created_at, model, vector, length_mm, width_mm)
      VALUES (coalesce(?, (SELECT max(id) FROM batches WHERE kind = 'local')), ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const crops = db.prepare('INSERT INTO crops (template, sha256, jpeg) VALUES (?, ?, ?)');
  return (batch, { item, sid, origin, createdAt, model, vector, size, crop, cropSha256 }) => {
    const named = [batch, item, sid, origin, createdAt, model, vector] as const;
    const { lastInsertRowid } = vectors.run(...named, size?.lengthMm ?? null, size?.widthMm ?? null);
    const id = Number(lastInsertRowid);
    crops.run(id, cropSha256, crop);
    return id;
  };
}
