/**
 * How a rollout goes on, decided from what devices report. A silent device is neither good nor bad: it is not
 * counted against the release, and where too many are silent, nothing goes on.
 */

import { placeOf } from '../../../firmware/chain/channel.ts';
import type { Inventory } from '../../../firmware/chain/inventory.ts';
import { isNewer } from '../../../firmware/version.ts';
import { SILENT_MS } from '../exposition.ts';
import type { Rollout } from './state.ts';

/** A ring is not judged where a larger share of it does not run the release, or is silent. */
const MISSED_SHARE = 0.1;
/** By so much more often may devices with the release be failed than those without. */
const FAILED_MARGIN = 0.1;
/** Many more than any store has: one that makes devices up could otherwise have its word drown that of all others. */
const MOST_OF_A_STORE = 100;
/** Payments that must be to be expected before devices are compared by those: at night nothing is sold. */
const ENOUGH_PAYMENTS = 20;
/** Far fewer: below this share of what was to be expected. A lane may be a quiet one. */
const FEW_SHARE = 0.25;
/** Of a lane in an hour: a device that makes payments up could otherwise have its word drown that of all others. */
const MOST_AN_HOUR = 120;
const HOUR_S = 3600;
const HALF = 0.5;
const HUNDRED = 100;

export interface Lane {
  readonly account: string;
  readonly serial: string;
  readonly inventory:
    | (Pick<Inventory, 'version' | 'undone' | 'offered' | 'state' | 'uptimeSeconds'> & {
        readonly counts: Pick<Inventory['counts'], 'accepted'>;
      })
    | null;
  /** ms since 1970. */
  readonly heardAt: number;
}

interface Tally {
  /** Devices that are offered it. */
  readonly ring: number;
  /** Of these: neither run it nor have undone it, and were heard. */
  readonly behind: number;
  /** Of these: not heard, and have not undone it. */
  readonly silent: number;
  /** Of all: run it, or have undone it. */
  readonly tried: number;
  readonly undone: number;
  /** Of those heard that run it, and of the others. */
  readonly failed: { readonly updated: number; readonly others: number };
  readonly heard: { readonly updated: number; readonly others: number };
  readonly accepted: Accepted;
}

/** Payments of those heard that run it, in the hours since each was started, and what others accept in the same hours. */
interface Accepted {
  readonly count: number;
  readonly expected: number;
}

export interface Step {
  readonly rollout: Rollout;
  /** What it is waiting for, or has done. */
  readonly says: string;
}

interface Known extends Lane {
  readonly inventory: NonNullable<Lane['inventory']>;
}

/** A device that reports nothing of an offer follows no channel. What runs a newer release is not asked. */
const isConcerned =
  (version: string) =>
  (lane: Lane): lane is Known =>
    lane.inventory?.offered !== undefined && !isNewer(lane.inventory.version, version);

const hasUndone = ({ inventory }: Known, version: string): boolean => inventory.undone?.includes(version) === true;

/** Those that count. */
export function believed(lanes: readonly Lane[]): Lane[] {
  const counts = new Map<string, number>();
  return lanes.filter(({ account }) => {
    const count = (counts.get(account) ?? 0) + 1;
    counts.set(account, count);
    return count <= MOST_OF_A_STORE;
  });
}

export const isHeard = ({ heardAt }: Pick<Lane, 'heardAt'>, now: number): boolean => now - heardAt < SILENT_MS;

/** Those that report no count are left out, on both sides. */
function acceptedOf(updated: readonly Known[], others: readonly Known[]): Accepted {
  const hours = ({ inventory: { counts } }: Known) =>
    counts.accepted?.map((count) => Math.min(count, MOST_AN_HOUR)) ?? [];
  const usual = others.map(hours).filter(({ length }) => length > 0);
  let [count, expected] = [0, 0];
  for (const lane of updated)
    for (const [hour, accepted] of hours(lane)
      .slice(0, lane.inventory.uptimeSeconds / HOUR_S)
      .entries()) {
      count += accepted;
      expected += share(
        usual.reduce((sum, counts) => sum + (counts[hour] ?? 0), 0),
        usual.length,
      );
    }
  return { count, expected };
}

export const acceptsFarFewer = ({ count, expected }: Accepted): boolean =>
  expected >= ENOUGH_PAYMENTS && count < expected * FEW_SHARE;

export function tally({ version, below }: Rollout, lanes: readonly Lane[], now: number): Tally {
  const known = lanes.filter(isConcerned(version));
  const undone = known.filter((lane) => hasUndone(lane, version));
  const updated = known.filter(({ inventory }) => inventory.version === version);
  const heardUpdated = updated.filter((lane) => isHeard(lane, now));
  const others = known.filter((lane) => isHeard(lane, now) && lane.inventory.version !== version);
  const failedOf = (some: readonly Known[]): number =>
    some.filter(({ inventory }) => inventory.state === 'failed').length;
  const ring = known.filter((lane) => placeOf(version, lane) < below);
  const open = ring.filter((lane) => !hasUndone(lane, version));
  const silent = open.filter((lane) => !isHeard(lane, now));
  return {
    ring: ring.length,
    behind: open.filter((lane) => isHeard(lane, now) && lane.inventory.version !== version).length,
    silent: silent.length,
    tried: undone.length + updated.length,
    undone: undone.length,
    failed: { updated: failedOf(heardUpdated), others: failedOf(others) },
    heard: { updated: heardUpdated.length, others: others.length },
    accepted: acceptedOf(heardUpdated, others),
  };
}

/** One alone is chance, unless few have tried: of two, one is half. */
const isMore = (count: number, of: number): boolean => count > 1 || (count === 1 && count >= of * HALF);
const share = (count: number, of: number): number => (of === 0 ? 0 : count / of);

/** Why it must not go on; null where nothing speaks against it. */
export function badNews(
  { mostUndonePercent, forgiven, ring }: Rollout,
  { tried, undone, failed, heard, accepted }: Tally,
) {
  const most = Math.max(forgiven.undone, (tried * mostUndonePercent) / HUNDRED);
  if (undone > most && isMore(undone, tried)) return `${undone} of ${tried} devices that tried it have undone it`;
  const isWorse = share(failed.updated, heard.updated) > share(failed.others, heard.others) + FAILED_MARGIN;
  if (isWorse && failed.updated > forgiven.failed && isMore(failed.updated, heard.updated))
    return `${failed.updated} of ${heard.updated} devices with it are failed, and ${failed.others} of ${heard.others} without`;
  if (acceptsFarFewer(accepted) && forgiven.fewerInRing !== ring)
    return `devices with it have accepted ${accepted.count} payments, and those without would have ${Math.round(accepted.expected)} in the same hours`;
  return null;
}

/** The line below which a share of them lies, at least one: of few, a percent may be none. @param drawn where each lies */
export function lineAmong(drawn: readonly number[], percent: number): number {
  if (percent >= HUNDRED) return 1;
  const places = drawn.toSorted((a, b) => a - b);
  const many = Math.ceil((places.length * percent) / HUNDRED);
  const last = places[many - 1];
  return last === undefined ? percent / HUNDRED : (last + (places[many] ?? 1)) / 2;
}

/** The line of a share of the devices that are heard. */
export function lineOf(version: string, percent: number, lanes: readonly Lane[], now: number): number {
  const there = lanes.filter(isConcerned(version)).filter((lane) => isHeard(lane, now));
  return lineAmong(
    there.map((lane) => placeOf(version, lane)),
    percent,
  );
}

/** One step: at most one ring further. */
export function step(rollout: Rollout, lanes: readonly Lane[], now: number): Step {
  if (rollout.phase !== 'running') return { rollout, says: rollout.why || `it is ${rollout.phase}` };
  const found = tally(rollout, lanes, now);
  const why = badNews(rollout, found);
  if (why !== null) return { rollout: { ...rollout, phase: 'held', why, ripeSince: null }, says: `held: ${why}` };
  const { ring, behind, silent } = found;
  const counts = `ring ${rollout.ring + 1} of ${rollout.rings.length}, ${ring} devices: ${behind} still without it, ${silent} silent`;
  // who is off at night has run it nevertheless; who is heard without it has not
  if (ring === 0 || behind > ring * MISSED_SHARE) return { rollout: { ...rollout, ripeSince: null }, says: counts };
  if (behind + silent > ring * MISSED_SHARE) return { rollout, says: counts };
  const ripeSince = rollout.ripeSince ?? now;
  if (now - ripeSince < rollout.soakMs)
    return { rollout: { ...rollout, ripeSince }, says: `${counts}; it is watched until ${wordOf(ripeSince, rollout)}` };
  return further(rollout, lanes, now);
}

const wordOf = (ripeSince: number, { soakMs }: Rollout): string => new Date(ripeSince + soakMs).toISOString();

function further(rollout: Rollout, lanes: readonly Lane[], now: number): Step {
  const ring = rollout.ring + 1;
  const percent = rollout.rings[ring];
  if (percent === undefined) return { rollout: { ...rollout, phase: 'done' }, says: 'done' };
  const below = Math.max(rollout.below, lineOf(rollout.version, percent, lanes, now));
  return { rollout: { ...rollout, ring, below, ripeSince: null }, says: `goes on to ring ${ring + 1}: ${percent} %` };
}
