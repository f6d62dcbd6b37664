/**
 * Reads and changes the device's settings of bank and display.
 * @import { Static } from 'typebox'
 * @import { FormsAnswer } from '../../../payments/http/v1/setup-forms.ts'
 * @import { TriedAnswer } from '../../../payments/http/v1/bank-trial-route.ts'
 * @import { SettingsObject } from '../../../payments/settings/settings-document.ts'
 */

import { html } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { t } from '../../../core/pages/app/language.js';
import { SureButton } from '../../../core/pages/parts/dialog.js';
import { Outcome, useAction } from '../../../core/pages/parts/parts.js';

/** @typedef {Static<typeof FormsAnswer>} Forms */
/** @typedef {Forms['banks'][number]['fields'][number]} FieldForm */
/** @typedef {Static<typeof TriedAnswer>} Tried */
/** @typedef {SettingsObject} Settings */

/** @returns {Promise<Settings>} */
export async function readSettings() {
  /** @type {{settings: Settings}} */
  const { settings } = await ask('/console/api/settings');
  // other fields are left out: a till may have sent unknown ones
  const { bankProfile, bankProfiles, deviceConnection } = settings;
  return { bankProfile, bankProfiles, deviceConnection };
}

/**
 * Changes a part of the settings. They are read again before, because another window or a till may have changed the
 * rest.
 * @param {(now: Settings) => Partial<Settings>} part returns the changed part of the current settings
 */
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

/**
 * The button that goes back to the sandbox bank. The settings of the shop's bank stay for when it is chosen again.
 * @param {{onDone: () => Promise<void>}} properties
 */
export function BackToTest({ onDone }) {
  const { action, isBusy, run } = useAction();
  const turn = () =>
    run(async () => {
      await changeSettings(({ bankProfiles }) => ({
        bankProfile: 'sandbox',
        bankProfiles: { ...bankProfiles, sandbox: { bankName: 'Sandbox' } },
      }));
      await onDone();
    }, 'welcome.saved');
  return html`<div class="buttons">
      <${SureButton} go=${t('welcome.toTest')} title=${t('welcome.toTestSure')} words=${t('welcome.toTestWords')} disabled=${isBusy} onYes=${turn} />
    </div>
    <${Outcome} action=${action} />`;
}
