/** The fields of a bank or a display, each with what is wrong with it beside it. @import { FieldForm } from './types.js' */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { Field } from '../parts/parts.js';
import { SentFile, sentName } from './sent-file.js';

/**
 * @param {{field: FieldForm, value: string, problem: string, isKept: boolean, onValue: (value: string) => void, onFault?: (error: unknown) => void}} properties
 *   `isKept`: a secret that is stored stays where nothing is typed; `onFault` gets what is wrong with a file that was chosen
 */
export function AskedField({
  field: { name, secret, file = false, maxLength, choices, help },
  value,
  problem,
  isKept,
  onValue,
  onFault = () => undefined,
}) {
  const { t, has } = useWords();
  const key = `field.${name}`;
  const sent = file ? sentName(value) : null;
  const helpKey = `${key}.help`;
  const words = [sent !== null ? t('sentFile.kept') : has(helpKey) ? t(helpKey) : help, isKept ? t('welcome.kept') : '']
    .filter((text) => text !== '')
    .join('; ');
  const change = (/** @type {{currentTarget: HTMLInputElement | HTMLSelectElement}} */ { currentTarget }) =>
    onValue(currentTarget.value);
  const label = has(key) ? t(key) : name;
  return html`<${Field} id=${`field-${name}`} label=${label} help=${words} problem=${problem}>
    ${(/** @type {object} */ wires) =>
      choices.length > 0
        ? html`<select ...${wires} value=${value} onChange=${change}>
            <option value="">${t('welcome.choose')}</option>
            ${choices.map((choice) => html`<option key=${choice} value=${choice}>${choice}</option>`)}
          </select>`
        : html`<input ...${wires} type=${secret ? 'password' : 'text'} autocomplete=${secret ? 'new-password' : 'off'} spellcheck="false"
            maxlength=${maxLength} value=${sent ?? value} readonly=${sent !== null} onInput=${change} />`}
  </${Field}>
  ${file && html`<${SentFile} name=${name} label=${label} value=${value} problem=${problem} onPath=${onValue} onFault=${onFault} />`}`;
}
