/**
 * What recognition was not certain of lately: several are chosen, and it is said what they were.
 * @import { Static } from 'typebox'
 * @import { AssignmentAnswer, UncertainList } from '../../../recognition/http/v1/uncertain-schemas.ts'
 */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { useDevice } from '../app/device.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { Button, Outcome, useAction } from '../parts/action.js';
import { Card, Nothing } from '../parts/parts.js';
import { Assigning } from './assigning.js';
import { Grid } from './grid.js';
import { Said } from './said.js';

const PATH = '/console/api/recognition/uncertain';

/** @typedef {Static<typeof UncertainList>} List */
/** @typedef {List['answers'][number]} Answer */
/** @typedef {Static<typeof AssignmentAnswer>} Assignment */

/** @param {{chosen: readonly Answer[], isBusy: boolean, onItem: () => void, onNothing: () => void, onNone: () => void}} properties */
function Bar({ chosen, isBusy, onItem, onNothing, onNone }) {
  const { t } = useWords();
  return html`<div class="chosen" role="group" aria-label=${t('uncertain.chosen', { n: chosen.length })}>
    <p class="line spread"><strong>${t('uncertain.chosen', { n: chosen.length })}</strong>
      <button type="button" onClick=${onNone}>${t('uncertain.none')}</button></p>
    <div class="buttons">
      <${Button} kind="primary" disabled=${isBusy} onClick=${onItem}>${t('uncertain.assign')}</${Button}>
      <${Button} disabled=${isBusy} onClick=${onNothing}>${t('uncertain.notThis')}</${Button}>
    </div>
  </div>`;
}

export function Uncertain() {
  const { t } = useWords();
  const { state } = useDevice();
  // what is learned elsewhere changes what is thought of them
  /** @type {import('../app/fetched.js').Fetched<List>} */
  const { data, error, again } = useFetched(PATH, `${state?.uncertain} ${state?.itemsRevision}`);
  const [marked, setMarked] = useState(/** @type {readonly string[]} */ ([]));
  const [isAsking, setAsking] = useState(false);
  const { action, run } = useAction();
  const answers = data?.answers ?? [];
  // another window may have said what one was
  const chosen = answers.filter(({ id }) => marked.includes(id));
  const isBusy = action.stage === 'busy';
  /** @param {string} id */
  const toggle = (id) => setMarked(marked.includes(id) ? marked.filter((one) => one !== id) : [...marked, id]);
  /** @param {string | null} item */
  const assign = async (item) => {
    setAsking(false);
    const json = { item, answers: chosen.map(({ id }) => id) };
    const isDone = await run(() => ask(`${PATH}/assignments`, { method: 'POST', json }));
    if (isDone) setMarked([]);
    void again();
  };
  /** @param {Assignment} assignment */
  const takeBack = async ({ id }) => {
    await run(() => ask(`${PATH}/assignments/${encodeURIComponent(id)}`, { method: 'DELETE' }), 'uncertain.back');
    void again();
  };
  return html`<${Card} id="uncertain" title=${t('uncertain.title')} error=${error}>
    ${data !== null && answers.length === 0 && html`<${Nothing}>${t('uncertain.nothing')}</${Nothing}>`}
    ${answers.length > 0 && html`<p class="soft">${t('uncertain.how')}</p>`}
    <${Said} assignments=${data?.assignments ?? []} isBusy=${isBusy} onTakeBack=${takeBack} />
    <${Outcome} action=${action} />
    <${Grid} answers=${answers} marked=${marked} onToggle=${toggle} />
    ${chosen.length > 0 && html`<${Bar} chosen=${chosen} isBusy=${isBusy} onItem=${() => setAsking(true)} onNothing=${() => assign(null)} onNone=${() => setMarked([])} />`}
    ${isAsking && chosen.length > 0 && html`<${Assigning} chosen=${chosen} onItem=${assign} onClose=${() => setAsking(false)} />`}
  </${Card}>`;
}
