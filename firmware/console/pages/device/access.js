/**
 * Cards on access: the PINs of people at these pages, their sessions, the tokens of callers from the network, and whether the
 * network can reach the device.
 * @import { Static } from 'typebox'
 * @import { Machine } from '../../api/machine-routes.ts'
 * @import { SessionList } from '../../api/session-routes.ts'
 */
import { LIMITS } from '/console/assets/limits.js';
import { html, useEffect, useState } from '/console/assets/preact.js';
import { ask, CallError } from '../../../core/pages/app/api.js';
import { useUnsaved } from '../../../core/pages/app/drafts.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { t } from '../../../core/pages/app/language.js';
import { Copy } from '../../../core/pages/parts/copy.js';
import { Dialog, SureButton } from '../../../core/pages/parts/dialog.js';
import { Button, Card, Chip, Form, Nothing, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';

const PIN = new RegExp(`^\\d{${LIMITS.shortestPin},${LIMITS.longestPin}}$`);

/** @typedef {'cashier' | 'supervisor' | 'technician'} Person */
/** @typedef {{role: Person, set: boolean}} PinState */

/** @param {{role: Person, onClose: () => void}} properties */
function NewPin({ role, onClose }) {
  const [pin, setPin] = useState('');
  const { action, isBusy, run } = useAction();
  useUnsaved(pin !== '');
  const submit = async () => {
    if (await run(() => ask(`/console/api/pins/${role}`, { method: 'PUT', json: { pin } }))) onClose();
  };
  return html`<${Dialog} title=${t('pins.new', { person: t(`person.${role}`) })} onClose=${onClose}>
    <${Form} novalidate class="words" onSubmit=${submit}>
      <${TextField} id="new-pin" label=${t('pins.field')} help=${t('pins.help')} problem=${action.stage === 'failed' ? action.said : ''}
        inputmode="numeric" most=${LIMITS.longestPin} value=${pin} onText=${setPin} />
      <div class="buttons">
        <${Button} type="submit" kind="primary" disabled=${!PIN.test(pin) || isBusy}>${t('pins.save')}</${Button}>
        <button type="button" onClick=${onClose}>${t('leaveIt')}</button>
      </div>
    </${Form}>
  </${Dialog}>`;
}

/** @param {{pin: PinState, onSet: () => void, onRemove: () => void}} properties */
function PinRow({ pin: { role, set }, onSet, onRemove }) {
  const person = t(`person.${role}`);
  return html`<li>
    <span class="part">${person}</span>
    <span class="soft">${t(set ? 'pins.set' : 'pins.none')}</span>
    <span class="buttons">
      <${Button} onClick=${onSet}>${t(set ? 'pins.change' : 'pins.make')}</${Button}>
      ${set && html`<${SureButton} kind="danger" go=${t('pins.remove')} title=${t('pins.sure', { person })} words=${t('pins.sureWords')} onYes=${onRemove} />`}
    </span>
  </li>`;
}

/** Lists which people have a PIN; sets and removes PINs. */
export function Pins() {
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<{pins: readonly PinState[]}>} */
  const { data, error, again } = useFetched('/console/api/pins');
  const [changed, setChanged] = useState(/** @type {Person | null} */ (null));
  const { action, run } = useAction();
  const close = () => {
    setChanged(null);
    void again();
  };
  /** @param {Person} role */
  const remove = async (role) => {
    await run(() => ask(`/console/api/pins/${role}`, { method: 'DELETE' }));
    void again();
  };
  return html`<${Card} id="pins" title=${t('pins.title')} error=${error}>
    <p class="soft">${t('pins.words')}</p>
    <ul class="parts">${[...(data?.pins ?? [])].reverse().map((pin) => html`<${PinRow} key=${pin.role} pin=${pin} onSet=${() => setChanged(pin.role)} onRemove=${() => remove(pin.role)} />`)}</ul>
    <${Outcome} action=${action} />
    ${changed !== null && html`<${NewPin} role=${changed} onClose=${close} />`}
  </${Card}>`;
}

/** @typedef {Static<typeof SessionList>} SessionsState */

const SESSIONS = '/console/api/sessions';
const MINUTE = 60;

/** @param {{session: SessionsState['sessions'][number], isBusy: boolean, onEnd: () => void}} properties */
function SessionRow({ session: { role, till, by, from, idleSeconds, own }, isBusy, onEnd }) {
  const name = till ?? t(`person.${role}`);
  const minutes = Math.floor(idleSeconds / MINUTE);
  const facts = [
    by === 'token' ? t('sessions.token') : '',
    from === '' ? t('sessions.here') : from,
    minutes === 0 ? t('sessions.now') : t('sessions.ago', { n: minutes }),
  ].filter((fact) => fact !== '');
  return html`<li>
    <span class="part">${name}</span>
    ${own && html`<${Chip} look="rest">${t('sessions.own')}</${Chip}>`}
    <span class="soft">${facts.join(' · ')}</span>
    ${!own && html`<span class="buttons"><${Button} disabled=${isBusy} aria-label=${`${t('sessions.end')}: ${name}`} onClick=${onEnd}>${t('sessions.end')}</${Button}></span>`}
  </li>`;
}

/** Lists who is signed in at which browser; signs people out. */
export function Sessions() {
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<SessionsState>} */
  const { data, error, again } = useFetched(SESSIONS);
  const { action, isBusy, run } = useAction();
  /** @param {string} id */
  const end = async (id) => {
    await run(() => ask(`${SESSIONS}/${id}`, { method: 'DELETE' }), 'sessions.ended');
    await again();
  };
  return html`<${Card} id="sessions" title=${t('sessions.title')} error=${error}>
    ${data?.sessions.length === 0 && html`<${Nothing}>${t('sessions.none')}</${Nothing}>`}
    <ul class="parts">
      ${data?.sessions.map((session) => html`<${SessionRow} key=${session.id} session=${session} isBusy=${isBusy} onEnd=${() => end(session.id)} />`)}
    </ul>
    <${Outcome} action=${action} />
  </${Card}>`;
}

/** @typedef {'till' | 'technician'} Role */
/** @typedef {{role: Role, made: boolean, configured: boolean}} TokenState */

/** The light margin that ISO/IEC 18004 requires around a QR code, in modules. */
const QUIET_MODULES = 4;

/** SVG path of the dark modules. @param {boolean[][]} rows */
const pathOf = (rows) =>
  rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');

/**
 * A new token as a QR code for a till's camera or a phone. The page draws it, not the device: in an answer of the device, the
 * drawing would hold the token unmasked.
 * @param {{token: string}} properties
 */
function TokenCode({ token }) {
  const [drawn, setDrawn] = useState(/** @type {{size: number, path: string} | null} */ (null));
  useEffect(() => {
    let isGone = false;
    // loaded late: most people who open this page make no token
    void import('/console/assets/qr.js').then(({ encodeQR }) => {
      const rows = encodeQR(token, 'raw', { ecc: 'medium', border: QUIET_MODULES });
      if (!isGone) setDrawn({ size: rows.length, path: pathOf(rows) });
    });
    return () => {
      isGone = true;
    };
  }, [token]);
  if (drawn === null) return null;
  const { size, path } = drawn;
  return html`<svg class="token-code" role="img" aria-label=${t('device.tokenCode')} viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
    <rect width=${size} height=${size} fill="#fff" /><path d=${path} fill="#000" />
  </svg>`;
}

/** @param {Machine['modes']['addresses']} addresses */
const addressRows = (addresses) =>
  addresses.map(({ which, url }) => html`<dt>${t(`modes.of.${which}`)}</dt><dd><code>${url}</code></dd>`);

/**
 * A new token, with the addresses that it opens. It is shown only once, so neither a key nor a gesture closes the dialog.
 * @param {{token: string, addresses: Machine['modes']['addresses'], onClose: () => void}} properties
 */
function NewToken({ token, addresses, onClose }) {
  return html`<${Dialog} title=${t('device.token')} isHeld onClose=${onClose}>
    <${TokenCode} token=${token} />
    <p class="words"><code id="new-token" class="token">${token}</code></p>
    <dl class="facts">${addressRows(addresses)}</dl>
    <div class="buttons">
      <${Copy} text=${token} of="new-token" name=${t('device.token')} />
      <button type="button" class="primary" onClick=${onClose}>${t('device.close')}</button>
    </div>
  </${Dialog}>`;
}

/**
 * One role's token. Making a first token needs no question, because it replaces none.
 * @param {{kept: TokenState, onMake: () => void, onRevoke: () => void}} properties
 */
function TokenRow({ kept: { role, made, configured }, onMake, onRevoke }) {
  const name = t(`device.role.${role}`);
  const state = [made ? t('device.made') : '', configured ? t('device.configured') : ''].filter(
    (words) => words !== '',
  );
  return html`<li>
    <span class="part">${name}</span>
    <span class="soft">${state.length === 0 ? t('device.noToken') : state.join(', ')}</span>
    <span class="buttons">
      <${SureButton} kind=${made ? 'danger' : 'plain'} isAsked=${made} go=${t(made ? 'device.replaceToken' : 'device.newToken')}
        title=${t('device.tokenSure', { role: name })} words=${t('device.tokenSureWords')} onYes=${onMake} />
      ${made && html`<${SureButton} kind="danger" go=${t('device.takeBack')} title=${t('device.backSure', { role: name })} words=${t('device.tokenSureWords')} onYes=${onRevoke} />`}
    </span>
  </li>`;
}

/** Lists the roles' tokens; makes and revokes them. @param {{machine: Machine}} properties */
export function Access({ machine: { modes } }) {
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<{tokens: readonly TokenState[]}>} */
  const { data, error, again } = useFetched('/console/api/tokens');
  const [token, setToken] = useState('');
  const { action, run } = useAction();
  /** @param {Role} role @param {import('../../../core/pages/app/api.js').Call} call */
  const change = async (role, call) => {
    await run(async () => {
      /** @type {{token?: string}} */
      const { token = '' } = await ask(`/console/api/tokens/${role}`, call);
      setToken(token);
    });
    void again();
  };
  const row = (/** @type {TokenState} */ kept) =>
    html`<${TokenRow} key=${kept.role} kept=${kept} onMake=${() => change(kept.role, { method: 'PUT', json: {} })} onRevoke=${() => change(kept.role, { method: 'DELETE' })} />`;
  return html`<${Card} id="access" title=${t('device.access')} error=${error}>
    <p class="soft">${t('device.accessWords')}</p>
    ${!modes.network && html`<p class="advice">${t('device.tokenUseless')}</p>`}
    <ul class="parts">${data?.tokens.map(row)}</ul>
    <${Outcome} action=${action} />
    ${token !== '' && html`<${NewToken} token=${token} addresses=${modes.addresses} onClose=${() => setToken('')} />`}
  </${Card}>`;
}

/**
 * Opens the device to the network, or closes it. The device then restarts; the action is done once it answers again.
 * @param {{open: boolean}} properties `open`: the wanted state
 */
function NetworkSwitch({ open }) {
  const { action, isBusy, run } = useAction();
  const switchNetwork = () =>
    run(
      async () => {
        /** @type {{byHand: boolean}} */
        const { byHand } = await ask('/console/api/network', { method: 'PUT', json: { open } });
        if (byHand) throw new CallError('Device.NotManaged');
      },
      ({ t }) => t('modes.turned'),
    );
  const [go, title, words] = open
    ? [t('modes.open'), t('modes.openSure'), t('modes.openWords')]
    : [t('modes.close'), t('modes.closeSure'), t('modes.closeWords')];
  return html`<div class="buttons"><${SureButton} go=${go} title=${title} words=${words} disabled=${isBusy} onYes=${switchNetwork} /></div>
    <${Outcome} action=${action} />`;
}

const PORTS = /** @type {const} */ (['terminal', 'recognition']);

/**
 * Whether the network can reach the device. The configuration may open one of its two ports alone.
 * @param {{machine: Machine}} properties
 */
export function Network({ machine: { modes } }) {
  const isOpen = modes.network;
  const closedPorts = PORTS.filter((each) => !modes.addresses.some(({ which }) => which === each));
  const isOnePortOpen = isOpen && closedPorts.length === 1;
  const [look, state] = isOnePortOpen
    ? ['open', t('modes.isHalf')]
    : isOpen
      ? ['good', t('modes.isOpen')]
      : ['rest', t('modes.isClosed')];
  return html`<${Card} id="network" title=${t('modes.title')} aside=${html`<${Chip} look=${look}>${state}</${Chip}>`}>
    ${
      isOpen
        ? html`<dl class="facts">
          ${addressRows(modes.addresses)}
          ${isOnePortOpen && closedPorts.map((which) => html`<dt>${t(`modes.of.${which}`)}</dt><dd>${t('modes.alone')}</dd>`)}
          <dt>${t('modes.tls')}</dt><dd>${t(modes.tls ? 'modes.on' : 'modes.off')}</dd>
          <dt>${t('modes.token')}</dt><dd>${t(modes.needsToken ? 'modes.token.needed' : 'modes.token.free')}</dd>
        </dl>`
        : html`<p>${t('modes.closedWords')}</p>`
    }
    ${(!isOpen || isOnePortOpen) && html`<${NetworkSwitch} open=${true} />`}
    ${isOpen && html`<${NetworkSwitch} open=${false} />`}
    <details><summary>${t('modes.how')}</summary><p>${t('modes.address')}</p><p>${t('modes.wifi')}</p></details>
  </${Card}>`;
}
