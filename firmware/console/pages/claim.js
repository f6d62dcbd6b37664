/** Makes the technician's token with the code that the display shows, typed or in the link that a phone has photographed. */
import { problemWith, request } from './call.js';
import { copyButton } from './copy.js';
import { part, setText, tell } from './dom.js';
import { sentence } from './words.js';

const LIMIT_MS = 10_000;

const form = part(document, '#claim form');
const code = part(form, '[name=code]', HTMLInputElement);
const wanted = part(form, '[name=token]', HTMLInputElement);
const button = part(form, 'button', HTMLButtonElement);
const outcome = part(document, '#claim-outcome');
const made = part(document, '#made');
const token = part(made, 'code');
part(made, '.line').append(copyButton(token, 'token'));

/** The code of the link is taken out of the address at once: it shall stay in no history. */
function takeCode() {
  const found = /^#([0-9A-Za-z-]+)/.exec(location.hash)?.[1] ?? null;
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  if (found === null) return;
  code.value = found;
  button.focus();
}

/** Tells the browser the token, so that it asks for none; where it does not take it, it asks. @param {string} secret */
function signIn(secret) {
  const knock = new XMLHttpRequest();
  knock.open('GET', '/v1/tokens', true, 'technician', secret);
  knock.timeout = LIMIT_MS;
  knock.send();
}

/** @param {string} secret */
function show(secret) {
  part(document, '#claim').hidden = true;
  setText(token, secret);
  made.hidden = false;
  code.value = '';
  wanted.value = '';
  signIn(secret);
}

async function claim() {
  const own = wanted.value.trim();
  const body = { code: code.value.trim(), ...(own === '' ? {} : { token: own }) };
  const answer = await request('/v1/claim', { method: 'POST', body, limitMs: LIMIT_MS });
  const told = await answer.json();
  if (answer.ok) show(told.token);
  else tell(outcome, 'bad', sentence(told.detail));
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (code.value.trim() === '') {
    tell(outcome, 'bad', 'Type the code that the display shows.');
    code.focus();
    return;
  }
  button.disabled = true;
  tell(outcome, 'busy', 'Making the token…');
  await claim().catch((error) => tell(outcome, 'bad', problemWith(error)));
  button.disabled = false;
});

addEventListener('hashchange', takeCode);
takeCode();
