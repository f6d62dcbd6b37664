/** All items of a device at once, and what a master does: what the rules of synchronisation are tried on. */
import type { TemplateName } from '../../firmware/recognition/templates/template-name.ts';
import type { Mark } from '../../firmware/sync/centre/centre.ts';
import {
  decideItem,
  type ItemCentre,
  type ItemLocal,
  joinPlans,
  type Plan,
} from '../../firmware/sync/centre/decide.ts';
import { identityOf } from '../../firmware/sync/centre/subjects.ts';

export interface LocalState extends ItemLocal {
  /** Templates of one synchronisation; 0: no limit. */
  readonly limit: number;
}

export interface CentreState extends Omit<ItemCentre, 'isMarked'> {
  readonly marks: readonly Mark[];
  /** Identifiers of marks that this device has reported last. */
  readonly reported: readonly string[];
}

export function decide(local: LocalState, centre: CentreState): Plan {
  const marked = new Set(centre.marks.map(({ item }) => item));
  const here = Map.groupBy(local.templates, ({ item }) => item);
  const there = Map.groupBy(centre.templates, ({ item }) => item);
  const buriedHere = Map.groupBy(local.tombstones, ({ ref }) => ref.item);
  const buriedThere = Map.groupBy(centre.tombstones, ({ item }) => item);
  const items = new Set([here, there, buriedHere, buriedThere].flatMap((each) => [...each.keys()]));
  const plans = [...items].sort().map((item) =>
    decideItem(
      { ...local, templates: here.get(item) ?? [], tombstones: buriedHere.get(item) ?? [] },
      {
        templates: there.get(item) ?? [],
        tombstones: buriedThere.get(item) ?? [],
        published: centre.published,
        isMarked: marked.has(item),
      },
    ),
  );
  return joinPlans(plans, local.limit, centre);
}

/** What the master takes from the centre: templates of marked items, and those that a tombstone names. */
export function decideCentre(
  templates: readonly TemplateName[],
  tombstones: readonly TemplateName[],
  marks: readonly Mark[],
): readonly TemplateName[] {
  const marked = new Set(marks.map(({ item }) => item));
  const deletedForGood = new Set(tombstones.map(identityOf));
  return templates.filter((ref) => marked.has(ref.item) || deletedForGood.has(identityOf(ref)));
}
