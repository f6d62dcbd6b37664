/** The likelihood ratios of a look to items. What the looks at an item come to is worked out when it is asked for, and kept until it changes. */
import { MOST_RATIO_LEAD } from './confidence.ts';
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

  /** That of the answered item, and its lead over the best of the others. */
  of(vector: Float32Array, answered: Member, others: readonly Member[]): { ratio: number; ratioLead: number } {
    const look = this.#ratio.knownOf([vector]);
    const ratioTo = (member: Member): number =>
      Math.max(...this.#knownOf(member).map((view) => this.#ratio.of(look, view)));
    const ratio = ratioTo(answered);
    const ratioLead = others.length === 0 ? MOST_RATIO_LEAD : ratio - Math.max(...others.map(ratioTo));
    return { ratio, ratioLead };
  }

  #knownOf(member: Member): readonly Known[] {
    const known = this.#known.get(member) ?? this.#viewsOf(member).map((looks) => this.#ratio.knownOf(looks));
    this.#known.set(member, known);
    return known;
  }
}
