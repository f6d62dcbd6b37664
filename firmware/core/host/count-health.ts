/** `/health` in figures: for a person who watches many lanes, and reads the sentences only of failing ones. */

import { SALES } from '../../../drivers/lib/records.ts';
import type { SystemClock } from './clock.ts';
import { type HealthBoard, WORSE } from './health.ts';
import type { Metrics } from './metrics.ts';

const MS = 1000;

interface Counted {
  readonly health: HealthBoard;
  readonly version: string;
  readonly serial: string;
  readonly clock: Pick<SystemClock, 'behindMs'>;
}

export function countHealth(metrics: Metrics, { health, version, serial, clock }: Counted): void {
  metrics.gauges('laneware_info', 'Always 1: which release runs on which device', ['version', 'serial'], () => [
    [{ version, serial }, 1],
  ]);
  metrics.gauges(
    'laneware_part_state',
    'How each part of the device is: 0 ok, 1 degraded, 2 failed; /health says why',
    ['part'],
    () => health.report().parts.map(({ part, state }) => [{ part }, WORSE.indexOf(state)] as const),
  );
  metrics.gauge(
    'laneware_sales',
    'Whether the lane sells: 0 it does, 1 it does, and somebody should look at it later, 2 it does not; /health says why',
    () => SALES.indexOf(health.report().sales),
  );
  metrics.gauge(
    'laneware_clock_behind_seconds',
    'How far the clock of the system is behind a moment that the device knows to be past',
    () => clock.behindMs / MS,
  );
}

/** Counts how often a part was lost: one that is lost often has a bad cable. @returns to be called with each state of the part */
export function countLosses(metrics: Metrics, part: 'display' | 'camera'): (state: string) => void {
  const losses = metrics.counter(`laneware_${part}_losses_total`, `How often the ${part} was lost that had worked`, []);
  let worked = false;
  return (state) => {
    if (worked && state !== 'ready' && state !== 'closed') losses.inc();
    worked = state === 'ready';
  };
}
