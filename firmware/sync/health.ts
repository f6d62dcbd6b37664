/** The status of synchronisation, its part of `/health`, and its metrics. */

import type { Reason } from '../../drivers/lib/records.ts';
import type { Role } from '../core/config/index.ts';
import { degradedBy, type HealthBoard, type Metrics, type Verdict, WELL } from '../core/host/index.ts';
import type { ListedDevice } from './centre/master.ts';
import type { MemberState } from './member.ts';
import { reasonOf } from './reason-records.ts';

/** A device that has not synchronised for this long is reported. */
const LATE_MS = 10 * 60_000;
const NAMED_DEVICES = 5;

export interface SyncStatus {
  readonly role: Role;
  readonly paired: boolean;
  readonly state: MemberState | null;
  /** Why synchronisation does not work, or null. */
  readonly problem: string | null;
  /** On a master: all devices of its store, itself first. */
  readonly devices: readonly ListedDevice[];
}

export interface WatchedSync extends SyncStatus {
  /** On a slave: address of its master. */
  readonly address: string;
  readonly settingsProblem: string | null;
  readonly devicesProblem: string | null;
  readonly marksProblem: string | null;
  /** Serial numbers of devices whose changes of items are refused. */
  readonly refused: readonly string[];
}

const isSilent = ({ unheard }: ListedDevice): boolean => unheard > LATE_MS;

function silentReason(devices: readonly ListedDevice[]): Reason {
  const named = devices.slice(0, NAMED_DEVICES).map(({ serial }) => serial);
  const more = devices.length - named.length;
  const minutes = Math.floor(Math.min(...devices.map(({ unheard }) => unheard)) / 60_000);
  return reasonOf('sync-silent', { devices: named.join(', ') + (more > 0 ? ` + ${more}` : ''), minutes });
}

/** A loss of one of the store's files, which a person makes good on the page of the store. */
interface Loss {
  readonly code: 'sync-settings-damaged' | 'sync-devices-damaged' | 'sync-marks-lost';
  readonly detail: string;
}

type Losable = Pick<WatchedSync, 'settingsProblem' | 'devicesProblem' | 'marksProblem'>;

/** The first of these losses; null where nothing was lost. */
export function firstLoss({ settingsProblem, devicesProblem, marksProblem }: Losable): Loss | null {
  if (settingsProblem !== null) return { code: 'sync-settings-damaged', detail: settingsProblem };
  if (devicesProblem !== null) return { code: 'sync-devices-damaged', detail: devicesProblem };
  return marksProblem === null ? null : { code: 'sync-marks-lost', detail: marksProblem };
}

/** Failures of a slave that a person can mend at the slave or at its master, each with its reason of `/health`. */
const OF_SLAVE = {
  'wrong-certificate': 'sync-other-master',
  unauthorised: 'sync-not-known',
  unpaired: 'sync-unpaired',
  unreachable: 'sync-no-answer',
  timeout: 'sync-no-answer',
} as const;
type OfSlave = (typeof OF_SLAVE)[keyof typeof OF_SLAVE];

/** The reason of a slave's failure, if `OF_SLAVE` names one; else null. */
export function slaveReasonOf({ role, state }: Pick<SyncStatus, 'role' | 'state'>): OfSlave | null {
  const code = state?.failure?.code;
  return role === 'slave' && code !== undefined && code in OF_SLAVE ? OF_SLAVE[code as keyof typeof OF_SLAVE] : null;
}

function failingReason(watched: WatchedSync, detail: string): Reason {
  const { address } = watched;
  const reason = slaveReasonOf(watched);
  if (reason === null) return reasonOf('sync-failing', { detail });
  return reason === 'sync-unpaired' ? reasonOf(reason, { detail }) : reasonOf(reason, { address, detail });
}

function judge(watched: WatchedSync): Verdict {
  const { role, problem, state, devices, refused } = watched;
  const loss = firstLoss(watched);
  if (loss !== null) return degradedBy(reasonOf(loss.code, { detail: loss.detail }));
  if (role === 'standalone') return WELL;
  const twice = devices
    .filter(({ conflict }) => conflict)
    .map(({ serial }) => serial)
    .join(', ');
  if (twice !== '') return degradedBy(reasonOf('sync-twice', { devices: twice }));
  const deleting = devices.find(({ deleted }) => deleted > 0);
  if (deleting !== undefined) {
    const { serial, deleted } = deleting;
    return degradedBy(reasonOf('sync-deletes', { device: serial, count: deleted }));
  }
  const stopped = devices.find(({ isStopped }) => isStopped);
  if (stopped !== undefined) return degradedBy(reasonOf('sync-fills', { device: stopped.serial }));
  if (refused.length > 0) return degradedBy(reasonOf('sync-refused', { devices: refused.join(', ') }));
  if (problem !== null) return degradedBy(failingReason(watched, problem));
  const silent = devices.filter(isSilent);
  if (silent.length > 0) return degradedBy(silentReason(silent));
  const lag = state?.lag ?? 0;
  if (lag <= LATE_MS) return WELL;
  return degradedBy(reasonOf('sync-late', { minutes: Math.round(lag / 60_000) }));
}

export function watchSync(board: HealthBoard, status: () => WatchedSync): void {
  board.add('sync', () => judge(status()));
}

const MS = 1000;

/** Registers the metrics of a device in a store; on a master also how many devices report to it. */
export function countSync(metrics: Metrics, status: () => SyncStatus): void {
  metrics.gauge('laneware_sync_lag_seconds', 'Time since the last synchronisation that succeeded', () => {
    const lag = status().state?.lag ?? null;
    return lag === null ? null : lag / MS;
  });
  metrics.gauge(
    'laneware_sync_pending',
    'Templates that the limit has left for later',
    () => status().state?.pending ?? null,
  );
  metrics.gauges('laneware_sync_devices', 'Devices of a store, by whether its master hears them', ['state'], () => {
    const { role, devices } = status();
    if (role !== 'master') return [];
    const silent = devices.filter(isSilent).length;
    return [
      [{ state: 'heard' }, devices.length - silent],
      [{ state: 'silent' }, silent],
    ] as const;
  });
}
