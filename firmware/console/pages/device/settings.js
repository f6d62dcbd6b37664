/** The list of the device's settings, each with a line on its state. @import { Machine } from '../../api/machine-routes.ts' */
import { html } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { featurePage, withFeatures } from '../../../core/pages/app/feature-pages.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { nameOf, t, time, useWords } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { dayOf, zoneWords } from '../../../core/pages/app/writing.js';
import { Icon } from '../../../core/pages/parts/icons.js';
import { LEVELS } from '../../../core/pages/parts/parts.js';

const SECTIONS = ['bank', 'shop', 'health', 'updates', 'access', 'backup', 'log', 'advanced'];
const sections = () => withFeatures(SECTIONS, 'section');
/** @typedef {{machine: Machine | null}} Known */

const DAY_MS = 86_400_000;

/** @param {string} name */
export const isSection = (name) => sections().includes(name);

function OfBank() {
  const bank = useDevice().state?.settings.bank ?? null;
  return bank === null ? t('settings.bankWords') : `${nameOf('bank', bank)}. ${t('settings.bankWords')}`;
}

function OfShop() {
  const zone = useDevice().state?.timeZone;
  return zone === undefined ? '' : zoneWords(zone);
}

function OfHealth() {
  const { locale } = useWords();
  const { state, isLive } = useDevice();
  if (state === null || !isLive) return t('device.unknown');
  const ill = state.health.parts.filter((part) => part.sales !== 'sells');
  const names = ill.map(({ part }) => nameOf('part', part));
  if (names.length === 0) return t('level.sells');
  return html`<span class=${LEVELS[state.health.sales]}>${t('settings.ill', { names: new Intl.ListFormat(locale).format(names) })}</span>`;
}

/** @param {Known} properties */
function OfUpdates({ machine }) {
  if (machine === null) return '';
  const { version, update } = machine;
  if (update !== null && update.doing !== 'idle') return nameOf('release.doing', update.doing);
  const isLatest = update?.outcome?.code === 'nothing-new' || update?.outcome?.code === 'installed';
  return t(isLatest ? 'settings.latest' : 'settings.version', { version });
}

function OfAccess() {
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<{tokens: readonly {made: boolean, configured: boolean}[]}>} */
  const { data: tokens } = useFetched('/console/api/tokens');
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<{pins: readonly {set: boolean}[]}>} */
  const { data: pins } = useFetched('/console/api/pins');
  if (tokens === null || pins === null) return '';
  const n = tokens.tokens.filter(({ made, configured }) => made || configured).length;
  return `${n === 0 ? t('settings.noToken') : t('settings.tokens', { n })}, ${t(pins.pins.some(({ set }) => set) ? 'settings.pin' : 'settings.noPin')}`;
}

/** In words, as "yesterday". @param {string} locale @param {string} at */
function daysAgo(locale, at) {
  const midnight = (/** @type {Date} */ moment) => Date.parse(dayOf(moment));
  const days = Math.round((midnight(new Date(at)) - midnight(new Date())) / DAY_MS);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
}

function OfBackup() {
  const { locale } = useWords();
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<import('./backup.js').State>} */
  const { data } = useFetched('/console/api/backups');
  if (data === null) return '';
  return data.lastMade === null
    ? t('settings.noBackup')
    : t('settings.lastBackup', { when: daysAgo(locale, data.lastMade) });
}

function OfLog() {
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<{lines: {at: string}[]}>} */
  const { data } = useFetched('/console/api/log?level=error&limit=1');
  if (data === null) return '';
  const [last] = data.lines;
  return last === undefined ? t('settings.noErrors') : t('settings.lastError', { at: time(last.at) });
}

/** @type {Readonly<Record<string, (known: Known) => unknown>>} */
const LINES = {
  bank: OfBank,
  shop: OfShop,
  health: OfHealth,
  updates: OfUpdates,
  access: OfAccess,
  backup: OfBackup,
  log: OfLog,
  advanced: () => t('settings.advancedWords'),
};

/** One line on the state of a setting. @param {string} section @param {Machine | null} machine */
function lineOf(section, machine) {
  const own = featurePage(section)?.line;
  return own === undefined ? html`<${LINES[section]} machine=${machine} />` : t(own);
}

/** @param {Known & {open: string | null}} properties `open`: the open setting, beside which the list has no lines */
export function Settings({ machine, open }) {
  return html`<nav class="settings card" id="settings" aria-label=${t('page.device')}><ul>
    ${sections().map(
      (
        section,
      ) => html`<li key=${section}><a href=${hrefOf('device', [section])} aria-current=${section === open ? 'page' : undefined}>
        <${Icon} name=${section} />
        <span><strong>${nameOf('settings', section)}</strong>${open === null && html`<span class="soft">${lineOf(section, machine)}</span>`}</span>
      </a></li>`,
    )}
  </ul></nav>`;
}
