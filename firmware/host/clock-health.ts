/** What the clock reports in `/health`. */
import type { SystemClock } from './clock.ts';
import type { HealthBoard } from './health.ts';

/** Less comes right by itself soon: the clock of the system catches up. */
const FAR_BEHIND_MS = 3_600_000;

const worded = (wall: number): string => `${new Date(wall).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export function watchClock(board: HealthBoard, clock: SystemClock): void {
  board.add('clock', () => {
    const { behindMs } = clock;
    if (behindMs < FAR_BEHIND_MS) return { state: 'ok' };
    const known = clock.wall();
    return {
      state: 'degraded',
      reason: `the clock of the system says ${worded(known - behindMs)}, but this device was told or has stored that it was ${worded(known)} already, and stands still there: send the right time with set_time`,
    };
  });
}
