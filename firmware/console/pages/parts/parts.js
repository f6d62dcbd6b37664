/** Small things of which pages are made. */
import { html } from '/console/assets/preact.js';
import { wordsOf } from '../app/api.js';
import { useWords } from '../app/language.js';

/** @typedef {'good' | 'open' | 'bad' | 'rest'} Look */

/** Whether the lane sells, as the device says it. @type {Readonly<Record<import('../../../host/health.ts').HealthReport['sales'], Look>>} */
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
 * @param {Readonly<Record<string, unknown>> & {id: string, label: string, help?: string, problem?: string, input?: {current: HTMLInputElement | null}, onText: (text: string) => void}} properties
 */
export const TextField = ({ id, label, help, problem, input, onText, ...control }) =>
  html`<${Field} id=${id} label=${label} help=${help} problem=${problem}>
    ${(/** @type {object} */ wires) => html`<input autocomplete="off" ref=${input} ...${control} ...${wires}
      onInput=${(/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) => onText(currentTarget.value)} />`}
  </${Field}>`;

/**
 * A field in which one of several is chosen. What it does not name itself stands on the control.
 * @param {Readonly<Record<string, unknown>> & {id: string, label: string, help?: string, problem?: string, children?: unknown, onChoose: (value: string) => void}} properties
 *   `children`: the options
 */
export const Choice = ({ id, label, help, problem, children, onChoose, ...control }) =>
  html`<${Field} id=${id} label=${label} help=${help} problem=${problem}>
    ${(/** @type {object} */ wires) => html`<select ...${control} ...${wires}
      onChange=${(/** @type {{currentTarget: HTMLSelectElement}} */ { currentTarget }) => onChoose(currentTarget.value)}>${children}</select>`}
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

/** What only a technician reads of a fault: its code, and what the device, a bank or a library has said. @param {{code: string, detail: unknown}} properties */
export function Folded({ code, detail }) {
  const { t } = useWords();
  return html`<details class="fault"><summary>${t('fault')}</summary><p><code lang="en">${code}${detail ? `: ${detail}` : ''}</code></p></details>`;
}

/** Nothing is here, and why. @param {{children?: unknown}} properties */
export const Nothing = ({ children }) => html`<p class="nothing">${children}</p>`;
