/** What lies on the tray, to be chosen with one tap, as on the page of a scale. @import { Now } from '../../../recognition/http/tray-schemas.ts' @import { FollowTray } from '../../../recognition/pages/tray/on-scale.js' */
import { html, useEffect, useRef } from '/console/assets/preact.js';
import { usePart } from '../../../core/pages/app/device.js';
import { pagesAt } from '../../../core/pages/app/feature-pages.js';
import { t } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { useSees } from '../../../core/pages/app/session.js';
import { Card } from '../../../core/pages/parts/parts.js';
import { DrawnTray, isSameTray, OnScale, trayNow, useLooking } from '../../../recognition/pages/index.js';

/** The device watches while it is asked, and looks again only when something has changed. */
const LOOK_EVERY_MS = 700;

/** An object even where there is nothing to say: null would mean that no one looks. */
const look = async () => ({ tray: await trayNow() });

/** A window has one stream, that of the device's state: the tray is asked for. @type {FollowTray} */
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

/** Nothing where the lane has no camera: there are shops that only take payments. */
export function Tray() {
  const camera = usePart('camera');
  return camera === undefined || camera.driver === 'none' ? null : html`<${Live} />`;
}
