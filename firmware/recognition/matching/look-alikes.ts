/**
 * What an operator can mend: items that look alike to recognition, and templates of the wrong item. The search runs on
 * request, over some items at a time, with turns for the event loop between.
 */
import { nextTurn } from '../../../drivers/lib/turns.ts';
import type { Classifier } from './classifier.ts';
import type { Stray } from './strays.ts';

/** What would help to distinguish two items, in words for an operator. */
export const CURES = Object.freeze({
  'delete-strays':
    'one of them has templates that look like the other: `strays` names them, look at each and delete it',
  'more-templates':
    'one of them has fewer than five templates: learn more, turned and laid down again in between, then look again',
  choose: 'the camera sees no difference: let the customer choose on the till, or sell one of them by its barcode',
});
type Cure = keyof typeof CURES;

/** With fewer templates an item's prototype is not yet where its pictures are. */
const ENOUGH_TEMPLATES = 5;
/** How many pairs of one item are listed. */
const MOST_ALIKE = 16;
/** How many items one answer looks at: some tenths of a second with 2,000 items. */
const LOOKED_ITEMS = 500;
/** How long the search runs between two turns of the event loop. */
const SLICE_MS = 8;

export interface Pair {
  /** Ids; the smaller one first. */
  readonly items: readonly [string, string];
  /** Cosine of their prototypes. */
  readonly cosine: number;
  readonly cure: Cure;
}

interface StrayOf extends Stray {
  readonly item: string;
}

export interface LookAlikes {
  readonly pairs: readonly Pair[];
  readonly strays: readonly StrayOf[];
  /** How many items were looked at. */
  readonly looked: number;
  /** Id of the last item that was looked at; null where none is left. */
  readonly cursor: string | null;
}

type Gallery = Pick<Classifier, 'itemIds' | 'neighboursOf' | 'straysOf' | 'countOf'>;

function cureOf(gallery: Gallery, one: string, other: string): Cure {
  const hasStray = (item: string, like: string): boolean =>
    gallery.straysOf(item).some(({ looksLike }) => looksLike.id === like);
  if (hasStray(one, other) || hasStray(other, one)) return 'delete-strays';
  if (Math.min(gallery.countOf(one), gallery.countOf(other)) < ENOUGH_TEMPLATES) return 'more-templates';
  return 'choose';
}

/** The pairs of an item. A pair that both items would list is listed with the smaller id. */
function pairsOf(gallery: Gallery, id: string, from: number): Pair[] {
  return gallery
    .neighboursOf(id, MOST_ALIKE, from)
    .filter((other) => other.id > id || !gallery.neighboursOf(other.id, MOST_ALIKE, from).some((one) => one.id === id))
    .map(({ id: other, cosine }) => ({
      items: id < other ? [id, other] : [other, id],
      cosine,
      cure: cureOf(gallery, id, other),
    }));
}

/**
 * @param from cosine of two prototypes from which items are look-alikes
 * @param after id of the last item that was looked at before; null begins
 * @param limit number of pairs and strays after which no further item is looked at
 */
export async function findLookAlikes(
  gallery: Gallery,
  from: number,
  after: string | null,
  limit: number,
): Promise<LookAlikes> {
  const ids = gallery
    .itemIds()
    .filter((id) => after === null || id > after)
    .sort((one, other) => (one < other ? -1 : 1));
  const pairs: Pair[] = [];
  const strays: StrayOf[] = [];
  let looked = 0;
  let sliceEnds = performance.now() + SLICE_MS;
  for (const id of ids.slice(0, LOOKED_ITEMS)) {
    if (pairs.length + strays.length >= limit) break;
    pairs.push(...pairsOf(gallery, id, from));
    strays.push(...gallery.straysOf(id).map((stray) => ({ ...stray, item: id })));
    looked += 1;
    if (performance.now() < sliceEnds) continue;
    await nextTurn();
    sliceEnds = performance.now() + SLICE_MS;
  }
  return { pairs, strays, looked, cursor: looked < ids.length ? (ids[looked - 1] ?? null) : null };
}
