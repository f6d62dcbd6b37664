/** How often a part that may go away was lost: one that goes again and again has a bad cable. */
import type { Metrics } from './metrics.ts';

/** @returns takes each state of the part, by its name */
export function countLosses(metrics: Metrics, part: 'display' | 'camera'): (state: string) => void {
  const losses = metrics.counter(`laneware_${part}_losses_total`, `How often the ${part} was lost that had worked`, []);
  let worked = false;
  return (state) => {
    if (worked && state !== 'ready' && state !== 'closed') losses.inc();
    worked = state === 'ready';
  };
}
