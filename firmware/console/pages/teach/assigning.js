/** Which item they were: one that they look like, one that is found, or a code that has none yet. @import { Answer } from './uncertain.js' @import { Item } from './finding.js' */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { useSees } from '../app/session.js';
import { Dialog } from '../parts/dialog.js';
import { Button, Nothing } from '../parts/parts.js';
import { Finding, ItemLine } from './finding.js';
import { isCode, NewItem } from './new-item.js';

const MOST_GUESSES = 4;

/** What was said of them first, then what most of them look like. @param {readonly Answer[]} chosen */
function guessesOf(chosen) {
  const named = chosen.flatMap(({ told, now }) => [...(told === null ? [] : [told, told, told]), ...now.candidates]);
  const counts = new Map(named.map(({ item, name }) => [item, { item, name, count: 0 }]));
  for (const { item } of named) {
    const one = counts.get(item);
    if (one !== undefined) one.count += 1;
  }
  return [...counts.values()].toSorted((one, other) => other.count - one.count).slice(0, MOST_GUESSES);
}

/** @param {{chosen: readonly Answer[], onItem: (item: string) => void, onClose: () => void}} properties */
export function Assigning({ chosen, onItem, onClose }) {
  const { t } = useWords();
  const guesses = guessesOf(chosen);
  const row = (/** @type {Item} */ item) =>
    html`<${Button} onClick=${() => onItem(item.id)}><${ItemLine} item=${item} /></${Button}>`;
  const mayMake = useSees('items');
  const fresh = (/** @type {string} */ text, /** @type {number} */ found) => {
    if (isCode(text))
      return html`<${Button} onClick=${() => onItem(text)}>${t('teach.new', { sought: text })}</${Button}>`;
    if (mayMake) return html`<${NewItem} key=${text} text=${text} onMade=${onItem} />`;
    return found === 0 && html`<${Nothing}>${t('teach.notFound')}</${Nothing}>`;
  };
  return html`<${Dialog} title=${t('uncertain.which', { n: chosen.length })} onClose=${onClose}>
    ${
      guesses.length > 0 &&
      html`<div class="buttons guesses">${guesses.map(({ item, name }) => html`<${Button} key=${item} onClick=${() => onItem(item)}>${name ?? item}</${Button}>`)}</div>`
    }
    <${Finding} id="assigned" help="" row=${row} fresh=${fresh} />
    <div class="buttons"><button type="button" onClick=${onClose}>${t('leaveIt')}</button></div>
  </${Dialog}>`;
}
