/** A template as a whole store knows it: its name, what is stored of it, and the order that is the same on every device. */

import type { Size } from '../calibration/thing-size.ts';

/** Names it in a whole store. */
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
  /** Of what was learned; absent where the tray was not measured, or it was not seen whole. */
  readonly size?: Size;
  /** JPEG. */
  readonly crop: Uint8Array;
  /** Of the crop, as it was when it was stored first; its 32 bytes. */
  readonly cropSha256: Uint8Array;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The oldest template first. Where an item is full, the first ones stay. */
export const byAge = (one: Omit<TemplateName, 'item'>, other: Omit<TemplateName, 'item'>): number =>
  compare(one.sid, other.sid) || compare(one.origin, other.origin);
