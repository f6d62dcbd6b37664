/** Of what pages are made: cards, fields, buttons, and what has come of an action. @import { HealthReport } from '../../host/health.ts' @import { Said } from '../app/outcome.js' */
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { CallError, unsaidOf, wordsOf } from '../app/api.js';
import { useIsLive } from '../app/device.js';
import { t, useWords } from '../app/language.js';
import { messageFor } from '../app/outcome.js';

/** @typedef {'good' | 'open' | 'bad' | 'rest'} Look */

/** Whether the lane sells, as the device says it. @type {Readonly<Record<HealthReport['sales'], Look>>} */
export const LEVELS = { sells: 'good', 'sells-look-later': 'open', 'does-not-sell': 'bad' };

/** @param {{look: Look, children?: unknown, live?: boolean}} properties */
export const Chip = ({ look, children, live = false }) =>
  html`<span class="chip ${look}" role=${live ? 'status' : undefined}>${children}</span>`;

/**
 * A part of a page with a heading of its own.
 * @param {{id: string, title: string, children?: unknown, aside?: unknown, error?: unknown}} properties `error` of what the card shows
 */
export const Card = ({ id, title, children, aside, error = null }) =>
  html`<section id=${id} class="card" aria-labelledby="${id}-title">
    <div class="card-head line"><h2 id="${id}-title">${title}</h2>${aside}</div>
    <${Problem} error=${error} />
    ${children}
  </section>`;

/** What has gone wrong, where something has. @param {{error: unknown}} properties */
export function Problem({ error }) {
  const words = useWords();
  return error === null ? null : html`<p class="problem" role="alert">${wordsOf(words, error)}</p>`;
}

/** A form that the page itself sends, unless a field holds more than it may: that has the focus then. What it does not name itself stands on it. @param {Readonly<Record<string, unknown>> & {onSubmit: () => void, children?: unknown}} properties */
export const Form = ({ onSubmit, children, ...form }) =>
  html`<form ...${form} onSubmit=${(/** @type {Event & {currentTarget: HTMLFormElement}} */ event) => {
    event.preventDefault();
    const tooLong = event.currentTarget.querySelector('[data-long]');
    if (tooLong instanceof HTMLElement) tooLong.focus();
    else onSubmit();
  }}>${children}</form>`;

/**
 * @param {{id: string, label: string, help?: string, problem?: string, children: (wires: {id: string, 'aria-describedby': string | undefined, 'aria-invalid': string | undefined}) => unknown}} properties
 *   `children` draws the control, and puts the wires on it
 */
export function Field({ id, label, help = '', problem = '', children }) {
  const notes = [help === '' ? '' : `${id}-help`, problem === '' ? '' : `${id}-problem`].filter((note) => note !== '');
  const wires = {
    id,
    'aria-describedby': notes.length > 0 ? notes.join(' ') : undefined,
    'aria-invalid': problem === '' ? undefined : 'true',
  };
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${children(wires)}
    ${help !== '' && html`<p class="help" id="${id}-help">${help}</p>`}
    ${problem !== '' && html`<p class="problem" id="${id}-problem">${problem}</p>`}
  </div>`;
}

/**
 * A field of one line of text. What it does not name itself stands on the control.
 * @param {Readonly<Record<string, unknown>> & {id: string, label: string, value: string | number, help?: string, problem?: string, most?: number | undefined, input?: {current: HTMLInputElement | null}, onText: (text: string) => void}} properties
 *   `most` characters, as the device counts them: what is longer is said and not sent. A `maxlength` would cut what is pasted, unseen
 */
export function TextField({ id, label, value, help, problem = '', most = Infinity, input, onText, ...control }) {
  const typed = [...String(value)].length;
  const long = typed > most ? t('tooLong', { n: most, typed }) : '';
  return html`<${Field} id=${id} label=${label} help=${help} problem=${long || problem}>
    ${(
      /** @type {object} */ wires,
    ) => html`<input autocomplete="off" ref=${input} value=${value} data-long=${long === '' ? undefined : 'yes'} ...${control} ...${wires}
      onInput=${(/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) => onText(currentTarget.value)} />`}
  </${Field}>`;
}

/**
 * A field in which one of several is chosen. What it does not name itself stands on the control.
 * @param {Readonly<Record<string, unknown>> & {id: string, label: string, help?: string, problem?: string, options: readonly (readonly [string, string])[], onChoose: (value: string) => void}} properties
 *   `options`: values, each with its words
 */
export const Choice = ({ id, label, help, problem, options, onChoose, ...control }) =>
  html`<${Field} id=${id} label=${label} help=${help} problem=${problem}>
    ${(/** @type {object} */ wires) => html`<select ...${control} ...${wires}
      onChange=${(/** @type {{currentTarget: HTMLSelectElement}} */ { currentTarget }) => onChoose(currentTarget.value)}>
      ${options.map(([value, words]) => html`<option key=${value} value=${value}>${words}</option>`)}
    </select>`}
  </${Field}>`;

/**
 * Wires of a field of a file. Who goes to choose lets go of the one before: a browser takes a file of the same name, mended meanwhile,
 * for no change, and reads neither the one nor the other.
 * @param {(file: File | null) => void} onFile
 */
export const choosing = (onFile) => ({
  type: 'file',
  onClick: (/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) => {
    currentTarget.value = '';
    onFile(null);
  },
  onChange: (/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) =>
    onFile(currentTarget.files?.[0] ?? null),
});

/** A field of a file. What it says is in the language of the page: a browser's own button speaks that of the browser. @param {{id: string, label: string, help?: string, file: File | null, onFile: (file: File | null) => void, accept?: string}} properties `file` that is chosen */
export function FileField({ id, label, help, file, onFile, accept }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => {
    if (file === null && input.current !== null) input.current.value = '';
  }, [file]);
  // the browser's lies over it, unseen: it is what is pressed, dropped on, focused and read aloud
  return html`<${Field} id=${id} label=${label} help=${help}>
    ${(/** @type {object} */ wires) => html`<div class="file-input line">
      <input ...${wires} ...${choosing(onFile)} ref=${input} accept=${accept} />
      <span class="button" aria-hidden="true">${t('file.choose')}</span>
      <span class=${file === null ? 'soft' : ''} aria-hidden="true">${file === null ? t('file.none') : file.name}</span>
    </div>`}
  </${Field}>`;
}

/** What only a technician reads of a fault: its code, and what the device, a bank or a library has said. @param {{code: string, detail: unknown}} properties */
export function Folded({ code, detail }) {
  return html`<details class="fault"><summary>${t('fault')}</summary><p><code lang="en">${code}${detail ? `: ${detail}` : ''}</code></p></details>`;
}

/** Nothing is here, and why. @param {{children?: unknown}} properties */
export const Nothing = ({ children }) => html`<p class="nothing">${children}</p>`;

/**
 * @typedef {object} Action something that a person has the device do
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
 * @returns {{action: Action, isBusy: boolean, run: (work: (isWanted: () => boolean) => Promise<unknown>, done?: Said | null) => Promise<boolean>, forget: () => void, abandon: () => void}}
 *   `run` returns whether it was done, and is wanted still; after `abandon` another one may begin, and the outcome of the one before is not shown
 */
export function useAction() {
  const words = useWords();
  const [{ stage, said, field, error }, setAction] = useState(REST);
  const isRunning = useRef(false);
  const turn = useRef(0);
  /** @param {(isWanted: () => boolean) => Promise<unknown>} work @param {Said | null} [done] */
  const run = async (work, done = null) => {
    if (isRunning.current) return false;
    isRunning.current = true;
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
      if (isWanted()) isRunning.current = false;
    }
  };
  const forget = () => setAction(REST);
  const abandon = () => {
    turn.current += 1;
    isRunning.current = false;
    forget();
  };
  return {
    action: { stage, said: messageFor(words, said), field, error },
    isBusy: stage === 'busy',
    run,
    forget,
    abandon,
  };
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
