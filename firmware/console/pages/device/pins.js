/** The PINs of people at these pages: which are set, and setting new ones. */
import { LIMITS } from '/console/assets/limits.js';
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { t } from '../../../core/pages/app/language.js';
import { useUnsaved } from '../../../core/pages/app/unsaved.js';
import { Dialog, SureButton } from '../../../core/pages/parts/dialog.js';
import { Button, Card, Form, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';

const PIN = new RegExp(`^\\d{${LIMITS.shortestPin},${LIMITS.longestPin}}$`);

/** @typedef {'cashier' | 'supervisor' | 'technician'} Person */
/** @typedef {{role: Person, set: boolean}} Kept */

/** @param {{role: Person, onClose: () => void}} properties */
function NewPin({ role, onClose }) {
  const [pin, setPin] = useState('');
  const { action, isBusy, run } = useAction();
  useUnsaved(pin !== '');
  const submit = async () => {
    if (await run(() => ask(`/console/api/pins/${role}`, { method: 'PUT', json: { pin } }))) onClose();
  };
  return html`<${Dialog} title=${t('pins.new', { person: t(`person.${role}`) })} onClose=${onClose}>
    <${Form} novalidate class="words" onSubmit=${submit}>
      <${TextField} id="new-pin" label=${t('pins.field')} help=${t('pins.help')} problem=${action.stage === 'failed' ? action.said : ''}
        inputmode="numeric" most=${LIMITS.longestPin} value=${pin} onText=${setPin} />
      <div class="buttons">
        <${Button} type="submit" kind="primary" disabled=${!PIN.test(pin) || isBusy}>${t('pins.save')}</${Button}>
        <button type="button" onClick=${onClose}>${t('leaveIt')}</button>
      </div>
    </${Form}>
  </${Dialog}>`;
}

/** @param {{kept: Kept, onSet: () => void, onRemove: () => void}} properties */
function Row({ kept: { role, set }, onSet, onRemove }) {
  const person = t(`person.${role}`);
  return html`<li>
    <span class="part">${person}</span>
    <span class="soft">${t(set ? 'pins.set' : 'pins.none')}</span>
    <span class="buttons">
      <${Button} onClick=${onSet}>${t(set ? 'pins.change' : 'pins.make')}</${Button}>
      ${set && html`<${SureButton} kind="danger" go=${t('pins.remove')} title=${t('pins.sure', { person })} words=${t('pins.sureWords')} onYes=${onRemove} />`}
    </span>
  </li>`;
}

export function Pins() {
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<{pins: readonly Kept[]}>} */
  const { data, error, again } = useFetched('/console/api/pins');
  const [wanted, setWanted] = useState(/** @type {Person | null} */ (null));
  const { action, run } = useAction();
  const close = () => {
    setWanted(null);
    void again();
  };
  /** @param {Person} role */
  const remove = async (role) => {
    await run(() => ask(`/console/api/pins/${role}`, { method: 'DELETE' }));
    void again();
  };
  return html`<${Card} id="pins" title=${t('pins.title')} error=${error}>
    <p class="soft">${t('pins.words')}</p>
    <ul class="parts">${[...(data?.pins ?? [])].reverse().map((kept) => html`<${Row} key=${kept.role} kept=${kept} onSet=${() => setWanted(kept.role)} onRemove=${() => remove(kept.role)} />`)}</ul>
    <${Outcome} action=${action} />
    ${wanted !== null && html`<${NewPin} role=${wanted} onClose=${close} />`}
  </${Card}>`;
}
