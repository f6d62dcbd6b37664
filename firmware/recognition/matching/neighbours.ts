/**
 * Each item's nearest other items, by their prototypes: its best impostors. They are looked for on request, so a change
 * costs nothing; figures of the gallery are kept until the next change.
 */
import type { Prototypes, Viewed } from './prototypes.ts';

/** An item in the matrices. */
export interface Member extends Viewed {
  readonly id: string;
}

export interface Neighbour {
  readonly id: string;
  readonly cosine: number;
}

/** Figures of the gallery. */
export interface GalleryFacts {
  readonly items: number;
  /** Prototypes of all items; more than the items where an item's templates form several views. */
  readonly prototypes: number;
  /** Share of the items whose nearest item is a look-alike; 0 without items. */
  lookAlikes(from: number): number;
}

/** How many rows are compared to measure a gallery of any size: some milliseconds of work. */
const PROBED_ROWS = 40_000;
const MOST_PROBES = 32;
const LEAST_PROBES = 4;

/** FNV-1a, 32 bits: an arbitrary order of ids, the same on every device. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  // the last characters hardly reach the upper bits
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The `count` members with the smallest hashes, in their order; equal ones by id. */
function probesOf(members: readonly Member[], count: number): Member[] {
  const before = (one: { hash: number; id: string }, other: { hash: number; id: string }): number =>
    one.hash - other.hash || (one.id < other.id ? -1 : 1);
  const hashed = members.map((member) => ({ member, id: member.id, hash: hashOf(member.id) }));
  // sorting all of many thousands would take longer than what is done with the few
  const share = Math.min(1, (4 * count) / Math.max(1, members.length));
  // that share holds four times as many as are wanted, a few more or less
  const few = hashed.filter(({ hash }) => hash <= share * 2 ** 32);
  return few
    .sort(before)
    .slice(0, count)
    .map(({ member }) => member);
}

export class Neighbours {
  readonly #prototypes: Prototypes;
  readonly #members: readonly Member[];
  #facts: GalleryFacts | null = null;
  #dots = new Float64Array(0);

  /** @param members by their slots; neither argument is changed */
  constructor(prototypes: Prototypes, members: readonly Member[]) {
    this.#prototypes = prototypes;
    this.#members = members;
  }

  /** Call it after each change of a prototype. */
  forget(): void {
    this.#facts = null;
  }

  /** At most `count` other members, the nearest first; equal ones by id. */
  nearestFew(member: Member, count: number, least = Number.NEGATIVE_INFINITY): Neighbour[] {
    const found: Neighbour[] = [];
    const dots = this.#cosinesTo(member);
    for (const { id, slot } of this.#members) {
      const cosine = dots[slot] ?? 0;
      const last = found[count - 1];
      if (slot === member.slot || cosine < least) continue;
      if (last !== undefined && cosine < last.cosine) continue;
      const place = found.findLastIndex((one) => one.cosine > cosine || (one.cosine === cosine && one.id < id)) + 1;
      found.splice(place, 0, { id, cosine });
      if (found.length > count) found.pop();
    }
    return found;
  }

  /** Figures of all items, from a sample that depends only on their ids. */
  get facts(): GalleryFacts {
    this.#facts ??= this.#look();
    return this.#facts;
  }

  #look(): GalleryFacts {
    const items = this.#members.length;
    const count = Math.max(LEAST_PROBES, Math.min(MOST_PROBES, Math.floor(PROBED_ROWS / Math.max(1, items))));
    const nearest = probesOf(this.#members, count)
      .flatMap((member) => this.nearestFew(member, 1))
      .map(({ cosine }) => cosine);
    const share = (from: number): number => nearest.filter((cosine) => cosine >= from).length / nearest.length;
    return Object.freeze({
      items,
      prototypes: this.#prototypes.count,
      lookAlikes: (from: number): number => (nearest.length === 0 ? 0 : share(from)),
    });
  }

  /** By slots: the cosine of the nearest two prototypes of each member and this one. */
  #cosinesTo(member: Member): Float64Array {
    const count = this.#members.length;
    const best = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
    if (this.#dots.length < count) this.#dots = new Float64Array(count * 2);
    for (const view of member.views) {
      this.#prototypes.cosines(this.#prototypes.row(view), this.#dots);
      for (let slot = 0; slot < count; slot++) best[slot] = Math.max(best[slot] ?? 0, this.#dots[slot] ?? 0);
    }
    return best;
  }
}
