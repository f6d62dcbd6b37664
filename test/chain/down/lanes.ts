/** Made-up devices of a chain, as they tell of themselves. */
import type { Lane } from '../../../scripts/chain/rollout/decide.ts';
import type { Rollout } from '../../../scripts/chain/rollout/state.ts';

export const OLD = '1.0.0';
export const NEW = '1.1.0';
export const NOW = Date.UTC(2026, 0, 1);
export const HOUR_MS = 3_600_000;

export type Kind =
  | 'old'
  | 'new'
  | 'undone'
  | 'newer'
  | 'silent-old'
  | 'silent-new'
  | 'failed-old'
  | 'failed-new'
  | 'plain';

export function laneOf(number: number, kind: Kind, now = NOW): Lane {
  const version = kind === 'newer' ? '1.2.0' : kind.endsWith('new') ? NEW : OLD;
  const state = kind.startsWith('failed') ? 'failed' : 'ok';
  const tells = kind === 'plain' ? {} : { offered: '', undone: kind === 'undone' ? [NEW] : [] };
  return {
    account: `STORE${number % 10}`,
    serial: `LW${number}`,
    inventory: { version, state, ...tells },
    heardAt: kind.startsWith('silent') ? now - 24 * HOUR_MS : now,
  };
}

/** So many of each kind. */
export const lanesOf = (...kinds: readonly (readonly [Kind, number])[]): Lane[] =>
  kinds.flatMap(([kind, count]) => Array<Kind>(count).fill(kind)).map((kind, number) => laneOf(number, kind));

export const ROLLOUT: Rollout = {
  ...{ version: NEW, rings: [1, 10, 100], soakMs: 24 * HOUR_MS, mostUndonePercent: 2, ring: 2, below: 1 },
  ...{ phase: 'running', why: '', ripeSince: NOW - 25 * HOUR_MS, forgiven: { undone: 0, failed: 0 } },
  ...{ base: null, source: null },
};
