/** The control of a field of a file. What it says is in the language of the page: a browser's own button speaks that of the browser. */
import { html, useEffect, useRef } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { choosing } from './parts.js';

/**
 * @param {{wires: object, file: File | null, onFile: (file: File | null) => void, accept?: string}} properties `wires` of its field;
 *   `file` that is chosen
 */
export function FileInput({ wires, file, onFile, accept }) {
  const { t } = useWords();
  /** @type {{current: HTMLInputElement | null}} */
  const input = useRef(null);
  useEffect(() => {
    if (file === null && input.current !== null) input.current.value = '';
  }, [file]);
  // the browser's lies over it, unseen: it is what is pressed, dropped on, focused and read aloud
  return html`<div class="file-input">
    <input ...${wires} ...${choosing(onFile)} ref=${input} accept=${accept} />
    <span class="button" aria-hidden="true">${t('file.choose')}</span>
    <span class=${file === null ? 'soft' : ''} aria-hidden="true">${file === null ? t('file.none') : file.name}</span>
  </div>`;
}
