/** The board under load: how warm it becomes, and whether it slows itself down. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { SupplyFacts } from '../../core/board/index.ts';
import { pauseBy, type Timekeeper } from '../../core/host/index.ts';

/** From then on a warm shop brings it to where it slows down. */
export const WARM_C = 75;
/** A Raspberry Pi begins to slow down. */
export const HOT_C = 80;
/** A board with a cooler has reached its temperature nearly by then. */
const LOAD_MS = 30_000;
const LOOK_MS = 1000;

export interface Heat {
  readonly before: number;
  readonly most: number;
  readonly isSlowed: boolean;
}

/** Loads every core, behind all that the device does: the threads have the lowest priority. */
export async function heatUnderLoad(
  look: () => SupplyFacts,
  clock: Pick<Timekeeper, 'after'>,
  signal: AbortSignal,
): Promise<Heat> {
  const degrees = (): number => Math.round(look().temperatureC ?? 0);
  const before = degrees();
  const timesBefore = look().timesSlowed;
  let most = before;
  const load = new URL('./heat-worker.ts', import.meta.url);
  const workers = Array.from({ length: availableParallelism() }, () => new Worker(load, { name: 'heat' }));
  try {
    for (let passed = 0; passed < LOAD_MS && !signal.aborted; passed += LOOK_MS) {
      await pauseBy(clock, LOOK_MS, signal);
      most = Math.max(most, degrees());
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return { before, most, isSlowed: look().timesSlowed > timesBefore };
}
