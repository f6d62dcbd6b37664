/** Made-up devices of a chain, as they report themselves. */
import { ACCEPTED_HOURS } from '../../../firmware/chain/inventory.ts';
import type { Lane } from '../../../scripts/chain/rollout/decide.ts';
import type { Rollout } from '../../../scripts/chain/rollout/state.ts';

export const OLD = '1.0.0';
export const NEW = '1.1.0';
export const NOW = Date.UTC(2026, 0, 1);
export const HOUR_MS = 3_600_000;
const HOUR_S = 3600;

export type Kind =
  | 'old'
  | 'new'
  | 'undone'
  | 'newer'
  | 'silent-old'
  | 'silent-new'
  | 'failed-old'
  | 'failed-new'
  | 'plain'
  | `${'selling' | 'quiet' | 'mute' | 'young-mute'}-${'old' | 'new'}`;

/** Payments that a kind of lane accepts in an hour. */
const AN_HOUR: readonly (readonly [RegExp, number])[] = [
  [/^selling/, 4],
  [/^quiet/, 1],
  [/mute/, 0],
];

export function laneOf(number: number, kind: Kind, now = NOW): Lane {
  const version = kind === 'newer' ? '1.2.0' : kind.endsWith('new') ? NEW : OLD;
  const state = kind.startsWith('failed') ? 'failed' : 'ok';
  const offers = kind === 'plain' ? {} : { offered: '', undone: kind === 'undone' ? [NEW] : [] };
  const anHour = AN_HOUR.find(([pattern]) => pattern.test(kind))?.[1];
  const counts = anHour === undefined ? {} : { accepted: Array<number>(ACCEPTED_HOURS).fill(anHour) };
  return {
    account: `STORE${number % 10}`,
    serial: `LW${number}`,
    inventory: { version, state, ...offers, counts, uptimeSeconds: kind.startsWith('young') ? HOUR_S : 30 * HOUR_S },
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
