/** What was said of some lately, with the score before and after, while it can be taken back. @import { Assignment } from './uncertain.js' */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { Button } from '../parts/action.js';
import { Score } from './sureness.js';

/** @param {{assignment: Assignment, isBusy: boolean, onTakeBack: () => void}} properties */
function One({ assignment: { item, name, answers, judged }, isBusy, onTakeBack }) {
  const { t } = useWords();
  const n = answers.length;
  const what = item === null ? t('uncertain.dropped', { n }) : t('uncertain.learned', { n, name: name ?? item });
  return html`<li>
    <p class="line spread"><strong>${what}</strong>
      <${Button} label=${`${t('undo.undo')}: ${what}`} disabled=${isBusy} onClick=${onTakeBack}>${t('undo.undo')}</${Button}></p>
    ${judged.length > 0 && html`<${Score} before=${judged.map(({ before }) => before)} after=${judged.map(({ after }) => after)} />`}
  </li>`;
}

/** @param {{assignments: readonly Assignment[], isBusy: boolean, onTakeBack: (assignment: Assignment) => void}} properties */
export const Said = ({ assignments, isBusy, onTakeBack }) =>
  html`<div role="status"><ul class="said-of">${assignments.map((one) => html`<${One} key=${one.id} assignment=${one} isBusy=${isBusy} onTakeBack=${() => onTakeBack(one)} />`)}</ul></div>`;
