/** The device's clock, the source of its time, and its zone. @import { Machine } from '../../api/machine-view.ts' */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { t, useWords } from '../../../core/pages/app/language.js';
import { useUnsaved } from '../../../core/pages/app/unsaved.js';
import { Button, Card, Chip, Choice, Form, Outcome, useAction } from '../../../core/pages/parts/parts.js';
import { DoIt } from '../../../core/pages/parts/reasons.js';

const MINUTES = 60;
/** A browser and its device are so far apart where nothing is wrong. */
const APART_MS = 60_000;

/** As UTC+03:00. @param {number} minutes */
function offsetOf(minutes) {
  const whole = Math.abs(minutes);
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0');
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.floor(whole / MINUTES))}:${two(whole % MINUTES)}`;
}

/** @param {{zone: string, again: () => void}} properties */
function Zone({ zone, again }) {
  const [wanted, setWanted] = useState(zone);
  const { action, isBusy, run, forget } = useAction();
  useUnsaved(wanted !== zone && action.stage !== 'done');
  const zones = [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
  /** @param {string} value */
  const choose = (value) => {
    setWanted(value);
    forget();
  };
  const save = async () => {
    if (await run(() => ask('/console/api/device/zone', { method: 'PUT', json: { zone: wanted } }), 'device.done'))
      again();
  };
  return html`<${Form} onSubmit=${save}>
    <${Choice} id="zone" label=${t('clock.zone')} lang="en" value=${wanted} onChoose=${choose}
      options=${zones.map((each) => [each, each])} />
    <${Button} type="submit" disabled=${wanted === zone || isBusy}>${t('clock.setZone')}</${Button}>
    <${Outcome} action=${action} />
  </${Form}>`;
}

/** @param {{machine: Machine, again: () => void}} properties */
export function Clock({ machine: { clock, managed }, again }) {
  const { locale } = useWords();
  const { now, zone, offsetMinutes, behindSeconds, source } = clock;
  const isBelieved = behindSeconds === 0 && source !== 'none';
  const isApart = Math.abs(Date.now() - Date.parse(now)) > APART_MS;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium', timeZone: zone });
  return html`<${Card} id="clock" title=${t('clock.title')}>
    <p class="line"><time datetime=${now}>${format.format(new Date(now))}</time>
      <${Chip} look=${isBelieved ? 'good' : 'open'}>${t(isBelieved ? 'clock.believed' : 'clock.doubted')}</${Chip}></p>
    <dl class="facts">
      <dt>${t('clock.source')}</dt><dd>${t(`clock.source.${source}`)}</dd>
      ${!managed && html`<dt>${t('clock.zone')}</dt><dd><code>${zone}</code> ${zone !== 'UTC' && offsetOf(offsetMinutes)}</dd>`}
    </dl>
    ${isApart && html`<p class="problem">${t('clock.apart')}</p><${DoIt} of="clock" />`}
    ${managed && html`<${Zone} zone=${zone} again=${again} />`}
  </${Card}>`;
}
