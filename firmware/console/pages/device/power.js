/** What stops the device for a while, or for good: a restart, forgetting what was learned, a reset. @import { Machine } from '../../api/machine-view.ts' */
import { html } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { t } from '../../../core/pages/app/language.js';
import { SureButton } from '../../../core/pages/parts/dialog.js';
import { Card, Outcome, useAction } from '../../../core/pages/parts/parts.js';

/** @typedef {'reboot' | 'forget' | 'reset'} Action */

/** @type {Readonly<Record<Action, (name: string) => Promise<unknown>>>} */
const ACTIONS = {
  reboot: () => ask('/console/api/device/reboot', { method: 'POST' }),
  forget: () => ask('/v1/templates', { method: 'DELETE' }),
  reset: (name) => ask('/console/api/device/reset', { method: 'POST', json: { name } }),
};

/** @param {{of: readonly Action[], kind: 'plain' | 'danger', machine: Machine}} properties */
function Actions({ of, kind, machine: { name } }) {
  const { action, isBusy, run } = useAction();
  const typed = kind === 'danger' ? { label: t('power.type', { name }), name } : undefined;
  return html`<div class="buttons">
      ${of.map(
        (
          each,
        ) => html`<${SureButton} key=${each} kind=${kind} disabled=${isBusy} go=${t(`power.${each}`)} title=${t(`power.${each}Sure`)}
          words=${t(`power.${each}Words`)} typed=${typed} onYes=${() => run(() => ACTIONS[each](name), `power.${each}Begun`)} />`,
      )}
    </div>
    <${Outcome} action=${action} />`;
}

/** What keeps the machine alive, and its restart. @param {{machine: Machine}} properties */
export function Restart({ machine }) {
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
  const { managed } = machine;
  return html`<${Card} id="reset" title=${t('power.lost')}>
    ${!managed && html`<p class="soft">${t('power.resetByHand')}</p>`}
    <${Actions} of=${managed ? ['forget', 'reset'] : ['forget']} kind="danger" machine=${machine} />
  </${Card}>`;
}
