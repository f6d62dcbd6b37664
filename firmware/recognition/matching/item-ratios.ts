/** The likelihood ratios of a look to items. What the looks at an item come to is worked out when it is asked for, and kept until it changes. */
import type { Known, LikelihoodRatio } from './ratio.ts';

/** The templates of each view of an item. */
type Views = readonly (readonly Float32Array[])[];

export class ItemRatios<Member extends object> {
  readonly #ratio: LikelihoodRatio;
  readonly #viewsOf: (member: Member) => Views;
  readonly #known = new Map<Member, readonly Known[]>();

  /** @param viewsOf what an item is now */
  constructor(ratio: LikelihoodRatio, viewsOf: (member: Member) => Views) {
    this.#ratio = ratio;
    this.#viewsOf = viewsOf;
  }

  /** To be called after each change of the item. */
  forget(member: Member): void {
    this.#known.delete(member);
  }

  /** Of a look to an item: that of its likeliest view. */
  of(vector: Float32Array, member: Member): number {
    const look = this.#ratio.knownOf([vector]);
    return Math.max(...this.#knownOf(member).map((view) => this.#ratio.of(look, view)));
  }

  #knownOf(member: Member): readonly Known[] {
    const known = this.#known.get(member) ?? this.#viewsOf(member).map((looks) => this.#ratio.knownOf(looks));
    this.#known.set(member, known);
    return known;
  }
}
