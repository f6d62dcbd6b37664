/** In the strip: who is signed in, and the way out. */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { signOut, useSession } from '../app/session.js';
import { Outcome, useAction } from '../parts/action.js';

export function Who() {
  const { t } = useWords();
  const session = useSession();
  const { action, run } = useAction();
  if (session === null || session.role === null) return null;
  const name = session.till ?? t(`person.${session.role}`);
  return html`<div class="who">
    <span>${name}</span>
    <button type="button" disabled=${action.stage === 'busy'} onClick=${() => run(signOut)}>${t('signOut')}</button>
    ${action.stage === 'failed' && html`<${Outcome} action=${action} />`}
  </div>`;
}
