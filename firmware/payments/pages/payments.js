/** The page of payments: the search and its list, and by their addresses one payment, the totals of a day, shifts, a bank's file beside the ledger. @import { Route } from '../../core/pages/app/route.js' */
import { html } from '/console/assets/preact.js';
import { Closed } from '../../core/pages/app/closed.js';
import { useDevice } from '../../core/pages/app/device.js';
import { featurePage, pagesAt } from '../../core/pages/app/feature-pages.js';
import { t, useWords } from '../../core/pages/app/language.js';
import { hrefOf } from '../../core/pages/app/route.js';
import { useClosed, useSees, useSession } from '../../core/pages/app/session.js';
import { Problem } from '../../core/pages/parts/parts.js';
import { useDay } from './day.js';
import { Finder, isOfAllDays, readingsOf } from './finder.js';
import { List } from './list.js';
import { PaymentView } from './payment.js';
import { Shifts, ShiftView } from './shifts.js';
import { Totals } from './totals.js';

/** All but one payment, which is named by its id. */
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

/** Nothing was found on this day: it may be of another. @param {{query: URLSearchParams, day: string}} properties */
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
  const ways = html`<p class="line links">
    ${seesTotals && html`<a href=${hrefOf('payments', ['totals'], sought)}>${t('totals.title')}</a>`}
    ${seesShifts && html`<a href=${hrefOf('payments', ['shifts'])}>${t('shift.title')}</a>`}
    ${ofFeatures.map(({ name, link }) => html`<a key=${name} href=${hrefOf('payments', [name], sought)}>${link && t(link)}</a>`)}
  </p>`;
  return html`
    <${Problem} error=${error} />
    ${late > 0 && html`<a class="advice" href=${hrefOf('payments', [], { late: 'true' })}>${t('late.link', { n: late })}</a>`}
    ${withoutReceipt > 0 && html`<a class="advice" href=${hrefOf('payments', [], { receipt: 'missing' })}>${t('receipt.link', { n: withoutReceipt })}</a>`}
    <${Finder} query=${query} day=${day} today=${today} profiles=${profiles} />
    ${day !== '' && html`<${List} id="list" title=${t('list.title')} aside=${ways} searches=${searchesOf(query, day)} query=${query} revision=${revision} none=${html`<${NoneOfDay} query=${query} day=${day} />`} />`}
  `;
}

/** @param {{route: Route}} properties */
export function Payments({ route }) {
  const { path, query } = route;
  const { state } = useDevice();
  const revision = JSON.stringify([state?.recent, state?.lateCount]);
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
    return html`<${PaymentView} key=${part} id=${part} isReceiptSought=${query.has('receipt')} revision=${revision} back=${back} />`;
  if (who !== null) return html`<${Closed} who=${who} />`;
  if (view === 'totals') return html`<${Totals} query=${query} revision=${revision} back=${back} />`;
  if (view === 'shifts')
    return id === undefined
      ? html`<${Shifts} query=${query} revision=${revision} back=${back} />`
      : html`<${ShiftView} key=${id} id=${id} revision=${revision} />`;
  const own = featurePage(view);
  if (own === undefined) return null;
  const toView = html`<a href=${hrefOf('payments', [view], sought)}>${own.link && t(own.link)}</a>`;
  // a payment that is opened from it leaves it as it is
  return html`<div hidden=${id !== undefined}><${own.View} route=${route} revision=${revision} back=${back} /></div>
    ${id !== undefined && html`<${PaymentView} key=${id} id=${id} revision=${revision} back=${toView} />`}`;
}
