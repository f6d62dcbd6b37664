/** Which lanes of a store a reconciliation covers: what a lane has not reported yet may be missing, and is never called unknown. */
import type { LaneReport } from './lane-payments.ts';

/** How far the payments of a lane are known where the registry is compared. */
export interface LaneState {
  /** Serial number. */
  readonly lane: string;
  /** When it had reported all: wall clock, ms since 1970; null: never. */
  readonly reportedAt: number | null;
  /** Whether payments of these days may be missing. */
  readonly isMissing: boolean;
}

export interface LanesOfStore {
  /** This device first. */
  readonly lanes: readonly LaneState[];
  /** Serial number of the master that reconciles the store; null where this device does, or stands alone. */
  readonly master: string | null;
}

/** A timestamp in the device's time zone: `2026-11-21 10:40`; `never` for none. */
export const momentOf = (wall: number | null): string =>
  wall === null ? 'never' : new Date(wall).toLocaleString('sv').slice(0, 16);

interface CoveredRange {
  /** ms since 1970; the second timestamp is excluded. */
  readonly from: number;
  readonly to: number;
  /** Wall clock. */
  readonly now: number;
}

/**
 * The other lanes of a store, as its master knows them.
 * @param devices serial numbers of those that belong to the store now
 */
export function laneStates(
  reports: readonly LaneReport[],
  devices: readonly string[],
  { from, to, now }: CoveredRange,
): LaneState[] {
  const byLane = new Map(reports.map((report) => [report.lane, report]));
  const lanes = [...new Set([...devices, ...byLane.keys()])].sort();
  return lanes.map((lane) => {
    const report = byLane.get(lane);
    const reportedAt = report?.at ?? null;
    // a report from the future is one of a clock that was wrong
    const isBehind = reportedAt === null || reportedAt < to || reportedAt > now;
    const hadLeft = !devices.includes(lane) && reportedAt !== null && reportedAt < from;
    return { lane, reportedAt, isMissing: report?.isNow !== true && isBehind && !hadLeft };
  });
}
