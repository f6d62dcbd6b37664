/** The page of payments: those to be looked into, a day with its totals, the list, one payment, a bank's file beside the ledger. @import { Route } from '../app/route.js' @import { Day } from './types.js' */
import { html } from '/console/assets/preact.js';
import { wordsOf } from '../app/api.js';
import { useDevice } from '../app/device.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { useSees } from '../app/session.js';
import { Finder, soughtBy } from './finder.js';
import { List } from './list.js';
import { PaymentView } from './payment.js';
import { Reconcile } from './reconcile.js';
import { Totals } from './totals.js';

/** @param {URLSearchParams} query @param {string} day */
function searchOf(query, day) {
  const sought = soughtBy(query.get('text') ?? '');
  const named = ['state', 'profile'].flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : []));
  // an id is looked for on all days
  const when = 'orderId' in sought ? [] : [['day', day]];
  return new URLSearchParams([...when, ...named, ...Object.entries(sought)]).toString();
}

/** @param {{route: Route}} properties */
export function Payments({ route: { path, query } }) {
  const words = useWords();
  const { state } = useDevice();
  const revision = JSON.stringify([state?.recent, state?.lateCount]);
  const day = query.get('day') ?? '';
  /** @type {import('../app/fetched.js').Fetched<Day>} */
  const totals = useFetched(`/v1/reports/day${day === '' ? '' : `?day=${day}`}`, revision);
  const seesTotals = useSees('payments/totals');
  const mayReconcile = useSees('payments/reconcile');
  const [id] = path;
  if (id !== undefined) return html`<${PaymentView} id=${id} revision=${revision} />`;
  const profiles = [...new Set(totals.data?.profiles.map(({ profile }) => profile))];
  const hasLate = (state?.lateCount ?? 0) > 0;
  const shown = day === '' ? (totals.data?.day ?? '') : day;
  return html`
    ${totals.error !== null && html`<p class="problem" role="alert">${wordsOf(words, totals.error)}</p>`}
    ${hasLate && html`<${List} key="late" id="late" title=${words.t('late.list')} search="late=true" revision=${revision} />`}
    ${seesTotals && totals.data !== null && html`<${Totals} day=${totals.data} />`}
    <${Finder} key=${query.toString()} query=${query} today=${totals.data?.today ?? shown} profiles=${profiles} />
    ${shown !== '' && html`<${List} key="list" id="list" title=${words.t('list.title')} search=${searchOf(query, shown)} revision=${revision} />`}
    ${mayReconcile && html`<${Reconcile} day=${shown} />`}
  `;
}
