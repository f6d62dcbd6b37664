/** Who reaches the device, and where its address and Wi-Fi are set. @import { Machine } from '../../api/machine-view.ts' */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { Card } from '../parts/parts.js';

/** @param {{machine: Machine}} properties */
export function Network({ machine: { modes } }) {
  const { t } = useWords();
  const rows = /** @type {const} */ ([
    ['modes.network', modes.network ? 'modes.network.open' : 'modes.network.own'],
    ['modes.tls', modes.tls ? 'modes.on' : 'modes.off'],
    ['modes.token', modes.needsToken ? 'modes.token.needed' : 'modes.token.free'],
  ]);
  return html`<${Card} id="network" title=${t('modes.title')}>
    <dl class="facts">${rows.map(([name, value]) => html`<dt>${t(name)}</dt><dd>${t(value)}</dd>`)}</dl>
    <details><summary>${t('modes.how')}</summary><p>${t('modes.address')}</p><p>${t('modes.wifi')}</p></details>
  </${Card}>`;
}
