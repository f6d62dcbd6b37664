/**
 * What a store makes of one item of its chain, as a pure function: a round that is run twice comes to the same. What the store
 * has taught itself wins, and what it has deleted stays deleted; each of its devices has the templates and tombstones that say so.
 */
import { isOfChain, type TemplateName, type Tombstone } from '../../recognition/index.ts';
import { type CatalogueItem, namesIn } from './catalogue.ts';
import { identityOf } from './subjects.ts';

/** Of one item. */
export interface StoreSide {
  readonly templates: readonly TemplateName[];
  readonly tombstones: readonly Tombstone[];
  /** Templates that an item may have. */
  readonly max: number;
  /** Identity of the model that the device runs; null: none. */
  readonly model: string | null;
}

interface ChainPlan {
  readonly take: readonly TemplateName[];
  /** To be deleted for good in the whole store: the chain has replaced them, or the store declines them. */
  readonly bury: readonly TemplateName[];
  /** Whether it is not taken because another model made it. */
  readonly isForeign: boolean;
}

const NOTHING: ChainPlan = { take: [], bury: [], isForeign: false };

export function decideFromChain(offered: CatalogueItem, { templates, tombstones, max, model }: StoreSide): ChainPlan {
  const held = new Set(templates.map(identityOf));
  const buried = new Set(tombstones.map(({ ref }) => identityOf(ref)));
  const names = namesIn(offered);
  const missing = names.slice(0, max).filter((ref) => !held.has(identityOf(ref)) && !buried.has(identityOf(ref)));
  // declined for good, or the chain's would come where the store's own are deleted one day
  if (templates.some((ref) => !isOfChain(ref))) return { take: [], bury: missing, isForeign: false };
  // the item was deleted, or declined: what had not come by then, or had no room, does not come either
  if (templates.length === 0 && names.some((ref) => buried.has(identityOf(ref)))) return NOTHING;
  if (names.length > 0 && offered.model !== model) return { take: [], bury: [], isForeign: missing.length > 0 };
  const current = new Set(names.map(identityOf));
  const replaced = templates.filter((ref) => !current.has(identityOf(ref)));
  return { take: missing, bury: replaced, isForeign: false };
}
