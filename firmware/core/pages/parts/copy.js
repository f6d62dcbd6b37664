/** A button that puts a text where it can be pasted. A page of plain HTTP has no clipboard: there the text is selected, to be copied by hand. */
import { html, useEffect, useState } from '/console/assets/preact.js';
import { t } from '../app/language.js';

const SAID_FOR_MS = 4000;

/** @typedef {'copy' | 'copied' | 'selected'} Stage */

/** @param {Element | null} shown the text as it stands on the page @param {string} text @returns {Promise<Stage>} */
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

/** @param {{text: string, of?: string, name: string}} properties `of`: id of the element that shows it; `name`: what it is, for who cannot see */
export function Copy({ text, of, name }) {
  const [stage, setStage] = useState(/** @type {Stage} */ ('copy'));
  useEffect(() => {
    if (stage === 'copy') return;
    const timer = setTimeout(() => setStage('copy'), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [stage]);
  const copy = async () => setStage(await copyText(of === undefined ? null : document.getElementById(of), text));
  return html`<button type="button" aria-label="${t(`copy.${stage}`)}: ${name}" onClick=${copy}>${t(`copy.${stage}`)}</button>`;
}
