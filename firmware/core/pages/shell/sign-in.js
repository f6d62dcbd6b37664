/** Signing in, with a PIN by keypad or keyboard or with a token; and the page that the person signed in may not see. */
import { LIMITS } from '/console/assets/limits.js';
import { html, useLayoutEffect, useRef, useState } from '/console/assets/preact.js';
import { t } from '../app/language.js';
import { useMessage } from '../app/outcome.js';
import { hrefOf } from '../app/route.js';
import { signIn, signOut, useSession } from '../app/session.js';
import { Keypad } from '../parts/keypad.js';
import { Button, Card, Form, Outcome, TextField, useAction } from '../parts/parts.js';

const KEYS = [...'123456789', 'back', '0'];

/** @param {{isPin: boolean}} properties */
function Secret({ isPin }) {
  const [secret, setSecret] = useState('');
  const [problem, setProblem] = useMessage();
  const { action, run, forget } = useAction();
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  // before the paint: once a person sees the field, it accepts keys
  useLayoutEffect(() => field.current?.focus(), []);
  /** @param {string} next */
  const type = (next) => {
    setProblem(null);
    forget();
    setSecret(isPin ? next.replaceAll(/\D/g, '') : next);
  };
  const submit = async () => {
    const isMissing = isPin ? secret.length < LIMITS.shortestPin : secret.trim() === '';
    setProblem(isMissing ? (isPin ? 'signIn.noPin' : 'signIn.noToken') : null);
    if (isMissing) return;
    const isDone = await run(() => signIn(isPin ? { pin: secret } : { token: secret.trim() }));
    if (isDone) return;
    setSecret('');
    field.current?.focus();
  };
  const enter = html`<button type="submit" class="primary">${t('signIn.enter')}</button>`;
  return html`<${Form} novalidate onSubmit=${submit}>
    <${TextField} id="secret" label=${t(isPin ? 'signIn.pin' : 'signIn.token')} problem=${problem}
      input=${field} type="password" inputmode=${isPin ? 'numeric' : 'text'} most=${isPin ? LIMITS.longestPin : LIMITS.token} class=${isPin ? 'pin' : ''} value=${secret} onText=${type} />
    <${Outcome} action=${action} />
    ${
      isPin
        ? html`<${Keypad} keys=${KEYS} onKey=${(/** @type {string} */ key) => type(key === 'back' ? secret.slice(0, -1) : secret + key)}>${enter}</${Keypad}>`
        : enter
    }
  </${Form}>`;
}

/** Help for a person without a valid PIN or token: how a technician at the device sets a new one. */
function Lost() {
  const session = useSession();
  if (session?.pins !== true) return html`<p class="help">${t('signIn.lostToken')}</p>`;
  return html`<p class="help">${t('signIn.lost')}</p>
    ${session.codes ? html`<p><a class="button" href="/claim?pin">${t('signIn.byCode')}</a></p>` : html`<p class="help">${t('signIn.byShell')} <code>lanectl pins set technician -</code></p>`}`;
}

export function SignIn() {
  const session = useSession();
  const arePins = session?.pins === true;
  const [isByToken, setByToken] = useState(false);
  const isPin = arePins && !isByToken;
  return html`<div class="sign-in"><${Card} id="sign-in" title=${t('signIn.who')}>
    <${Secret} key=${String(isPin)} isPin=${isPin} />
    ${arePins && html`<p><button type="button" class="other" onClick=${() => setByToken(isPin)}>${t(isPin ? 'signIn.byToken' : 'signIn.byPin')}</button></p>`}
    <${Lost} />
  </${Card}></div>`;
}

/**
 * Shown in place of a page that the signed-in cashier or supervisor may not see: says who may.
 * @param {{who: 'supervisor' | 'technician'}} properties who may see the page
 */
export function Closed({ who }) {
  const { action, isBusy, run } = useAction();
  return html`<${Card} id="closed" title=${t('closed.title')}>
    <p>${t(`problem.RequestParams.Forbidden.${who}`)}</p>
    <div class="buttons">
      <${Button} kind="primary" disabled=${isBusy} onClick=${() => run(signOut)}>${t('closed.signIn')}</${Button}>
      <a class="button" href=${hrefOf('lane')}>${t('closed.lane')}</a>
    </div>
    <${Outcome} action=${action} />
  </${Card}>`;
}
