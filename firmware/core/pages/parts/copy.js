/** A button that copies a text. A page of plain HTTP has no clipboard: there it selects the text, to copy by hand. */
import { html, useEffect, useState } from '/console/assets/preact.js';
import { t } from '../app/language.js';

const SHOWN_FOR_MS = 4000;

/** @typedef {'copy' | 'copied' | 'selected'} Stage */

/** @param {Element | null} shown the element that shows the text @param {string} text @returns {Promise<Stage>} */
async function copyText(shown, text) {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    if (shown === null) return 'copy';
    getSelection()?.selectAllChildren(shown);
    return 'selected';
  }
}

/** @param {{text: string, of?: string, name: string}} properties `of`: id of the element that shows the text; `name`: its name, for screen readers */
export function Copy({ text, of, name }) {
  const [stage, setStage] = useState(/** @type {Stage} */ ('copy'));
  useEffect(() => {
    if (stage === 'copy') return;
    const timer = setTimeout(() => setStage('copy'), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [stage]);
  const copy = async () => setStage(await copyText(of === undefined ? null : document.getElementById(of), text));
  return html`<button type="button" aria-label="${t(`copy.${stage}`)}: ${name}" onClick=${copy}>${t(`copy.${stage}`)}</button>`;
}
