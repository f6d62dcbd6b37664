/** The page for programmers of tills: what the till calls, lines to copy, and the reference. @import { Route } from '../app/route.js' */
import { html } from '/console/assets/preact.js';
import { useDevice } from '../app/device.js';
import { CallView } from './call.js';
import { Log } from './log.js';
import { Reference, Samples } from './samples.js';

/** @param {{route: Route}} properties */
export function Integrate({ route: { path, query } }) {
  const { state } = useDevice();
  const [n] = path;
  if (n !== undefined) return html`<div class="one-call"><${CallView} key=${n} n=${n} /></div>`;
  if (state === null) return null;
  return html`<div class="columns">
    <${Log} query=${query} />
    <div class="stack">
      <${Samples} state=${state} />
      <${Reference} />
    </div>
  </div>`;
}
