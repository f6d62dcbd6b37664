/** One press that makes a fresh device take payments: the on-screen display and the sandbox bank. */

import { isDeepStrictEqual } from 'node:util';
import type { SettingsObject, Terminal } from '../payments/index.ts';

export const FIRST_SETTINGS: SettingsObject = Object.freeze({
  bankProfile: 'sandbox',
  bankProfiles: { sandbox: { bankName: 'Sandbox' } },
  deviceConnection: { connectionType: 'Screen' },
});

/** The press, again: nothing is left to do. */
export const isSetUpSo = ({ settings }: Terminal): boolean =>
  !settings.isUnsure && isDeepStrictEqual(settings.masked(), FIRST_SETTINGS);

/** In words why a press must not set the device up; null where it may. Settings of a real bank are never written over. */
export function whyNoSetup({ settings }: Terminal, sandboxUrl: string | null): string | null {
  if (settings.active !== null)
    return 'this device is already set up: to change its bank or its display, send updateDriverSettings';
  if (settings.problem !== null) return `this device is not fresh: ${settings.problem}`;
  if (sandboxUrl === null)
    return 'the sandbox bank does not run here (sandboxBank.enabled): send the settings of your bank with updateDriverSettings';
  return null;
}
