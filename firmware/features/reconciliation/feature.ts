import type { Feature } from '../feature.ts';

/** A page alone, which is found by its folder: its calls are those of payments. */
export const reconciliation: Feature = { name: 'reconciliation' };
