/** Which item is taught: one that is known, or a new one. @import { Item } from './finding.js' */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { hrefOf } from '../app/route.js';
import { useSees } from '../app/session.js';
import { Card, Nothing } from '../parts/parts.js';
import { Finding, ItemLine } from './finding.js';
import { NewItem } from './new-item.js';

export function Choosing() {
  const { t } = useWords();
  const mayMake = useSees('items');
  const row = (/** @type {Item} */ item) =>
    html`<a href=${hrefOf('teach', [item.id])}><${ItemLine} item=${item} /></a>`;
  const open = (/** @type {string} */ id) => {
    location.hash = hrefOf('teach', [id]);
  };
  const fresh = (/** @type {string} */ text, /** @type {number} */ found) => {
    if (mayMake) return html`<${NewItem} key=${text} text=${text} onMade=${open} />`;
    return found === 0 && html`<${Nothing}>${t('teach.notFound')}</${Nothing}>`;
  };
  const none = html`<${Nothing}>${t(mayMake ? 'teach.noItems' : 'teach.noneYet')}</${Nothing}>`;
  return html`<${Card} id="choosing" title=${t('teach.which')}>
    <${Finding} id="sought" help=${mayMake ? t('teach.soughtHelp') : ''} row=${row} fresh=${fresh} none=${none} />
  </${Card}>`;
}
