/** The page that a payer's phone opens from the QR code: one amount and two buttons; it works without its script. */

import { randomBytes } from 'node:crypto';
import { LANGUAGES, type Language, LOCALES } from '../../../drivers/lib/languages.ts';
import { escaped } from '../../../drivers/lib/text.ts';
import type { SandboxPayment } from './payment.ts';
import { WORDS, type Words } from './words.ts';

export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const SYMBOLS = {
  paid: '<path d="M28 51l15 15 30-32"/>',
  declined: '<path d="M34 34l32 32M66 34L34 66"/>',
  processing: '<path d="M50 28v24l14 12"/>',
  cancelled: '<path d="M34 34l32 32M66 34L34 66"/>',
  expired: '<path d="M50 28v24l14 12"/>',
  unknown: '<path d="M38 40c0-16 25-16 25 0 0 11-13 10-13 21M50 73v1"/>',
} as const;

const STYLE = `
:root{color-scheme:light dark;--ground:#f3f5f8;--card:#fff;--ink:#10151c;--soft:#5b6675;--line:#d9dfe7;--go:#0f7b4b;--stop:#b3261e;--wait:#8a5a00;--pay:#0f7b4b}
@media(prefers-color-scheme:dark){:root{--ground:#0e1217;--card:#181e26;--ink:#f2f5f8;--soft:#a3afbd;--line:#333d49;--go:#3cc98a;--stop:#f0776f;--wait:#e0a63f}}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;min-height:100svh;display:flex;flex-direction:column;max-width:30rem;margin:0 auto;padding:1.25rem;background:var(--ground);color:var(--ink);font:400 1.0625rem/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
header{display:flex;flex-direction:column;align-items:center;gap:.15rem;text-align:center;color:var(--soft);font-size:.9375rem;text-wrap:balance}
header b{color:var(--ink);font-size:1.0625rem}
.test{padding:.15rem .7rem;border-radius:.4rem;background:#ffd400;color:#10151c}
nav{display:flex;gap:.25rem;margin-bottom:.25rem}
nav a{display:grid;place-items:center;min-width:2.75rem;min-height:2.75rem;color:var(--ink)}
nav [aria-current]{font-weight:700;text-decoration:none}
#note{min-height:1.45em;color:var(--stop)}
main{flex:1;display:flex;flex-direction:column;justify-content:center;gap:.5rem;text-align:center;padding:1.5rem 0}
.card{background:var(--card);border:1px solid var(--line);border-radius:1.25rem;padding:2.25rem 1.25rem}
h1{font-size:1.75rem;line-height:1.2;margin-bottom:.5rem}
h1.label{font-size:1.25rem;font-weight:500;margin:0}
.label{color:var(--soft)}
.amount{font-size:clamp(2.25rem,13vw,3.5rem);line-height:1.15;font-weight:700;letter-spacing:-.02em;font-variant-numeric:tabular-nums;white-space:nowrap}
.long{font-size:clamp(1.75rem,9.5vw,2.75rem)}
.untaken .amount{font-size:1.5rem;font-weight:500;color:var(--soft)}
.purpose{margin-top:.75rem;overflow-wrap:anywhere}
.more{margin-top:.75rem;color:var(--soft);text-wrap:balance}
.symbol{width:7rem;height:7rem;margin:0 auto 1rem;border-radius:50%;background:currentColor}
.symbol path{fill:none;stroke:var(--card);stroke-width:8;stroke-linecap:round;stroke-linejoin:round}
.paid{color:var(--go)}.declined{color:var(--stop)}.processing,.cancelled,.expired,.unknown{color:var(--wait)}
footer{display:grid;gap:.75rem;text-align:center}
button{width:100%;min-height:3.25rem;border-radius:1rem;font:inherit;font-weight:600;cursor:pointer;touch-action:manipulation}
.pay{min-height:4.25rem;border:0;background:var(--pay);color:#fff;font-size:1.375rem}
.no{border:1px solid var(--line);background:transparent;color:var(--stop)}
button:active{filter:brightness(.88)}
:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
`;

/** How often an open page asks whether the payment has ended. */
const ASK_MS = 2000;
const ANSWER_MS = 5000;

/**
 * Script of the page, which works without it, but then shows the end only after a press. While the page is visible, the
 * script asks for the state, and reloads the page when it changes.
 */
const PAY_SCRIPT = `
const { state, id, lost } = document.body.dataset;
const left = document.getElementById('left');
const note = document.getElementById('note');
const ask = async () => {
  if (!document.hidden) {
    try {
      const answer = await fetch(location.pathname + '/state' + location.search, { signal: AbortSignal.timeout(${ANSWER_MS}) });
      const now = await answer.json();
      if (now.state !== state || now.id !== id) return location.reload();
      if (left !== null && left.textContent !== now.left) left.textContent = now.left;
      note.textContent = '';
    } catch {
      note.textContent = lost;
    }
  }
  setTimeout(ask, ${ASK_MS});
};
setTimeout(ask, ${ASK_MS});
`;

const RUB = { style: 'currency', currency: 'RUB', currencyDisplay: 'narrowSymbol' } as const;

/** Kopecks as roubles in the pages' form; made from the digits, so that no amount is rounded. */
function roubles(amount: number, language: Language): string {
  const digits = String(amount).padStart(3, '0');
  const decimal = `${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
  return new Intl.NumberFormat(LOCALES[language], RUB).format(decimal);
}

/** Time left, in the largest unit that fits, rounded up: "3 minutes". */
function timeLeft(ms: number, language: Language): string {
  const minutes = Math.ceil(ms / 60_000);
  const [value, unit] =
    minutes <= 120
      ? ([minutes, 'minute'] as const)
      : minutes <= 48 * 60
        ? ([Math.ceil(minutes / 60), 'hour'] as const)
        : ([Math.ceil(minutes / 1440), 'day'] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

const amountHtml = (amount: number, language: Language): string =>
  `<p class="amount${amount >= 100_000_00 ? ' long' : ''}">${escaped(roubles(amount, language))}</p>`;

const purposeHtml = (purpose: string | null): string =>
  purpose === null ? '' : `<p class="purpose">${escaped(purpose)}</p>`;

function openHtml(payment: SandboxPayment, language: Language, texts: Words): string {
  const action = `/sandbox/payments/${encodeURIComponent(payment.qrcId)}`;
  const asked = `?lang=${language}`;
  return `<main><div class="card"><h1 class="label">${texts.toPay}</h1>
${amountHtml(payment.amount, language)}${purposeHtml(payment.purpose)}</div>
<p class="label">${texts.validFor} <span id="left">${escaped(timeLeft(payment.remainingMs, language))}</span></p></main>
<footer><form method="post" action="${action}/pay${asked}"><button class="pay">${texts.pay} ${escaped(roubles(payment.amount, language))}</button></form>
<form method="post" action="${action}/decline${asked}"><button class="no">${texts.decline}</button></form></footer>`;
}

function endHtml(outcome: keyof typeof SYMBOLS, payment: SandboxPayment | null, language: Language): string {
  const texts = WORDS[language];
  const about = payment === null ? '' : amountHtml(payment.amount, language) + purposeHtml(payment.purpose);
  return `<main><div role="status" class="card${outcome === 'paid' ? '' : ' untaken'}"><svg class="symbol ${outcome}" viewBox="0 0 100 100" aria-hidden="true">${SYMBOLS[outcome]}</svg>
<h1 class="${outcome}">${texts[outcome]}</h1>${about}<p class="more">${texts[`${outcome}More`]}</p></div></main>`;
}

function securityHeaders(nonce: string, language: Language): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    vary: 'Accept-Language',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    'x-content-type-options': 'nosniff',
    // 'no-referrer' would make the browser send its forms with `Origin: null`
    'referrer-policy': 'same-origin',
  };
}

/** The state that an open page asks for, to see whether the payment has changed. */
export interface PageState {
  readonly state: SandboxPayment['state'] | 'unknown';
  /** Id of the payment: a till's static code leads to one payment after another. */
  readonly id: string;
  readonly left: string;
}

export const pageState = (payment: SandboxPayment | null, language: Language): PageState => ({
  state: payment?.state ?? 'unknown',
  id: payment?.qrcId ?? '',
  left: payment === null ? '' : timeLeft(payment.remainingMs, language),
});

/** The link to the other language. */
const ways = (language: Language, texts: Words): string =>
  `<nav aria-label="${texts.language}">${LANGUAGES.map(
    (name) =>
      `<a href="?lang=${name}" lang="${name}" hreflang="${name}"${name === language ? ' aria-current="true"' : ''}>${name.toUpperCase()}</a>`,
  ).join('')}</nav>`;

/** @param payment null where the link names no payment */
export function payPage(payment: SandboxPayment | null, language: Language): Page {
  const texts = WORDS[language];
  const nonce = randomBytes(16).toString('base64url');
  const { state, id } = pageState(payment, language);
  const isOpen = state === 'open' || state === 'processing';
  const content =
    payment !== null && state === 'open'
      ? openHtml(payment, language, texts)
      : endHtml(state === 'open' ? 'unknown' : state, payment, language);
  const live = isOpen ? `<p id="note" role="status"></p><script nonce="${nonce}">${PAY_SCRIPT}</script>` : '';
  const html = `<!doctype html>
<html lang="${language}" translate="no"><head><meta charset="utf-8"><meta name="google" content="notranslate"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${state === 'open' ? texts.toPay : texts[state]} · ${texts.bank}</title>
<link rel="icon" href="data:,"><style nonce="${nonce}">${STYLE}</style></head>
<body data-state="${state}" data-id="${escaped(id)}" data-lost="${texts.lost}"><header>${ways(language, texts)}<b>${texts.bank}</b><span class="test"><strong>${texts.test}</strong> ${texts.play}</span></header>
${content}${live}</body></html>`;
  return { html, headers: securityHeaders(nonce, language) };
}
