/** The devices of a master's store, and the code that pairs them. @import { PairingCode, StoreState } from '../http/store-schemas.ts' */
import { html, useEffect, useState } from '/console/assets/preact.js';
import { ask } from '../../core/pages/app/api.js';
import { useTick } from '../../core/pages/app/clock.js';
import { useDevice } from '../../core/pages/app/device.js';
import { countdown, t } from '../../core/pages/app/language.js';
import { Copy } from '../../core/pages/parts/copy.js';
import { SureButton } from '../../core/pages/parts/dialog.js';
import { Button, Card, Chip, Nothing, Outcome, useAction } from '../../core/pages/parts/parts.js';

const TICK_MS = 500;
const SECOND_MS = 1000;

/** Shows the pairing code to a technician who presses the button, as long as it is valid. */
export function Pairing() {
  const { isLive } = useDevice();
  const [code, setCode] = useState(/** @type {{text: string, qr: PairingCode['qr'], endsAt: number} | null} */ (null));
  const [isOver, setOver] = useState(false);
  const { action, isBusy, run } = useAction();
  const tick = useTick(TICK_MS, code !== null);
  const now = performance.now();
  // a code that may have expired is removed from the page
  useEffect(() => {
    if (code === null || (isLive && now < code.endsAt)) return;
    setCode(null);
    setOver(isLive);
  }, [tick, isLive]);
  const show = () =>
    run(async () => {
      setCode(null);
      setOver(false);
      /** @type {PairingCode} */
      const { code: text, seconds, qr } = await ask('/console/api/store/pairing-code', { method: 'POST' });
      setCode({ text, qr, endsAt: performance.now() + seconds * SECOND_MS });
    });
  return html`<${Card} id="pairing" title=${t('store.pairing')}>
    <${Button} onClick=${show} disabled=${isBusy}>${t('store.showCode')}</${Button}>
    ${
      code !== null &&
      html`<svg class="pairing-qr" viewBox="0 0 ${code.qr.size} ${code.qr.size}" role="img" aria-label=${t('store.qr')}>
          <rect width="100%" height="100%" fill="#fff" /><path d=${code.qr.path} fill="#000" />
        </svg>
        <p>${t('store.qrHow')}</p>
        <p class="line"><code id="pairing-code" class="token">${code.text}</code>
          <${Copy} text=${code.text} of="pairing-code" name=${t('store.code')} /></p>
        <p class="soft" role="timer">${t('store.good', { left: countdown(Math.max(0, code.endsAt - now)) })}</p>`
    }
    ${isOver && html`<p class="soft">${t('store.over')}</p>`}
    <${Outcome} action=${action} />
  </${Card}>`;
}

const MINUTE_MS = 60_000;
/** The same limit as `LATE_MS` of `firmware/sync/health.ts`. */
const SILENT_AFTER_MIN = 10;

/** @typedef {StoreState['devices'][number]} Listed */

/** When the device last reported, in words. @param {Listed} device */
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
