/** What stops the device for a while, or for good: a restart, forgetting what was learned, a reset. @import { Machine } from '../../api/machine-view.ts' */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { useWords } from '../app/language.js';
import { Button, Outcome, useAction } from '../parts/action.js';
import { Question, TypedQuestion } from '../parts/dialog.js';
import { Card } from '../parts/parts.js';

/** @typedef {'reboot' | 'forget' | 'reset'} Action */

/** @type {Readonly<Record<Action, (name: string) => Promise<unknown>>>} */
const ACTIONS = {
  reboot: () => ask('/console/api/device/reboot', { method: 'POST' }),
  forget: () => ask('/v1/templates', { method: 'DELETE' }),
  reset: (name) => ask('/console/api/device/reset', { method: 'POST', json: { name } }),
};

/** @param {{of: Action, name: string, onYes: () => void, onClose: () => void}} properties */
function Sure({ of, name, onYes, onClose }) {
  const { t } = useWords();
  const question = { title: t(`power.${of}Sure`), yes: t(`power.${of}`), onYes, onClose };
  const words = t(`power.${of}Words`);
  return of === 'reboot'
    ? html`<${Question} ...${question}><p>${words}</p></${Question}>`
    : html`<${TypedQuestion} ...${question} words=${words} label=${t('power.type', { name })} name=${name} />`;
}

/** @param {{of: readonly Action[], kind: 'plain' | 'danger', machine: Machine}} properties */
function Actions({ of, kind, machine: { name } }) {
  const { t } = useWords();
  const [wanted, setWanted] = useState(/** @type {Action | null} */ (null));
  const { action, run } = useAction();
  /** @param {Action} what */
  const carryOut = async (what) => {
    setWanted(null);
    await run(() => ACTIONS[what](name), `power.${what}Begun`);
  };
  return html`<div class="buttons">
      ${of.map((each) => html`<${Button} key=${each} kind=${kind} disabled=${action.stage === 'busy'} onClick=${() => setWanted(each)}>${t(`power.${each}`)}</${Button}>`)}
    </div>
    <${Outcome} action=${action} />
    ${wanted !== null && html`<${Sure} of=${wanted} name=${name} onYes=${() => carryOut(wanted)} onClose=${() => setWanted(null)} />`}`;
}

/** What keeps the machine alive, and its restart. @param {{machine: Machine}} properties */
export function Restart({ machine }) {
  const { t } = useWords();
  const { watchdog, writableRoot } = machine.guards;
  return html`<${Card} id="power" title=${t('power.title')}>
    <dl class="facts">
      ${watchdog !== null && html`<dt>${t('power.watchdog')}</dt><dd>${t(watchdog ? 'modes.on' : 'modes.off')}</dd>`}
      ${writableRoot !== null && html`<dt>${t('power.root')}</dt><dd>${t(writableRoot ? 'power.writable' : 'power.readOnly')}</dd>`}
    </dl>
    ${machine.managed ? html`<${Actions} of=${['reboot']} kind="plain" machine=${machine} />` : html`<p class="soft">${t('power.byHand')}</p>`}
  </${Card}>`;
}

/** @param {{machine: Machine}} properties */
export function Reset({ machine }) {
  const { t } = useWords();
  const { managed } = machine;
  return html`<${Card} id="reset" title=${t('power.lost')}>
    ${!managed && html`<p class="soft">${t('power.resetByHand')}</p>`}
    <${Actions} of=${managed ? ['forget', 'reset'] : ['forget']} kind="danger" machine=${machine} />
  </${Card}>`;
}
