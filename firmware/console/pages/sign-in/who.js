/** In the strip: who is signed in, and the way out. */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { signOut, useSession } from '../app/session.js';
import { Outcome, useDeed } from '../parts/deed.js';

export function Who() {
  const { t } = useWords();
  const session = useSession();
  const { deed, run } = useDeed();
  if (session === null || session.role === null) return null;
  const name = session.till ?? t(`person.${session.role}`);
  return html`<div class="who">
    <span>${name}</span>
    <button type="button" disabled=${deed.stage === 'busy'} onClick=${() => run(signOut)}>${t('signOut')}</button>
    ${deed.stage === 'failed' && html`<${Outcome} deed=${deed} />`}
  </div>`;
}
