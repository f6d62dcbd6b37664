/** A page that is the technician's, opened by a cashier: what it takes to see it. */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { hrefOf } from '../app/route.js';
import { signOut } from '../app/session.js';
import { Button, Outcome, useAction } from '../parts/action.js';
import { Card } from '../parts/parts.js';

export function Closed() {
  const { t } = useWords();
  const { action, run } = useAction();
  return html`<${Card} id="closed" title=${t('closed.title')}>
    <p>${t('closed.words')}</p>
    <div class="buttons">
      <${Button} kind="primary" disabled=${action.stage === 'busy'} onClick=${() => run(signOut)}>${t('closed.signIn')}</${Button}>
      <a class="button" href=${hrefOf('lane')}>${t('closed.lane')}</a>
    </div>
    <${Outcome} action=${action} />
  </${Card}>`;
}
