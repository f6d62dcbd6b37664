/** What was learned of an item, each picture to be deleted; those that look like another item are pointed out. @import { Waiting } from './deletions.js' @import { Stray } from './findings.js' */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { Button, Outcome, useAction } from '../parts/action.js';
import { Nothing } from '../parts/parts.js';
import { deleteLater, takeBack } from './deletions.js';

/** @typedef {{template: string, picture: string}} Template */

/** @param {{item: string, one: Template, n: number, waiting: Waiting | undefined, stray: Stray | undefined}} properties */
function Picture({ item, one, n, waiting, stray }) {
  const { t } = useWords();
  const { action, run } = useAction();
  const isBusy = action.stage === 'busy';
  const like = stray?.looksLike;
  return html`<li class=${waiting === undefined ? '' : 'going'}>
    <img src=${one.picture} alt=${t('items.picture', { n })} loading="lazy" decoding="async" />
    ${like !== undefined && html`<p class="stray">${t('items.stray', { name: like.name ?? like.id })}</p>`}
    ${
      waiting === undefined
        ? html`<${Button} kind="danger" label=${t('teach.deleteNumber', { n })} disabled=${isBusy} onClick=${() => run(() => deleteLater(item, one.template))}>${t('teach.delete')}</${Button}>`
        : html`<${Button} label=${t('undo.undoNumber', { n })} disabled=${isBusy} onClick=${() => run(() => takeBack(waiting))}>${t('undo.undo')}</${Button}>`
    }
    ${action.stage === 'failed' && html`<${Outcome} action=${action} />`}
  </li>`;
}

/** @param {{item: string, templates: readonly Template[], waiting: readonly Waiting[], strays: readonly Stray[]}} properties */
export function Pictures({ item, templates, waiting, strays }) {
  const { t } = useWords();
  if (templates.length === 0) return html`<${Nothing}>${t('items.noPictures')}</${Nothing}>`;
  return html`<ol class="pictures">
    ${templates.map(
      (one, at) => html`<${Picture} key=${one.template} item=${item} one=${one} n=${at + 1}
        waiting=${waiting.find(({ template }) => template === one.template)}
        stray=${strays.find(({ template }) => template === one.template)} />`,
    )}
  </ol>`;
}
