/**
 * The format in which devices of a store exchange a template: a length of four bytes (little-endian), a head of that many bytes in JSON, the vector, the
 * crop. A template of another device is checked completely before it is used.
 */
import { hash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { compiled } from '../core/schema/index.ts';
import {
  isCleanId,
  isTemplateCrop,
  isTemplateVector,
  PackageLineSchema,
  type TemplateName,
  type WholeTemplate,
} from '../recognition/index.ts';
import { SyncError } from './errors.ts';

const FORMAT = 1;
const LENGTH_BYTES = 4;
const FLOAT_BYTES = 4;

const HeadSchema = Type.Object({
  ...PackageLineSchema.properties,
  format: Type.Literal(FORMAT),
  vectorSha256: PackageLineSchema.properties.cropSha256,
});
type Head = Static<typeof HeadSchema>;
/** Compiled, because a round checks thousands of templates. */
const headCheck = compiled(HeadSchema);

export function encodeTemplate(template: WholeTemplate): Buffer {
  const { item, sid, origin, createdAt, model, vector, crop, cropSha256 } = template;
  const head: Head = {
    format: FORMAT,
    item,
    sid,
    origin,
    createdAt,
    model,
    dimension: vector.length / FLOAT_BYTES,
    // `cropSha256` is of the time when the crop was stored: so the receiver detects later damage
    cropBytes: crop.length,
    cropSha256: Buffer.from(cropSha256).toString('hex'),
    vectorSha256: hash('sha256', vector),
  };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, vector, crop]);
}

/** @throws {SyncError} `garbage` */
export const refuseEntry = (why: string): never => {
  throw new SyncError('garbage', `the centre's entry is no template: ${why}`);
};

function headOf(bytes: Buffer): { head: Head; end: number } {
  if (bytes.length < LENGTH_BYTES) return refuseEntry('it is too short');
  const end = LENGTH_BYTES + bytes.readUInt32LE();
  if (end > bytes.length) return refuseEntry('it is cut off');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end));
  } catch {
    return refuseEntry('its head is no JSON');
  }
  return headCheck.fits(value) ? { head: value, end } : refuseEntry('its head is not whole');
}

/** Reads and checks a template. @param ref the requested template @throws {SyncError} `garbage` */
export function decodeTemplate(message: Uint8Array, ref: TemplateName): WholeTemplate {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const { head, end } = headOf(bytes);
  const { item, sid, origin, createdAt, model, dimension, cropBytes, cropSha256, vectorSha256 } = head;
  if (item !== ref.item || sid !== ref.sid || origin !== ref.origin) return refuseEntry('its name is another');
  if (!isCleanId(origin)) return refuseEntry('its name holds control characters');
  const vector = bytes.subarray(end, end + dimension * FLOAT_BYTES);
  const crop = bytes.subarray(end + dimension * FLOAT_BYTES);
  if (crop.length !== cropBytes || hash('sha256', crop) !== cropSha256) return refuseEntry('its crop is damaged');
  if (hash('sha256', vector) !== vectorSha256) return refuseEntry('its vector is damaged');
  if (!isTemplateVector(vector)) return refuseEntry('its vector is not of length 1');
  if (!isTemplateCrop(crop)) return refuseEntry('its crop is no JPEG of a template');
  return {
    item,
    sid,
    origin,
    createdAt,
    model,
    cropSha256: Buffer.from(cropSha256, 'hex'),
    // copies with buffers of their own, which can be transferred to a thread, and which do not keep the whole message
    // in memory
    vector: new Uint8Array(vector),
    crop: new Uint8Array(crop),
  };
}
