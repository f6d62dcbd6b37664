/** A template as a whole store knows it: its name, what is stored of it, and the order that is the same on every device. */

import { hash } from 'node:crypto';

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
  /** JPEG. */
  readonly crop: Uint8Array;
  /** Of the crop when it was first stored; its 32 bytes. */
  readonly cropSha256: Uint8Array;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The oldest template first, as their devices' clocks have it. */
export const byAge = (one: Omit<TemplateName, 'item'>, other: Omit<TemplateName, 'item'>): number =>
  compare(one.sid, other.sid) || compare(one.origin, other.origin);

/** Says nothing of the template, and is the same everywhere. */
const lotOf = ({ item, origin, sid }: TemplateName): string => hash('sha256', `${item}\n${origin}\n${sid}`);

/**
 * Which of an item's templates have a place in it, the first first: of each device its oldest, then of each its second, and so
 * on; those of one turn by lot. Clocks of two devices are never compared, for the one that is behind would have every place.
 * @param most as many have a place; all where absent
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
