/** Shown in place of a page that the signed-in cashier or supervisor may not see: says who may. */
import { html } from '/console/assets/preact.js';
import { Button, Card, Outcome, useAction } from '../parts/parts.js';
import { t } from './language.js';
import { hrefOf } from './route.js';
import { signOut } from './session.js';

/** @param {{who: 'supervisor' | 'technician'}} properties who may see the page */
export function Closed({ who }) {
  const { action, isBusy, run } = useAction();
  return html`<${Card} id="closed" title=${t('closed.title')}>
    <p>${t(`problem.RequestParams.Forbidden.${who}`)}</p>
    <div class="buttons">
      <${Button} kind="primary" disabled=${isBusy} onClick=${() => run(signOut)}>${t('closed.signIn')}</${Button}>
      <a class="button" href=${hrefOf('lane')}>${t('closed.lane')}</a>
    </div>
    <${Outcome} action=${action} />
  </${Card}>`;
}
