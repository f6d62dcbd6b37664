/** What synchronisation says of itself, and what of it stands in `/health`. */
import type { Role } from '../config/choices.ts';
import type { HealthBoard, PartState } from '../host/health.ts';
import type { ListedDevice } from './master/master.ts';
import type { MemberState } from './member/member.ts';

/** A device that has not synchronised for this long is looked after. */
const LATE_MS = 10 * 60_000;

export interface SyncStatus {
  readonly role: Role;
  readonly paired: boolean;
  readonly state: MemberState | null;
  /** Why it does not work, or null. */
  readonly problem: string | null;
  /** Of a master: all devices of its store, itself first. */
  readonly devices: readonly ListedDevice[];
}

export interface WatchedSync extends SyncStatus {
  readonly settingsProblem: string | null;
  readonly devicesProblem: string | null;
}

interface Verdict {
  readonly state: PartState;
  readonly reason?: string;
}

const degraded = (reason: string): Verdict => ({ state: 'degraded', reason });

function judge({ role, problem, state, devices, settingsProblem, devicesProblem }: WatchedSync): Verdict {
  if (settingsProblem !== null)
    return degraded(`sync.json was damaged (${settingsProblem}): check the role of the device`);
  if (role === 'standalone') return { state: 'ok' };
  if (devicesProblem !== null)
    return degraded(`the list of paired devices was damaged (${devicesProblem}): check which devices are paired`);
  const twice = devices.filter(({ conflict }) => conflict).map(({ serial }) => serial);
  if (twice.length > 0)
    return degraded(`two devices have the serial number ${twice.join(', ')}: give one another, and pair both anew`);
  if (problem !== null) return degraded(problem);
  if (state?.lag !== null && state?.lag !== undefined && state.lag > LATE_MS)
    return degraded(`last synchronised ${Math.round(state.lag / 60_000)} minutes ago`);
  return { state: 'ok' };
}

export function watchSync(board: HealthBoard, status: () => WatchedSync): void {
  board.add('sync', () => judge(status()));
}
