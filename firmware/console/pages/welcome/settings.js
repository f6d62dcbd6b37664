/** The settings of bank and display as the device has them now. @import { Forms, Settings } from './types.js' */
import { ask } from '../../../core/pages/app/api.js';

/** @returns {Promise<Settings>} */
export async function readSettings() {
  /** @type {{settings: Settings}} */
  const { settings } = await ask('/console/api/settings');
  // a till may have sent more than there is a name for
  const { bankProfile, bankProfiles, deviceConnection } = settings;
  return { bankProfile, bankProfiles, deviceConnection };
}

/** Another window, or a till, may have set the rest since the page was opened. @param {(now: Settings) => Partial<Settings>} part what is to be changed */
export async function changeSettings(part) {
  const now = await readSettings();
  await ask('/console/api/settings', { method: 'PUT', json: { ...now, ...part(now) } });
}

/** @returns {Promise<{forms: Forms, settings: Settings}>} */
export async function readSetUp() {
  /** @type {[Forms, Settings]} */
  const [forms, settings] = await Promise.all([ask('/console/api/settings/forms'), readSettings()]);
  return { forms, settings };
}
