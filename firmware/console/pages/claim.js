/**
 * The claim page. A person enters the code on the display, or opens its link on a phone, and gets a technician's token
 * or sets a new PIN.
 */
import { html, render, useLayoutEffect, useState } from '/console/assets/preact.js';
import { firstWords, Languages, t, useWords } from '../../core/pages/app/language.js';
import { Copy } from '../../core/pages/parts/copy.js';
import { Card } from '../../core/pages/parts/parts.js';
import { PinForm } from './claim/pin-form.js';
import { TokenForm } from './claim/token-form.js';

/** @param {{token: string}} properties */
function Made({ token }) {
  return html`<${Card} id="made" title=${t('claim.made')}>
    <p class="line"><code id="token" class="token">${token}</code><${Copy} text=${token} of="token" name=${t('claim.token')} /></p>
    <p>${t('claim.keep')}</p>
    <p><a class="button primary" href="/">${t('claim.open')}</a></p>
  </${Card}>`;
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
      ${isPin && html`<${PinForm} />`}
      ${!isPin && token === '' && html`<${TokenForm} onMade=${setToken} />`}
      ${!isPin && token !== '' && html`<${Made} token=${token} />`}
    </main>`;
}

await firstWords;
render(html`<${Page} />`, document.body);
