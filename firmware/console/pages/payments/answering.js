/** Who answers for a refund above the limit, by his PIN, where the refund is asked for. @import { Action } from '../parts/parts.js' */
import { html, useLayoutEffect, useRef, useState } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { Dialog } from '../parts/dialog.js';
import { Button, Form, Outcome, TextField } from '../parts/parts.js';

const LONGEST_PIN = 10;

/** @param {{amount: number, action: Action, onPin: (pin: string) => void, onClose: () => void}} properties `action`: the refund, refused at first */
export function Answering({ amount, action, onPin, onClose }) {
  const { t, roubles } = useWords();
  const [pin, setPin] = useState('');
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const isWrong = action.field === 'supervisorPin';
  useLayoutEffect(() => field.current?.focus(), [action.stage]);
  const submit = () => {
    setPin('');
    onPin(pin);
  };
  return html`<${Dialog} title=${t('refund.pinTitle', { amount: roubles(amount) })} onClose=${onClose}>
    <${Form} novalidate class="words" onSubmit=${submit}>
      ${!isWrong && html`<${Outcome} action=${action} />`}
      <${TextField} id="supervisor-pin" label=${t('refund.pin')} problem=${isWrong ? action.said : ''}
        input=${field} type="password" inputmode="numeric" maxlength=${LONGEST_PIN} value=${pin} onText=${setPin} />
      <div class="buttons">
        <${Button} type="submit" kind="danger" disabled=${pin === '' || action.stage === 'busy'}>${t('refund.giveBack')}</${Button}>
        <button type="button" onClick=${onClose}>${t('leaveIt')}</button>
      </div>
    </${Form}>
  </${Dialog}>`;
}
