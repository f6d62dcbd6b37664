/** A page that is for others, opened by a cashier or a supervisor: what it takes to see it. */
import { html } from '/console/assets/preact.js';
import { Button, Card, Outcome, useAction } from '../parts/parts.js';
import { t } from './language.js';
import { hrefOf } from './route.js';
import { signOut } from './session.js';

/** @param {{who: 'supervisor' | 'technician'}} properties who sees it */
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
