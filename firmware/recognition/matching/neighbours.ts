/**
 * Each item's nearest other items, by their prototypes: its best impostors. They are looked for on request, so a change
 * costs nothing.
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

export class Neighbours {
  readonly #prototypes: Prototypes;
  readonly #members: readonly Member[];
  #dots = new Float64Array(0);

  /** @param members by their slots; neither argument is changed */
  constructor(prototypes: Prototypes, members: readonly Member[]) {
    this.#prototypes = prototypes;
    this.#members = members;
  }

  /** At most `count` other members of at least this cosine, the nearest first; equal ones by id. */
  nearestFew(member: Member, count: number, least: number): Neighbour[] {
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
