/** The fields of a bank or a display, each with what is wrong with it beside it. @import { FieldForm } from './types.js' */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { Choice, TextField } from '../parts/parts.js';
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
  const { t, has, nameOf } = useWords();
  const sent = file ? sentName(value) : null;
  const helpKey = `field.${name}.help`;
  const words = [sent !== null ? t('sentFile.kept') : has(helpKey) ? t(helpKey) : help, isKept ? t('welcome.kept') : '']
    .filter((text) => text !== '')
    .join('; ');
  const label = nameOf('field', name);
  const field = { id: `field-${name}`, label, help: words, problem };
  return html`${
    choices.length > 0
      ? html`<${Choice} ...${field} value=${value} onChoose=${onValue}
          options=${[['', t('welcome.choose')], ...choices.map((choice) => [choice, choice])]} />`
      : html`<${TextField} ...${field} type=${secret ? 'password' : 'text'} autocomplete=${secret ? 'new-password' : 'off'} spellcheck="false"
          maxlength=${maxLength} value=${sent ?? value} readonly=${sent !== null} onText=${onValue} />`
  }
  ${file && html`<${SentFile} name=${name} label=${label} value=${value} problem=${problem} onPath=${onValue} onFault=${onFault} />`}`;
}
