/**
 * How similar is similar enough, in this shop. Three things make a fixed threshold break its promise when a shop grows, and
 * each is read from what is enrolled: with few templates an item's prototype is not where its pictures are; an item that has
 * a look-alike is answered in its place; and the best of many strangers is nearer than the best of a few.
 * How much each weighs was measured, and stands in the model's manifest.
 */
import type { Manifest } from '../embedding/manifest.ts';

/** Similarities; see `judge` for the verdict that they decide. */
export type Bounds = Manifest['thresholds'];

export type Judging = Pick<Manifest, 'thresholds' | 'gallery'>;

/** What all items together say. */
export interface Crowd {
  /** Mean over items of 1 / number of templates, of an item with several views the mean of theirs: 1 where each has one, 0 without items. */
  readonly fewness: number;
  /** Mean over items of the cosine to the nearest other one; null with less than two. */
  readonly nearness: number | null;
}

/** Where a model says nothing: thresholds stay as they are, and these cosines are told of as look-alikes. */
export const PLAIN_GALLERY: NonNullable<Manifest['gallery']> = Object.freeze({
  fewTemplates: 0,
  lookAlike: 0,
  lookAlikeFrom: 0.75,
  strangers: 0,
  strangersFrom: 1,
});

/** @param nearest cosine of the answered item to its nearest other one; null where it is the only one */
export function boundsOf(
  { thresholds, gallery = PLAIN_GALLERY }: Judging,
  crowd: Crowd,
  nearest: number | null,
): Bounds {
  const above = (cosine: number | null, from: number): number => (cosine === null ? 0 : Math.max(0, cosine - from));
  const margin =
    thresholds.margin +
    // the nearer strangers are, the more it matters that a prototype is not where its pictures are
    gallery.fewTemplates * crowd.fewness * above(crowd.nearness, 0) +
    gallery.lookAlike * above(nearest, gallery.lookAlikeFrom);
  const unknown = thresholds.unknown + gallery.strangers * above(crowd.nearness, gallery.strangersFrom);
  return { certain: thresholds.certain, margin, unknown: Math.min(thresholds.certain, unknown) };
}
