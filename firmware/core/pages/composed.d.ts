/** What is composed for the pages: `limits.js`, `remedies.js` and `features.js` beside the assets. */
import type { FeaturePage } from './app/feature-pages.js';
import type { Remedy } from './parts/remedies.js';

/** What a person may type or ask for at most, as the calls of the pages hold to it. Characters, where nothing else is said. */
export interface PageLimits {
  readonly kopecks: number;
  readonly purpose: number;
  readonly note: number;
  /** By which payments are sought. */
  readonly soughtPayment: number;
  readonly profileName: number;
  /** Of the connection of a display. */
  readonly connectionField: number;
  readonly shortestPin: number;
  readonly longestPin: number;
  readonly token: number;
  /** That a person makes up. */
  readonly ownToken: number;
  readonly claimCode: number;
  readonly deviceName: number;
  readonly shortestPassphrase: number;
  /** That is sought in the log. */
  readonly logText: number;
  /** Name and address of the shop, each. */
  readonly shop: number;
  readonly reportDays: number;
  readonly itemId: number;
  readonly itemName: number;
  /** Of one item. */
  readonly barcodes: number;
  readonly pieceGrams: number;
}

export declare const LIMITS: PageLimits;

/** Of the records of codes: what mends each reason of `/health`. */
export declare const REMEDIES: Readonly<Record<string, Remedy>>;

/** One import for each feature that has a page. */
export declare const FEATURE_PAGES: readonly FeaturePage[];
