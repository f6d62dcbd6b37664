/**
 * Pairs this device with a master: by its camera, or by an address and a code.
 * @import { StoreState } from '../http/store-schemas.ts'
 */
import { html, useState } from '/console/assets/preact.js';
import { ask, CallError } from '../../core/pages/app/api.js';
import { useUnsaved } from '../../core/pages/app/drafts.js';
import { t } from '../../core/pages/app/language.js';
import { Button, Card, Form, Outcome, TextField, useAction } from '../../core/pages/parts/parts.js';

/** Longer than the device looks for the code with its camera and then pairs. */
const CAMERA_LIMIT_MS = 60_000;

const pairByCamera = () => ask('/console/api/store/join', { method: 'POST', json: {}, limitMs: CAMERA_LIMIT_MS });

/** Tries twice: a person may find the master's page on a phone only after the first try has ended. */
async function pairByCameraTwice() {
  try {
    return await pairByCamera();
  } catch (error) {
    if (error instanceof CallError && error.code === 'Store.NoCode') return await pairByCamera();
    throw error;
  }
}

/** Reads "192.168.1.10:7443"; without a port, the device uses the default port. @param {string} text */
function addressOf(text) {
  const [, host, port] = /^([^:]+):(\d+)$/.exec(text) ?? [null, text, null];
  return { host, ...(port === null ? {} : { port: Number(port) }) };
}

/**
 * The form for pairing: for a new device, and again after the master was replaced or has revoked this device.
 * @param {{store: StoreState, onDone: () => void}} properties
 */
export function Joining({ store: { role, paired, problem, reason, address: known, upload, download }, onDone }) {
  const [address, setAddress] = useState(known ?? '');
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(/** @type {'address' | 'code' | null} */ (null));
  const { action, isBusy, run } = useAction();
  const isMember = role === 'slave' && paired;
  // a paired slave without a problem needs no form
  const isNeeded = !isMember || problem !== null;
  useUnsaved(isNeeded && (address !== (known ?? '') || code !== ''));
  if (!isNeeded) return null;
  const pair = async () => {
    const empty = address.trim() === '' ? 'address' : code.trim() === '' ? 'code' : null;
    setMissing(empty);
    if (empty !== null) return;
    const directions = role === 'slave' ? { upload, download } : {};
    const json = { ...addressOf(address.trim()), ...directions, code: code.trim() };
    if (await run(() => ask('/console/api/store/master', { method: 'PUT', json }), 'store.paired')) setCode('');
    onDone();
  };
  const readCode = async () => {
    setMissing(null);
    await run(pairByCameraTwice, 'store.paired');
    onDone();
  };
  const isAtField = ['host', 'port', 'code'].includes(action.field ?? '');
  /** @param {'address' | 'code'} field */
  const problemAt = (field) => {
    if (missing === field) return t(`store.${field}Missing`);
    return isAtField && (action.field === 'code') === (field === 'code') ? action.said : '';
  };
  return html`<${Card} id="join" title=${t(isMember ? 'store.again' : 'store.join')}>
    ${isMember && reason === null && html`<p class="advice">${t('store.trouble')}</p>`}
    <p>${t('store.seeHow')}</p>
    <${Button} kind="primary" disabled=${isBusy} onClick=${readCode}>${t('store.see')}</${Button}>
    <p class="soft">${t('store.or')}</p>
    <${Form} novalidate onSubmit=${pair}>
      <${TextField} id="master" label=${t('store.address')} help=${t('store.addressHelp')} problem=${problemAt('address')}
        inputmode="url" value=${address} onText=${setAddress} />
      <${TextField} id="code" label=${t('store.code')} help=${t('store.codeHelp')} problem=${problemAt('code')}
        autocapitalize="characters" spellcheck="false" value=${code} onText=${setCode} />
      <${Button} type="submit" disabled=${isBusy}>${t('store.pair')}</${Button}>
    </${Form}>
    ${!isAtField && html`<${Outcome} action=${action} />`}
  </${Card}>`;
}
