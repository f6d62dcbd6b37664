/** Payments of a day, or that fit what is sought, or that somebody must look into; newest first. @import { Page, Payment } from './types.js' */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../core/pages/app/api.js';
import { useFetched } from '../../core/pages/app/fetched.js';
import { number, roubles, t, time } from '../../core/pages/app/language.js';
import { ledgerState } from '../../core/pages/app/payment-state.js';
import { hrefOf } from '../../core/pages/app/route.js';
import { Button, Card, Chip, Nothing } from '../../core/pages/parts/parts.js';

const PAGE = 100;
/** Pages that hold less than they might, in a row: of some hundred thousand payments. */
const MOST_SHORT = 30;

/** The whole row opens its payment. @param {{payment: Payment, query: URLSearchParams}} properties */
function Row({ payment, query }) {
  const { id, createdAt, amount, purpose, reference, cashier } = payment;
  const [key, look] = ledgerState(payment);
  return html`<li>
    <a href=${hrefOf('payments', [id], Object.fromEntries(query))}>
      <time datetime=${createdAt}>${time(createdAt)}</time>
      <span class="sum">${roubles(amount)}</span>
      <${Chip} look=${look}>${t(key)}</${Chip}>
      <span class="what">${[purpose, reference, cashier].filter((part) => part !== null).join(' · ')}</span>
    </a>
  </li>`;
}

/** What they come to: of those that are listed. @param {{payments: readonly Payment[], isAll: boolean}} properties */
function Sums({ payments, isAll }) {
  const paid = payments.filter(({ state }) => state === 'ACCEPTED');
  const sumOf = (/** @type {'amount' | 'refunded'} */ what) => paid.reduce((sum, payment) => sum + payment[what], 0);
  const n = payments.length;
  const back = sumOf('refunded');
  return html`<p class="sums-of">
    ${t(isAll ? 'list.count' : 'list.first', { n, count: number(n) })}: ${t('list.paid', { sum: roubles(sumOf('amount')) })}${back > 0 && `, ${t('list.back', { sum: roubles(back) })}`}
  </p>`;
}

/** @param {string} path @param {number} pages @returns {Promise<Page>} as if they were one @throws {import('../../core/pages/app/api.js').CallError} */
async function firstPages(path, pages) {
  /** @type {Page} */
  let { payments, cursor } = await ask(path);
  // a page may be short where the device has looked at as many as it does at once
  const most = pages * PAGE;
  for (let looks = 1; payments.length < most && looks < pages + MOST_SHORT && cursor !== null; looks++) {
    /** @type {Page} */
    const next = await ask(`${path}&cursor=${cursor}`);
    payments = [...payments, ...next.payments];
    cursor = next.cursor;
  }
  return { payments, cursor };
}

/** @param {readonly string[]} paths @param {number} pages of each @returns {Promise<Page>} all that is found, each once @throws {import('../../core/pages/app/api.js').CallError} */
async function foundAt(paths, pages) {
  const found = await Promise.all(paths.map((path) => firstPages(path, pages)));
  const byNumber = new Map(found.flatMap(({ payments }) => payments).map((payment) => [payment.number, payment]));
  const payments = [...byNumber.values()].sort((one, other) => other.number - one.number);
  return { payments, cursor: found.map(({ cursor }) => cursor).find((cursor) => cursor !== null) ?? null };
}

/** @param {{id: string, title: string, aside: unknown, searches: readonly string[], query: URLSearchParams, revision: unknown, none?: unknown}} properties `none`: what is said where none is found; `searches`: what `GET /v1/payments` is asked; `query`: of the address, to which a payment leads back */
export function List({
  id,
  title,
  aside,
  searches,
  query,
  revision,
  none = html`<${Nothing}>${t('list.none')}</${Nothing}>`,
}) {
  const paths = searches.map((search) => `/v1/payments?${search}&limit=${PAGE}`);
  const path = paths.join(' ');
  const [wanted, setWanted] = useState({ path, pages: 1 });
  const pages = wanted.path === path ? wanted.pages : 1;
  // all that is shown is asked for again: a new payment moves the edge of each page
  /** @type {import('../../core/pages/app/fetched.js').Fetched<Page>} */
  const { data, error, isWaiting, again } = useFetched(path, `${revision} ${pages}`, () => foundAt(paths, pages));
  const payments = data?.payments ?? [];
  const more = () => (error === null ? setWanted({ path, pages: pages + 1 }) : again());
  return html`<${Card} id=${id} title=${title} aside=${aside} error=${error}>
    ${data !== null && payments.length === 0 && none}
    ${data !== null && payments.length > 0 && html`<${Sums} payments=${payments} isAll=${data.cursor === null} />`}
    ${payments.length > 0 && html`<ol class="ledger" aria-labelledby="${id}-title">${payments.map((payment) => html`<${Row} key=${payment.id} payment=${payment} query=${query} />`)}</ol>`}
    ${data !== null && data.cursor !== null && html`<${Button} disabled=${isWaiting} onClick=${more}>${t('list.more')}</${Button}>`}
  </${Card}>`;
}
