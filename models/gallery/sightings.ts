/** What the device's own classifier sees of queries in galleries of many sizes: everything that a verdict is made of. */
import type { Speed } from '../../firmware/core/config/choices.ts';
import type { Manifest } from '../../firmware/recognition/embedding/manifest.ts';
import { Classifier } from '../../firmware/recognition/matching/classifier.ts';
import type { Confidence, Evidence } from '../../firmware/recognition/matching/confidence.ts';
import { judge } from '../../firmware/recognition/matching/scoring.ts';
import { seeded } from '../../test/tools/seeded.ts';
import { type Row, shuffled } from '../evaluation/protocol.ts';
import { drawnItems } from './strangers.ts';

export const SIZES = [10, 30, 81, 300, 2000] as const;
export const KINDS = ['photographs', 'drawn'] as const;
export type Kind = (typeof KINDS)[number];

/** One unlucky template makes an item's answers wrong in all of a gallery; of a small one more are drawn, each has few queries. */
const drawsOf = (size: number): number => (size <= 10 ? 12 : 5);
/** Of the page for a scale. */
const TILES = 6;
/** Vectors of an unseen item that strangers are drawn after. */
const SHOWN = 10;

/** One query, and what the classifier made of it. */
export interface Sighting {
  /** False also where the item is not enrolled. */
  readonly right: boolean;
  readonly enrolled: boolean;
  /** Whether it is among the first six, which a screen shows as tiles. */
  readonly shown: boolean;
  /** Of one that is not: whether another item of its group is, which look alike. */
  readonly alike: boolean;
  readonly item: string;
  /** Of the draws of templates. */
  readonly draw: number;
  readonly evidence: Evidence;
}

/** Vectors of a fold's model, which has not seen the fold's items. */
export interface FoldVectors {
  readonly judged: readonly string[];
  readonly rows: readonly Row[];
  /** Of each row; null where nothing was seen. */
  readonly vectors: Readonly<Record<Speed, readonly (Float32Array | null)[]>>;
  /** Of the items that the model was trained with. */
  readonly ratio?: Manifest['ratio'] | undefined;
  /** Templates of strangers, item by item. */
  readonly strangers: readonly (readonly Float32Array[])[];
}

export interface Gallery {
  readonly size: number;
  readonly kind: Kind;
  readonly templates: number;
}

class Draw {
  readonly #fold: FoldVectors;
  readonly #gallery: Gallery;
  readonly #number: number;
  readonly #random: () => number;
  readonly #classifier: Classifier;
  readonly #enrolled: ReadonlySet<string>;

  constructor(fold: FoldVectors, gallery: Gallery, number: number, hidesHalf: boolean) {
    this.#fold = fold;
    this.#gallery = gallery;
    this.#random = seeded(1000 * gallery.size + 10 * gallery.templates + number);
    const dimension = fold.vectors.normal.find((vector) => vector !== null)?.length ?? 0;
    const { ratio } = fold;
    this.#classifier = new Classifier({ temperature: 1, dimension, ...(ratio === undefined ? {} : { ratio }) });
    this.#number = number;
    const judged = shuffled(fold.judged, this.#random);
    const half = Math.floor(judged.length / 2);
    this.#enrolled = new Set(judged.slice(0, hidesHalf ? Math.min(half, gallery.size) : gallery.size));
    for (const item of this.#enrolled) this.#enrol(item, this.#templatesOf(item, gallery.templates));
    this.#fill(number);
  }

  /** @param every asks one in so many of the queries */
  *ask(speed: Speed, every: number): Generator<Sighting> {
    const { rows, vectors, judged } = this.#fold;
    let asked = this.#number;
    for (const [at, { item, split }] of rows.entries()) {
      const vector = vectors[speed][at];
      if (split !== 'test' || vector == null || !judged.includes(item)) continue;
      asked += 1;
      if (asked % every !== 0) continue;
      const found = this.#classifier.classify(vector, TILES, speed).items;
      const [best] = found;
      const evidence = this.#classifier.evidenceOf(vector);
      if (best === undefined || evidence === null) continue;
      yield {
        right: best.id === item,
        enrolled: this.#enrolled.has(item),
        shown: found.some(({ id }) => id === item),
        alike: !this.#enrolled.has(item) && this.#hasAlike(item),
        item,
        draw: this.#number,
        evidence,
      };
    }
  }

  #hasAlike(item: string): boolean {
    const groupOf = new Map(this.#fold.rows.map((row) => [row.item, row.group]));
    const group = groupOf.get(item);
    return [...groupOf].some(([other, its]) => its === group && this.#classifier.countOf(other) > 0);
  }

  #enrol(item: string, vectors: readonly Float32Array[]): void {
    this.#classifier.addAll(vectors.map((vector, at) => ({ item, key: `${item}/${at}`, vector })));
  }

  #templatesOf(item: string, count: number): Float32Array[] {
    const { rows, vectors } = this.#fold;
    const own = rows.flatMap((row, at) => (row.item === item && row.split !== 'test' ? [vectors.normal[at]] : []));
    return shuffled(own, this.#random)
      .slice(0, count)
      .filter((vector) => vector != null);
  }

  /** Strangers, or drawn ones, up to the size. Items of the other folds are none: the model knows them, and tells others from them too well. */
  #fill(number: number): void {
    const { size, kind, templates } = this.#gallery;
    const missing = () => size - this.#classifier.itemCount;
    if (kind === 'drawn') {
      const shown = this.#fold.judged.map((item) => this.#templatesOf(item, SHOWN));
      const made = drawnItems(shown, missing(), templates, 7000 + number);
      for (const [at, vectors] of made.entries()) this.#enrol(`drawn ${at}`, vectors);
      return;
    }
    const strangers = shuffled([...this.#fold.strangers.entries()], this.#random).slice(0, missing());
    for (const [at, vectors] of strangers) this.#enrol(`stranger ${at}`, vectors.slice(0, templates));
  }
}

/** Known items with every judged one enrolled, unknown ones with half of them hidden. */
export function sightingsOf(folds: readonly FoldVectors[], gallery: Gallery, speed: Speed, every = 1): Sighting[] {
  return folds.flatMap((fold) =>
    Array.from({ length: drawsOf(gallery.size) }, (_, number) => [
      ...[...new Draw(fold, gallery, number, false).ask(speed, every)].filter(({ enrolled }) => enrolled),
      ...[...new Draw(fold, gallery, number, true).ask(speed, every)].filter(({ enrolled }) => !enrolled),
    ]).flat(),
  );
}

export interface Shares {
  readonly top1: number;
  readonly shown: number;
  readonly certain: number;
  /** Of the certain ones; null where none is. */
  readonly wrong: number | null;
  readonly knownFlagged: number;
  readonly flagged: number;
  readonly fooled: number;
  /** Of the unknown beside whom an item of their group is enrolled. */
  readonly fooledByAlike: number;
}

/** All in per cent. */
export function sharesOf(sightings: readonly Sighting[], confidence: Confidence): Shares {
  const judged = sightings.map((sighting) => ({ ...sighting, verdict: judge(sighting.evidence, confidence) }));
  const known = judged.filter(({ enrolled }) => enrolled);
  const unknown = judged.filter(({ enrolled }) => !enrolled);
  type Judged = (typeof judged)[number];
  const share = (fits: (one: Judged) => boolean, of: readonly Judged[]): number =>
    of.length === 0 ? 0 : (100 * of.filter(fits).length) / of.length;
  const isCertain = ({ verdict }: Judged): boolean => verdict.certain;
  const isUnknown = ({ verdict }: Judged): boolean => verdict.unknown;
  const sure = known.filter(isCertain);
  return {
    top1: share(({ right }) => right, known),
    shown: share(({ shown }) => shown, known),
    certain: share(isCertain, known),
    wrong: sure.length === 0 ? null : share(({ right }) => !right, sure),
    knownFlagged: share(isUnknown, known),
    flagged: share(isUnknown, unknown),
    fooled: share(isCertain, unknown),
    fooledByAlike: share(
      isCertain,
      unknown.filter(({ alike }) => alike),
    ),
  };
}
