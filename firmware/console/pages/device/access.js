/** The tokens of callers from the network: which there are, and new ones, each shown once. */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { Outcome, useAction } from '../parts/action.js';
import { Copy } from '../parts/copy.js';
import { Dialog, SureButton } from '../parts/dialog.js';
import { Card } from '../parts/parts.js';
import { TokenCode } from './token-code.js';

/** @typedef {'till' | 'technician'} Role */
/** @typedef {{role: Role, made: boolean, configured: boolean}} Kept */

/** @param {{token: string, onClose: () => void}} properties */
function NewToken({ token, onClose }) {
  const { t } = useWords();
  return html`<${Dialog} title=${t('device.token')} onClose=${onClose}>
    <${TokenCode} token=${token} />
    <p class="words"><code id="new-token" class="token">${token}</code></p>
    <div class="buttons">
      <${Copy} text=${token} of="new-token" name=${t('device.token')} />
      <button type="button" class="primary" onClick=${onClose}>${t('device.close')}</button>
    </div>
  </${Dialog}>`;
}

/** A first token takes nothing from anybody. @param {{kept: Kept, onMake: () => void, onTake: () => void}} properties */
function Row({ kept: { role, made, configured }, onMake, onTake }) {
  const { t } = useWords();
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
      ${made && html`<${SureButton} kind="danger" go=${t('device.takeBack')} title=${t('device.backSure', { role: name })} words=${t('device.tokenSureWords')} onYes=${onTake} />`}
    </span>
  </li>`;
}

export function Access() {
  const { t } = useWords();
  /** @type {import('../app/fetched.js').Fetched<{tokens: readonly Kept[]}>} */
  const { data, error, again } = useFetched('/console/api/tokens');
  const [token, setToken] = useState('');
  const { action, run } = useAction();
  /** @param {Role} role @param {import('../app/api.js').Call} call */
  const change = async (role, call) => {
    await run(async () => {
      /** @type {{token?: string}} */
      const { token = '' } = await ask(`/console/api/tokens/${role}`, call);
      setToken(token);
    });
    void again();
  };
  const row = (/** @type {Kept} */ kept) =>
    html`<${Row} key=${kept.role} kept=${kept} onMake=${() => change(kept.role, { method: 'PUT', json: {} })} onTake=${() => change(kept.role, { method: 'DELETE' })} />`;
  return html`<${Card} id="access" title=${t('device.access')} error=${error}>
    <p class="soft">${t('device.accessWords')}</p>
    <ul class="parts">${data?.tokens.map(row)}</ul>
    <${Outcome} action=${action} />
    ${token !== '' && html`<${NewToken} token=${token} onClose=${() => setToken('')} />`}
  </${Card}>`;
}
