/**
 * Which item a vector belongs to.
 *
 * Each item has a prototype for each of its views (`grouping.ts`): the direction of the sum of the view's template
 * vectors, where newer ones count more (`prototypes-of.ts`). `scoring.ts` gives the similarity. Prototypes are
 * recomputed whenever an item's templates change, and do not depend on their order: a rebuild gives the same bits.
 */

import type { Speed } from '../../core/config/index.ts';
import type { Manifest } from '../embedding/manifest.ts';
import { isUnit, sumOf } from '../model/vectors.ts';
import { type Evidence, MOST_LEAD } from './confidence.ts';
import { type Compared, LeaveOneOut } from './leave-one-out.ts';
import { dotRow, Matrix } from './matrix.ts';
import { type Neighbour, Neighbours, Prototypes, type View } from './prototypes.ts';
import { type AgedVector, MOST_CONFIRMATIONS, prototypesOf, templatesByView } from './prototypes-of.ts';
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

/** A confirmation: the vector of a look, and the item that a person chose. It moves the item's prototypes a little. */
export interface Confirmation {
  readonly item: string;
  readonly vector: Float32Array;
}

/** A template as recognition compares it: `Templates` stores more of it. */
export interface IndexedTemplate {
  readonly item: string;
  /** Unique among all templates, of all items. */
  readonly key: string;
  /** Of length 1. */
  readonly vector: Float32Array;
  /** When it was made, ms since 1970, by its identifier; null or left out where not known. */
  readonly madeAt?: number | null;
}

interface Item {
  readonly id: string;
  /** The item's place among the items. */
  slot: number;
  views: readonly View[];
  /** The places of its templates in the matrix of templates, by key. */
  readonly templates: Map<string, number>;
  /** Confirmed vectors of the item, the oldest first. */
  confirmed: Float32Array[];
}

interface RatedItem {
  readonly item: Item;
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
  readonly #items = new Map<string, Item>();
  readonly #bySlot: Item[] = [];
  readonly #prototypes: Prototypes;
  readonly #templates: Matrix;
  /** The owner of each row of `#templates`. */
  readonly #owners: { item: Item; key: string; madeAt: number | null }[] = [];
  readonly #itemOf = new Map<string, Item>();
  readonly #neighbours: Neighbours;
  readonly #leaveOneOut = new LeaveOneOut<Item>((item) => this.#compared(item));
  /** The likelihood ratio; null where the model has none. */
  readonly #ratio: LikelihoodRatio | null;
  #dots = new Float64Array(0);

  constructor(rules: ClassifierRules) {
    this.#rules = rules;
    this.#prototypes = new Prototypes(rules.dimension, this.#bySlot);
    this.#templates = new Matrix(rules.dimension);
    this.#neighbours = new Neighbours(this.#prototypes, this.#bySlot);
    this.#ratio = rules.ratio === undefined ? null : new LikelihoodRatio(rules.ratio);
  }

  get itemCount(): number {
    return this.#items.size;
  }

  /** Prototypes of all items; more than the items where an item's templates form several views. */
  get prototypeCount(): number {
    return this.#prototypes.count;
  }

  get templateCount(): number {
    return this.#templates.count;
  }

  /** Templates of an item; 0 where it is not known. */
  countOf(item: string): number {
    return this.#items.get(item)?.templates.size ?? 0;
  }

  /** Copies of an item's prototypes, of length 1, one for each of its views; none where the item is not known. */
  prototypesOf(item: string): Float32Array[] {
    return this.#items.get(item)?.views.map((view) => this.#prototypes.row(view).slice()) ?? [];
  }

  /** Whether a vector can be the model's: of its dimension, and of length 1. */
  fits(vector: Float32Array): boolean {
    return vector.length === this.#rules.dimension && isUnit(vector);
  }

  /** Adds a template, or replaces the one with this key. @throws {RangeError} wrong dimension or length */
  add(template: IndexedTemplate): void {
    this.addAll([template]);
  }

  /**
   * Adds many templates, faster than one by one.
   * @throws {RangeError} like `add`; those before the wrong one are added
   */
  addAll(templates: Iterable<IndexedTemplate>): void {
    const changed = new Set<Item>();
    try {
      for (const template of templates) changed.add(this.#insert(template));
    } finally {
      for (const item of changed) if (item.templates.size > 0) this.#refresh(item);
    }
  }

  /** Removes a template and all confirmations of its item. False where there is no such template. */
  remove(key: string): boolean {
    const item = this.#itemOf.get(key);
    if (item === undefined) return false;
    item.confirmed = [];
    return this.#removeFrom(item, key);
  }

  #removeFrom(item: Item, key: string): true {
    this.#removeTemplate(item, key);
    if (item.templates.size === 0) this.#removeItem(item);
    else this.#refresh(item);
    return true;
  }

  /**
   * Moves an item's prototype towards a confirmed vector; of too many confirmations the oldest is dropped. An unknown item
   * is ignored.
   * @throws {RangeError} wrong dimension or length
   */
  confirm(id: string, vector: Float32Array): void {
    this.confirmAll([{ item: id, vector }]);
  }

  /** Adds many confirmations, the oldest first, faster than one by one. @throws {RangeError} like `confirm` */
  confirmAll(confirmations: Iterable<Confirmation>): void {
    const changed = new Set<Item>();
    for (const { item: id, vector } of confirmations) {
      this.#check(vector);
      const item = this.#items.get(id);
      if (item === undefined) continue;
      item.confirmed = [...item.confirmed, vector.slice()].slice(-MOST_CONFIRMATIONS);
      changed.add(item);
    }
    for (const item of changed) this.#refresh(item);
  }

  /** Number of confirmations of all items. */
  get confirmationCount(): number {
    return this.#bySlot.reduce((count, { confirmed }) => count + confirmed.length, 0);
  }

  /** The `k` most similar items, and the verdict on the first. @param vector of length 1, made at this speed */
  classify(vector: Float32Array, k: number, speed: Speed = 'normal'): Classification {
    this.#check(vector);
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
    this.#check(vector);
    return this.#evidenceOf(vector, this.#rank(vector, SHORTLIST_ITEMS));
  }

  /** Ids of all items, in no order. */
  itemIds(): string[] {
    return [...this.#items.keys()];
  }

  /** At most `count` other items of at least this similarity to it, by prototypes, the nearest first. */
  neighboursOf(id: string, count: number, least: number): Neighbour[] {
    const item = this.#items.get(id);
    return item === undefined ? [] : this.#neighbours.nearestFew(item, count, least);
  }

  /** Templates of an item that look like another item and not like its other templates. */
  straysOf(id: string): Stray[] {
    const item = this.#items.get(id);
    if (item === undefined || item.templates.size < MIN_TEMPLATES) return [];
    // of all views together: wrong templates that make a view of their own are still found
    const sum = sumOf(this.#templatesOf(item).map(({ vector }) => vector));
    return [...item.templates].flatMap(([key, row]) => {
      const vector = this.#templates.row(row);
      const other = this.#rank(vector, SHORTLIST_ITEMS).find((rated) => rated.item !== item);
      if (other === undefined) return [];
      const cosines = [...item.templates.values()]
        .filter((one) => one !== row)
        .map((one) => dotRow(vector, this.#templates.values, one));
      const rest = prototypeWithout(sum, vector);
      const own = bounded(similarityOf(dotRow(vector, rest, 0), Math.max(...cosines)));
      const stray = { key, own, looksLike: { id: other.item.id, similarity: bounded(other.similarity) } };
      return isStray(stray) ? [stray] : [];
    });
  }

  /** The most similar items, best first; equal ones by id. */
  #rank(vector: Float32Array, count: number): RatedItem[] {
    const items = this.#bySlot.length;
    if (this.#dots.length < items) this.#dots = new Float64Array(items * 2);
    this.#prototypes.cosines(vector, this.#dots);
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
      items: this.#bySlot.length,
      similarity,
      nearest,
      lead: second === undefined ? MOST_LEAD : similarity - second.similarity,
      prototypeLead: second === undefined ? MOST_LEAD : prototype - second.prototype,
      ratio: this.#ratio === null ? 0 : this.#ratioOf(this.#ratio, vector, best.item),
      pair: this.#leaveOneOut.pairOf(best.item, second?.item ?? null),
    };
  }

  /** The ratio of the item's likeliest view. */
  #ratioOf(ratio: LikelihoodRatio, vector: Float32Array, item: Item): number {
    const templates = this.#templatesOf(item);
    const views = item.views.length === 1 ? [templates] : templatesByView(templates);
    const look = ratio.knownOf([vector]);
    return Math.max(...views.map((own) => ratio.of(look, ratio.knownOf(own.map((template) => template.vector)))));
  }

  #compared(item: Item): Compared {
    return {
      prototypes: item.views.map((view) => this.#prototypes.row(view)),
      templates: Array.from(item.templates.values(), (row) => this.#templates.row(row)),
    };
  }

  /** Rates an item by the cosine of its best prototype, just computed, and that of its nearest template. */
  #rate(vector: Float32Array, item: Item): RatedItem {
    const prototype = this.#dots[item.slot] ?? 0;
    let nearest = -1;
    for (const row of item.templates.values()) nearest = Math.max(nearest, dotRow(vector, this.#templates.values, row));
    return { item, prototype, nearest, similarity: similarityOf(prototype, nearest) };
  }

  #check(vector: Float32Array): void {
    if (vector.length !== this.#rules.dimension) {
      throw new RangeError(`a vector of ${vector.length} values, the model makes ${this.#rules.dimension}`);
    }
    // a longer vector would outweigh all others of its item; one with NaN would spoil their sum
    if (!isUnit(vector)) throw new RangeError('a vector that is not of length 1');
  }

  #insert({ item: id, key, vector, madeAt = null }: IndexedTemplate): Item {
    this.#check(vector);
    const before = this.#itemOf.get(key);
    if (before !== undefined) this.#removeFrom(before, key);
    const item = this.#items.get(id) ?? this.#create(id);
    const row = this.#templates.add();
    this.#templates.row(row).set(vector);
    this.#owners[row] = { item, key, madeAt };
    item.templates.set(key, row);
    this.#itemOf.set(key, item);
    return item;
  }

  #create(id: string): Item {
    const item: Item = { id, slot: this.#bySlot.length, views: [], templates: new Map(), confirmed: [] };
    this.#bySlot.push(item);
    this.#items.set(id, item);
    return item;
  }

  /** Removes a template from its item and from the matrix. */
  #removeTemplate(item: Item, key: string): void {
    const row = item.templates.get(key);
    if (row === undefined) return;
    item.templates.delete(key);
    this.#itemOf.delete(key);
    this.#templates.remove(row);
    const last = this.#owners.pop();
    if (last === undefined || row === this.#templates.count) return;
    this.#owners[row] = last;
    last.item.templates.set(last.key, row);
  }

  /** Removes an item without templates. */
  #removeItem(item: Item): void {
    this.#leaveOneOut.forget(item);
    this.#items.delete(item.id);
    this.#prototypes.replace(item, []);
    const last = this.#bySlot.pop();
    if (last === undefined || last === item) return;
    last.slot = item.slot;
    this.#bySlot[item.slot] = last;
  }

  #templatesOf(item: Item): AgedVector[] {
    return Array.from(item.templates.values(), (row) => ({
      vector: this.#templates.row(row),
      madeAt: this.#owners[row]?.madeAt ?? null,
    }));
  }

  #refresh(item: Item): void {
    this.#leaveOneOut.forget(item);
    this.#prototypes.replace(item, prototypesOf(this.#templatesOf(item), item.confirmed));
  }

  /** The `k` most similar items by the cosines just computed. `k` is small: insertion beats sorting all. */
  #best(k: number): Item[] {
    const ranked: Item[] = [];
    const before = (one: Item, other: Item): boolean => {
      const difference = (this.#dots[one.slot] ?? 0) - (this.#dots[other.slot] ?? 0);
      return difference > 0 || (difference === 0 && one.id < other.id);
    };
    for (const item of this.#bySlot) {
      const last = ranked[k - 1];
      if (last !== undefined && !before(item, last)) continue;
      ranked.splice(ranked.findLastIndex((other) => before(other, item)) + 1, 0, item);
      if (ranked.length > k) ranked.pop();
    }
    return ranked;
  }
}
