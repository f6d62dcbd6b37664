/** This device's state in its store, for the original device's calls (whose names some fields have) and the console's. */
import type { ListedDevice } from '../centre/master.ts';
import { slaveReasonOf } from '../health.ts';
import type { Sync } from '../sync.ts';
import type { StoreState } from './store-schemas.ts';

const listed = ({ serial, status, silent, conflict }: ListedDevice): StoreState['devices'][number] => ({
  sn: serial,
  version: status?.version ?? '',
  upload: status?.upload ?? false,
  download: status?.download ?? false,
  templates: status?.templates ?? 0,
  pending: status?.pending ?? 0,
  silent,
  conflict,
});

/** The part of the state that the original device's call answers, too; units as in `store-schemas.ts`. */
export function syncStatus(sync: Sync): Omit<StoreState, 'address' | 'reason' | 'upload' | 'download' | 'wipe'> {
  const { role, paired, problem, state, devices } = sync.status();
  return {
    role,
    paired,
    problem,
    masterSN: sync.info().masterSN,
    lastSuccess: state?.lastSuccess ?? null,
    lag: state?.lag ?? null,
    pending: state?.pending ?? 0,
    devices: devices.map(listed),
  };
}

/** The whole state, as the console shows it: with the address, why it does not synchronise, and an unfinished deletion. */
export function storeState(sync: Sync): StoreState {
  const { masterIP, mastersyncPort, upload, download } = sync.info();
  const address = masterIP === '' ? null : `${masterIP}:${mastersyncPort}`;
  const reason = sync.loss?.code ?? slaveReasonOf(sync.status());
  const wipe = sync.isMaster ? sync.marks.wipe : null;
  return { ...syncStatus(sync), address, reason, upload, download, wipe };
}
