import type { FeaturePage } from './app/feature-pages.js';

/** Composed: one import for each feature that has a page. */
export const FEATURE_PAGES: readonly FeaturePage[];
