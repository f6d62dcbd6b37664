import type { Feature } from '../feature.ts';

export const teach: Feature = { name: 'teach' };
