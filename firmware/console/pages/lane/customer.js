/** The customer's screen in small, and in words: a calm dark frame must not look like a broken one. @import { ConsoleState } from '../../console-view.ts' */
import { html } from '/console/assets/preact.js';
import { useDevice } from '../app/device.js';
import { useWords } from '../app/language.js';
import { roubles } from '../app/writing.js';
import { Card } from '../parts/parts.js';
import { Mirror } from './mirror.js';

/** @param {import('../app/language.js').Sayer} words @param {ConsoleState['display']} display */
function captionOf(words, { kind, status, amount }) {
  if (kind === 'clear') return words.t('lane.clear.picture');
  if (kind === 'status') return words.t(`lane.${status ?? 'waiting'}.picture`);
  if (amount === undefined) return words.t('lane.qr.picture');
  return words.t('lane.qrAmount.picture', { amount: roubles(words, amount) });
}

export function Customer() {
  const words = useWords();
  const { state, isLive } = useDevice();
  const caption = isLive && state !== null ? captionOf(words, state.display) : '';
  return html`<${Card} id="customer" title=${words.t('lane.customer')}>
    <${Mirror} display=${isLive && state !== null ? state.display : null} words=${caption === '' ? words.t('lane.customer') : caption} />
    <p class="caption line spread">
      <span>${caption}</span>
      <a href="/display" target="_blank" rel="noopener"><code>/display</code></a>
    </p>
  </${Card}>`;
}
