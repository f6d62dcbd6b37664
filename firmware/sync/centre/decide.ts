/**
 * What a device does at one synchronisation: a pure function of its own state and of the centre's. No network, no clock.
 *
 * - Nothing is deleted because it is missing at the centre: only a mark, a tombstone or a full item takes a template away,
 *   and a full item only one that the centre has kept for a while. So a centre that lost its last minutes, or all, is
 *   filled again.
 * - What a device has done is not remembered but seen: an interrupted round is simply decided anew.
 */
import type { Tombstone } from '../../recognition/templates/exchange.ts';
import { byAge, type TemplateName } from '../../recognition/templates/template-name.ts';
import type { Mark } from './centre.ts';
import { identityOf } from './subjects.ts';

export interface LocalState {
  readonly serial: string;
  readonly upload: boolean;
  readonly download: boolean;
  /** Templates that an item may have. */
  readonly max: number;
  /** Templates of one synchronisation; 0: no limit. */
  readonly limit: number;
  readonly templates: readonly TemplateName[];
  readonly tombstones: readonly Tombstone[];
  /**
   * Identities of templates here that the centre has lacked for a while, so that their maker will not give them: its
   * device is gone, or they came with a package.
   */
  readonly orphaned: ReadonlySet<string>;
  /** Identities that the centre has kept for so long that a power cut would not take them any more. */
  readonly settled: ReadonlySet<string>;
}

export interface CentreState {
  /** What can be taken; an entry that is no template is not there. */
  readonly templates: readonly TemplateName[];
  /** Of all devices. */
  readonly tombstones: readonly TemplateName[];
  /** Identities of the tombstones that this device has published. */
  readonly published: ReadonlySet<string>;
  readonly marks: readonly Mark[];
  /** Identifiers of marks that this device has reported last. */
  readonly reported: readonly string[];
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
  /** To be deleted here to make room for older ones. */
  readonly evict: readonly TemplateName[];
  readonly fetch: readonly TemplateName[];
  /** Templates that the limit leaves for the next synchronisation. */
  readonly left: number;
}

interface Exchange {
  readonly missing: readonly TemplateName[];
  /** The newest first. */
  readonly evictable: readonly TemplateName[];
  readonly present: number;
}

function groupByItem(refs: Iterable<TemplateName>): Map<string, TemplateName[]> {
  const groups = new Map<string, TemplateName[]>();
  for (const ref of refs) {
    const group = groups.get(ref.item);
    if (group === undefined) groups.set(ref.item, [ref]);
    else group.push(ref);
  }
  return groups;
}

/** What an item lacks and what may go for it. The first `max` of all in the common order belong here. */
function exchangeOf(
  present: readonly TemplateName[],
  offered: ReadonlyMap<string, TemplateName>,
  local: LocalState,
): Exchange {
  const candidates = new Map(offered);
  for (const ref of present) candidates.set(identityOf(ref), ref);
  const wanted = [...candidates.values()].sort(byAge).slice(0, local.max);
  const held = new Set(present.map(identityOf));
  const keep = new Set(wanted.map(identityOf));
  const evictable = present.filter((ref) => {
    const identity = identityOf(ref);
    return !keep.has(identity) && offered.has(identity) && local.settled.has(identity);
  });
  const room = local.max - (present.length - evictable.length);
  const missing = wanted.filter((ref) => !held.has(identityOf(ref))).slice(0, Math.max(0, room));
  return { missing, evictable: evictable.sort(byAge).reverse(), present: present.length };
}

/** Own templates follow `upload`, so that they come back after a deletion; those of others follow `download`. */
const isOffered = (ref: TemplateName, { serial, upload, download }: LocalState): boolean =>
  ref.origin === serial ? upload : download;

function exchanges(kept: readonly TemplateName[], offered: readonly TemplateName[], local: LocalState): Exchange[] {
  const present = groupByItem(kept);
  const coming = groupByItem(offered);
  const items = [...new Set([...present.keys(), ...coming.keys()])].sort();
  return items.map((item) => {
    const offers = new Map((coming.get(item) ?? []).map((ref) => [identityOf(ref), ref]));
    return exchangeOf(present.get(item) ?? [], offers, local);
  });
}

export function decide(local: LocalState, centre: CentreState): Plan {
  const marked = new Set(centre.marks.map(({ item }) => item));
  const tombstonesAtCentre = new Set(centre.tombstones.map(identityOf));
  const known = new Set(local.tombstones.map(({ ref }) => identityOf(ref)));
  const deletedForGood = new Set([...known, ...tombstonesAtCentre]);
  const isGone = (ref: TemplateName): boolean => marked.has(ref.item) || deletedForGood.has(identityOf(ref));
  const atCentre = new Set(centre.templates.map(identityOf));

  const kept = local.templates.filter((ref) => !isGone(ref));
  const isMissing = (ref: TemplateName): boolean => !atCentre.has(identityOf(ref));
  const isPublisher = (ref: TemplateName): boolean =>
    ref.origin === local.serial || local.orphaned.has(identityOf(ref));
  const puts = local.upload ? kept.filter((ref) => isMissing(ref) && isPublisher(ref)) : [];
  const offered = centre.templates.filter((ref) => !isGone(ref) && isOffered(ref, local));
  const perItem = exchanges(kept, offered, local);

  const budget = local.limit === 0 ? Number.POSITIVE_INFINITY : local.limit;
  const put = puts.slice(0, budget);
  const fetch: TemplateName[] = [];
  const evict: TemplateName[] = [];
  for (const { missing, evictable, present } of perItem) {
    const taken = missing.slice(0, Math.max(0, budget - put.length - fetch.length));
    fetch.push(...taken);
    evict.push(...evictable.slice(0, Math.max(0, present + taken.length - local.max)));
  }
  const wanted = perItem.reduce((sum, { missing }) => sum + missing.length, 0);
  const done = centre.marks.map(({ id }) => id);
  const isReported = done.length === centre.reported.length && done.every((id) => centre.reported.includes(id));
  return {
    keepTombstones: centre.tombstones.filter((ref) => !known.has(identityOf(ref))),
    drop: local.templates.filter(isGone),
    report: isReported ? null : done,
    publishTombstones: local.tombstones
      // who made one may be gone, with its device or with a centre that was replaced
      .filter(({ ref, own }) => !(own ? centre.published : tombstonesAtCentre).has(identityOf(ref)))
      .map(({ ref }) => ref),
    put,
    evict,
    fetch,
    left: puts.length - put.length + wanted - fetch.length,
  };
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
