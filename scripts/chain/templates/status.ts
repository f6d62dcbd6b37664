/** What the chain's description has become at each store: a line a store, made of counts alone. */
import { type CatalogueHead, ringOf } from '../../../firmware/sync/centre/catalogue.ts';
import { isHeard } from '../rollout/decide.ts';
import type { WatchedDevice } from '../watch.ts';

const MINUTE_MS = 60_000;

type Reported = NonNullable<NonNullable<WatchedDevice['inventory']>['chainTemplates']>;
/** Of a master, which says all of it. */
type MasterReport = Required<Reported>;

const isOfMaster = (report?: Reported): report is MasterReport => report?.description !== undefined;

/** @returns what the master of a store has reported; null where it has reported nothing */
export function reportOf(devices: readonly WatchedDevice[]): { device: WatchedDevice; report: MasterReport } | null {
  let newest: { device: WatchedDevice; report: MasterReport } | null = null;
  for (const device of devices) {
    const report = device.inventory?.chainTemplates;
    // one that was a master before is silent, or reports no description any more
    if (isOfMaster(report) && device.heardAt > (newest?.device.heardAt ?? 0)) newest = { device, report };
  }
  return newest;
}

interface ItemCounts {
  readonly taken: number;
  /** The store says something of its own. */
  readonly kept: number;
  /** Their templates are of another model. */
  readonly model: number;
  /** The store uses a barcode of theirs otherwise. */
  readonly barcode: number;
}

export function countsOf({ description: { items, kept, barcodes }, foreign }: MasterReport): ItemCounts {
  return { taken: Math.max(0, items - kept), kept, model: foreign, barcode: barcodes };
}

/** @param devices of the store @param now ms since 1970 */
export function storeLine(
  { name, account }: { name: string; account: string },
  devices: readonly WatchedDevice[],
  head: CatalogueHead,
  now: number,
): string {
  const ring = ringOf(head, account);
  const due = ring?.number ?? head.described ?? 0;
  return [
    name,
    ring === null ? 'rest' : 'ring',
    ...standing(reportOf(devices), { due, change: head.number }, now),
  ].join('  ');
}

function standing(
  found: ReturnType<typeof reportOf>,
  { due, change }: { due: number; change: number },
  now: number,
): string[] {
  if (found === null) return ['has not reported'];
  const { device, report } = found;
  const silent = isHeard(device, now) ? [] : [`silent for ${Math.round((now - device.heardAt) / MINUTE_MS)} minutes`];
  const counts = countsOf(report);
  const { number } = report.description;
  const trouble = device.inventory?.parts.find(({ part }) => part === 'chain-templates')?.reason;
  const has = number === 0 ? 'has none' : `has ${number} of ${new Date(number).toISOString()}`;
  return [
    number === due && report.number === change ? has : `${has}, and is behind`,
    `${counts.taken} taken, ${counts.kept} kept`,
    `refused: ${counts.model} of another model, ${counts.barcode} for a barcode`,
    ...(trouble === undefined ? [] : [trouble]),
    ...silent,
  ];
}
