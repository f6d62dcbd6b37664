/** The PINs of people at these pages: which there are, and new ones. */
import { html, useState } from '/console/assets/preact.js';
import { ask, wordsOf } from '../app/api.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { useUnsaved } from '../app/unsaved.js';
import { Button, Outcome, useAction } from '../parts/action.js';
import { Dialog, Question } from '../parts/dialog.js';
import { Card, TextField } from '../parts/parts.js';

/** @typedef {'cashier' | 'supervisor' | 'technician'} Person */
/** @typedef {{role: Person, set: boolean}} Kept */
/** @typedef {{role: Person, action: 'set' | 'remove'}} Wanted */

/** @param {{role: Person, onClose: () => void}} properties */
function NewPin({ role, onClose }) {
  const { t } = useWords();
  const [pin, setPin] = useState('');
  const { action, run } = useAction();
  useUnsaved(pin !== '');
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (await run(() => ask(`/console/api/pins/${role}`, { method: 'PUT', json: { pin } }))) onClose();
  };
  return html`<${Dialog} title=${t('pins.new', { person: t(`person.${role}`) })} onClose=${onClose}>
    <form novalidate class="words" onSubmit=${submit}>
      <${TextField} id="new-pin" label=${t('pins.field')} help=${t('pins.help')} problem=${action.stage === 'failed' ? action.said : ''}
        inputmode="numeric" maxlength="10" value=${pin} onText=${setPin} />
      <div class="buttons">
        <${Button} type="submit" kind="primary" disabled=${!/^\d{4,10}$/.test(pin) || action.stage === 'busy'}>${t('pins.save')}</${Button}>
        <button type="button" onClick=${onClose}>${t('leaveIt')}</button>
      </div>
    </form>
  </${Dialog}>`;
}

/** @param {{kept: Kept, onWant: (wanted: Wanted) => void}} properties */
function Row({ kept: { role, set }, onWant }) {
  const { t } = useWords();
  return html`<li>
    <span class="part">${t(`person.${role}`)}</span>
    <span class="soft">${t(set ? 'pins.set' : 'pins.none')}</span>
    <span class="buttons">
      <${Button} onClick=${() => onWant({ role, action: 'set' })}>${t(set ? 'pins.change' : 'pins.make')}</${Button}>
      ${set && html`<${Button} kind="danger" onClick=${() => onWant({ role, action: 'remove' })}>${t('pins.remove')}</${Button}>`}
    </span>
  </li>`;
}

export function Pins() {
  const words = useWords();
  const { t } = words;
  /** @type {import('../app/fetched.js').Fetched<{pins: readonly Kept[]}>} */
  const { data, error, again } = useFetched('/console/api/pins');
  const [wanted, setWanted] = useState(/** @type {Wanted | null} */ (null));
  const { action, run } = useAction();
  const close = () => {
    setWanted(null);
    void again();
  };
  /** @param {Person} role */
  const remove = async (role) => {
    setWanted(null);
    await run(() => ask(`/console/api/pins/${role}`, { method: 'DELETE' }));
    void again();
  };
  return html`<${Card} id="pins" title=${t('pins.title')}>
    <p class="soft">${t('pins.words')}</p>
    ${error !== null && html`<p class="problem" role="alert">${wordsOf(words, error)}</p>`}
    <ul class="parts">${data?.pins.toReversed().map((kept) => html`<${Row} key=${kept.role} kept=${kept} onWant=${setWanted} />`)}</ul>
    <${Outcome} action=${action} />
    ${wanted?.action === 'set' && html`<${NewPin} role=${wanted.role} onClose=${close} />`}
    ${
      wanted?.action === 'remove' &&
      html`<${Question}
        title=${t('pins.sure', { person: t(`person.${wanted.role}`) })}
        yes=${t('pins.remove')}
        kind="danger"
        onYes=${() => remove(wanted.role)}
        onClose=${() => setWanted(null)}
      ><p>${t('pins.sureWords')}</p></${Question}>`
    }
  </${Card}>`;
}
