/** The page for programmers of tills: what the till calls, lines to copy, and the reference. @import { Route } from '../../../core/pages/app/route.js' */
import { html } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useMoreWords } from '../../../core/pages/app/language.js';
import { CallView } from './call.js';
import { Log } from './log.js';
import { Reference, Samples } from './samples.js';

/** Few people open this page: its words come with it. @type {import('../../../core/pages/app/language.js').Script} */
const WORDS = (language) => import(`/console/assets/features/call-log/page/late-words/${language}.js`);

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
