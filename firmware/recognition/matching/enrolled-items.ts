/**
 * The items that a vector is compared with: the templates of each in one matrix, its confirmations, and the prototypes that
 * follow from both. Prototypes are recomputed whenever one of the two changes.
 */
import { isUnit } from '../model/vectors.ts';
import { dotRow, Matrix } from './matrix.ts';
import { Prototypes, type View } from './prototypes.ts';
import { type AgedVector, MOST_CONFIRMATIONS, prototypesOf } from './prototypes-of.ts';

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

export interface EnrolledItem {
  readonly id: string;
  /** The item's place among the items. */
  slot: number;
  views: readonly View[];
  /** The places of its templates in the matrix of templates, by key. */
  readonly templates: Map<string, number>;
  /** Confirmed vectors of the item, the oldest first. */
  confirmed: Float32Array[];
}

export class EnrolledItems {
  readonly prototypes: Prototypes;
  readonly #dimension: number;
  readonly #onChange: (item: EnrolledItem) => void;
  readonly #items = new Map<string, EnrolledItem>();
  readonly #bySlot: EnrolledItem[] = [];
  readonly #templates: Matrix;
  /** The owner of each row of `#templates`. */
  readonly #owners: { item: EnrolledItem; key: string; madeAt: number | null }[] = [];
  readonly #itemOf = new Map<string, EnrolledItem>();

  /** @param onChange called when templates or prototypes of an item change, also when it is removed */
  constructor(dimension: number, onChange: (item: EnrolledItem) => void) {
    this.#dimension = dimension;
    this.#onChange = onChange;
    this.prototypes = new Prototypes(dimension, this.#bySlot);
    this.#templates = new Matrix(dimension);
  }

  /** All items, each at its `slot`. */
  get bySlot(): readonly EnrolledItem[] {
    return this.#bySlot;
  }

  get templateCount(): number {
    return this.#templates.count;
  }

  /** Number of confirmations of all items. */
  get confirmationCount(): number {
    return this.#bySlot.reduce((count, { confirmed }) => count + confirmed.length, 0);
  }

  find(id: string): EnrolledItem | null {
    return this.#items.get(id) ?? null;
  }

  /** Whether a vector can be the model's: of its dimension, and of length 1. */
  fits(vector: Float32Array): boolean {
    return vector.length === this.#dimension && isUnit(vector);
  }

  /** @throws {RangeError} wrong dimension or length */
  requireFitting(vector: Float32Array): void {
    if (vector.length !== this.#dimension) {
      throw new RangeError(`a vector of ${vector.length} values, the model makes ${this.#dimension}`);
    }
    // a longer vector would outweigh all others of its item; one with NaN would spoil their sum
    if (!isUnit(vector)) throw new RangeError('a vector that is not of length 1');
  }

  /** The templates of an item by key; each vector is valid until the next change. */
  vectorsOf(item: EnrolledItem): Map<string, Float32Array> {
    return new Map(Array.from(item.templates, ([key, row]) => [key, this.#templates.row(row)]));
  }

  /** The templates of an item, each with the time when it was made. */
  agedVectorsOf(item: EnrolledItem): AgedVector[] {
    return Array.from(item.templates.values(), (row) => ({
      vector: this.#templates.row(row),
      madeAt: this.#owners[row]?.madeAt ?? null,
    }));
  }

  /** The cosine of an item's template that is nearest to the vector, other than the one with this key. */
  nearestCosine(item: EnrolledItem, vector: Float32Array, except: string | null = null): number {
    let nearest = -1;
    for (const [key, row] of item.templates)
      if (key !== except) nearest = Math.max(nearest, dotRow(vector, this.#templates.values, row));
    return nearest;
  }

  /**
   * Adds templates, each in place of the one with its key.
   * @throws {RangeError} wrong dimension or length; those before the wrong one are added
   */
  addAll(templates: Iterable<IndexedTemplate>): void {
    const changed = new Set<EnrolledItem>();
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

  #removeFrom(item: EnrolledItem, key: string): true {
    this.#removeTemplate(item, key);
    if (item.templates.size === 0) this.#removeItem(item);
    else this.#refresh(item);
    return true;
  }

  /** Adds confirmations, the oldest first; those of unknown items are ignored. @throws {RangeError} wrong dimension or length */
  confirmAll(confirmations: Iterable<Confirmation>): void {
    const changed = new Set<EnrolledItem>();
    for (const { item: id, vector } of confirmations) {
      this.requireFitting(vector);
      const item = this.#items.get(id);
      if (item === undefined) continue;
      item.confirmed = [...item.confirmed, vector.slice()].slice(-MOST_CONFIRMATIONS);
      changed.add(item);
    }
    for (const item of changed) this.#refresh(item);
  }

  #insert({ item: id, key, vector, madeAt = null }: IndexedTemplate): EnrolledItem {
    this.requireFitting(vector);
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

  #create(id: string): EnrolledItem {
    const item: EnrolledItem = { id, slot: this.#bySlot.length, views: [], templates: new Map(), confirmed: [] };
    this.#bySlot.push(item);
    this.#items.set(id, item);
    return item;
  }

  /** Removes a template from its item and from the matrix. */
  #removeTemplate(item: EnrolledItem, key: string): void {
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
  #removeItem(item: EnrolledItem): void {
    this.#onChange(item);
    this.#items.delete(item.id);
    this.prototypes.replace(item, []);
    const last = this.#bySlot.pop();
    if (last === undefined || last === item) return;
    last.slot = item.slot;
    this.#bySlot[item.slot] = last;
  }

  #refresh(item: EnrolledItem): void {
    this.#onChange(item);
    this.prototypes.replace(item, prototypesOf(this.agedVectorsOf(item), item.confirmed));
  }
}
