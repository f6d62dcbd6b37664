/**
 * Which item a vector belongs to.
 *
 * Each item has a prototype for each of its views (`grouping.ts`): the direction of the sum of the view's template
 * vectors, where newer ones count more (`prototypes-of.ts`). `scoring.ts` gives the similarity. Prototypes do not depend
 * on the order of the templates: a rebuild gives the same bits.
 */

import type { Speed } from '../../core/config/index.ts';
import type { Manifest } from '../embedding/manifest.ts';
import { sumOf } from '../model/vectors.ts';
import { type Evidence, MOST_LEAD } from './confidence.ts';
import { type Confirmation, type EnrolledItem, EnrolledItems, type IndexedTemplate } from './enrolled-items.ts';
import { type Compared, LeaveOneOut } from './leave-one-out.ts';
import { dotRow } from './matrix.ts';
import { type Neighbour, Neighbours } from './prototypes.ts';
import { templatesByView } from './prototypes-of.ts';
import { LikelihoodRatio } from './ratio.ts';
import { bounded, judge, similarityOf, toScores, type Verdict } from './scoring.ts';
import { isStray, MIN_TEMPLATES, prototypeWithout, type Stray } from './strays.ts';

/**
 * Number of best items by prototype whose nearest templates are looked for. It is no less than callers ask for, so that
 * the number they ask for changes no order.
 */
const SHORTLIST_ITEMS = 16;

export interface Candidate {
  readonly id: string;
  /** Share of trust over the returned list; they sum to 1. */
  readonly score: number;
  /** -1 to 1, see `scoring.ts`. */
  readonly similarity: number;
}

export interface Classification {
  /** Candidates, best first; equal ones by id. */
  readonly items: readonly Candidate[];
  readonly verdict: Verdict;
}

interface RatedItem {
  readonly item: EnrolledItem;
  readonly similarity: number;
  /** Cosines to its best prototype and its nearest template. */
  readonly prototype: number;
  readonly nearest: number;
}

export type ClassifierRules = Pick<Manifest, 'temperature' | 'confidence' | 'fast' | 'ratio'> & {
  readonly dimension: number;
};

export class Classifier {
  readonly #rules: ClassifierRules;
  readonly #enrolled: EnrolledItems;
  readonly #neighbours: Neighbours;
  readonly #leaveOneOut = new LeaveOneOut<EnrolledItem>((item) => this.#compared(item));
  /** The likelihood ratio; null where the model has none. */
  readonly #ratio: LikelihoodRatio | null;
  #dots = new Float64Array(0);

  constructor(rules: ClassifierRules) {
    this.#rules = rules;
    this.#enrolled = new EnrolledItems(rules.dimension, (item) => this.#leaveOneOut.forget(item));
    this.#neighbours = new Neighbours(this.#enrolled.prototypes, this.#enrolled.bySlot);
    this.#ratio = rules.ratio === undefined ? null : new LikelihoodRatio(rules.ratio);
  }

  get itemCount(): number {
    return this.#enrolled.bySlot.length;
  }

  /** Prototypes of all items; more than the items where an item's templates form several views. */
  get prototypeCount(): number {
    return this.#enrolled.prototypes.count;
  }

  get templateCount(): number {
    return this.#enrolled.templateCount;
  }

  /** Templates of an item; 0 where it is not known. */
  countOf(item: string): number {
    return this.#enrolled.find(item)?.templates.size ?? 0;
  }

  /** Copies of an item's prototypes, of length 1, one for each of its views; none where the item is not known. */
  prototypesOf(item: string): Float32Array[] {
    return this.#enrolled.find(item)?.views.map((view) => this.#enrolled.prototypes.row(view).slice()) ?? [];
  }

  /** Whether a vector can be the model's: of its dimension, and of length 1. */
  fits(vector: Float32Array): boolean {
    return this.#enrolled.fits(vector);
  }

  /** Adds a template, or replaces the one with this key. @throws {RangeError} wrong dimension or length */
  add(template: IndexedTemplate): void {
    this.#enrolled.addAll([template]);
  }

  /** Adds many templates, faster than one by one. @throws {RangeError} like `add`; those before the wrong one are added */
  addAll(templates: Iterable<IndexedTemplate>): void {
    this.#enrolled.addAll(templates);
  }

  /** Removes a template and all confirmations of its item. False where there is no such template. */
  remove(key: string): boolean {
    return this.#enrolled.remove(key);
  }

  /**
   * Moves an item's prototype towards a confirmed vector; of too many confirmations the oldest is dropped. An unknown item
   * is ignored.
   * @throws {RangeError} wrong dimension or length
   */
  confirm(id: string, vector: Float32Array): void {
    this.#enrolled.confirmAll([{ item: id, vector }]);
  }

  /** Adds many confirmations, the oldest first, faster than one by one. @throws {RangeError} like `confirm` */
  confirmAll(confirmations: Iterable<Confirmation>): void {
    this.#enrolled.confirmAll(confirmations);
  }

  /** Number of confirmations of all items. */
  get confirmationCount(): number {
    return this.#enrolled.confirmationCount;
  }

  /** The `k` most similar items, and the verdict on the first. @param vector of length 1, made at this speed */
  classify(vector: Float32Array, k: number, speed: Speed = 'normal'): Classification {
    this.#enrolled.requireFitting(vector);
    const { temperature, confidence } = this.#rulesAt(speed);
    const ranked = this.#rank(vector, Math.max(k, SHORTLIST_ITEMS));
    const listed = ranked.slice(0, k);
    const scores = toScores(
      listed.map(({ similarity }) => similarity),
      temperature,
    );
    const items = listed.map(({ item: { id }, similarity }, rank) =>
      Object.freeze({ id, score: scores[rank] ?? 0, similarity: bounded(similarity) }),
    );
    return Object.freeze({
      items: Object.freeze(items),
      verdict: judge(this.#evidenceOf(vector, ranked), confidence),
    });
  }

  /** The evidence for the verdict on a vector; null without items. */
  evidenceOf(vector: Float32Array): Evidence | null {
    this.#enrolled.requireFitting(vector);
    return this.#evidenceOf(vector, this.#rank(vector, SHORTLIST_ITEMS));
  }

  /** Ids of all items, in no order. */
  itemIds(): string[] {
    return this.#enrolled.bySlot.map(({ id }) => id);
  }

  /** At most `count` other items of at least this similarity to it, by prototypes, the nearest first. */
  neighboursOf(id: string, count: number, least: number): Neighbour[] {
    const item = this.#enrolled.find(id);
    return item === null ? [] : this.#neighbours.nearestFew(item, count, least);
  }

  /** Templates of an item that look like another item and not like its other templates. */
  straysOf(id: string): Stray[] {
    const item = this.#enrolled.find(id);
    if (item === null || item.templates.size < MIN_TEMPLATES) return [];
    const vectors = this.#enrolled.vectorsOf(item);
    // of all views together: wrong templates that make a view of their own are still found
    const sum = sumOf([...vectors.values()]);
    return [...vectors].flatMap(([key, vector]) => {
      const other = this.#rank(vector, SHORTLIST_ITEMS).find((rated) => rated.item !== item);
      if (other === undefined) return [];
      const rest = prototypeWithout(sum, vector);
      const nearest = this.#enrolled.nearestCosine(item, vector, key);
      const own = bounded(similarityOf(dotRow(vector, rest, 0), nearest));
      const stray = { key, own, looksLike: { id: other.item.id, similarity: bounded(other.similarity) } };
      return isStray(stray) ? [stray] : [];
    });
  }

  /** The most similar items, best first; equal ones by id. */
  #rank(vector: Float32Array, count: number): RatedItem[] {
    const items = this.#enrolled.bySlot.length;
    if (this.#dots.length < items) this.#dots = new Float64Array(items * 2);
    this.#enrolled.prototypes.cosines(vector, this.#dots);
    return this.#best(count)
      .map((item) => this.#rate(vector, item))
      .sort((one, other) => other.similarity - one.similarity || (one.item.id < other.item.id ? -1 : 1));
  }

  #rulesAt(speed: Speed): Pick<Manifest, 'temperature' | 'confidence'> {
    return (speed === 'fast' ? this.#rules.fast : undefined) ?? this.#rules;
  }

  #evidenceOf(vector: Float32Array, [best, second]: readonly RatedItem[]): Evidence | null {
    if (best === undefined) return null;
    const { similarity, prototype, nearest } = best;
    return {
      items: this.#enrolled.bySlot.length,
      similarity,
      nearest,
      lead: second === undefined ? MOST_LEAD : similarity - second.similarity,
      prototypeLead: second === undefined ? MOST_LEAD : prototype - second.prototype,
      ratio: this.#ratio === null ? 0 : this.#ratioOf(this.#ratio, vector, best.item),
      pair: this.#leaveOneOut.pairOf(best.item, second?.item ?? null),
    };
  }

  /** The ratio of the item's likeliest view. */
  #ratioOf(ratio: LikelihoodRatio, vector: Float32Array, item: EnrolledItem): number {
    const templates = this.#enrolled.agedVectorsOf(item);
    const views = item.views.length === 1 ? [templates] : templatesByView(templates);
    const look = ratio.knownOf([vector]);
    return Math.max(...views.map((own) => ratio.of(look, ratio.knownOf(own.map((template) => template.vector)))));
  }

  #compared(item: EnrolledItem): Compared {
    return {
      prototypes: item.views.map((view) => this.#enrolled.prototypes.row(view)),
      templates: [...this.#enrolled.vectorsOf(item).values()],
    };
  }

  /** Rates an item by the cosine of its best prototype, just computed, and that of its nearest template. */
  #rate(vector: Float32Array, item: EnrolledItem): RatedItem {
    const prototype = this.#dots[item.slot] ?? 0;
    const nearest = this.#enrolled.nearestCosine(item, vector);
    return { item, prototype, nearest, similarity: similarityOf(prototype, nearest) };
  }

  /** The `k` most similar items by the cosines just computed. `k` is small: insertion beats sorting all. */
  #best(k: number): EnrolledItem[] {
    const ranked: EnrolledItem[] = [];
    const before = (one: EnrolledItem, other: EnrolledItem): boolean => {
      const difference = (this.#dots[one.slot] ?? 0) - (this.#dots[other.slot] ?? 0);
      return difference > 0 || (difference === 0 && one.id < other.id);
    };
    for (const item of this.#enrolled.bySlot) {
      const last = ranked[k - 1];
      if (last !== undefined && !before(item, last)) continue;
      ranked.splice(ranked.findLastIndex((other) => before(other, item)) + 1, 0, item);
      if (ranked.length > k) ranked.pop();
    }
    return ranked;
  }
}
