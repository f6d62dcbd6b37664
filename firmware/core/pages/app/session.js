/**
 * Who is signed in at this browser, as the device says it. Asked at the start, when the device goes silent or refuses a call, when another
 * window has signed somebody in or out, again and again while this one is shut out, and, for its use is counted by it, when a person does
 * something.
 * @import { Static } from 'typebox'
 * @import { SessionAnswer } from '../../../console/api/session-routes.ts'
 */
import { ask, whenShutOut } from './api.js';
import { keepFor, keepNothing } from './drafts.js';
import { isPage } from './route.js';
import { Signal, useSignal } from './signal.js';

/** @typedef {Static<typeof SessionAnswer>} Session */

const AGAIN_MS = 1000;
/** How often a window that is shut out asks whether it still is. It follows no stream, and a kiosk has nobody who loads it anew. */
const SHUT_OUT_MS = 3000;
/** How often use of the page is reported to the device. */
const REPORT_USE_MS = 60_000;

/** @type {Signal<Session | null>} null until the device has said it */
const session = new Signal(/** @type {Session | null} */ (null));
const windows = new BroadcastChannel('laneware.session');

/** @param {Session | null} said */
export const isShutOut = (said) => said?.asked === true && said.role === null;

/** @param {Session} said */
function hear(said) {
  const before = session.value;
  // the device has been updated: so must be the page
  if (before !== null && before.pages !== said.pages) return location.reload();
  const isSame = before !== null && JSON.stringify(before) === JSON.stringify(said);
  if (isSame) return;
  keepFor(said.role, isShutOut(said));
  session.set(said);
}

/** What was asked before the latest that was asked may come after it, and is of no use then. */
let asked = 0;

async function look() {
  const own = ++asked;
  try {
    const said = await ask('/console/api/session');
    if (own === asked) hear(said);
  } catch {
    // silent: its stream says so
  }
}

async function lookUntilHeard() {
  await look();
  if (session.value === null) setTimeout(lookUntilHeard, AGAIN_MS);
}

/** The device may let this window in no more. */
export const lookAgain = () => void look();

function reportUse() {
  let reportedAt = 0;
  const report = () => {
    const now = performance.now();
    if (session.value?.role == null || now - reportedAt < REPORT_USE_MS) return;
    reportedAt = now;
    lookAgain();
  };
  addEventListener('pointerdown', report);
  addEventListener('keydown', report);
}

/** @param {{onIn: () => void, onOut: () => void}} handlers */
export function followSession({ onIn, onOut }) {
  let isIn = false;
  session.follow(() => {
    const mayFollow = session.value !== null && !isShutOut(session.value);
    if (mayFollow === isIn) return;
    isIn = mayFollow;
    if (isIn) onIn();
    else onOut();
  });
  windows.addEventListener('message', ({ data }) => {
    if (data === 'out') keepNothing();
    lookAgain();
  });
  document.addEventListener('visibilitychange', () => document.hidden || lookAgain());
  whenShutOut(lookAgain);
  setInterval(() => isShutOut(session.value) && !document.hidden && lookAgain(), SHUT_OUT_MS);
  reportUse();
  void lookUntilHeard();
}

/** @param {{pin: string} | {token: string}} secret @throws {import('./api.js').CallError} */
export async function signIn(secret) {
  const said = await ask('/console/api/session', { method: 'POST', json: secret });
  asked++;
  hear(said);
  windows.postMessage('in');
}

/** @throws {import('./api.js').CallError} */
export async function signOut() {
  await ask('/console/api/session', { method: 'DELETE' });
  keepNothing();
  windows.postMessage('out');
  await look();
}

/** @returns {Session | null} null until the device has said it */
export const useSession = () => useSignal(session);

/**
 * Who sees a page, or a part of one, that the person here does not see; null where he sees it.
 * @param {string} page
 */
export const useClosed = (page) => useSession()?.closed[page] ?? null;

/** Whether the person here sees a page, or a part of one. @param {string} page */
export const useSees = (page) => useClosed(page) === null && isPage(page);
