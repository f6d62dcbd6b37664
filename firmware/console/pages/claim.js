/**
 * The claim page. A person enters the code on the display, or opens its link on a phone, and gets a technician's token
 * or sets a new PIN.
 */
import { LIMITS } from '/console/assets/limits.js';
import { html, render, useEffect, useLayoutEffect, useRef, useState } from '/console/assets/preact.js';
import { ask, CallError } from '../../core/pages/app/api.js';
import { firstWords, Languages, t, useWords } from '../../core/pages/app/language.js';
import { messageFor } from '../../core/pages/app/outcome.js';
import { Copy } from '../../core/pages/parts/copy.js';
import { Card, Form, Outcome, TextField, useAction } from '../../core/pages/parts/parts.js';

const LIMIT_MS = 10_000;

/** Reads the code in the link, and removes it from the address at once, so that it is not in the browser's history. */
function takenCode() {
  const found = /^#([0-9A-Za-z-]+)/.exec(location.hash)?.[1] ?? '';
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  return found;
}

/**
 * Signs in with the token, so that the console need not ask for it; where that fails, the console asks.
 * @param {string} token
 */
const signIn = (token) =>
  ask('/console/api/session', { method: 'POST', json: { token }, limitMs: LIMIT_MS }).catch(() => undefined);

/** @param {{token: string}} properties */
function Made({ token }) {
  return html`<${Card} id="made" title=${t('claim.made')}>
    <p class="line"><code id="token" class="token">${token}</code><${Copy} text=${token} of="token" name=${t('claim.token')} /></p>
    <p>${t('claim.keep')}</p>
    <p><a class="button primary" href="/">${t('claim.open')}</a></p>
  </${Card}>`;
}

const PIN = new RegExp(`^\\d{${LIMITS.shortestPin},${LIMITS.longestPin}}$`);

/** @param {{isPin: boolean, onMade: (token: string) => void}} properties */
function Claim({ isPin, onMade }) {
  const words = useWords();
  const [code, setCode] = useState(takenCode);
  const [wanted, setWanted] = useState('');
  const [problems, setProblems] = useState(
    /** @type {Readonly<Record<string, import('../../core/pages/app/outcome.js').Said>>} */ ({}),
  );
  const { action, isBusy, run } = useAction();
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useLayoutEffect(() => {
    if (code !== '') button.current?.focus();
  }, []);
  useEffect(() => {
    const take = () => setCode((before) => takenCode() || before);
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  /** @param {string} pin */
  const replacePin = async (pin) => {
    await ask('/console/api/claim/pin', { method: 'POST', json: { code: code.trim(), pin }, limitMs: LIMIT_MS });
    location.assign('/');
  };
  /** @param {string} own token that the person chose; empty where the device is to make one */
  const makeToken = async (own) => {
    const json = { code: code.trim(), ...(own === '' ? {} : { token: own }) };
    try {
      /** @type {{token: string}} */
      const { token } = await ask('/console/api/claim', { method: 'POST', json, limitMs: LIMIT_MS });
      await signIn(token);
      onMade(token);
    } catch (error) {
      if (error instanceof CallError && error.field === 'token') setProblems({ own: 'claim.wrongToken' });
      throw error;
    }
  };
  const claim = async () => {
    const own = wanted.trim();
    const missing = {
      ...(code.trim() === '' && { code: /** @type {const} */ ('claim.noCode') }),
      ...(isPin && !PIN.test(own) && { own: /** @type {const} */ ('signIn.noPin') }),
    };
    setProblems(missing);
    if (Object.keys(missing).length > 0) return;
    await run(() => (isPin ? replacePin(own) : makeToken(own)));
  };
  return html`<section id="claim" class="card">
    <p class="soft">${t(isPin ? 'claim.pinWords' : 'claim.words')}</p>
    <${Form} novalidate onSubmit=${claim}>
      <${TextField} id="code" label=${t('claim.code')} help=${t('claim.codeHelp')} problem=${messageFor(words, problems.code)}
        name="code" autocapitalize="characters" spellcheck="false" most=${LIMITS.claimCode} value=${code} onText=${setCode} />
      <${TextField} id="wanted" label=${t(isPin ? 'pins.field' : 'claim.own')} help=${t(isPin ? 'pins.help' : 'claim.ownHelp')} problem=${messageFor(words, problems.own)}
        name=${isPin ? 'pin' : 'token'} inputmode=${isPin ? 'numeric' : 'text'} autocapitalize="none" spellcheck="false" most=${isPin ? LIMITS.longestPin : LIMITS.ownToken} value=${wanted} onText=${setWanted} />
      <button type="submit" class="primary" ref=${button} disabled=${isBusy}>${t(isPin ? 'claim.setPin' : 'claim.make')}</button>
    </${Form}>
    <${Outcome} action=${action} id="claim-outcome" />
  </section>`;
}

function Page() {
  useWords(); // so that a change of the language renders the page again
  const [token, setToken] = useState('');
  const isPin = location.search === '?pin';
  const title = t(isPin ? 'claim.pinTitle' : 'claim.title');
  useLayoutEffect(() => {
    document.title = `${title} · Laneware`;
  });
  return html`<header class="strip">
      <img src="/console/assets/core/pages/icon.svg" alt="" width="28" height="28" />
      <span class="name">Laneware</span>
      <${Languages} />
    </header>
    <main class="page narrow">
      <h1>${title}</h1>
      ${token === '' ? html`<${Claim} isPin=${isPin} onMade=${setToken} />` : html`<${Made} token=${token} />`}
    </main>`;
}

await firstWords;
render(html`<${Page} />`, document.body);
