/** Modules composed for the pages: `limits.js`, `remedies.js` and `features.js` beside the assets. */
import type { FeaturePage } from './app/feature-pages.js';
import type { Remedy } from './parts/remedies.js';

/** Limits of what a person may type or ask for, as the pages' calls have them. In characters, where nothing else is said. */
export interface PageLimits {
  readonly kopecks: number;
  readonly purpose: number;
  readonly note: number;
  /** Search text for payments. */
  readonly soughtPayment: number;
  readonly profileName: number;
  /** Field of a display's connection. */
  readonly connectionField: number;
  readonly shortestPin: number;
  readonly longestPin: number;
  readonly token: number;
  /** Token that a person chooses. */
  readonly ownToken: number;
  readonly claimCode: number;
  readonly deviceName: number;
  readonly shortestPassphrase: number;
  /** Search text for the log. */
  readonly logText: number;
  /** Name of the shop, and its address. */
  readonly shop: number;
  readonly reportDays: number;
  readonly itemId: number;
  readonly itemName: number;
  /** Barcodes of one item. */
  readonly barcodes: number;
  readonly pieceGrams: number;
}

export declare const LIMITS: PageLimits;

/** From the records of codes: what mends each reason of `/health`. */
export declare const REMEDIES: Readonly<Record<string, Remedy>>;

/** One import for each feature that has a page. */
export declare const FEATURE_PAGES: readonly FeaturePage[];
