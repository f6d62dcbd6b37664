/** The device's clock, the source of its time, and its zone. @import { Machine } from '../../api/machine-view.ts' */
import { html } from '/console/assets/preact.js';
import { t, useWords } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { zoneWords } from '../../../core/pages/app/writing.js';
import { Card, Chip } from '../../../core/pages/parts/parts.js';
import { DoIt } from '../../../core/pages/parts/reasons.js';

/** A browser and its device are so far apart where nothing is wrong. */
const APART_MS = 60_000;

/** @param {{machine: Machine}} properties */
export function Clock({ machine: { clock } }) {
  const { locale } = useWords();
  const { now, zone, behindSeconds, source } = clock;
  const isBelieved = behindSeconds === 0 && source !== 'none';
  const isApart = Math.abs(Date.now() - Date.parse(now)) > APART_MS;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium', timeZone: zone });
  return html`<${Card} id="clock" title=${t('clock.title')}>
    <p class="line"><time datetime=${now}>${format.format(new Date(now))}</time>
      <${Chip} look=${isBelieved ? 'good' : 'open'}>${t(isBelieved ? 'clock.believed' : 'clock.doubted')}</${Chip}></p>
    <dl class="facts">
      <dt>${t('clock.source')}</dt><dd>${t(`clock.source.${source}`)}</dd>
      <dt>${t('clock.zone')}</dt><dd>${zoneWords(zone)} <a href=${hrefOf('device', ['shop'])}>${t('clock.toZone')}</a></dd>
    </dl>
    ${isApart && html`<p class="problem">${t('clock.apart')}</p><${DoIt} of="clock" />`}
  </${Card}>`;
}
