/** In the strip: who is signed in, and the way out. */
import { html, useState } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { signOut, useSession } from '../app/session.js';
import { isUnsaved } from '../app/unsaved.js';
import { Question } from '../parts/dialog.js';
import { Outcome, useAction } from '../parts/parts.js';

export function Who() {
  const { t } = useWords();
  const session = useSession();
  const { action, isBusy, run } = useAction();
  const [isAsked, setAsked] = useState(false);
  if (session === null || session.role === null) return null;
  const name = session.till ?? t(`person.${session.role}`);
  const leave = () => {
    setAsked(false);
    void run(signOut);
  };
  return html`<div class="who">
    <span>${name}</span>
    <button type="button" disabled=${isBusy} onClick=${() => (isUnsaved() ? setAsked(true) : run(signOut))}>${t('signOut')}</button>
    ${action.stage === 'failed' && html`<${Outcome} action=${action} />`}
    ${
      isAsked &&
      html`<${Question} title=${t('unsaved.signOut')} yes=${t('signOut')} kind="danger" onYes=${leave} onClose=${() => setAsked(false)}>
        <p>${t('unsaved.words')}</p>
      </${Question}>`
    }
  </div>`;
}
