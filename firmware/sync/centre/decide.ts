/**
 * What a device does at one synchronisation: a pure function of its own state and of the centre's. No network, no clock.
 * Each item is decided alone; only the limit spans items. So when the items that changed since the last complete round are
 * known, the others need no look.
 *
 * - Nothing is deleted because it is missing at the centre: only a mark, a tombstone or a full item takes a template away,
 *   and a full item only one that is on the centre's disk. So a centre that lost its last minutes, or all, is
 *   filled again.
 * - The work that a device has done is not stored but seen: an interrupted round is decided again.
 */
import { byAge, inTurns, type TemplateName, type Tombstone } from '../../recognition/index.ts';
import type { Mark } from './centre.ts';
import { identityOf } from './subjects.ts';

/** What lies on the device of one item. */
export interface ItemLocal {
  readonly serial: string;
  readonly upload: boolean;
  readonly download: boolean;
  /** Templates that an item may have. */
  readonly max: number;
  readonly templates: readonly TemplateName[];
  readonly tombstones: readonly Tombstone[];
  /**
   * Identities of templates here that the centre has lacked for a while, so that their maker will not give them: its
   * device is gone, or they came with a package.
   */
  readonly orphaned: ReadonlySet<string>;
  /** Identities that are on the centre's disk, so that a power cut would not take them any more. */
  readonly storedAtCentre: ReadonlySet<string>;
  /** How many more tombstones may be kept of templates that lie neither here nor at the centre. */
  readonly roomForTombstones: number;
}

/** What the centre has of one item. */
export interface ItemCentre {
  /** What can be taken; an entry that is no template is not there. */
  readonly templates: readonly TemplateName[];
  /** Of all devices. */
  readonly tombstones: readonly TemplateName[];
  /** Identities of the tombstones that this device has published. */
  readonly published: ReadonlySet<string>;
  readonly isMarked: boolean;
}

/** In the order in which it is done. */
export interface Plan {
  /** Tombstones of others, to be kept here. */
  readonly keepTombstones: readonly TemplateName[];
  /** To be deleted here, for a mark or a tombstone. */
  readonly drop: readonly TemplateName[];
  /** Marks that are carried out once `drop` is durable; null where the centre knows. */
  readonly report: readonly string[] | null;
  /** Tombstones to be published. */
  readonly publishTombstones: readonly TemplateName[];
  readonly put: readonly TemplateName[];
  /** To be deleted here to make room for those that belong here. */
  readonly evict: readonly TemplateName[];
  readonly fetch: readonly TemplateName[];
  /** Templates that the limit leaves for the next synchronisation. */
  readonly left: number;
}

/** What an item lacks and what may go for it. */
interface Exchange {
  readonly missing: readonly TemplateName[];
  /** The last in turn first. */
  readonly evictable: readonly TemplateName[];
  /** Templates that may come before one goes; negative where there are more than may be. */
  readonly room: number;
  /** Whether something belongs here that has no place as long as nothing else may go. */
  readonly isBlocked: boolean;
}

/** One item's part of a {@link Plan}, before the limit. */
export type ItemPlan = Exchange & Pick<Plan, 'keepTombstones' | 'drop' | 'publishTombstones' | 'put'>;

/** The first `max` of all in their turn belong here. */
function exchangeOf(present: readonly TemplateName[], offers: readonly TemplateName[], local: ItemLocal): Exchange {
  const offered = new Map(offers.map((ref) => [identityOf(ref), ref]));
  const candidates = new Map(offered);
  for (const ref of present) candidates.set(identityOf(ref), ref);
  const isEnough = candidates.size <= local.max;
  const wanted = isEnough ? [...candidates.values()].sort(byAge) : inTurns([...candidates.values()], local.max);
  const held = new Set(present.map(identityOf));
  const wantedHere = new Set(wanted.map(identityOf));
  const isEvictable = (identity: string): boolean =>
    !wantedHere.has(identity) && offered.has(identity) && local.storedAtCentre.has(identity);
  const evictable = isEnough ? [] : inTurns(present).filter((ref) => isEvictable(identityOf(ref)));
  const room = local.max - present.length;
  const lacking = wanted.filter((ref) => !held.has(identityOf(ref)));
  const missing = lacking.slice(0, Math.max(0, room + evictable.length));
  const isBlocked = lacking.length > missing.length;
  return { missing, evictable: evictable.reverse(), room, isBlocked };
}

/** Own templates follow `upload`, so that they come back after a deletion; those of others follow `download`. */
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
  const offers = centre.templates.filter((ref) => !isGone(ref) && isOffered(ref, local));
  const unknown = centre.tombstones.filter((ref) => !known.has(identityOf(ref)));
  return {
    // a device that is off may have what nobody else has, but one could also have all others carry what it makes up
    keepTombstones: [
      ...unknown.filter(isHeld),
      ...unknown.filter((ref) => !isHeld(ref)).slice(0, local.roomForTombstones),
    ],
    drop: local.templates.filter(isGone),
    publishTombstones: local.tombstones
      // who made one may be gone, with its device or with a centre that was replaced
      .filter(({ ref, own }) => !(own ? centre.published : tombstonesAtCentre).has(identityOf(ref)))
      .map(({ ref }) => ref),
    put: local.upload ? present.filter((ref) => isMissing(ref) && isPublisher(ref)) : [],
    ...exchangeOf(present, offers, local),
  };
}

export const isIdle = ({ keepTombstones, drop, publishTombstones, put, missing, evictable, room }: ItemPlan): boolean =>
  [keepTombstones, drop, publishTombstones, put, missing].every(({ length }) => length === 0) &&
  (room >= 0 || evictable.length === 0);

/** Deletions that are carried out here, and those that the centre knows to be. */
interface Deletions {
  readonly marks: readonly Pick<Mark, 'id'>[];
  readonly reported: readonly string[];
}

/** Null where the centre knows already. */
function reportOf({ marks, reported }: Deletions): readonly string[] | null {
  const done = marks.map(({ id }) => id);
  return done.length === reported.length && done.every((id) => reported.includes(id)) ? null : done;
}

/** The parts of items together, within the limit. */
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
