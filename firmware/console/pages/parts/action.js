/** Something that a person has the device do: under way, done, or gone wrong. @import { Said } from '../app/said.js' */
import { html, useRef, useState } from '/console/assets/preact.js';
import { CallError, unsaidOf, wordsOf } from '../app/api.js';
import { useIsLive } from '../app/device.js';
import { useWords } from '../app/language.js';
import { worded } from '../app/said.js';
import { Folded } from './parts.js';

/**
 * @typedef {object} Action
 * @property {'rest' | 'busy' | 'done' | 'failed'} stage
 * @property {string} said words for the person
 * @property {string | null} field at fault
 * @property {unknown} [error] of one that has failed
 */

/** @typedef {Omit<Action, 'said'> & {said: Said | null}} Held */

/** @type {Held} */
const REST = { stage: 'rest', said: null, field: null };

/**
 * One action at a time: a second press while one is under way is none.
 * @returns {{action: Action, run: (work: (isWanted: () => boolean) => Promise<unknown>, done?: Said | null) => Promise<boolean>, forget: () => void, abandon: () => void}}
 *   `run` returns whether it was done, and is wanted still; after `abandon` another one may begin, and the outcome of the one before is not shown
 */
export function useAction() {
  const words = useWords();
  const [{ stage, said, field, error }, setAction] = useState(REST);
  const isBusy = useRef(false);
  const turn = useRef(0);
  /** @param {(isWanted: () => boolean) => Promise<unknown>} work @param {Said | null} [done] */
  const run = async (work, done = null) => {
    if (isBusy.current) return false;
    isBusy.current = true;
    const own = ++turn.current;
    const isWanted = () => own === turn.current;
    setAction({ stage: 'busy', said: 'busy', field: null });
    try {
      await work(isWanted);
      if (!isWanted()) return false;
      setAction({ stage: 'done', said: done, field: null });
      return true;
    } catch (error) {
      const field = error instanceof CallError ? error.field : null;
      if (isWanted()) setAction({ stage: 'failed', said: (sayer) => wordsOf(sayer, error), field, error });
      return false;
    } finally {
      if (isWanted()) isBusy.current = false;
    }
  };
  const forget = () => setAction(REST);
  const abandon = () => {
    turn.current += 1;
    isBusy.current = false;
    forget();
  };
  return { action: { stage, said: worded(words, said), field, error }, run, forget, abandon };
}

/** Read aloud when it changes. @param {{action: Action, id?: string}} properties */
export function Outcome({ action: { stage, said, error }, id }) {
  const unsaid = unsaidOf(useWords(), error);
  return html`<div class="outcome ${stage}" id=${id} role=${stage === 'failed' ? 'alert' : 'status'}>
    ${said}${unsaid !== null && html`<${Folded} code=${unsaid.code} detail=${unsaid.detail} />`}
  </div>`;
}

/**
 * A button that is dead while the device does not answer. What it does not name itself stands on the button.
 * @param {Readonly<Record<string, unknown>> & {kind?: 'plain' | 'primary' | 'danger', type?: 'button' | 'submit', disabled?: boolean, pressed?: boolean, children?: unknown}} properties
 *   `pressed`: of one that stays in, whether it is
 */
export function Button({ kind = 'plain', type = 'button', disabled = false, pressed, children, ...control }) {
  const isLive = useIsLive();
  const state = pressed === undefined ? {} : { 'aria-pressed': String(pressed) };
  return html`<button type=${type} class=${kind} disabled=${disabled || !isLive} ...${control} ...${state}>${children}</button>`;
}
