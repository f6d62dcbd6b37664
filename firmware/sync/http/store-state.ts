/** How this device stands in its store, for the older calls and for the pages. */
import type { ListedDevice } from '../centre/master.ts';
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

export function syncStatus(sync: Sync) {
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

export function storeState(sync: Sync): StoreState {
  const { masterIP, mastersyncPort, upload, download } = sync.info();
  const address = masterIP === '' ? null : `${masterIP}:${mastersyncPort}`;
  return { ...syncStatus(sync), address, upload, download, wipe: sync.isMaster ? sync.marks.wipe : null };
}
