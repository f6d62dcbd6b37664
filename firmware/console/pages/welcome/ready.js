/** The end of the path: the lane takes payments, and shows it with one of the test bank. */
import { html } from '/console/assets/preact.js';
import { ask, CallError } from '../app/api.js';
import { newKey } from '../app/key.js';
import { t } from '../app/language.js';
import { hrefOf } from '../app/route.js';
import { hear } from '../lane/hearing.js';
import { Button, Outcome, useAction } from '../parts/parts.js';

const TRIAL_KOPECKS = 10_000;

/** A payment from its code to its end, with the device's own customer; read as a till does, or it would count as late. */
async function payTrial() {
  const headers = { 'idempotency-key': newKey() };
  /** @type {{id: string}} */
  const { id } = await ask('/v1/payments', { method: 'POST', json: { amount: TRIAL_KOPECKS }, headers });
  await ask(`/console/api/sandbox/payments/${id}`, { method: 'POST', json: { does: 'pay' } });
  if ((await hear(id)) !== 'ACCEPTED') throw new CallError('late');
}

/** @param {{isEnd: boolean, isPlay: boolean}} properties `isEnd`: no step is open */
export function Ready({ isEnd, isPlay }) {
  const { action, isBusy, run } = useAction();
  const pay = () => run(payTrial, ({ t, roubles }) => t('welcome.trialDone', { amount: roubles(TRIAL_KOPECKS) }));
  return html`<section id="ready" class="advice good" aria-labelledby="ready-title">
    <h2 id="ready-title" tabindex="-1">${t('welcome.ready')}</h2>
    ${!isPlay && html`<p>${t('welcome.readyWords')}</p>`}
    <div class="buttons">
      <a class="button ${isEnd ? 'primary' : ''}" href=${hrefOf('lane')}>${t('welcome.lane')}</a>
      ${isPlay && html`<${Button} disabled=${isBusy} onClick=${pay}>${t('welcome.trial')}</${Button}>`}
    </div>
    <${Outcome} action=${action} />
  </section>`;
}
