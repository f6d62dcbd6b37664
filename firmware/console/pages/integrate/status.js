/** How a call ended, in a word and a colour. */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { Chip } from '../parts/parts.js';

/** @param {number} status @returns {import('../parts/parts.js').Look} */
const lookOf = (status) => (status >= 500 ? 'bad' : status >= 400 ? 'open' : 'good');

/** @param {{status: number, hungUp?: boolean}} properties */
export function Status({ status, hungUp = false }) {
  const { t } = useWords();
  return html`<${Chip} look=${lookOf(status)}>${status}</${Chip}>${hungUp && html` <${Chip} look="bad">${t('calls.hungUp')}</${Chip}>`}`;
}
