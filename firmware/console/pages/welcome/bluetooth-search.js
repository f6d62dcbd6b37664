/** Displays that are heard over Bluetooth: one is chosen by a press. @import { Static } from 'typebox' @import { HeardAnswer } from '../../../terminal/http/v1/bluetooth-route.ts' */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { useWords } from '../app/language.js';
import { Button, Outcome, useAction } from '../parts/action.js';

/** @typedef {Static<typeof HeardAnswer>['displays']} Heard */

/** @param {{onChosen: (address: string) => void}} properties */
export function BluetoothSearch({ onChosen }) {
  const { t } = useWords();
  const { action, run } = useAction();
  const [heard, setHeard] = useState(/** @type {Heard | null} */ (null));
  const isBusy = action.stage === 'busy';
  const search = () => {
    setHeard(null);
    return run(async () =>
      setHeard((await ask('/console/api/settings/bluetooth-search', { method: 'POST', json: {} })).displays),
    );
  };
  return html`<div class="buttons"><${Button} disabled=${isBusy} onClick=${search}>${t('bluetooth.go')}</${Button}></div>
    ${isBusy ? html`<p class="outcome busy" role="status">${t('bluetooth.searching')}</p>` : html`<${Outcome} action=${action} />`}
    ${heard?.length === 0 && html`<p class="advice" role="status">${t('bluetooth.none')}</p>`}
    ${
      heard !== null &&
      heard.length > 0 &&
      html`<ul class="rows" aria-label=${t('bluetooth.found', { count: String(heard.length) })}>
        ${heard.map(({ address, name, signal }) => {
          const how = signal === null ? t('bluetooth.connected') : t('bluetooth.signal', { signal: String(signal) });
          return html`<li key=${address}><button type="button" onClick=${() => onChosen(address)}>
            ${name ?? t('bluetooth.nameless')} (${address}, ${how})
          </button></li>`;
        })}
      </ul>`
    }`;
}
