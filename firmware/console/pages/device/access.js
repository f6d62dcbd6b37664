/** The tokens of callers from the network: which there are, and new ones, each shown once. */
import { html, useState } from '/console/assets/preact.js';
import { ask, wordsOf } from '../app/api.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { Button, Outcome, useAction } from '../parts/action.js';
import { Copy } from '../parts/copy.js';
import { Dialog, Question } from '../parts/dialog.js';
import { Card } from '../parts/parts.js';
import { TokenCode } from './token-code.js';

/** @typedef {'till' | 'technician'} Role */
/** @typedef {{role: Role, made: boolean, configured: boolean}} Kept */
/** @typedef {{role: Role, action: 'make' | 'take'}} Wanted */

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

/** @param {{kept: Kept, onWant: (wanted: Wanted) => void}} properties */
function Row({ kept: { role, made, configured }, onWant }) {
  const { t } = useWords();
  const state = [made ? t('device.made') : '', configured ? t('device.configured') : ''].filter(
    (words) => words !== '',
  );
  return html`<li>
    <span class="part">${t(`device.role.${role}`)}</span>
    <span class="soft">${state.length === 0 ? t('device.noToken') : state.join(', ')}</span>
    <span class="buttons">
      <${Button} onClick=${() => onWant({ role, action: 'make' })}>${made ? t('device.replaceToken') : t('device.newToken')}</${Button}>
      ${made && html`<${Button} onClick=${() => onWant({ role, action: 'take' })}>${t('device.takeBack')}</${Button}>`}
    </span>
  </li>`;
}

export function Access() {
  const words = useWords();
  const { t } = words;
  /** @type {import('../app/fetched.js').Fetched<{tokens: readonly Kept[]}>} */
  const { data, error, again } = useFetched('/console/api/tokens');
  const [wanted, setWanted] = useState(/** @type {Wanted | null} */ (null));
  const [token, setToken] = useState('');
  const { action, run } = useAction();
  /** @param {Wanted} what */
  const carryOut = async ({ role, action: what }) => {
    setWanted(null);
    await run(async () => {
      const path = `/console/api/tokens/${role}`;
      if (what === 'take') await ask(path, { method: 'DELETE' });
      else {
        /** @type {{token: string}} */
        const made = await ask(path, { method: 'PUT', json: {} });
        setToken(made.token);
      }
    });
    void again();
  };
  /** A first token takes nothing from anybody. @param {Wanted} next */
  const want = (next) => {
    const isFirst = next.action === 'make' && !data?.tokens.some(({ role, made }) => role === next.role && made);
    return isFirst ? carryOut(next) : setWanted(next);
  };
  return html`<${Card} id="access" title=${t('device.access')}>
    <p class="soft">${t('device.accessWords')}</p>
    ${error !== null && html`<p class="problem" role="alert">${wordsOf(words, error)}</p>`}
    <ul class="parts">${data?.tokens.map((kept) => html`<${Row} key=${kept.role} kept=${kept} onWant=${want} />`)}</ul>
    <${Outcome} action=${action} />
    ${
      wanted !== null &&
      html`<${Question}
        title=${t(wanted.action === 'make' ? 'device.tokenSure' : 'device.backSure', { role: t(`device.role.${wanted.role}`) })}
        yes=${t(wanted.action === 'make' ? 'device.replaceToken' : 'device.takeBack')}
        kind="danger"
        onYes=${() => carryOut(wanted)}
        onClose=${() => setWanted(null)}
      ><p>${t('device.tokenSureWords')}</p></${Question}>`
    }
    ${token !== '' && html`<${NewToken} token=${token} onClose=${() => setToken('')} />`}
  </${Card}>`;
}
