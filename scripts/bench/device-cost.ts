/**
 * Measures what a sale costs the disk beneath the file system, journal included: KiB and flushes of the whole block
 * device, by the kernel's counters. The lane's data lie on their own ext4 with blocks of 4 KiB, as on an image's card,
 * on a loop device; the bank's books and all else lie elsewhere. A loop device counts every flush of the kernel, with
 * both of a commit of ext4's journal: it has no FUA, as a card has none. Needs root on Linux.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBanks } from '../../test/banks/banks.ts';
import { Disk, NO_POWER_CUTS } from '../../test/disk.ts';
import { call, temporaryFolder } from '../../test/support.ts';
import { ALONE, startFirmware } from './firmware.ts';
import { sellWith } from './sales.ts';

/** Large enough that ext4's journal gets its 32 MiB, as on a card. */
const SIZE = '1G';
/** Mount options of a card. */
const OPTIONS = 'loop,noatime';
/** Time from the code to the customer's payment, and from that to the till's question. */
const CUSTOMER_MS = 1500;
const TILL_MS = 1500;
const SECTORS_A_KIB = 2;
/** Columns of a device's `stat` (Documentation/block/stat.rst of the kernel). */
const WRITTEN_SECTORS = 6;
const FLUSHES = 15;

/** Why this machine has no such device; null where it has. */
export const NO_DEVICE = NO_POWER_CUTS;

export interface DeviceCost {
  readonly kib: number;
  readonly flushes: number;
}

/** Counters up to now; writes in memory are flushed first. */
function countsOf(disk: Disk): DeviceCost {
  execFileSync('sync', ['--file-system', disk.mount]);
  const words = readFileSync(`/sys/block/${disk.device}/stat`, 'utf8').trim().split(/\s+/).map(Number);
  const [sectors, flushes] = [words[WRITTEN_SECTORS], words[FLUSHES]];
  if (sectors === undefined || flushes === undefined) throw new Error(`${disk.device}: this kernel counts no flushes`);
  return { kib: sectors / SECTORS_A_KIB, flushes };
}

/**
 * The average cost of one sale: a `POST /v1/payments`, its code, the payment, the till's question.
 * @param windows number of sales in each window; one device makes them all
 * @throws where this machine gives no loop device
 */
export async function deviceCost(windows: readonly number[]): Promise<DeviceCost[]> {
  using folder = temporaryFolder();
  using disk = new Disk(SIZE, OPTIONS);
  const bank = await startBanks({ port: 0, dataFile: join(folder.path, 'bank.db') });
  const env = { ...ALONE, LANEWARE_BANKS_CFT_BASEURL: bank.url };
  const firmware = await startFirmware(join(disk.mount, 'data'), env);
  let sales = 0;

  async function sell(): Promise<void> {
    sales += 1;
    const headers = { 'content-type': 'application/json', 'idempotency-key': `sale ${sales}` };
    const json = { amount: 10_000 + 100 * sales, purpose: `sale ${sales}` };
    const { status, body, text } = await call(`${firmware.url}/v1/payments`, { json, headers });
    if (status !== 201) throw new Error(text);
    await pause(CUSTOMER_MS);
    bank.payments.pay(body.qrcId);
    await pause(TILL_MS);
    const { state } = (await call(`${firmware.url}/v1/payments/${body.id}?wait=25`)).body;
    if (state !== 'ACCEPTED') throw new Error(`sale ${sales} is ${state}`);
  }

  try {
    await sellWith(firmware.url);
    const costs: DeviceCost[] = [];
    for (const window of windows) {
      const before = countsOf(disk);
      for (let n = 0; n < window; n += 1) await sell();
      const after = countsOf(disk);
      costs.push({ kib: (after.kib - before.kib) / window, flushes: (after.flushes - before.flushes) / window });
    }
    return costs;
  } finally {
    await firmware.stop();
    await bank.close();
  }
}
