/**
 * Who is signed in at this browser. The page asks the device at the start, when the device goes silent or refuses a
 * call, and when another window has signed somebody in or out. It asks at intervals while this window is shut out, and
 * while a person uses it, as that keeps the session alive.
 * @import { Static } from 'typebox'
 * @import { SessionAnswer } from '../../access/session-answer.ts'
 */
import { ask, CallError, onSignInRequired } from './api.js';
import { otherWindows } from './browser-parts.js';
import { assignDraftsTo, dropDrafts } from './drafts.js';
import { isPage } from './route.js';
import { Signal, useSignal } from './signal.js';

/** @typedef {Static<typeof SessionAnswer>} Session */

const AGAIN_MS = 1000;
/** How often a window that is shut out asks again. It follows no stream, and nobody reloads a kiosk. */
const SHUT_OUT_MS = 3000;
/** How often use of the page is reported to the device. */
const REPORT_USE_MS = 60_000;

/** @type {Signal<Session | null>} null until the device has answered */
const session = new Signal(/** @type {Session | null} */ (null));
const windows = otherWindows('laneware.session');

/** @param {Session | null} answer */
export const isShutOut = (answer) => answer?.asked === true && answer.role === null;

/** @param {Session} answer */
function applySession(answer) {
  const before = session.value;
  // the device was updated: the page must be loaded anew
  if (before !== null && before.pages !== answer.pages) return location.reload();
  const isSame = before !== null && JSON.stringify(before) === JSON.stringify(answer);
  if (isSame) return;
  assignDraftsTo(answer.role, isShutOut(answer));
  session.set(answer);
}

/** Number of the latest question: an earlier question's answer may come later, and is ignored. */
let questions = 0;

async function askSession() {
  const own = ++questions;
  try {
    const answer = await ask('/console/api/session');
    if (own === questions) applySession(answer);
  } catch {
    // no answer: the stream of the device reports it
  }
}

async function askUntilAnswered() {
  await askSession();
  if (session.value === null) setTimeout(askUntilAnswered, AGAIN_MS);
}

/** Asks again, as the device may have shut this window out. */
export const refreshSession = () => void askSession();

function reportUse() {
  let reportedAt = 0;
  const report = () => {
    const now = performance.now();
    if (session.value?.role == null || now - reportedAt < REPORT_USE_MS) return;
    reportedAt = now;
    refreshSession();
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
  windows?.addEventListener('message', ({ data }) => {
    if (data === 'out') dropDrafts();
    refreshSession();
  });
  document.addEventListener('visibilitychange', () => document.hidden || refreshSession());
  onSignInRequired(refreshSession);
  setInterval(() => isShutOut(session.value) && !document.hidden && refreshSession(), SHUT_OUT_MS);
  reportUse();
  void askUntilAnswered();
}

/**
 * @param {{pin: string} | {token: string}} secret
 * @throws {CallError} also `no-cookies`, where the browser has not stored the cookie of the session
 */
export async function signIn(secret) {
  await ask('/console/api/session', { method: 'POST', json: secret });
  // this call has the cookie only where the browser has stored it
  const answer = await ask('/console/api/session');
  questions++;
  if (isShutOut(answer)) throw new CallError('no-cookies');
  applySession(answer);
  windows?.postMessage('in');
}

/** @throws {CallError} */
export async function signOut() {
  await ask('/console/api/session', { method: 'DELETE' });
  dropDrafts();
  windows?.postMessage('out');
  await askSession();
}

/** @returns {Session | null} null until the device has answered */
export const useSession = () => useSignal(session);

/** The role that a page, or a part of one, needs; null where the signed-in person may see it. @param {string} page */
export const useClosed = (page) => useSession()?.closed[page] ?? null;

/** Whether the signed-in person may see a page, or a part of one. @param {string} page */
export const useSees = (page) => useClosed(page) === null && isPage(page);
