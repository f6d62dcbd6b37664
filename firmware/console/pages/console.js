/** The operator's console: one window, one page of it at a time. @import { Route } from './app/route.js' */
import { html, render, useEffect, useLayoutEffect } from '/console/assets/preact.js';
import { Closed } from './app/closed.js';
import { followDevice, leaveDevice, useDevice } from './app/device.js';
import { firstWords, t, useWords } from './app/language.js';
import { hrefOf, useRoute } from './app/route.js';
import { followSession, isShutOut, lookAgain, useClosed, useSees, useSession } from './app/session.js';
import { Shell, Whole } from './app/shell.js';
import { SignIn } from './app/sign-in.js';
import { Device } from './device/device.js';
import { Store } from './device/store.js';
import { Integrate } from './integrate/integrate.js';
import { Items } from './items/items.js';
import { Lane } from './lane/lane.js';
import { Question } from './parts/dialog.js';
import { Payments } from './payments/payments.js';
import { Camera } from './tray/camera.js';
import { Scale } from './tray/scale.js';
import { Teach } from './tray/teach.js';
import { Welcome } from './welcome/welcome.js';

/** @typedef {(properties: {route: Route}) => unknown} View */

/** @type {Readonly<Record<Route['page'], View>>} */
const VIEWS = {
  lane: Lane,
  payments: Payments,
  items: Items,
  teach: Teach,
  camera: Camera,
  store: Store,
  device: Device,
  integrate: Integrate,
  welcome: Welcome,
  scale: Scale,
};

/** A fresh device without a page in its address opens with Set up. */
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
  useWords(); // with another language all of it is drawn anew
  const isOut = isShutOut(useSession());
  const who = useClosed(route.page);
  const View = VIEWS[route.page];
  const title = t(isOut ? 'signIn.title' : `page.${route.page}`);
  // at its top, wherever the one before was scrolled to; a list may return to its own place after this
  useLayoutEffect(() => scrollTo(0, 0), [[route.page, ...route.path].join('/')]);
  // with the page, as its language is: an effect would come after it was painted
  useLayoutEffect(() => {
    document.title = `${title} · Laneware`;
  }, [title]);
  if (isOut) return html`<${Shell} open=${null}><h1>${title}</h1><${SignIn} /></${Shell}>`;
  if (route.page === 'scale')
    return html`<${Whole}><h1 class="unseen">${title}</h1><${View} route=${route} /></${Whole}>`;
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

followSession({ onIn: () => followDevice(lookAgain), onOut: leaveDevice });
await firstWords;
render(html`<${Console} />`, document.body);
