/** A template: as a whole store knows it, in the order that is the same on every device, and its rows as the database holds them. */

import { createHash, hash } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { isWholeJpeg, readJpegSize } from '../../../drivers/camera/jpeg-header.ts';
import { isUnit } from '../model/vectors.ts';
import { momentOf } from './sid.ts';

/** The name of a template in a whole store. */
export interface TemplateName {
  readonly item: string;
  /** Serial number of the device that made it. */
  readonly origin: string;
  readonly sid: string;
}

export interface WholeTemplate extends TemplateName {
  /** The origin's wall clock, ms since 1970. */
  readonly createdAt: number;
  readonly model: string;
  /** float32, little-endian. */
  readonly vector: Uint8Array;
  /** JPEG. */
  readonly crop: Uint8Array;
  /** SHA-256 of the crop when it was first stored; 32 bytes. */
  readonly cropSha256: Uint8Array;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Order of templates: the oldest first, by their devices' clocks. */
export const byAge = (one: Omit<TemplateName, 'item'>, other: Omit<TemplateName, 'item'>): number =>
  compare(one.sid, other.sid) || compare(one.origin, other.origin);

/** A template's lot: random, and the same on every device. */
const lotOf = ({ item, origin, sid }: TemplateName): string => hash('sha256', `${item}\n${origin}\n${sid}`);

/**
 * An item's templates in the order in which they get its places: each device's oldest, then each device's second, and
 * so on; those of one turn by lot. Clocks of two devices are never compared, because the one that is behind would get
 * every place.
 * @param most number of places; all templates get one where absent
 */
export function inTurns(names: readonly TemplateName[], most = names.length): TemplateName[] {
  const turns = new Map<string, number>();
  const oldestFirst = names.toSorted(byAge);
  const claims = oldestFirst.map((name) => {
    const turn = turns.get(name.origin) ?? 0;
    turns.set(name.origin, turn + 1);
    return { name, turn, lot: lotOf(name) };
  });
  claims.sort((one, other) => one.turn - other.turn || compare(one.lot, other.lot));
  return claims.slice(0, most).map(({ name }) => name);
}

export interface TemplateVector {
  readonly id: number;
  readonly item: string;
  readonly model: string;
  readonly vector: Float32Array;
  /** When it was made, ms since 1970, by its identifier; null where that is damaged. */
  readonly madeAt: number | null;
}

/** Reads a vector; where a damaged row holds something else it is empty, and so no model's vector. */
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
 * Prepared once for thousands of templates; part of its caller's transaction.
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

/** The model of this device. */
export interface OwnModel {
  readonly identity: string;
  /** Numbers of a vector. */
  readonly dimension: number;
}

/** Whether a vector has another length than those of the model that it names; of other models nothing is known. */
export const isMisfit = (own: OwnModel | null, model: string, dimension: number): boolean =>
  own?.identity === model && own.dimension !== dimension;
