/** Times and limits of a device that no shop sets. */
import type { NetworkLimits } from '../../core/http/index.ts';
import type { Pace } from '../../payments/index.ts';
import type { SyncTuning } from '../../sync/index.ts';

/** What differs from the constants of the parts: a test gives it, and the simulated lane. */
export interface Tuning {
  readonly pace?: Partial<Pace>;
  readonly network?: Partial<NetworkLimits>;
  /** How often the files of the shop's certificate are checked, ms. */
  readonly certificateCheckMs?: number;
  readonly sync?: SyncTuning;
  readonly maxTemplatesPerItem?: number;
}
