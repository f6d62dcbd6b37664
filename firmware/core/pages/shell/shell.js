/**
 * The frame of every page: a strip with the device's name and state, a mark of test mode and the signed-in person, and
 * the rail with links to the other pages.
 */
import { html, useState } from '/console/assets/preact.js';
import { useIsLoading, useIsSettled } from '../app/busy-state.js';
import { useDevice, usePart } from '../app/device.js';
import { isUnsaved } from '../app/drafts.js';
import { featurePage } from '../app/feature-pages.js';
import { Languages, nameOf, t, time } from '../app/language.js';
import { hrefOf, pageOfAddress, railPages } from '../app/route.js';
import { isShutOut, signOut, useSession } from '../app/session.js';
import { Question } from '../parts/dialog.js';
import { Icon } from '../parts/icons.js';
import { Chip, LEVELS, Outcome, useAction } from '../parts/parts.js';

/** The signed-in person, and the way to sign out: text that is not saved is asked about first. */
function SignedInPerson() {
  const session = useSession();
  const { action, isBusy, run } = useAction();
  const [isAsked, setAsked] = useState(false);
  if (session === null || session.role === null) return null;
  const name = session.till ?? t(`person.${session.role}`);
  const signOutAnyway = () => {
    setAsked(false);
    void run(signOut);
  };
  return html`<div class="who">
    <span>${name}</span>
    <button type="button" disabled=${isBusy} onClick=${() => (isUnsaved() ? setAsked(true) : run(signOut))}>${t('signOut')}</button>
    ${action.stage === 'failed' && html`<${Outcome} action=${action} />`}
    ${
      isAsked &&
      html`<${Question} title=${t('unsaved.signOut')} yes=${t('signOut')} kind="danger" onYes=${signOutAnyway} onClose=${() => setAsked(false)}>
        <p>${t('unsaved.words')}</p>
      </${Question}>`
    }
  </div>`;
}

/** Pages that a phone shows beside "more". */
const ON_PHONE = ['lane', 'payments', 'items'];

/** @param {string} page */
const isOnPhone = (page) => ON_PHONE.includes(page) || featurePage(page)?.isOnPhone === true;

/** Whether the device sells, or does not answer. */
function SalesState() {
  const { state, isLive } = useDevice();
  if (isShutOut(useSession())) return null;
  if (state === null) return html`<${Chip} look="rest" live>${t('connecting')}</${Chip}>`;
  if (!isLive) return html`<${Chip} look="bad" live>${t('noAnswer')}</${Chip}>`;
  const { health, settings } = state;
  const words = settings.bank === null ? 'notSetUp' : /** @type {const} */ (`level.${health.sales}`);
  return html`<${Chip} look=${LEVELS[health.sales]} live>${t(words)}</${Chip}>`;
}

/** Marks a device for testing: no real money moves, or no real camera is used. */
function TestMark() {
  const isPlayMoney = useDevice().state?.settings.test === true;
  const isPlayCamera = ['replay', 'push'].includes(usePart('camera')?.driver ?? '');
  if (!isPlayMoney && !isPlayCamera) return null;
  const what = isPlayMoney ? (isPlayCamera ? 'test.both' : 'test.bank') : 'test.camera';
  return html`<p class="test" title=${t(what)}><strong>${t('test')}</strong><span>${t(what)}</span></p>`;
}

function Strip() {
  const { state } = useDevice();
  return html`<header class="strip">
    <img src="/console/assets/core/pages/icon.svg" alt="" width="28" height="28" />
    <span class="name">${state?.health.serial ?? 'Laneware'}</span>
    <${SalesState} />
    <${TestMark} />
    <${SignedInPerson} />
    <${Languages} />
  </header>`;
}

/** @param {{to: string, open: string, onGo?: () => void}} properties names of pages: the linked one, and the open one */
function PageLink({ to, open, onGo }) {
  return html`<a href=${hrefOf(to)} aria-current=${to === open ? 'page' : undefined} onClick=${onGo}>
    <${Icon} name=${to} /><span>${nameOf('page', to)}</span>
  </a>`;
}

/** @param {{open: string}} properties name of the open page */
function Rail({ open }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const session = useSession();
  const pages = railPages().filter((page) => session?.closed[page] === undefined);
  const rest = pages.filter((page) => !isOnPhone(page));
  const fold = () => setUnfolded(false);
  return html`<nav class="rail ${isUnfolded ? 'wide' : ''}" aria-label=${t('pages')}>
    ${pages.map((page) => html`<${PageLink} key=${page} to=${page} open=${open} onGo=${fold} />`)}
    ${
      rest.length > 0 &&
      html`<button
      type="button"
      class="more ${rest.includes(open) ? 'open' : ''}"
      aria-expanded=${String(isUnfolded)}
      onClick=${() => setUnfolded(!isUnfolded)}
    ><${Icon} name="more" /><span>${t('more')}</span></button>`
    }
  </nav>`;
}

function ConnectionLost() {
  const { isLive, lostAt } = useDevice();
  if (isLive || lostAt === null) return null;
  return html`<p class="banner" role="alert">${t('lost', { time: time(lostAt) })}</p>`;
}

/** Says that a page is not complete yet, as a slow device may have sent half of it. */
function Loading() {
  const { isLive } = useDevice();
  const isLoading = useIsLoading();
  return isLive && isLoading ? html`<p class="loading" role="status">${t('loading')}</p>` : null;
}

/** The frame of a page that has the whole screen. @param {{children?: unknown}} properties */
export function WholeScreen({ children }) {
  const { isLive } = useDevice();
  return html`<div class="shell bare" data-live=${isLive ? 'yes' : 'no'}>
    <main id="page" tabindex="-1"><${ConnectionLost} /><${Loading} />${children}</main>
  </div>`;
}

/**
 * The frame of a page beside the rail.
 * @param {{open: string | null, children?: unknown}} properties `open`: name of the page; null while no person is signed in
 */
export function Shell({ open, children }) {
  const { isLive } = useDevice();
  const isSettled = useIsSettled(open);
  // the address may be of a page with the whole screen, such as the scale: then a link leads back to it
  const pageBehind = pageOfAddress();
  return html`<div class="shell" data-live=${isLive ? 'yes' : 'no'}>
    <button type="button" class="skip" onClick=${() => document.getElementById('page')?.focus()}>${t('skip')}</button>
    <${Strip} />
    ${open !== null && html`<${Rail} open=${open} />`}
    <main id="page" class="page ${open ?? 'narrow'}" data-settled=${isSettled ? 'yes' : 'no'} tabindex="-1">
      <${ConnectionLost} />
      <${Loading} />
      ${open !== null && pageBehind !== undefined && html`<p class="buttons"><a class="button" href=${hrefOf(pageBehind.name)}>${nameOf('page', pageBehind.name)}</a></p>`}
      ${children}
    </main>
  </div>`;
}
