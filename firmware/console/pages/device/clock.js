/** The device's clock, the source of its time, and the modes that it runs in. @import { Machine } from '../../api/machine-view.ts' */
import { html } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { Card, Chip } from '../parts/parts.js';
import { DoIt } from './mending.js';

const MINUTES = 60;
/** A browser and its device are so far apart where nothing is wrong. */
const APART_MS = 60_000;

/** As UTC+03:00. @param {number} minutes */
function offsetOf(minutes) {
  const whole = Math.abs(minutes);
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0');
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.floor(whole / MINUTES))}:${two(whole % MINUTES)}`;
}

/** @param {{machine: Machine}} properties */
export function Clock({ machine: { clock } }) {
  const { t, locale } = useWords();
  const { now, zone, offsetMinutes, behindSeconds, source } = clock;
  const isBelieved = behindSeconds === 0 && source !== 'none';
  const isApart = Math.abs(Date.now() - Date.parse(now)) > APART_MS;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium', timeZone: zone });
  return html`<${Card} id="clock" title=${t('clock.title')}>
    <p class="line"><time datetime=${now}>${format.format(new Date(now))}</time>
      <${Chip} look=${isBelieved ? 'good' : 'open'}>${t(isBelieved ? 'clock.believed' : 'clock.doubted')}</${Chip}></p>
    <dl class="facts">
      <dt>${t('clock.source')}</dt><dd>${t(`clock.source.${source}`)}</dd>
      <dt>${t('clock.zone')}</dt><dd><code>${zone}</code> ${zone !== 'UTC' && offsetOf(offsetMinutes)}</dd>
    </dl>
    ${isApart && html`<p class="problem">${t('clock.apart')}</p><${DoIt} of="clock" />`}
  </${Card}>`;
}

/** @param {{machine: Machine}} properties */
export function Modes({ machine: { modes } }) {
  const { t } = useWords();
  const rows = /** @type {const} */ ([
    ['modes.bank', modes.sandbox ? 'modes.bank.test' : 'modes.bank.real'],
    ['modes.network', modes.network ? 'modes.network.open' : 'modes.network.own'],
    ['modes.tls', modes.tls ? 'modes.on' : 'modes.off'],
    ['modes.token', modes.needsToken ? 'modes.token.needed' : 'modes.token.free'],
  ]);
  return html`<${Card} id="modes" title=${t('modes.title')}>
    <dl class="facts">
      ${rows.map(([name, value]) => html`<dt>${t(name)}</dt><dd>${t(value)}</dd>`)}
      <dt>${t('modes.camera')}</dt><dd><code>${modes.camera}</code></dd>
    </dl>
  </${Card}>`;
}
