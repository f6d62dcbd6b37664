/** Which item is taught: one that is known, or a new one. @import { Item, Typed } from './finding.js' */
import { html } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { useKept } from '../app/kept.js';
import { useWords } from '../app/language.js';
import { hrefOf } from '../app/route.js';
import { useSees } from '../app/session.js';
import { Button, Outcome, useAction } from '../parts/action.js';
import { Card, Field, Nothing } from '../parts/parts.js';
import { Finding, ItemLine } from './finding.js';

/** @param {{plu: string}} properties what was sought, and is no item's */
function New({ plu }) {
  const { t } = useWords();
  const [name, setName] = useKept(`name of ${plu}`, '');
  const { action, run } = useAction();
  /** @param {Event} event */
  const make = async (event) => {
    event.preventDefault();
    const json = name.trim() === '' ? {} : { name: name.trim() };
    const isMade = await run(() => ask(`/v1/items/${encodeURIComponent(plu)}`, { method: 'PUT', json }));
    if (isMade) location.hash = hrefOf('teach', [plu]);
  };
  return html`<form onSubmit=${make}>
    <p>${t('teach.newWords', { plu })}</p>
    <${Field} id="new-name" label=${t('teach.name')}>
      ${(/** @type {object} */ wires) => html`<input ...${wires} autocomplete="off" value=${name} onInput=${(/** @type {Typed} */ { currentTarget }) => setName(currentTarget.value)} />`}
    </${Field}>
    <${Button} type="submit" disabled=${action.stage === 'busy'}>${t('teach.new', { plu })}</${Button}>
    <${Outcome} action=${action} />
  </form>`;
}

export function Choosing() {
  const { t } = useWords();
  const mayMake = useSees('items');
  const row = (/** @type {Item} */ item) =>
    html`<a href=${hrefOf('teach', [item.id])}><${ItemLine} item=${item} /></a>`;
  const fresh = (/** @type {string} */ plu, /** @type {number} */ found) => {
    if (mayMake) return html`<${New} key=${plu} plu=${plu} />`;
    return found === 0 && html`<${Nothing}>${t('teach.notFound')}</${Nothing}>`;
  };
  const none = html`<${Nothing}>${t(mayMake ? 'teach.noItems' : 'teach.noneYet')}</${Nothing}>`;
  return html`<${Card} id="choosing" title=${t('teach.which')}>
    <${Finding} id="sought" help=${mayMake ? t('teach.soughtHelp') : ''} row=${row} fresh=${fresh} none=${none} />
  </${Card}>`;
}
