/** The devices of a master's store. @import { StoreState } from '../../../sync/http/store-schemas.ts' */
import { html } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { t } from '../app/language.js';
import { SureButton } from '../parts/dialog.js';
import { Card, Chip, Nothing, Outcome, useAction } from '../parts/parts.js';

const MINUTE_MS = 60_000;
/** As the health of the store has it. */
const SILENT_AFTER_MIN = 15;

/** @typedef {StoreState['devices'][number]} Listed */

/** @param {Listed} device */
function heardOf({ silent }) {
  if (silent === null) return t('store.quiet');
  const minutes = Math.floor(silent / MINUTE_MS);
  return minutes < 1 ? t('store.now') : t('store.ago', { n: minutes });
}

/** @param {{device: Listed, isOwn: boolean, onRevoke: () => void}} properties */
function Row({ device, isOwn, onRevoke }) {
  const isSilent = !isOwn && (device.silent === null || device.silent > SILENT_AFTER_MIN * MINUTE_MS);
  const facts = [t('store.templates', { n: device.templates }), t('store.version', { version: device.version })];
  if (device.pending > 0) facts.push(t('store.behind', { n: device.pending }));
  return html`<li>
    <span class="part">${device.sn}</span>
    ${isOwn ? html`<${Chip} look="rest">${t('store.own')}</${Chip}>` : html`<${Chip} look=${isSilent ? 'open' : 'good'}>${heardOf(device)}</${Chip}>`}
    <span class="soft">${facts.join(' · ')}</span>
    ${device.conflict && html`<p class="reason">${t('store.conflict')}</p>`}
    ${!isOwn && html`<span class="buttons"><${SureButton} kind="danger" go=${t('store.revoke')} title=${t('store.revokeSure', { sn: device.sn })} words=${t('store.revokeWords')} onYes=${onRevoke} /></span>`}
  </li>`;
}

/** @param {{store: StoreState, onDone: () => void}} properties */
export function Devices({ store: { devices, masterSN }, onDone }) {
  const { action, run } = useAction();
  /** @param {string} sn */
  const revoke = async (sn) => {
    const path = `/console/api/store/devices/${encodeURIComponent(sn)}`;
    await run(
      () => ask(path, { method: 'DELETE' }),
      ({ t }) => t('store.revoked', { sn }),
    );
    onDone();
  };
  return html`<${Card} id="devices" title=${t('store.devices')}>
    ${devices.every(({ sn }) => sn === masterSN) && html`<${Nothing}>${t('store.none')}</${Nothing}>`}
    <ul class="parts">
      ${devices.map((device) => html`<${Row} key=${device.sn} device=${device} isOwn=${device.sn === masterSN} onRevoke=${() => revoke(device.sn)} />`)}
    </ul>
    <${Outcome} action=${action} />
  </${Card}>`;
}
