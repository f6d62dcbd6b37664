/**
 * The operator's console: shows one page at a time, or the sign-in.
 * @import { Route } from '../../core/pages/app/route.js'
 */
import { FEATURE_PAGES } from '/console/assets/features.js';
import { html, render, useEffect, useLayoutEffect } from '/console/assets/preact.js';
import { followDevice, unfollowDevice, useDevice } from '../../core/pages/app/device.js';
import { addFeaturePages, featurePage } from '../../core/pages/app/feature-pages.js';
import { firstWords, nameOf, t, useWords } from '../../core/pages/app/language.js';
import { hrefOf, useRoute } from '../../core/pages/app/route.js';
import {
  followSession,
  isShutOut,
  refreshSession,
  useClosed,
  useSees,
  useSession,
} from '../../core/pages/app/session.js';
import { Question } from '../../core/pages/parts/dialog.js';
import { Shell, WholeScreen } from '../../core/pages/shell/shell.js';
import { Closed, SignIn } from '../../core/pages/shell/sign-in.js';
import { Payments } from '../../payments/pages/index.js';
import { Camera, Items } from '../../recognition/pages/index.js';
import { Store } from '../../sync/pages/index.js';
import { Device } from './device.js';
import { Lane } from './lane/lane.js';
import { Welcome } from './welcome/welcome.js';

/** @typedef {(properties: {route: Route}) => unknown} View */

/** @type {Readonly<Record<string, View>>} */
const VIEWS = {
  lane: Lane,
  payments: Payments,
  items: Items,
  camera: Camera,
  store: Store,
  device: Device,
  welcome: Welcome,
};

/** Opens the page Set up on a device without a bank, where the address names no page. */
function useFirstPage() {
  const { state } = useDevice();
  const maySetUp = useSees('welcome');
  useEffect(() => {
    if (maySetUp && location.pathname === '/' && location.hash === '' && state !== null && state.settings.bank === null)
      location.replace(hrefOf('welcome'));
  }, [state]);
}

function Console() {
  useFirstPage();
  const { route, leaving } = useRoute();
  useWords(); // so that a change of the language renders the page again
  const isOut = isShutOut(useSession());
  const who = useClosed(route.page);
  const own = featurePage(route.page);
  const View = own?.View ?? VIEWS[route.page];
  const title = isOut ? t('signIn.title') : nameOf('page', route.page);
  // a page begins at its top, wherever the one before was scrolled to; a list may scroll to its own place after this
  useLayoutEffect(() => scrollTo(0, 0), [[route.page, ...route.path].join('/')]);
  // a layout effect changes the title with the page: an effect would run after the page was painted
  useLayoutEffect(() => {
    document.title = `${title} · Laneware`;
  }, [title]);
  if (isOut) return html`<${Shell} open=${null}><h1>${title}</h1><${SignIn} /></${Shell}>`;
  if (own?.place === 'alone')
    return html`<${WholeScreen}><h1 class="unseen">${title}</h1><${View} route=${route} /></${WholeScreen}>`;
  return html`<${Shell} open=${route.page}>
    <h1>${title}</h1>
    ${who === null ? html`<${View} route=${route} />` : html`<${Closed} who=${who} />`}
    ${
      leaving !== null &&
      html`<${Question} title=${t('unsaved.title')} yes=${t('unsaved.leave')} kind="danger" onYes=${leaving.go} onClose=${leaving.stay}>
        <p>${t('unsaved.words')}</p>
      </${Question}>`
    }
  </${Shell}>`;
}

addFeaturePages(FEATURE_PAGES);
followSession({ onIn: () => followDevice(refreshSession), onOut: unfollowDevice });
await firstWords;
render(html`<${Console} />`, document.body);
