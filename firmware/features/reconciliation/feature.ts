import type { Feature } from '../feature.ts';

export const reconciliation: Feature = { name: 'reconciliation' };
