/** What the device makes of the tray after it has learned. @import { Now } from '../../../recognition/http/tray-schemas.ts' @import { Look } from '../../../core/pages/parts/parts.js' */
import { html } from '/console/assets/preact.js';
import { t } from '../../../core/pages/app/language.js';
import { Chip } from '../../../core/pages/parts/parts.js';
import { likelyOf, trayNow, useLooking } from '../../../recognition/pages/index.js';

const LOOK_EVERY_MS = 700;

const look = async () => ({ tray: await trayNow() });

/** @param {Now | null} tray @param {string} item that was taught @returns {[key: 'empty' | 'this' | 'other' | 'unsure' | 'unknown', look: Look, name: string] | null} null where the device does not say it */
function verdictOf(tray, item) {
  if (tray === null || tray.state === 'lost') return null;
  if (tray.state === 'empty') return ['empty', 'rest', ''];
  const [first] = likelyOf(tray);
  if (first === undefined) return ['unknown', 'bad', ''];
  const name = first.name ?? first.id;
  if (!tray.certain) return ['unsure', 'open', name];
  return first.id === item ? ['this', 'good', name] : ['other', 'bad', name];
}

/** @param {{item: string}} properties that was taught */
export function Verdict({ item }) {
  const { seen } = useLooking(look, LOOK_EVERY_MS);
  const verdict = verdictOf(seen?.tray ?? null, item);
  if (verdict === null) return null;
  const [key, colour, name] = verdict;
  return html`<p class="line" id="verdict" role="status"><span>${t('teach.verdict')}</span>
    <${Chip} look=${colour}>${t(`teach.verdict.${key}`, { name })}</${Chip}></p>`;
}
