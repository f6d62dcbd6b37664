/**
 * The prototypes of all items in one matrix, one for each view of an item; the best one gives the item's similarity. An
 * item's nearest other items are found by them on request, so that a change of templates costs no search.
 */
import { dotRows, Matrix } from './matrix.ts';

/** A prototype of a member. */
export interface View {
  /** Its place in the matrix. */
  row: number;
}

interface Viewed {
  /** Its place among the members. */
  readonly slot: number;
  views: readonly View[];
}

export class Prototypes {
  readonly #members: readonly Viewed[];
  readonly #rows: Matrix;
  /** The owner of each row. */
  readonly #owners: View[] = [];
  #dots = new Float64Array(0);

  /** @param members by their slots; only their views are changed */
  constructor(dimension: number, members: readonly Viewed[]) {
    this.#members = members;
    this.#rows = new Matrix(dimension);
  }

  get count(): number {
    return this.#rows.count;
  }

  /** A prototype, of length 1; valid until the next change. */
  row({ row }: View): Float32Array {
    return this.#rows.row(row);
  }

  /** Replaces a member's prototypes by others, of length 1; an empty list removes all. */
  replace(member: Viewed, made: readonly Float32Array[]): void {
    for (const view of member.views.slice(made.length)) this.#remove(view);
    member.views = made.map((direction, at) => {
      const view = { row: member.views[at]?.row ?? this.#rows.add() };
      this.#owners[view.row] = view;
      this.#rows.row(view.row).set(direction);
      return view;
    });
  }

  /** The cosine of each member's best prototype, by slots. @param into at least as long as there are members */
  cosines(vector: Float32Array, into: Float64Array): void {
    if (this.#dots.length < this.count) this.#dots = new Float64Array(this.count * 2);
    dotRows(vector, this.#rows.values, this.count, this.#dots);
    for (const { slot, views } of this.#members) {
      let best = Number.NEGATIVE_INFINITY;
      for (const { row } of views) best = Math.max(best, this.#dots[row] ?? 0);
      into[slot] = best;
    }
  }

  #remove({ row }: View): void {
    this.#rows.remove(row);
    const last = this.#owners.pop();
    if (last === undefined || row === this.#rows.count) return;
    last.row = row;
    this.#owners[row] = last;
  }
}

/** An item in the matrix. */
interface Member extends Viewed {
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
