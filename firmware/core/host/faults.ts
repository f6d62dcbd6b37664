/** What a part says of itself: its state, and the reasons of it, by their records. */
import type { Reason } from '../../../drivers/lib/records.ts';

export interface Verdict {
  readonly state: 'ok' | 'degraded' | 'failed';
  readonly reasons: readonly Reason[];
}

export const WELL: Verdict = { state: 'ok', reasons: [] };
export const degraded = (...reasons: readonly Reason[]): Verdict => ({ state: 'degraded', reasons });
export const failed = (...reasons: readonly Reason[]): Verdict => ({ state: 'failed', reasons });
export const okWith = (...reasons: readonly Reason[]): Verdict => ({ state: 'ok', reasons });
export const degradedBy = (reasons: readonly Reason[]): Verdict => (reasons.length === 0 ? WELL : degraded(...reasons));
