/**
 * What a device sends to a chain of stores: every payment, until it is acknowledged, and how the device stands. Each device connects
 * by itself, by its configuration. Without one nothing of this room is loaded, and a chain sends nothing down.
 */
export type { Upward } from './upward.ts';
