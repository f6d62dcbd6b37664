/** The customer's screen in small, and in words: a calm dark frame must not look like a broken one. @import { ConsoleState } from '../../console-view.ts' */
import { html } from '/console/assets/preact.js';
import { useDevice } from '../app/device.js';
import { useWords } from '../app/language.js';
import { roubles } from '../app/writing.js';
import { Card } from '../parts/parts.js';

/** @param {import('../app/language.js').Sayer} words @param {ConsoleState['display']} display */
function captionOf(words, { kind, status, amount }) {
  if (kind === 'clear') return words.t('lane.clear.picture');
  if (kind === 'status') return words.t(status === 'success' ? 'lane.success.picture' : 'lane.failure.picture');
  if (amount === undefined) return words.t('lane.qr.picture');
  return words.t('lane.qrAmount.picture', { amount: roubles(words, amount) });
}

export function Customer() {
  const words = useWords();
  const { state, isLive } = useDevice();
  const isAway = isLive && state !== null && state.settings.display !== null && state.display.display.state !== 'ready';
  return html`<${Card} id="customer" title=${words.t('lane.customer')}>
    <iframe src="/display" title=${words.t('lane.customer')} tabindex="-1"></iframe>
    <p class="caption">
      <span>${isLive && state !== null ? captionOf(words, state.display) : ''}</span>
      <a href="/display" target="_blank" rel="noopener">/display</a>
    </p>
    ${isAway && html`<p class="advice">${words.t('lane.displayAway')}</p>`}
  </${Card}>`;
}
