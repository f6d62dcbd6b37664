/** The code that slaves are paired with: shown to a technician, at a press, and for as long as it is good. @import { PairingCode } from '../../../sync/http/store-schemas.ts' */
import { html, useEffect, useState } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { useDevice } from '../app/device.js';
import { countdown, t } from '../app/language.js';
import { useTick } from '../app/tick.js';
import { Copy } from '../parts/copy.js';
import { Button, Card, Outcome, useAction } from '../parts/parts.js';

const TICK_MS = 500;
const SECOND_MS = 1000;

export function Pairing() {
  const { isLive } = useDevice();
  const [code, setCode] = useState(/** @type {{text: string, qr: PairingCode['qr'], endsAt: number} | null} */ (null));
  const [isOver, setOver] = useState(false);
  const { action, isBusy, run } = useAction();
  const tick = useTick(TICK_MS, code !== null);
  const now = performance.now();
  // a code that may be good no more leaves the page
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
