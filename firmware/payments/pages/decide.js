/** A refund without an outcome: a person who has looked in the account at the bank marks what is seen there. @import { Refund } from './types.js' */
import { LIMITS } from '/console/assets/limits.js';
import { html } from '/console/assets/preact.js';
import { ask } from '../../core/pages/app/api.js';
import { useDraft } from '../../core/pages/app/drafts.js';
import { roubles, t, time } from '../../core/pages/app/language.js';
import { useUnsaved } from '../../core/pages/app/unsaved.js';
import { SureButton } from '../../core/pages/parts/dialog.js';
import { Outcome, TextField, useAction } from '../../core/pages/parts/parts.js';

const OUTCOMES = /** @type {const} */ (['done', 'refused']);
/** @param {string | null} state */
const isOutcome = (state) => OUTCOMES.some((outcome) => outcome === state);

/** Whether a person may mark an outcome: none is known, or the bank has reported another than the one that was marked. @param {Refund} refund */
export const isToBeDecided = ({ state, told }) => !isOutcome(state) || (isOutcome(told) && told !== state);

/** @param {{payment: string, refund: Refund, onDone: () => void}} properties */
export function Decide({ payment, refund, onDone }) {
  const [note, setNote] = useDraft(`decision on ${payment} ${refund.id}`, '');
  useUnsaved(note !== '');
  const { action, isBusy, run } = useAction();
  /** @param {'done' | 'refused'} outcome */
  const decide = async (outcome) => {
    const path = `/v1/payments/${encodeURIComponent(payment)}/refunds/${encodeURIComponent(refund.id)}/decide`;
    const isDone = await run(() => ask(path, { method: 'POST', json: { outcome, note: note.trim() } }));
    if (isDone) setNote('');
    onDone();
  };
  const amount = roubles(refund.amount);
  return html`<section class="advice">
    <h3>${t(refund.decided === null ? 'decide.title' : 'decide.titleAgain', { amount, time: time(refund.createdAt) })}</h3>
    <p>${t(refund.decided === null ? 'decide.words' : 'decide.wordsAgain')}</p>
    <${TextField} id="decision-note" label=${t('late.note')} help=${t('decide.noteHelp')}
      most=${LIMITS.note} value=${note} onText=${setNote} />
    <div class="buttons">
      ${OUTCOMES.map(
        (
          outcome,
        ) => html`<${SureButton} key=${outcome} go=${t(`decide.${outcome}`)} title=${t(`decide.${outcome}Sure`, { amount })}
          words=${t(`decide.${outcome}Words`)} disabled=${isBusy || note.trim() === ''} onYes=${() => decide(outcome)} />`,
      )}
    </div>
    <${Outcome} action=${action} />
  </section>`;
}
