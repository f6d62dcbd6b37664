/** What works and what does not, with what to do. @import { PartHealth } from '../../../host/health.ts' */
import { html } from '/console/assets/preact.js';
import { useDevice } from '../app/device.js';
import { useWords } from '../app/language.js';
import { Card, Chip, LEVELS } from '../parts/parts.js';
import { Reasons } from './reasons.js';

/** @param {{health: PartHealth}} properties */
function Part({ health: { part, sales, reasons } }) {
  const { t, nameOf } = useWords();
  const { isLive } = useDevice();
  return html`<li>
    <span class="part">${nameOf('part', part)}</span>
    ${isLive ? html`<${Chip} look=${LEVELS[sales]}>${t(`level.${sales}`)}</${Chip}>` : html`<${Chip} look="rest">${t('device.unknown')}</${Chip}>`}
    ${isLive && html`<${Reasons} reasons=${reasons} />`}
  </li>`;
}

/** Where something is wrong, a row for each part that works would only stand in its way. @param {{parts: readonly PartHealth[]}} properties */
function Well({ parts }) {
  const { t } = useWords();
  return html`<details>
    <summary>${t('device.partsWell', { n: parts.length })}</summary>
    <ul class="parts">${parts.map((part) => html`<${Part} key=${part.part} health=${part} />`)}</ul>
  </details>`;
}

/** @param {PartHealth} health */
const isQuiet = ({ reasons }) => reasons.length === 0;

export function Health() {
  const { t, uptime } = useWords();
  const { state, isLive } = useDevice();
  if (state === null) return null;
  const { health } = state;
  // what is wrong stands above what is well
  const order = Object.keys(LEVELS);
  const parts = health.parts.toSorted((one, other) => order.indexOf(other.sales) - order.indexOf(one.sales));
  // while the device is lost no part counts as well
  const [quiet, listed] = isLive ? [parts.filter(isQuiet), parts.filter((part) => !isQuiet(part))] : [[], parts];
  return html`<${Card} id="health" title=${t('device.health')}>
    <p class="soft">${t('device.about', { serial: health.serial, version: health.version, uptime: uptime(health.uptimeSeconds) })}</p>
    <ul class="parts">${listed.map((part) => html`<${Part} key=${part.part} health=${part} />`)}</ul>
    ${quiet.length > 0 && html`<${Well} parts=${quiet} />`}
  </${Card}>`;
}
