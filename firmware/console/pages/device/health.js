/**
 * Shows which parts of the device work and which do not, and what to do about them. Also a card on the camera.
 * @import { PartHealth } from '../../../core/host/health.ts'
 * @import { CameraAnswer } from '../../../recognition/http/v1/camera-routes.ts'
 */
import { html } from '/console/assets/preact.js';
import { useDevice, usePart } from '../../../core/pages/app/device.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { nameOf, number, t, uptime } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { Card, Chip, LEVELS } from '../../../core/pages/parts/parts.js';
import { Reasons } from '../../../core/pages/parts/reasons.js';

/** @param {{health: PartHealth}} properties */
function Part({ health: { part, sales, reasons } }) {
  const { isLive } = useDevice();
  return html`<li>
    <span class="part">${nameOf('part', part)}</span>
    ${isLive ? html`<${Chip} look=${LEVELS[sales]}>${t(`level.${sales}`)}</${Chip}>` : html`<${Chip} look="rest">${t('device.unknown')}</${Chip}>`}
    ${isLive && html`<${Reasons} reasons=${reasons} />`}
  </li>`;
}

/** The working parts in one row, so that faults are easy to find. @param {{parts: readonly PartHealth[]}} properties */
function Well({ parts }) {
  return html`<details>
    <summary>${t('device.partsWell', { n: parts.length })}</summary>
    <ul class="parts">${parts.map((part) => html`<${Part} key=${part.part} health=${part} />`)}</ul>
  </details>`;
}

/** @param {PartHealth} health */
const isQuiet = ({ reasons }) => reasons.length === 0;

export function Health() {
  const { state, isLive } = useDevice();
  if (state === null) return null;
  const { health } = state;
  // parts with faults come first
  const order = Object.keys(LEVELS);
  const parts = [...health.parts].sort((one, other) => order.indexOf(other.sales) - order.indexOf(one.sales));
  // while the device does not answer, no part counts as working
  const [quiet, listed] = isLive ? [parts.filter(isQuiet), parts.filter((part) => !isQuiet(part))] : [[], parts];
  return html`<${Card} id="health" title=${t('device.health')}>
    <p class="soft">${t('device.about', { serial: health.serial, version: health.version, uptime: uptime(health.uptimeSeconds) })}</p>
    <ul class="parts">${listed.map((part) => html`<${Part} key=${part.part} health=${part} />`)}</ul>
    ${quiet.length > 0 && html`<${Well} parts=${quiet} />`}
  </${Card}>`;
}

/** What the camera has learned of its tray; nothing without a working camera, whose faults `Health` lists. */
export function Sight() {
  const camera = usePart('camera');
  const isThere = camera?.state === 'ok' && camera.driver !== 'none';
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<CameraAnswer>} */
  const { data } = useFetched(isThere ? '/console/api/camera' : null);
  const lookMs = usePart('model')?.lookMs;
  if (data === null) return null;
  return html`<${Card} id="sight" title=${t('part.tray')}>
    <p class=${data.learned ? '' : 'advice'}>${t(data.learned ? 'camera.isLearned' : 'camera.notLearned')}</p>
    <p class="soft">${lookMs === undefined ? t('camera.notMeasured') : t('camera.lookMs', { ms: number(lookMs) })}</p>
    <a class="button" href=${hrefOf('camera')}>${t('remedy.camera')}</a>
  </${Card}>`;
}
