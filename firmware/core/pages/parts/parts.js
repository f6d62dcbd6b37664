/**
 * Parts of pages: cards, fields, buttons, and the outcome of an action.
 * @import { HealthReport } from '../../host/health.ts'
 * @import { Said } from '../app/outcome.js'
 */
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { CallError, errorWithDetails, wordsOf } from '../app/api.js';
import { useIsLive } from '../app/device.js';
import { t, useWords } from '../app/language.js';
import { messageFor } from '../app/outcome.js';

/** @typedef {'good' | 'open' | 'bad' | 'rest'} Look */

/** The look of each state of the lane's sales. @type {Readonly<Record<HealthReport['sales'], Look>>} */
export const LEVELS = { sells: 'good', 'sells-look-later': 'open', 'does-not-sell': 'bad' };

/** @param {{look: Look, children?: unknown, live?: boolean}} properties */
export const Chip = ({ look, children, live = false }) =>
  html`<span class="chip ${look}" role=${live ? 'status' : undefined}>${children}</span>`;

/**
 * A part of a page with a heading of its own.
 * @param {{id: string, title: string, children?: unknown, aside?: unknown, error?: unknown}} properties `error`: why the card's data could not be fetched
 */
export const Card = ({ id, title, children, aside, error = null }) =>
  html`<section id=${id} class="card" aria-labelledby="${id}-title">
    <div class="card-head line"><h2 id="${id}-title">${title}</h2>${aside}</div>
    <${Problem} error=${error} />
    ${children}
  </section>`;

/** The words of an error; nothing where there is none. @param {{error: unknown}} properties */
export function Problem({ error }) {
  const words = useWords();
  return error === null ? null : html`<p class="problem" role="alert">${wordsOf(words, error)}</p>`;
}

/**
 * A form that the page itself sends. A field that is too long gets the focus instead. Other properties go to the form.
 * @param {Readonly<Record<string, unknown>> & {onSubmit: () => void, children?: unknown}} properties
 */
export const Form = ({ onSubmit, children, ...form }) =>
  html`<form ...${form} onSubmit=${(/** @type {Event & {currentTarget: HTMLFormElement}} */ event) => {
    event.preventDefault();
    const tooLong = event.currentTarget.querySelector('[data-long]');
    if (tooLong instanceof HTMLElement) tooLong.focus();
    else onSubmit();
  }}>${children}</form>`;

/**
 * @param {{id: string, label: string, help?: string, problem?: string, children: (wires: {id: string, 'aria-describedby': string | undefined, 'aria-invalid': string | undefined}) => unknown}} properties
 *   `children` draws the control, with the wires as its attributes
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
 * A field for one line of text. Other properties go to the control.
 * @param {Readonly<Record<string, unknown>> & {id: string, label: string, value: string | number, help?: string, problem?: string, most?: number | undefined, input?: {current: HTMLInputElement | null}, onText: (text: string) => void}} properties
 *   `most` characters, as the device counts them: a longer text is reported and not sent. A `maxlength` would silently
 *   cut pasted text
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
 * A field with a choice of one of several values. Other properties go to the control.
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
 * Wires of a file field. A click forgets the file chosen before: else a browser sees no change in a corrected file of the
 * same name, and reports none.
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

/**
 * A file field in the page's language: a browser's own button has the browser's language.
 * @param {{id: string, label: string, help?: string, file: File | null, onFile: (file: File | null) => void, accept?: string}} properties `file`: the chosen file
 */
export function FileField({ id, label, help, file, onFile, accept }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => {
    if (file === null && input.current !== null) input.current.value = '';
  }, [file]);
  // the browser's own field lies over it, invisible, and takes presses, drops and focus, and is read aloud
  return html`<${Field} id=${id} label=${label} help=${help}>
    ${(/** @type {object} */ wires) => html`<div class="file-input line">
      <input ...${wires} ...${choosing(onFile)} ref=${input} accept=${accept} />
      <span class="button" aria-hidden="true">${t('file.choose')}</span>
      <span class=${file === null ? 'soft' : ''} aria-hidden="true">${file === null ? t('file.none') : file.name}</span>
    </div>`}
  </${Field}>`;
}

/**
 * Details of a fault for a technician: its code, and the message of the device, a bank or a library.
 * @param {{code: string, detail: unknown}} properties
 */
export function Folded({ code, detail }) {
  return html`<details class="fault"><summary>${t('fault')}</summary><p><code lang="en">${code}${detail ? `: ${detail}` : ''}</code></p></details>`;
}

/** Says that there is nothing to show, and why. @param {{children?: unknown}} properties */
export const Nothing = ({ children }) => html`<p class="nothing">${children}</p>`;

/**
 * @typedef {object} Action an action of the device that a person starts
 * @property {'rest' | 'busy' | 'done' | 'failed'} stage
 * @property {string} said words for the person
 * @property {string | null} field the field at fault
 * @property {unknown} [error] the error of a failed action
 */

/** @typedef {Omit<Action, 'said'> & {said: Said | null}} StoredAction an action, its message without a language */

/** @type {StoredAction} */
const REST = { stage: 'rest', said: null, field: null };

/**
 * Runs one action at a time: a second press during an action is ignored.
 * @returns {{action: Action, isBusy: boolean, run: (work: (isWanted: () => boolean) => Promise<unknown>, done?: Said | null) => Promise<boolean>, forget: () => void, abandon: () => void}}
 *   `run` returns whether the action was done and not abandoned; after `abandon` another action may begin, and the
 *   outcome of the abandoned one is not shown
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
      if (isWanted()) setAction({ stage: 'failed', said: (translator) => wordsOf(translator, error), field, error });
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

/**
 * The outcome of an action, which screen readers read aloud when it changes.
 * @param {{action: Action, id?: string}} properties
 */
export function Outcome({ action: { stage, said, error }, id }) {
  const unsaid = errorWithDetails(useWords(), error);
  return html`<div class="outcome ${stage}" id=${id} role=${stage === 'failed' ? 'alert' : 'status'}>
    ${said}${unsaid !== null && html`<${Folded} code=${unsaid.code} detail=${unsaid.detail} />`}
  </div>`;
}

/**
 * A button that is disabled while the device does not answer. Other properties go to the button.
 * @param {Readonly<Record<string, unknown>> & {kind?: 'plain' | 'primary' | 'danger', type?: 'button' | 'submit', disabled?: boolean, pressed?: boolean, children?: unknown}} properties
 *   `pressed`: whether a toggle button is pressed; undefined for any other button
 */
export function Button({ kind = 'plain', type = 'button', disabled = false, pressed, children, ...control }) {
  const isLive = useIsLive();
  const state = pressed === undefined ? {} : { 'aria-pressed': String(pressed) };
  return html`<button type=${type} class=${kind} disabled=${disabled || !isLive} ...${control} ...${state}>${children}</button>`;
}
