/**
 * Decides what a device does at one synchronisation: a pure function of its state and the centre's, without network or
 * clock. Each item is decided alone; only the limit of templates in one round spans items. So items that have not
 * changed since the last complete round need no decision.
 *
 * - Nothing is deleted because it is missing at the centre: only a mark, a tombstone or a full item removes a template,
 *   and a full item only one that is on the centre's disk. So devices refill a centre that lost its last minutes, or
 *   all.
 * - The centre may have more templates of an item than `max`, as after devices were separated. When a person deletes
 *   one, those beyond `max` are deleted permanently, too, so that one deletion frees one place.
 * - Progress is not stored but read from both states: an interrupted round is decided again.
 */
import { byAge, inTurns, type TemplateName, type Tombstone } from '../../recognition/index.ts';
import type { Mark } from './centre.ts';
import { identityOf } from './subjects.ts';

/** What the device has of one item. */
export interface ItemLocal {
  readonly serial: string;
  readonly upload: boolean;
  readonly download: boolean;
  /** How many templates an item may have. */
  readonly max: number;
  readonly templates: readonly TemplateName[];
  readonly tombstones: readonly Tombstone[];
  /**
   * Identities of local templates that the centre has lacked for a while: the device that made them is gone and will
   * not publish them, or they came with a package.
   */
  readonly orphaned: ReadonlySet<string>;
  /** Identities of templates on the centre's disk, which survive a power cut there. */
  readonly storedAtCentre: ReadonlySet<string>;
  /** How many more tombstones this device may keep for templates that are neither here nor at the centre. */
  readonly roomForTombstones: number;
}

/** What the centre has of one item. */
export interface ItemCentre {
  /** Templates that can be fetched; entries that are no templates are left out. */
  readonly templates: readonly TemplateName[];
  /** Tombstones of all devices. */
  readonly tombstones: readonly TemplateName[];
  /** Identities of the tombstones that this device has published. */
  readonly published: ReadonlySet<string>;
  readonly isMarked: boolean;
}

/** What the device does in a round, in this order. */
export interface Plan {
  /** Tombstones to store here: other devices', and those of templates that are deleted so that a place stays free. */
  readonly keepTombstones: readonly TemplateName[];
  /** Templates to delete here because of a mark or a tombstone. */
  readonly drop: readonly TemplateName[];
  /** Ids of marks to report as carried out once `drop` is durable; null where the centre has this report. */
  readonly report: readonly string[] | null;
  /** Tombstones to publish. */
  readonly publishTombstones: readonly TemplateName[];
  /** Templates to publish. */
  readonly put: readonly TemplateName[];
  /** Templates to delete here to make room for templates that belong here. */
  readonly evict: readonly TemplateName[];
  /** Templates to fetch from the centre. */
  readonly fetch: readonly TemplateName[];
  /** Templates that the limit leaves for the next synchronisation. */
  readonly left: number;
}

/** Templates that an item lacks here, and templates that may be deleted to make room for them. */
interface Exchange {
  readonly missing: readonly TemplateName[];
  /** In the order of deletion, the reverse of `inTurns`. */
  readonly evictable: readonly TemplateName[];
  /** How many templates may be added before one must be deleted; negative where there are too many. */
  readonly room: number;
  /** Whether a template that belongs here has no room, because no other may be deleted. */
  readonly isBlocked: boolean;
}

/** The plan of one item, before the limit. */
export type ItemPlan = Exchange & Pick<Plan, 'keepTombstones' | 'drop' | 'publishTombstones' | 'put'>;

/** What an item lacks and may delete: the first `max` templates in the order of `inTurns` belong here. */
function exchangeOf(present: readonly TemplateName[], offers: readonly TemplateName[], local: ItemLocal): Exchange {
  const offered = new Map(offers.map((ref) => [identityOf(ref), ref]));
  const candidates = new Map(offered);
  for (const ref of present) candidates.set(identityOf(ref), ref);
  const isEnough = candidates.size <= local.max;
  const wanted = isEnough ? [...candidates.values()].sort(byAge) : inTurns([...candidates.values()], local.max);
  const onDevice = new Set(present.map(identityOf));
  const wantedHere = new Set(wanted.map(identityOf));
  const isEvictable = (identity: string): boolean =>
    !wantedHere.has(identity) && offered.has(identity) && local.storedAtCentre.has(identity);
  const evictable = isEnough ? [] : inTurns(present).filter((ref) => isEvictable(identityOf(ref)));
  const room = local.max - present.length;
  const lacking = wanted.filter((ref) => !onDevice.has(identityOf(ref)));
  const missing = lacking.slice(0, Math.max(0, room + evictable.length));
  const isBlocked = lacking.length > missing.length;
  return { missing, evictable: evictable.reverse(), room, isBlocked };
}

/**
 * Templates beyond the `max` of an item, of which a person has just deleted some here: they would fill the places that
 * the person freed. Templates that are here are not among them.
 */
function surplusOf(
  present: readonly TemplateName[],
  offers: readonly TemplateName[],
  deleted: readonly TemplateName[],
  max: number,
): TemplateName[] {
  if (deleted.length === 0) return [];
  const names = new Map([...offers, ...present, ...deleted].map((ref) => [identityOf(ref), ref]));
  const stays = new Set([...present, ...deleted].map(identityOf));
  return inTurns([...names.values()])
    .slice(max)
    .filter((ref) => !stays.has(identityOf(ref)));
}

/**
 * Whether this device takes a template from the centre. `upload` decides on its own templates, which so come back after
 * a deletion; `download` decides on others.
 */
export const isOffered = (
  ref: TemplateName,
  { serial, upload, download }: Pick<ItemLocal, 'serial' | 'upload' | 'download'>,
): boolean => (ref.origin === serial ? upload : download);

export function decideItem(local: ItemLocal, centre: ItemCentre): ItemPlan {
  const tombstonesAtCentre = new Set(centre.tombstones.map(identityOf));
  const known = new Set(local.tombstones.map(({ ref }) => identityOf(ref)));
  const isGone = (ref: TemplateName): boolean =>
    centre.isMarked || known.has(identityOf(ref)) || tombstonesAtCentre.has(identityOf(ref));
  const atCentre = new Set(centre.templates.map(identityOf));
  const present = local.templates.filter((ref) => !isGone(ref));
  const isMissing = (ref: TemplateName): boolean => !atCentre.has(identityOf(ref));
  const here = new Set(local.templates.map(identityOf));
  const isHeld = (ref: TemplateName): boolean => here.has(identityOf(ref)) || atCentre.has(identityOf(ref));
  const isPublisher = (ref: TemplateName): boolean =>
    ref.origin === local.serial || local.orphaned.has(identityOf(ref));
  const isNewlyDeleted = ({ ref, own }: Tombstone): boolean =>
    own && !centre.published.has(identityOf(ref)) && atCentre.has(identityOf(ref));
  const deleted = local.tombstones.filter(isNewlyDeleted).map(({ ref }) => ref);
  const offered = centre.templates.filter((ref) => !isGone(ref) && isOffered(ref, local));
  const surplus = centre.isMarked ? [] : surplusOf(present, offered, deleted, local.max);
  const surplusIds = new Set(surplus.map(identityOf));
  const offers = offered.filter((ref) => !surplusIds.has(identityOf(ref)));
  const unknown = centre.tombstones.filter((ref) => !known.has(identityOf(ref)));
  return {
    // A device that is off may still have a template that nobody else has, so its tombstone is kept. The room for such
    // tombstones is limited: a hostile device could invent any number.
    keepTombstones: [
      ...unknown.filter(isHeld),
      ...unknown.filter((ref) => !isHeld(ref)).slice(0, local.roomForTombstones),
      ...surplus,
    ],
    drop: local.templates.filter(isGone),
    publishTombstones: [
      ...local.tombstones
        // a tombstone of another device is published, too: that device, or the centre that had it, may be gone
        .filter(({ ref, own }) => !(own ? centre.published : tombstonesAtCentre).has(identityOf(ref)))
        .map(({ ref }) => ref),
      ...surplus,
    ],
    put: local.upload ? present.filter((ref) => isMissing(ref) && isPublisher(ref)) : [],
    ...exchangeOf(present, offers, local),
  };
}

export const isIdle = ({ keepTombstones, drop, publishTombstones, put, missing, evictable, room }: ItemPlan): boolean =>
  [keepTombstones, drop, publishTombstones, put, missing].every(({ length }) => length === 0) &&
  (room >= 0 || evictable.length === 0);

/** Marks that are carried out here, and ids of those that the centre has as carried out. */
interface Deletions {
  readonly marks: readonly Pick<Mark, 'id'>[];
  readonly reported: readonly string[];
}

/** Ids to report; null where the centre has the same report. */
function reportOf({ marks, reported }: Deletions): readonly string[] | null {
  const done = marks.map(({ id }) => id);
  return done.length === reported.length && done.every((id) => reported.includes(id)) ? null : done;
}

/** Joins the plans of items. @param limit most templates to publish and fetch in one round; 0: any number */
export function joinPlans(plans: readonly ItemPlan[], limit: number, centre: Deletions): Plan {
  const budget = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  const puts = plans.flatMap(({ put }) => put);
  const put = puts.slice(0, budget);
  const fetch: TemplateName[] = [];
  const evict: TemplateName[] = [];
  let wanted = 0;
  for (const { missing, evictable, room } of plans) {
    const taken = missing.slice(0, Math.max(0, budget - put.length - fetch.length));
    wanted += missing.length;
    fetch.push(...taken);
    evict.push(...evictable.slice(0, Math.max(0, taken.length - room)));
  }
  return {
    keepTombstones: plans.flatMap(({ keepTombstones }) => keepTombstones),
    drop: plans.flatMap(({ drop }) => drop),
    report: reportOf(centre),
    publishTombstones: plans.flatMap(({ publishTombstones }) => publishTombstones),
    put,
    evict,
    fetch,
    left: puts.length - put.length + wanted - fetch.length,
  };
}
