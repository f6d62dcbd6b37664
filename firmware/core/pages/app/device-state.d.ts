import type { HealthReport } from '../../host/health.ts';

export interface SettingsState {
  /** Of the profile in use; null until one is set up. */
  readonly bank: string | null;
  /** Whether no money moves. */
  readonly test: boolean;
}

/**
 * The state that the device streams to its pages. Here stands what the shell reads. A module whose pages read more
 * declares it beside them (`declare module`), and the console, which composes the state, must send all of it.
 */
export interface DeviceState {
  readonly health: HealthReport;
  readonly settings: SettingsState;
  /** Of the device: its days, and all times on the pages. */
  readonly timeZone: string;
  /** By the name of a feature: another number where it has something new. */
  readonly features: Readonly<Record<string, number>>;
}
