/** What has come of trying a bank out. @import { Static } from 'typebox' @import { TriedAnswer } from '../../../terminal/http/v1/bank-test-route.ts' */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';

/** @typedef {Static<typeof TriedAnswer>} Tried */

/** @param {{tried: Tried, isSaved: boolean}} properties `isSaved`: nothing in the form waits to be saved */
export function BankTried({ tried: { asked, ms, untried }, isSaved }) {
  const { t, has } = useWords();
  if (!asked) return html`<p class="outcome done" role="status">${t('bankTest.unasked')}</p>`;
  const labels = untried.map((name) => {
    const key = `field.${name}`;
    return has(key) ? t(key) : name;
  });
  const fields = labels.join(', ');
  return html`<div role="status">
    <p class="outcome done">${t('bankTest.works', { ms })}</p>
    ${fields !== '' && html`<p class="soft">${t('bankTest.untried', { fields })}</p>`}
    ${!isSaved && html`<p class="advice">${t('bankTest.save')}</p>`}
  </div>`;
}
