/** Made of the records of codes by firmware/device/composition/made-modules.ts: what mends each reason of `/health`. */
import type { Remedy } from './remedies.js';

export declare const REMEDIES: Readonly<Record<string, Remedy>>;
