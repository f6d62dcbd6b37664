/** A keypad on the screen, for a finger. */
import { html } from '/console/assets/preact.js';
import { t } from '../app/language.js';

/**
 * @param {{keys: readonly string[], onKey: (key: string) => void, children?: unknown}} properties a key is a digit, a
 *   comma or point, or `back`; an empty one leaves a gap; `children`: a last key
 */
export function Keypad({ keys, onKey, children }) {
  // the field keeps the focus: Enter on a keyboard would press the last key again
  return html`<div class="keypad" role="group" aria-label=${t('lane.keypad')} onMouseDown=${(/** @type {Event} */ event) => event.preventDefault()}>
    ${keys.map((key) =>
      key === ''
        ? html`<span key="none"></span>`
        : html`<button type="button" key=${key} tabindex="-1" aria-label=${key === 'back' ? t('lane.erase') : undefined} onClick=${() => onKey(key)}>
            ${key === 'back' ? '⌫' : key}
          </button>`,
    )}
    ${children}
  </div>`;
}
