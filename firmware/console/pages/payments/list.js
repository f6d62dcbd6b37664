/** Payments of a day, or that fit what is sought, or that somebody must look into; newest first. @import { Page, Payment } from './types.js' */
import { html, useEffect, useState } from '/console/assets/preact.js';
import { ask, wordsOf } from '../app/api.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { hrefOf } from '../app/route.js';
import { useSaid } from '../app/said.js';
import { roubles, time } from '../app/writing.js';
import { Button } from '../parts/deed.js';
import { Card, Chip, Nothing } from '../parts/parts.js';
import { ledgerState } from './ledger-state.js';

const PAGE = 100;

/** @param {{payment: Payment}} properties */
function Row({ payment }) {
  const words = useWords();
  const [key, look] = ledgerState(payment);
  return html`<tr>
    <td><a href=${hrefOf('payments', [payment.id])}><time datetime=${payment.createdAt}>${time(words, payment.createdAt)}</time></a></td>
    <td class="sum">${roubles(words, payment.amount)}</td>
    <td><${Chip} look=${look}>${words.t(key)}</${Chip}>${payment.error !== null && html`<span class="reason">${payment.error}</span>`}</td>
    <td>${payment.purpose ?? ''}${payment.reference !== null && html` <code>${payment.reference}</code>`}</td>
    <td><code>${payment.number}</code></td>
  </tr>`;
}

/** @param {{payments: readonly Payment[], caption: string}} properties */
export function Table({ payments, caption }) {
  const { t } = useWords();
  return html`<div class="scrolled" tabindex="0" role="group" aria-label=${caption}>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('list.time')}</th>
          <th scope="col">${t('list.amount')}</th>
          <th scope="col">${t('list.state')}</th>
          <th scope="col">${t('list.purpose')}</th>
          <th scope="col">${t('list.number')}</th>
        </tr>
      </thead>
      <tbody>${payments.map((payment) => html`<${Row} key=${payment.id} payment=${payment} />`)}</tbody>
    </table>
  </div>`;
}

/** @param {{id: string, title: string, search: string, revision: unknown}} properties `search`: what `GET /v1/payments` is asked */
export function List({ id, title, search, revision }) {
  const words = useWords();
  const path = `/v1/payments?${search}${search === '' ? '' : '&'}limit=${PAGE}`;
  /** @type {import('../app/fetched.js').Fetched<Page>} */
  const first = useFetched(path, revision);
  const [older, setOlder] = useState(
    /** @type {{payments: readonly Payment[], cursor: string | null} | null} */ (null),
  );
  const [problem, setProblem] = useSaid();
  useEffect(() => setOlder(null), [path]);
  const cursor = older === null ? (first.data?.cursor ?? null) : older.cursor;
  const known = new Set(first.data?.payments.map(({ id }) => id));
  const payments = [...(first.data?.payments ?? []), ...(older?.payments ?? []).filter(({ id }) => !known.has(id))];
  const more = async () => {
    try {
      /** @type {Page} */
      const page = await ask(`${path}&cursor=${cursor}`);
      setOlder({ payments: [...(older?.payments ?? []), ...page.payments], cursor: page.cursor });
      setProblem(null);
    } catch (error) {
      setProblem((words) => wordsOf(words, error));
    }
  };
  return html`<${Card} id=${id} title=${title}>
    ${first.error !== null && html`<p class="problem" role="alert">${wordsOf(words, first.error)}</p>`}
    ${first.data !== null && payments.length === 0 && html`<${Nothing}>${words.t('list.none')}</${Nothing}>`}
    ${payments.length > 0 && html`<${Table} payments=${payments} caption=${title} />`}
    ${problem !== '' && html`<p class="problem" role="alert">${problem}</p>`}
    ${cursor !== null && html`<${Button} onClick=${more}>${words.t('list.more')}</${Button}>`}
  </${Card}>`;
}
