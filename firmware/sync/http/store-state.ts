/** The state of this device in its store, as `/v1` returns it. */
import type { ListedDevice } from '../master/master.ts';
import type { Sync } from '../sync.ts';
import type { StoreState } from './store-schemas.ts';

const listed = ({ serial, status, silent, conflict }: ListedDevice): StoreState['devices'][number] => ({
  serial,
  version: status?.version ?? '',
  upload: status?.upload ?? false,
  download: status?.download ?? false,
  templates: status?.templates ?? 0,
  pending: status?.pending ?? 0,
  silentMs: silent,
  conflict,
});

export function storeState(sync: Sync): StoreState {
  const { role, paired, problem, state, devices } = sync.status();
  const { masterSN, masterIP, mastersyncPort, upload, download } = sync.info();
  const lastSuccess = state?.lastSuccess ?? null;
  return {
    ...{ role, paired, problem, upload, download },
    master: masterSN,
    address: masterIP === '' ? null : `${masterIP}:${mastersyncPort}`,
    lastSuccess: lastSuccess === null ? null : new Date(lastSuccess).toISOString(),
    lagMs: state?.lag ?? null,
    pending: state?.pending ?? 0,
    devices: devices.map(listed),
    wipe: sync.isMaster ? sync.marks.wipe : null,
  };
}
