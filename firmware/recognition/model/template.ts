/** A template: its name in a whole store, its order, which is the same on every device, and its vector in memory. */
import { hash } from 'node:crypto';

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

/** What a commit changed; reported in the order of the commits. */
export type Change =
  | { readonly kind: 'added'; readonly templates: readonly TemplateVector[] }
  | { readonly kind: 'removed'; readonly ids: readonly number[]; readonly items: readonly string[] }
  | { readonly kind: 'cleared' };

/** The model of this device. */
export interface OwnModel {
  readonly identity: string;
  /** Numbers of a vector. */
  readonly dimension: number;
}

/** Whether a vector has another length than those of the model that it names; of other models nothing is known. */
export const isMisfit = (own: OwnModel | null, model: string, dimension: number): boolean =>
  own?.identity === model && own.dimension !== dimension;
