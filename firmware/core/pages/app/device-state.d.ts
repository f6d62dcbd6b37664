/** The state of the device, as its pages get it. */
import type { HealthReport } from '../../host/health.ts';

export interface SettingsState {
  /** The bank of the profile in use; null until one is set up. */
  readonly bank: string | null;
  /** Whether no money moves. */
  readonly test: boolean;
}

/**
 * The state that the device streams to its pages. Declared here is what the shell reads. A module whose pages read more
 * declares it beside them (`declare module`), and the console, which composes the state, must send all of it.
 */
export interface DeviceState {
  readonly health: HealthReport;
  readonly settings: SettingsState;
  /** Zone of the device's days, and of all times on the pages. */
  readonly timeZone: string;
  /** A number for each feature, by its name: it changes when the feature has something new. */
  readonly features: Readonly<Record<string, number>>;
}
