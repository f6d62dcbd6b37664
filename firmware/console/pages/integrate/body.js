/** A body as a person reads it. @import { Body } from './types.js' */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { size } from '../app/writing.js';

/** JSON with its lines and indents; anything else as it is. @param {string} text */
export function formatted(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // no JSON, or only its beginning
  }
}

/** A text that may be long and wide, for the keyboard too. @param {{text: string, name: string}} properties */
export const Text = ({ text, name }) =>
  html`<pre class="body" tabindex="0" role="region" aria-label=${name}>${formatted(text)}</pre>`;

/** @param {{title: string, body: Body | null, stream?: boolean}} properties */
export function BodyView({ title, body, stream = false }) {
  const words = useWords();
  const { t } = words;
  return html`<h3>${title}${body !== null && body.bytes > 0 && html` <span class="soft">${size(words, body.bytes)}</span>`}</h3>
    ${body === null && html`<p class="soft">${t(stream ? 'calls.stream' : 'calls.noBody')}</p>`}
    ${body?.withheld && html`<p class="soft">${t(`calls.withheld.${body.withheld}`)}</p>`}
    ${body !== null && body.withheld === null && html`<${Text} text=${body.text} name=${title} />`}
    ${body?.cut && html`<p class="soft">${t('calls.cut')}</p>`}`;
}
