/** The page for programmers of tills: what the till calls, lines to copy, and the reference. @import { Route } from '../app/route.js' */
import { html } from '/console/assets/preact.js';
import { useDevice } from '../app/device.js';
import { useMoreWords } from '../app/language.js';
import { CallView } from './call.js';
import { Log } from './log.js';
import { Reference, Samples } from './samples.js';

/** Few people open this page: its words come with it. @type {import('../app/language.js').Scripts} */
const WORDS = { en: () => import('../words/en/integrate.js'), ru: () => import('../words/ru/integrate.js') };

/** @param {{route: Route}} properties */
export function Integrate({ route: { path, query } }) {
  const { state } = useDevice();
  const isSaid = useMoreWords(WORDS);
  const [n] = path;
  if (!isSaid) return null;
  if (n !== undefined) return html`<div class="column one-call"><${CallView} key=${n} n=${n} /></div>`;
  if (state === null) return null;
  return html`<div class="columns">
    <${Log} query=${query} />
    <div class="column">
      <${Samples} state=${state} />
      <${Reference} />
    </div>
  </div>`;
}
