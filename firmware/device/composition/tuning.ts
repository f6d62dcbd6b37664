/** Times and limits of a device that are no configuration, and replacements of its hardware and time. */
import type { Timekeeper } from '../../core/host/index.ts';
import type { NetworkLimits } from '../../core/http/index.ts';
import type { Pace, TerminalOptions } from '../../payments/index.ts';
import type { SyncTuning } from '../../sync/index.ts';

/** Values in place of the parts' constants, for tests and the simulated lane. */
export interface Tuning {
  readonly pace?: Partial<Pace>;
  readonly network?: Partial<NetworkLimits>;
  /** How often the files of the shop's certificate are checked, ms. */
  readonly certificateCheckMs?: number;
  readonly sync?: SyncTuning;
  readonly maxTemplatesPerItem?: number;
}

/** Replacements of hardware, time and constants for a simulated lane. */
export interface StandIns {
  /** Source of the clocks of the device and its sandbox bank. */
  readonly time?: Timekeeper;
  readonly openDisplay?: TerminalOptions['openDisplay'];
  readonly firstDisplays?: TerminalOptions['firstDisplays'];
  readonly tuning?: Tuning;
}
