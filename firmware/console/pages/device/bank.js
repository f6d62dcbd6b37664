/** The bank of a device that is set up: its password, its certificates, another bank. */
import { html } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { t } from '../../../core/pages/app/language.js';
import { sentence } from '../../../core/pages/app/writing.js';
import { Card, useAction } from '../../../core/pages/parts/parts.js';
import { BackToTest } from '../welcome/back-to-test.js';
import { BankStep } from '../welcome/bank-step.js';
import { readSetUp } from '../welcome/settings.js';

export function Bank() {
  const settings = useDevice().state?.settings;
  const { data, error, again } = useFetched('set-up', settings?.bank, readSetUp);
  const saving = useAction();
  const isReal = settings != null && settings.bank !== null && settings.bank !== 'Sandbox';
  return html`<${Card} id="bank" title=${t('settings.bank')} error=${error}>
    ${settings?.bank === 'Sandbox' && html`<p>${sentence(t('test.bank'))}</p>`}
    ${data !== null && html`<${BankStep} key=${data.settings.bankProfile} forms=${data.forms} settings=${data.settings} saving=${saving} onSaved=${again} />`}
    ${isReal && settings.sandbox && html`<${BackToTest} onDone=${again} />`}
  </${Card}>`;
}
