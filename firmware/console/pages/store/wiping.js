/** Every device of the store forgets all items, once. @import { StoreState } from '../../../sync/http/store-schemas.ts' */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { newId } from '../app/key.js';
import { useWords } from '../app/language.js';
import { Button, Outcome, useAction } from '../parts/action.js';
import { TypedQuestion } from '../parts/dialog.js';
import { Card, Chip } from '../parts/parts.js';

/** Who was shut out meanwhile is not waited for. @param {{wipe: NonNullable<StoreState['wipe']>, devices: StoreState['devices']}} properties */
function Progress({ wipe, devices }) {
  const { t } = useWords();
  const meant = devices.map(({ sn }) => sn).filter((sn) => wipe.devices.includes(sn));
  const waiting = meant.filter((sn) => !wipe.done.includes(sn));
  const n = meant.length - waiting.length;
  return html`<div role="status">
    <p><${Chip} look=${waiting.length === 0 ? 'good' : 'open'}>${t('wipe.done', { n, most: meant.length })}</${Chip}></p>
    ${waiting.length > 0 && html`<p class="reason">${t('wipe.waits', { names: waiting.join(', ') })}</p>`}
  </div>`;
}

/** @param {{store: StoreState, onDone: () => void}} properties */
export function Wiping({ store: { masterSN: master, devices, wipe }, onDone }) {
  const { t } = useWords();
  const [isAsked, setAsked] = useState(false);
  // sent again where its outcome is unknown; a question after the device has reported it is another one
  const [id, setId] = useState(newId);
  const { action, run } = useAction();
  const open = () => {
    if (wipe?.id === id) setId(newId());
    setAsked(true);
  };
  const forget = async () => {
    setAsked(false);
    const isDone = await run(
      () => ask(`/console/api/store/wipes/${id}`, { method: 'PUT', json: { master } }),
      'wipe.begun',
    );
    if (isDone) setId(newId());
    onDone();
  };
  return html`<${Card} id="wipe" title=${t('wipe.title')}>
    <p class="soft">${t('wipe.how')}</p>
    ${wipe !== null && html`<${Progress} wipe=${wipe} devices=${devices} />`}
    <${Outcome} action=${action} />
    <div class="buttons"><${Button} kind="danger" disabled=${action.stage === 'busy'} onClick=${open}>${t('wipe.open')}</${Button}></div>
    ${
      isAsked &&
      html`<${TypedQuestion} title=${t('wipe.sure')} words=${t('wipe.words', { n: devices.length })} label=${t('wipe.type', { id: master })}
        name=${master} yes=${t('wipe.delete')} onYes=${forget} onClose=${() => setAsked(false)} />`
    }
  </${Card}>`;
}
