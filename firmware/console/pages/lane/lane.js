/** The page that stays open at a lane: whether it sells, the last payment, the tray, the next payment, and the customer's picture. @import { ConsoleState } from '../../console-view.ts' @import { Now } from '../../../recognition/http/v1/tray-schemas.ts' @import { FollowTray } from '../../../recognition/pages/tray/on-scale.js' */
import { html, useEffect, useRef } from '/console/assets/preact.js';
import { useTick } from '../../../core/pages/app/clock.js';
import { useDevice, usePart } from '../../../core/pages/app/device.js';
import { pagesAt } from '../../../core/pages/app/feature-pages.js';
import { number, roubles, t } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { useSees } from '../../../core/pages/app/session.js';
import { Card, LEVELS } from '../../../core/pages/parts/parts.js';
import { isOfCashiers, Said } from '../../../core/pages/parts/reasons.js';
import { useDay, useSales } from '../../../payments/pages/index.js';
import { DrawnTray, isSameTray, OnScale, trayNow, useLooking } from '../../../recognition/pages/index.js';
import { Picture } from '../picture/picture.js';
import { Latest, Recent } from './latest.js';
import { PaymentForm } from './payment-form.js';

/** How often the day's sums are fetched: a window that stays open over night must not show yesterday's. */
const NEW_DAY_EVERY_MS = 600_000;

/** Today's payments and refunds. */
function Today() {
  const count = useTick(NEW_DAY_EVERY_MS);
  const { totals } = useDay(new URLSearchParams(), `${count} ${useSales()}`);
  if (totals === null) return null;
  const { accepted, refunds } = totals.totals;
  return html`<p class="today">
    ${t('lane.today', { n: accepted.count, count: number(accepted.count), sum: roubles(accepted.sum) })}
    ${refunds.count > 0 && html` <span class="soft">${t('lane.todayBack', { sum: roubles(refunds.sum) })}</span>`}
  </p>`;
}

/** How often the page asks for the tray. The device watches the tray, and recognises it again only after a change. */
const LOOK_EVERY_MS = 700;

/** An object even where there is no tray: `useLooking` treats null as no answer. */
const look = async () => ({ tray: await trayNow() });

/** Follows the tray by calls: a window has only one stream, that of the device's state. @type {FollowTray} */
function useAskedTray({ onChange }) {
  const { seen } = useLooking(look, LOOK_EVERY_MS);
  const tray = seen?.tray ?? null;
  const before = useRef(/** @type {Now | null} */ (null));
  useEffect(() => {
    if (tray?.id === before.current?.id) return;
    onChange(tray !== null && before.current !== null && isSameTray(before.current, tray));
    before.current = tray;
  }, [tray]);
  return { tray, isMoving: false, isUnknown: seen !== null && tray === null };
}

function Live() {
  const seesCamera = useSees('camera');
  return html`<${Card} id="tray" title=${t('tray.title')} aside=${html`${pagesAt('alone').map(({ address, link }) => html`<a key=${address} href=${address} target="_blank" rel="noopener">${link && t(link)}</a>`)}${seesCamera && html`<a href=${hrefOf('camera')}>${t('tray.camera')}</a>`}`}>
    <${OnScale} follow=${useAskedTray} />
    <${DrawnTray} />
  </${Card}>`;
}

/** The column of the tray; nothing where the lane has no camera, as in shops that only take payments. */
function Tray() {
  const camera = usePart('camera');
  return camera === undefined || camera.driver === 'none' ? null : html`<div class="column"><${Live} /></div>`;
}

/** @param {ConsoleState['display']} display */
function captionOf({ kind, status, amount }) {
  if (kind === 'clear') return t('lane.clear.picture');
  if (kind === 'status') return t(`lane.${status ?? 'waiting'}.picture`);
  if (amount === undefined) return t('lane.qr.picture');
  return t('lane.qrAmount.picture', { amount: roubles(amount) });
}

/**
 * The customer's picture, drawn from the state of the console's stream: a window has only one stream.
 * @param {{display: ConsoleState['display'] | null, words: string}} properties `display`: null while the device does not answer
 */
function Mirror({ display, words }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const picture = useRef(/** @type {Picture | null} */ (null));
  useEffect(() => {
    if (place.current === null) return;
    picture.current = new Picture(place.current);
    return () => picture.current?.close();
  }, []);
  useEffect(() => {
    if (display === null) picture.current?.lose();
    else picture.current?.show(display);
  }, [display]);
  return html`<div class="mirror" role="img" aria-label=${words}><div ref=${place}></div></div>`;
}

/** A small copy of the customer's screen, with a caption: without one, an idle dark frame would look broken. */
function Customer() {
  const { state, isLive } = useDevice();
  const caption = isLive && state !== null ? captionOf(state.display) : '';
  return html`<${Card} id="customer" title=${t('lane.customer')}>
    <${Mirror} display=${isLive && state !== null ? state.display : null} words=${caption === '' ? t('lane.customer') : caption} />
    <p class="caption line spread">
      <span>${caption}</span>
      <a href="/display" target="_blank" rel="noopener"><code>/display</code></a>
    </p>
  </${Card}>`;
}

function Sales() {
  const { state, isLive } = useDevice();
  const seesDevice = useSees('device');
  if (state === null || !isLive)
    return html`<section id="sales" class="rest"><h2>${t(state === null ? 'connecting' : 'noAnswer')}</h2></section>`;
  const { sales, parts } = state.health;
  const reasons = parts.flatMap((part) => part.reasons).filter((reason) => reason.sales !== 'sells');
  // the reason that is shown is one of the gravest level
  const reason = reasons.find((each) => each.sales === sales);
  return html`<section id="sales" class=${LEVELS[sales]} aria-labelledby="sales-title">
    <h2 id="sales-title"><span role="status">${t(sales === 'does-not-sell' ? 'sales.no' : 'sales.yes')}</span></h2>
    <${Today} />
    ${
      reason !== undefined &&
      html`<${Said} key=${reason.code} reason=${reason} isMendable=${seesDevice || isOfCashiers(reason.code)} />`
    }
    ${reasons.length > 1 && seesDevice && html`<p class="links"><a href=${hrefOf('device')}>${t('sales.more', { n: reasons.length - 1 })}</a></p>`}
  </section>`;
}

export const Lane = () =>
  html`<${Sales} />
    <div class="columns">
      <div class="column"><${PaymentForm} /></div>
      <div class="column"><${Customer} /><${Latest} /><${Recent} /></div>
      <${Tray} />
    </div>`;
