/**
 * The trial of a bank's settings, saved or not, and its result.
 * @import { Tried } from './settings.js'
 */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { nameOf, t } from '../../../core/pages/app/language.js';
import { Outcome, useAction } from '../../../core/pages/parts/parts.js';

/** @typedef {ReturnType<typeof useAction>['action']} Action */

/**
 * @param {(error: unknown) => void} onFault gets the error of a trial whose form has not changed since
 * @returns {{action: Action, isBusy: boolean, tried: Tried | null, isOutdated: boolean, start: (json: {bankProfile: string, profile: Readonly<Record<string, unknown>>}) => Promise<void>, outdate: () => void}}
 *   `outdate` is called when the form changes: the result of an earlier trial is then not shown. `isOutdated`: a running
 *   trial was dropped so, and no other has begun
 */
export function useTrial(onFault) {
  const { action, isBusy, run, abandon } = useAction();
  const [tried, setTried] = useState(/** @type {Tried | null} */ (null));
  const [isOutdated, setOutdated] = useState(false);
  return {
    action,
    isBusy,
    tried,
    isOutdated,
    start: async (json) => {
      setTried(null);
      setOutdated(false);
      await run(async (isWanted) => {
        try {
          const found = await ask('/console/api/settings/bank-test', { method: 'POST', json });
          if (isWanted()) setTried(found);
        } catch (error) {
          if (isWanted()) onFault(error);
          throw error;
        }
      });
    },
    outdate: () => {
      setTried(null);
      setOutdated((before) => before || isBusy);
      abandon();
    },
  };
}

/** @param {{tried: Tried, isSaved: boolean}} properties `isSaved`: the form has no unsaved changes */
function Works({ tried: { asked, ms, untried }, isSaved }) {
  if (!asked) return html`<p class="outcome done" role="status">${t('bankTest.unasked')}</p>`;
  const fields = untried.map((name) => nameOf('field', name)).join(', ');
  return html`<div role="status">
    <p class="outcome done">${t('bankTest.works', { ms })}</p>
    ${fields !== '' && html`<p class="soft">${t('bankTest.untried', { fields })}</p>`}
    ${!isSaved && html`<p class="advice">${t('bankTest.save')}</p>`}
  </div>`;
}

/**
 * The result of the trial.
 * @param {{trial: {action: Action, tried: Tried | null, isOutdated: boolean}, isSaved: boolean}} properties as of `Works`
 */
export const TrialOutcome = ({ trial: { action, tried, isOutdated }, isSaved }) =>
  html`<${Outcome} action=${action} />
    ${isOutdated && html`<p class="outcome failed" role="alert">${t('bankTest.changed')}</p>`}
    ${tried !== null && html`<${Works} tried=${tried} isSaved=${isSaved} />`}`;
