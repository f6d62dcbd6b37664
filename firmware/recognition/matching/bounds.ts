/**
 * How similar is similar enough, in this shop. Three things make a fixed threshold break its promise when a shop grows, and
 * each is read from what is enrolled: with few templates an item's prototype is not where its pictures are; an item that has
 * a look-alike is answered in its place; and the best of many strangers is nearer than the best of a few.
 * How much each weighs was measured, and stands in the model's manifest.
 */
import type { Manifest } from '../embedding/manifest.ts';

/** Similarities; see `judge` for the verdict that they decide. */
export interface Bounds extends Readonly<Manifest['thresholds']> {
  /** The part of the margin that more templates would not take away: a best item that leads by less has a look-alike. */
  readonly alike: number;
}

export type Judging = Pick<Manifest, 'thresholds' | 'gallery' | 'fewItems'>;

/** With at most so many items most of what is laid down has not been taught, and there is no item that it could be nearer to. */
const FEW_ITEMS = 5;
/** From so many on the thresholds were measured, and are left alone. */
const MANY_ITEMS = 10;

/** What all items together say. */
export interface Crowd {
  /** How many there are; many when left out. */
  readonly items?: number;
  /** Mean over items of 1 / number of templates, of an item with several views the mean of theirs: 1 where each has one, 0 without items. */
  readonly fewness: number;
  /** Mean over items of the cosine to the nearest other one; null with less than two. */
  readonly nearness: number | null;
}

/** Where a model says nothing: thresholds stay unchanged, and items from these cosines on are listed as look-alikes. */
export const PLAIN_GALLERY: NonNullable<Manifest['gallery']> = Object.freeze({
  fewTemplates: 0,
  lookAlike: 0,
  lookAlikeFrom: 0.75,
  strangers: 0,
  strangersFrom: 1,
});

/** 1 with few items, 0 with many, between them in proportion. */
const fewOf = (items: number): number => Math.min(1, Math.max(0, (MANY_ITEMS - items) / (MANY_ITEMS - FEW_ITEMS)));

/** @param nearest cosine of the answered item to its nearest other one; null where it is the only one */
export function boundsOf(
  { thresholds, gallery = PLAIN_GALLERY, fewItems }: Judging,
  crowd: Crowd,
  nearest: number | null,
): Bounds {
  const above = (cosine: number | null, from: number): number => (cosine === null ? 0 : Math.max(0, cosine - from));
  const alike = thresholds.margin + gallery.lookAlike * above(nearest, gallery.lookAlikeFrom);
  // the nearer strangers are, the more it matters that a prototype is not where its pictures are
  const margin = alike + gallery.fewTemplates * crowd.fewness * above(crowd.nearness, 0);
  const unknown = thresholds.unknown + gallery.strangers * above(crowd.nearness, gallery.strangersFrom);
  const few = fewOf(crowd.items ?? MANY_ITEMS) * above(fewItems?.certain ?? null, thresholds.certain);
  return { certain: thresholds.certain + few, margin, alike, unknown: Math.min(thresholds.certain, unknown) };
}
