/** A field of a file. What it says is in the language of the page: a browser's own button speaks that of the browser. */
import { html, useEffect, useRef } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { choosing, Field } from './parts.js';

/** @param {{id: string, label: string, help?: string, file: File | null, onFile: (file: File | null) => void, accept?: string}} properties `file` that is chosen */
export function FileField({ id, label, help, file, onFile, accept }) {
  const { t } = useWords();
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
