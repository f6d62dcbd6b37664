/** From a real bank back to play. */
import { html } from '/console/assets/preact.js';
import { t } from '../../../core/pages/app/language.js';
import { SureButton } from '../../../core/pages/parts/dialog.js';
import { Outcome, useAction } from '../../../core/pages/parts/parts.js';
import { changeSettings } from './settings.js';

/** The settings of the shop's bank are kept: chosen again, it takes money again. @param {{onDone: () => Promise<void>}} properties */
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
