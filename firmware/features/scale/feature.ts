import type { Feature } from '../feature.ts';

export const scale: Feature = { name: 'scale', address: '/scale' };
