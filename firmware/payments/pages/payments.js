/**
 * The page of payments: the search and its list, and by their addresses one payment, the totals of a day, shifts, a
 * bank's file beside the ledger. What is sought stands in the address, so that the list outlives a reload and can be
 * sent to somebody.
 * @import { Fetched } from '../../core/pages/app/fetched.js'
 * @import { Route } from '../../core/pages/app/route.js'
 * @import { Page, Payment } from './types.js'
 */

import { LIMITS } from '/console/assets/limits.js';
import { html, useEffect, useState } from '/console/assets/preact.js';
import { ask } from '../../core/pages/app/api.js';
import { useDevice } from '../../core/pages/app/device.js';
import { featurePage, pagesAt } from '../../core/pages/app/feature-pages.js';
import { useFetched } from '../../core/pages/app/fetched.js';
import { number, roubles, t, time, useWords } from '../../core/pages/app/language.js';
import { hrefOf } from '../../core/pages/app/route.js';
import { useClosed, useSees, useSession } from '../../core/pages/app/session.js';
import { parseRoubles } from '../../core/pages/parts/amount.js';
import { Button, Card, Chip, Choice, Form, Nothing, Problem, TextField } from '../../core/pages/parts/parts.js';
import { Closed } from '../../core/pages/shell/sign-in.js';
import { PaymentView } from './payment.js';
import { ledgerState } from './payment-state.js';
import { Shifts, ShiftView } from './shifts.js';
import { DayField, seek, Totals, useDay, useSales } from './totals.js';

const STATES = /** @type {const} */ (['PENDING', 'ACCEPTED', 'REJECTED', 'CANCELED', 'ERROR', 'STATIC']);
const METHODS = /** @type {const} */ (['sbp', 'digital-rouble', 'card', 'bank-service', 'unknown']);
const NUMBER = /^[1-9]\d{0,14}$/;
/** How people write roubles behind an amount. */
const ROUBLES = /\s*(?:₽|руб\.?|р\.?|rub)$/i;
/** The beginning of the payment system's links: a pasted link is searched for by the id that follows. */
const LINK = /^https:\/\/qr\.nspk\.ru\/([A-Z0-9]+)/;
const IDS = ['reference', 'orderId', 'qrcId', 'trxId'];

/**
 * Each reading that a text can have: digits are an amount, a payment's number and the number of a receipt.
 * @param {string} text @returns {Record<string, string>[]} parameters of `GET /v1/payments`
 */
function readingsOf(text) {
  const trimmed = text.trim();
  const plain = LINK.exec(trimmed)?.[1] ?? trimmed;
  if (plain === '') return [{}];
  const read = parseRoubles(plain.replace(ROUBLES, ''));
  return [
    { text: plain },
    ...('kopecks' in read ? [{ amount: String(read.kopecks) }] : []),
    ...(NUMBER.test(plain) ? [{ number: plain }] : []),
    ...IDS.map((name) => ({ [name]: plain })),
  ];
}

/**
 * Text that is typed and not searched for yet is stored in the browser's history: a reload and the way back restore it.
 * @param {string} sought @returns {[string, (text: string) => void]}
 */
function useTyped(sought) {
  const here = () => String(history.state?.typed ?? sought);
  const [text, setText] = useState(here);
  useEffect(() => setText(here()), [sought]);
  return [
    text,
    (typed) => {
      history.replaceState({ typed }, '');
      setText(typed);
    },
  ];
}

/** Whether payments of all days are searched. @param {URLSearchParams} query */
const isOfAllDays = (query) => query.get('days') === 'all';

/** @param {{query: URLSearchParams, day: string, today: string, profiles: readonly string[]}} properties */
export function Finder({ query, day, today, profiles }) {
  const [text, setText] = useTyped(query.get('text') ?? '');
  /** @param {Readonly<Record<string, string>>} [changed] */
  const find = (changed = {}) => {
    history.replaceState(null, '');
    seek({ text, ...changed });
  };
  const any = ['', t('find.any')];
  return html`<search id="find">
    <${Form} class="seek" onSubmit=${() => find()}>
      <${TextField} id="text" label=${t('find.text')} help=${t('find.textHelp')}
        type="search" most=${LIMITS.soughtPayment} value=${text} onText=${setText} />
      <${Button} type="submit">${t('find.find')}</${Button}>
      <${DayField} day=${isOfAllDays(query) ? '' : day} today=${today} onDay=${(/** @type {string} */ day) => find({ day, days: '' })} />
      <${Button} pressed=${isOfAllDays(query)} onClick=${() => find({ days: isOfAllDays(query) ? '' : 'all' })}>${t('find.allDays')}</${Button}>
      <${Choice} id="state" label=${t('find.state')} value=${query.get('state') ?? ''} onChoose=${(/** @type {string} */ state) => find({ state })}
        options=${[any, ...STATES.map((state) => [state, t(`payment.${state}`)])]} />
      <${Choice} id="method" label=${t('find.method')} value=${query.get('method') ?? ''} onChoose=${(/** @type {string} */ method) => find({ method })}
        options=${[any, ...METHODS.map((method) => [method, t(`method.${method}`)])]} />
      ${
        profiles.length > 1 &&
        html`<${Choice} id="profile" label=${t('find.profile')} value=${query.get('profile') ?? ''} onChoose=${(/** @type {string} */ profile) => find({ profile })}
          options=${[any, ...profiles.map((profile) => [profile, profile])]} />`
      }
    </${Form}>
  </search>`;
}

const PAGE = 100;
/** How many pages more are read where pages come short: enough for some hundred thousand payments. */
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

/** Number and sums of the listed payments. @param {{payments: readonly Payment[], isAll: boolean}} properties */
function Sums({ payments, isAll }) {
  const paid = payments.filter(({ state }) => state === 'ACCEPTED');
  const sumOf = (/** @type {'amount' | 'refunded'} */ what) => paid.reduce((sum, payment) => sum + payment[what], 0);
  const n = payments.length;
  const back = sumOf('refunded');
  return html`<p class="sums-of">
    ${t(isAll ? 'list.count' : 'list.first', { n, count: number(n) })}: ${t('list.paid', { sum: roubles(sumOf('amount')) })}${back > 0 && `, ${t('list.back', { sum: roubles(back) })}`}
  </p>`;
}

/**
 * @param {string} path
 * @param {number} pages
 * @returns {Promise<Page>} the first pages as one
 * @throws {import('../../core/pages/app/api.js').CallError}
 */
async function firstPages(path, pages) {
  /** @type {Page} */
  let { payments, cursor } = await ask(path);
  // a page is short where the device has read as many payments as it does in one call
  const most = pages * PAGE;
  for (let reads = 1; payments.length < most && reads < pages + MOST_SHORT && cursor !== null; reads++) {
    /** @type {Page} */
    const next = await ask(`${path}&cursor=${cursor}`);
    payments = [...payments, ...next.payments];
    cursor = next.cursor;
  }
  return { payments, cursor };
}

/**
 * @param {readonly string[]} paths @param {number} pages of each @returns {Promise<Page>} all that is found, each once
 * @throws {import('../../core/pages/app/api.js').CallError}
 */
async function foundAt(paths, pages) {
  const found = await Promise.all(paths.map((path) => firstPages(path, pages)));
  const byNumber = new Map(found.flatMap(({ payments }) => payments).map((payment) => [payment.number, payment]));
  const payments = [...byNumber.values()].sort((one, other) => other.number - one.number);
  return { payments, cursor: found.map(({ cursor }) => cursor).find((cursor) => cursor !== null) ?? null };
}

/**
 * A list of payments: of a day, of a search, or those that somebody must look into; newest first.
 * @param {{id: string, title: string, aside: unknown, searches: readonly string[], query: URLSearchParams,
 * revision: unknown, none?: unknown}} properties `none`: shown where none is found; `searches`: the queries of
 * `GET /v1/payments`; `query`: of the address, to which the view of a payment leads back
 */
function List({
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
  /** @type {Fetched<Page>} */
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

/** Names of the views beside that of one payment, whose address has the payment's id. */
const views = () => ['totals', 'shifts', ...pagesAt('payments').map(({ name }) => name)];

/** @param {URLSearchParams} query @param {string} day */
function searchesOf(query, day) {
  const named = ['state', 'method', 'profile'].flatMap((name) =>
    query.get(name) ? [[name, query.get(name) ?? '']] : [],
  );
  return readingsOf(query.get('text') ?? '').map((sought) => {
    // an id is looked for on all days
    const isOfDay = !isOfAllDays(query) && Object.keys(sought).every((name) => name === 'amount' || name === 'text');
    return new URLSearchParams([...(isOfDay ? [['day', day]] : []), ...named, ...Object.entries(sought)]).toString();
  });
}

/** Nothing was found on this day: leads to a search of all days. @param {{query: URLSearchParams, day: string}} properties */
function NoneOfDay({ query, day }) {
  const { locale } = useWords();
  if (isOfAllDays(query)) return html`<p class="nothing">${t('list.none')}</p>`;
  const named = new Date(`${day}T12:00:00`).toLocaleDateString(locale, { day: 'numeric', month: 'long' });
  const all = { ...Object.fromEntries(query), days: 'all' };
  return html`<p class="nothing">${t('list.noneOn', { day: named })} <a href=${hrefOf('payments', [], all)}>${t('list.allDays')}</a></p>`;
}

/** @param {{query: URLSearchParams, revision: unknown}} properties */
function Found({ query, revision }) {
  const { state } = useDevice();
  const { day, today, totals, error } = useDay(query, revision);
  const late = state?.lateCount ?? 0;
  const withoutReceipt = totals?.totals.withoutReceipt.count ?? 0;
  const profiles = [...new Set(totals?.profiles.map(({ profile }) => profile))];
  const sought = Object.fromEntries(query);
  const seesTotals = useSees('payments/totals');
  const seesShifts = useSees('payments/shifts');
  const session = useSession();
  const ofFeatures = pagesAt('payments').filter(({ name }) => session?.closed[`payments/${name}`] === undefined);
  const links = html`<p class="line links">
    ${seesTotals && html`<a href=${hrefOf('payments', ['totals'], sought)}>${t('totals.title')}</a>`}
    ${seesShifts && html`<a href=${hrefOf('payments', ['shifts'])}>${t('shift.title')}</a>`}
    ${ofFeatures.map(({ name, link }) => html`<a key=${name} href=${hrefOf('payments', [name], sought)}>${link && t(link)}</a>`)}
  </p>`;
  return html`
    <${Problem} error=${error} />
    ${late > 0 && html`<a class="advice" href=${hrefOf('payments', [], { late: 'true' })}>${t('late.link', { n: late })}</a>`}
    ${withoutReceipt > 0 && html`<a class="advice" href=${hrefOf('payments', [], { receipt: 'missing' })}>${t('receipt.link', { n: withoutReceipt })}</a>`}
    <${Finder} query=${query} day=${day} today=${today} profiles=${profiles} />
    ${day !== '' && html`<${List} id="list" title=${t('list.title')} aside=${links} searches=${searchesOf(query, day)} query=${query} revision=${revision} none=${html`<${NoneOfDay} query=${query} day=${day} />`} />`}
  `;
}

/** @param {{route: Route}} properties */
export function Payments({ route }) {
  const { path, query } = route;
  const { state } = useDevice();
  const revision = useSales();
  // the view of one payment also shows what is not in the ledger, such as whether its code is on the display
  const ofPayment = JSON.stringify(state?.recent.map(({ leftMs: _, ...payment }) => payment));
  const [part, id] = path;
  const view = views().find((name) => name === part);
  const who = useClosed(view === undefined ? 'payments' : `payments/${view}`);
  const sought = Object.fromEntries(query);
  const back = html`<a href=${hrefOf('payments', [], sought)}>${t('payment.all')}</a>`;
  const toAll = html`<a href=${hrefOf('payments')}>${t('payment.all')}</a>`;
  if (part === undefined && query.has('late'))
    return html`<${List} id="late" title=${t('late.list')} aside=${toAll} searches=${['late=true']} query=${query} revision=${revision} />`;
  if (part === undefined && query.has('receipt'))
    return html`<${List} id="without-receipt" title=${t('totals.withoutReceipt')} aside=${toAll} searches=${['receipt=missing']} query=${query} revision=${revision} />`;
  if (part === undefined) return html`<${Found} query=${query} revision=${revision} />`;
  if (view === undefined)
    return html`<${PaymentView} key=${part} id=${part} isReceiptSought=${query.has('receipt')} revision=${ofPayment} back=${back} />`;
  if (who !== null) return html`<${Closed} who=${who} />`;
  if (view === 'totals') return html`<${Totals} query=${query} revision=${revision} back=${back} />`;
  if (view === 'shifts')
    return id === undefined
      ? html`<${Shifts} query=${query} revision=${revision} back=${back} />`
      : html`<${ShiftView} key=${id} id=${id} revision=${revision} />`;
  const own = featurePage(view);
  if (own === undefined) return null;
  const toView = html`<a href=${hrefOf('payments', [view], sought)}>${own.link && t(own.link)}</a>`;
  // the view stays in place, hidden, while a payment is opened from it
  return html`<div hidden=${id !== undefined}><${own.View} route=${route} revision=${revision} back=${back} /></div>
    ${id !== undefined && html`<${PaymentView} key=${id} id=${id} revision=${ofPayment} back=${toView} />`}`;
}
