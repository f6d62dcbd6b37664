/** The customer's screen in small, and in words: a calm dark frame must not look like a broken one. @import { ConsoleState } from '../../console-view.ts' */
import { html, useEffect, useRef } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { roubles, t } from '../../../core/pages/app/language.js';
import { Card } from '../../../core/pages/parts/parts.js';
import { Picture } from '../../../core/pages/parts/picture.js';

/** @param {ConsoleState['display']} display */
function captionOf({ kind, status, amount }) {
  if (kind === 'clear') return t('lane.clear.picture');
  if (kind === 'status') return t(`lane.${status ?? 'waiting'}.picture`);
  if (amount === undefined) return t('lane.qr.picture');
  return t('lane.qrAmount.picture', { amount: roubles(amount) });
}

/** Drawn from the console's own stream: a window has one. @param {{display: ConsoleState['display'] | null, words: string}} properties `display`: null while the device does not answer */
function Mirror({ display, words }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const picture = useRef(/** @type {Picture | null} */ (null));
  useEffect(() => {
    if (place.current === null) return;
    picture.current = new Picture(place.current);
    return () => picture.current?.close();
  }, []);
  useEffect(() => {
    if (display === null) picture.current?.lose();
    else picture.current?.show(display);
  }, [display]);
  return html`<div class="mirror" role="img" aria-label=${words}><div ref=${place}></div></div>`;
}

export function Customer() {
  const { state, isLive } = useDevice();
  const caption = isLive && state !== null ? captionOf(state.display) : '';
  return html`<${Card} id="customer" title=${t('lane.customer')}>
    <${Mirror} display=${isLive && state !== null ? state.display : null} words=${caption === '' ? t('lane.customer') : caption} />
    <p class="caption line spread">
      <span>${caption}</span>
      <a href="/display" target="_blank" rel="noopener"><code>/display</code></a>
    </p>
  </${Card}>`;
}
