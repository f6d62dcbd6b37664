/**
 * The result of a reconciliation: the differences, the lanes of a store, what the bank owes, and sums by payment
 * method.
 * @import { Static } from 'typebox'
 * @import { ReconciliationAnswer } from '../routes.ts'
 */
import { html } from '/console/assets/preact.js';
import { nameOf, roubles, t, time } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { Button, Chip } from '../../../core/pages/parts/parts.js';
import { saveDifferences } from './save-differences.js';

/** @typedef {Static<typeof ReconciliationAnswer>} Answer */
/** @typedef {Answer['differences'][number]} Difference */
/** @typedef {Answer['lanes'][number]} LaneTotals */
/** @typedef {NonNullable<Answer['days'][number]['arrival']>} Arrival */

const orDash = (/** @type {number | null} */ kopecks) => (kopecks === null ? '–' : roubles(kopecks));

/** A line of a registry: of any but the first, with the file's number. @param {Difference} difference */
function lineIn({ line, file }) {
  if (line === null) return '';
  return file === null || file === 1 ? line : t('reconcile.lineOfFile', { file, line });
}

/**
 * A difference. Only a payment of this lane has a link: others have no page on this device.
 * @param {{difference: Difference, ownLane: string | undefined, ofStore: boolean, query: URLSearchParams}} properties
 */
function Row({ difference, ownLane, ofStore, query }) {
  const { kind, payment, registry, ledger, operation, lane } = difference;
  const name = payment !== null && html`<code>${payment}</code>`;
  const href = hrefOf('payments', ['reconcile', payment ?? ''], Object.fromEntries(query));
  return html`<tr>
    <td data-label=${t('reconcile.line')}>${lineIn(difference)}</td>
    ${ofStore && html`<td data-label=${t('reconcile.lane')}>${lane ?? '–'}</td>`}
    <td>${lane === ownLane && payment !== null ? html`<a href=${href}>${name}</a>` : name}</td>
    <td class="sum" data-label=${t('reconcile.registry')}>${orDash(registry)}</td>
    <td class="sum" data-label=${t('reconcile.ledger')}>${orDash(ledger)}</td>
    <td>${nameOf('difference', kind)}${operation !== null && html` <q>${operation}</q>`}</td>
  </tr>`;
}

/**
 * Lanes whose payments may be missing; then the agreeing sums and the number of differences by lane.
 * @param {{lanes: readonly LaneTotals[]}} properties
 */
function Lanes({ lanes }) {
  const missing = lanes.filter((lane) => lane.missing);
  const missingInWords = (/** @type {LaneTotals} */ { lane, reportedAt }) =>
    reportedAt === null ? t('reconcile.never', { lane }) : t('reconcile.missing', { lane, time: time(reportedAt) });
  const alert = html`<div class="problem" role="alert">
    ${missing.map((lane) => html`<p key=${lane.lane}>${missingInWords(lane)}</p>`)}
  </div>`;
  return html`${missing.length > 0 && alert}
    <div class="scrolled" tabindex="0" role="group" aria-label=${t('reconcile.lanes')}>
      <table>
        <thead><tr>
          <th scope="col">${t('reconcile.lane')}</th><th scope="col" class="sum">${t('reconcile.taken')}</th>
          <th scope="col" class="sum">${t('reconcile.returned')}</th><th scope="col" class="sum">${t('reconcile.wrong')}</th>
        </tr></thead>
        <tbody>${lanes.map(
          ({ lane, payments, refunds, taken, returned, differences }) => html`<tr key=${lane}>
            <td>${lane}</td>
            <td class="sum">${roubles(taken)} <span class="soft">(${payments})</span></td>
            <td class="sum">${roubles(returned)} <span class="soft">(${refunds})</span></td>
            <td class="sum">${differences}</td>
          </tr>`,
        )}</tbody>
      </table>
    </div>`;
}

const SUMS = /** @type {const} */ (['sum', 'refunds', 'commission', 'payout', 'stated', 'difference']);

/** @type {Readonly<Partial<Record<Arrival['state'], 'good' | 'bad'>>>} */
const LOOKS = { arrived: 'good', missing: 'bad' };

/**
 * Whether a payout has arrived, and the lines of the account that it may be; their purposes where a person must decide.
 * @param {{arrival: Arrival | null}} properties
 */
function ArrivalCell({ arrival }) {
  if (arrival === null) return null;
  const { state, credits } = arrival;
  const isOpen = state === 'unclear';
  return html`<div class="came">
    <${Chip} look=${LOOKS[state] ?? 'open'}>${t(`arrival.${state}`)}</${Chip}>
    ${credits.map(
      ({ line, number, day, purpose }) =>
        html`<p key=${line} class="soft">${t('arrival.line', { line, number, day })}${isOpen && html`<br />${purpose}`}</p>`,
    )}
  </div>`;
}

const SumHeads = () => SUMS.map((name) => html`<th key=${name} scope="col" class="sum">${t(`payout.${name}`)}</th>`);

/** What the bank owes by day; with a statement, whether it has arrived. @param {{answer: Answer}} properties */
function Payouts({ answer: { days, total, timeZone, statement } }) {
  const rows = days.length > 1 ? [...days, { ...total, day: t('payout.total'), arrival: null }] : days;
  return html`<h3 id="payouts">${t('payout.title')} <span class="soft">${timeZone}</span></h3>
    ${statement !== null && html`<p>${t('payout.statement', { from: statement.from ?? '…', to: statement.to ?? '…', n: statement.credits })}</p>`}
    ${statement?.unread.map((fault) => html`<p key=${fault} class="soft">${fault}</p>`)}
    <div class="scrolled" tabindex="0" role="group" aria-labelledby="payouts">
      <table>
        <thead><tr>
          <th scope="col">${t('find.day')}</th>
          ${statement !== null && html`<th scope="col">${t('payout.account')}</th>`}
          <${SumHeads} />
        </tr></thead>
        <tbody>${rows.map(
          (payout, index) => html`<tr key=${index}>
            <td>${payout.day ?? '–'}</td>
            ${statement !== null && html`<td><${ArrivalCell} arrival=${payout.arrival} /></td>`}
            ${SUMS.map((name) => html`<td key=${name} class="sum">${orDash(payout[name])}</td>`)}
          </tr>`,
        )}</tbody>
      </table>
    </div>`;
}

/** Sums and fees by payment method. @param {{methods: Answer['methods']}} properties */
function Methods({ methods }) {
  return html`<h3 id="methods">${t('reconcile.methods')}</h3>
    <div class="scrolled" tabindex="0" role="group" aria-labelledby="methods">
      <table>
        <thead><tr><th scope="col">${t('reconcile.column.method')}</th><${SumHeads} /></tr></thead>
        <tbody>${methods.map(
          (sums) => html`<tr key=${sums.method}>
            <td>${nameOf('method', sums.method)} <span class="soft">(${sums.count})</span></td>
            ${SUMS.map((name) => html`<td key=${name} class="sum">${orDash(sums[name])}</td>`)}
          </tr>`,
        )}</tbody>
      </table>
    </div>`;
}

/**
 * The sum of the absolute differences.
 * @param {readonly Difference[]} differences @returns kopecks
 */
const sumOf = (differences) =>
  differences.reduce((sum, { registry, ledger }) => sum + Math.abs((registry ?? 0) - (ledger ?? 0)), 0);

/** @param {{answer: Answer, query: URLSearchParams}} properties */
export function Result({ answer, query }) {
  const { payments, refunds, differences, more, tests, lanes, master } = answer;
  const ofStore = lanes.length > 1;
  const ownLane = lanes[0]?.lane; // the answer lists this device first
  const save = () => saveDifferences(differences, { withLanes: ofStore });
  return html`<p class="line" role="status">
      <${Chip} look=${differences.length === 0 ? 'good' : 'open'}>${t('reconcile.differences', { n: differences.length + more })}</${Chip}>
      <span>${t('reconcile.agree', { payments, refunds })}</span>
      ${differences.length > 0 && more === 0 && html`<span>${t('reconcile.sum', { sum: roubles(sumOf(differences)) })}</span>`}
    </p>
    ${differences.length > 0 && html`<p class="buttons"><${Button} onClick=${save}>${t('reconcile.save')}</${Button}></p>`}
    ${tests.count > 0 && html`<p>${t('reconcile.tests', { n: tests.count, sum: roubles(tests.sum) })}</p>`}
    ${master !== null && html`<p>${t('reconcile.master', { master })}</p>`}
    ${ofStore && html`<${Lanes} lanes=${lanes} />`}
    ${
      differences.length > 0 &&
      html`<div class="scrolled" tabindex="0" role="group" aria-label=${t('reconcile.title')}>
        <table class="differences">
          <thead><tr>
            <th scope="col">${t('reconcile.line')}</th>
            ${ofStore && html`<th scope="col">${t('reconcile.lane')}</th>`}
            <th scope="col">${t('reconcile.payment')}</th>
            <th scope="col">${t('reconcile.registry')}</th><th scope="col">${t('reconcile.ledger')}</th><th scope="col">${t('reconcile.what')}</th>
          </tr></thead>
          <tbody>${differences.map((difference, index) => html`<${Row} key=${index} difference=${difference} ownLane=${ownLane} ofStore=${ofStore} query=${query} />`)}</tbody>
        </table>
      </div>`
    }
    ${answer.days.length > 0 && html`<${Payouts} answer=${answer} />`}
    ${answer.methods.length > 0 && html`<${Methods} methods=${answer.methods} />`}`;
}
