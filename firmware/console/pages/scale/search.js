/** Another item, by its name or by its code on a keypad. @import { Item } from './stage.js' */
import { html, useState } from '/console/assets/preact.js';
import { wordsOf } from '../app/api.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { Keypad } from '../parts/keypad.js';
import { Nothing } from '../parts/parts.js';
import { Tiles } from './tiles.js';

const MOST_FOUND = 6;

/** @param {{disabled: boolean, onChoose: (item: Item) => void}} properties */
export function Search({ disabled, onChoose }) {
  const words = useWords();
  const { t } = words;
  const [text, setText] = useState('');
  const wanted = text.trim();
  const path = `/v1/items?search=${encodeURIComponent(wanted)}&limit=${MOST_FOUND}`;
  /** @type {import('../app/fetched.js').Fetched<{items: Item[]}>} */
  const { data, error } = useFetched(wanted === '' ? null : path);
  return html`<div class="by-name">
    <search>
      <label for="sought">${t('scale.sought')}</label>
      <input id="sought" type="search" autocomplete="off" maxlength="64" autofocus value=${text}
        onInput=${(/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) => setText(currentTarget.value)} />
      <${Keypad} label=${t('scale.keypad')} keys=${['1', '2', '3', '4', '5', '6', '7', '8', '9', '', '0', 'back']}
        onKey=${(/** @type {string} */ key) => setText((before) => (key === 'back' ? before.slice(0, -1) : `${before}${key}`))} />
    </search>
    <div class="hits">
      ${error !== null && html`<p class="problem" role="alert">${wordsOf(words, error)}</p>`}
      ${data !== null && data.items.length === 0 && html`<${Nothing}>${t('scale.notFound', { text: wanted })}</${Nothing}>`}
      ${data !== null && html`<${Tiles} items=${data.items} label=${t('scale.found')} disabled=${disabled} onChoose=${onChoose} />`}
    </div>
  </div>`;
}
