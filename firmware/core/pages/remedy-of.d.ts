/** Composed of the records of codes: what mends each reason of `/health`. */
import type { Remedy } from './parts/remedies.js';

export declare const REMEDIES: Readonly<Record<string, Remedy>>;
