/**
 * A bank's file laid beside the ledger: what the two say differently.
 * @import { Static } from 'typebox'
 * @import { ReconciliationAnswer } from '../../../payments/http/reconciliation-routes.ts'
 * @import { Route } from '../../../core/pages/app/route.js'
 */
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask, base64Of, CallError } from '../../../core/pages/app/api.js';
import { nameOf, roubles, t, time, useMoreWords } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { Button, Card, Chip, Choice, FileField, Form, Outcome, useAction } from '../../../core/pages/parts/parts.js';
import { DayField, useDay } from '../../../payments/pages/index.js';

/** Few people open this view: its words come with it. @type {import('../../../core/pages/app/language.js').Script} */
const WORDS = (language) => import(`/console/assets/features/reconciliation/page/late-words/${language}.js`);
/** @typedef {Static<typeof ReconciliationAnswer>} Answer */
/** @typedef {Answer['differences'][number]} Difference */
/** @typedef {Answer['lanes'][number]} LaneTotals */
/** @typedef {NonNullable<Answer['days'][number]['arrival']>} Arrival */

/** @typedef {Readonly<Record<string, string>>} Chosen columns by what they are */
/** @typedef {{readonly file: File | null, readonly digital: File | null, readonly account: File | null}} Files */
/** A file whose columns are named: the names that it has, and what is which. @typedef {'file' | 'digital'} Table */
/** @typedef {{readonly names: readonly string[], readonly chosen: Chosen}} Taken */

/** @type {Readonly<Record<Table, Taken>>} */
const NONE_TAKEN = { file: { names: [], chosen: {} }, digital: { names: [], chosen: {} } };
const TABLES = /** @type {const} */ (['file', 'digital']);

const orDash = (/** @type {number | null} */ kopecks) => (kopecks === null ? '–' : roubles(kopecks));

/** A payment of another lane has no page here. @param {{difference: Difference, own: string, ofStore: boolean, query: URLSearchParams}} properties */
function Row({ difference: { kind, line, file, payment, registry, ledger, operation, lane }, own, ofStore, query }) {
  const name = payment !== null && html`<code>${payment}</code>`;
  return html`<tr>
    <td data-label=${t('reconcile.line')}>${line !== null && (file === 2 ? t('reconcile.line2', { line }) : line)}</td>
    ${ofStore && html`<td data-label=${t('reconcile.lane')}>${lane ?? '–'}</td>`}
    <td>${lane === own && payment !== null ? html`<a href=${hrefOf('payments', ['reconcile', payment], Object.fromEntries(query))}>${name}</a>` : name}</td>
    <td class="sum" data-label=${t('reconcile.registry')}>${orDash(registry)}</td>
    <td class="sum" data-label=${t('reconcile.ledger')}>${orDash(ledger)}</td>
    <td>${nameOf('difference', kind)}${operation !== null && html` <q>${operation}</q>`}</td>
  </tr>`;
}

/** What agrees and what does not, by lane, above all those that may be missing. @param {{lanes: readonly LaneTotals[]}} properties */
function Lanes({ lanes }) {
  const missing = lanes.filter((lane) => lane.missing);
  const said = (/** @type {LaneTotals} */ { lane, reportedAt }) =>
    reportedAt === null ? t('reconcile.never', { lane }) : t('reconcile.missing', { lane, time: time(reportedAt) });
  return html`${missing.length > 0 && html`<div class="problem" role="alert">${missing.map((lane) => html`<p key=${lane.lane}>${said(lane)}</p>`)}</div>`}
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

/** Of the bank that are asked about: a person reads them. */
const MOST_WORDS = 10;
const SUMS = /** @type {const} */ (['sum', 'refunds', 'commission', 'payout', 'stated', 'difference']);

/** @type {Readonly<Partial<Record<Arrival['state'], 'good' | 'bad'>>>} */
const LOOKS = { arrived: 'good', missing: 'bad' };

/** Whether it has come; purposes where a person must choose. @param {{arrival: Arrival | null}} properties */
function Came({ arrival }) {
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

/** What a line of the shop's account should be, and whether it is there. @param {{answer: Answer}} properties */
function Payouts({ answer: { days, total, timeZone, statement } }) {
  const rows = days.length > 1 ? [...days, { ...total, day: t('payout.total'), arrival: null }] : days;
  return html`<h3 id="payouts">${t('payout.title')} <span class="soft">${timeZone}</span></h3>
    ${statement !== null && html`<p>${t('payout.statement', { from: statement.from ?? '…', to: statement.to ?? '…', n: statement.credits })}</p>`}
    <div class="scrolled" tabindex="0" role="group" aria-labelledby="payouts">
      <table>
        <thead><tr><th scope="col">${t('find.day')}</th>${statement !== null && html`<th scope="col">${t('payout.account')}</th>`}${SUMS.map((name) => html`<th key=${name} scope="col" class="sum">${t(`payout.${name}`)}</th>`)}</tr></thead>
        <tbody>${rows.map(
          (payout, index) => html`<tr key=${index}>
            <td>${payout.day ?? '–'}</td>
            ${statement !== null && html`<td><${Came} arrival=${payout.arrival} /></td>`}
            ${SUMS.map((name) => html`<td key=${name} class="sum">${orDash(payout[name])}</td>`)}
          </tr>`,
        )}</tbody>
      </table>
    </div>`;
}

/** Sums and fees by how it was paid. @param {{methods: Answer['methods']}} properties */
function Methods({ methods }) {
  return html`<h3 id="methods">${t('reconcile.methods')}</h3>
    <div class="scrolled" tabindex="0" role="group" aria-labelledby="methods">
      <table>
        <thead><tr><th scope="col">${t('reconcile.column.method')}</th>${SUMS.map((name) => html`<th key=${name} scope="col" class="sum">${t(`payout.${name}`)}</th>`)}</tr></thead>
        <tbody>${methods.map(
          (sums) => html`<tr key=${sums.method}>
            <td>${nameOf('method', sums.method)} <span class="soft">(${sums.count})</span></td>
            ${SUMS.map((name) => html`<td key=${name} class="sum">${orDash(sums[name])}</td>`)}
          </tr>`,
        )}</tbody>
      </table>
    </div>`;
}

/** @param {{answer: Answer, query: URLSearchParams}} properties */
function Result({ answer, query }) {
  const { payments, refunds, differences, more, tests, lanes, master } = answer;
  const ofStore = lanes.length > 1;
  return html`<p class="line" role="status">
      <${Chip} look=${differences.length === 0 ? 'good' : 'open'}>${t('reconcile.differences', { n: differences.length + more })}</${Chip}>
      <span>${t('reconcile.agree', { payments, refunds })}</span>
    </p>
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
          <tbody>${differences.map((difference, index) => html`<${Row} key=${index} difference=${difference} own=${lanes[0]?.lane} ofStore=${ofStore} query=${query} />`)}</tbody>
        </table>
      </div>`
    }
    ${answer.days.length > 0 && html`<${Payouts} answer=${answer} />`}
    ${answer.methods.length > 0 && html`<${Methods} methods=${answer.methods} />`}`;
}

const COLUMNS = /** @type {const} */ ([
  ...['order', 'bank', 'transaction', 'refund', 'type', 'method'],
  ...['amount', 'commission', 'payout', 'date'],
]);

/** The columns that the device has found in a file, where it does not know which is which. @param {unknown} error @returns {readonly string[]} */
function columnsIn(error) {
  const columns = error instanceof CallError ? error.parameters.columns : null;
  return Array.isArray(columns) ? columns.map(String).filter((name) => name !== '') : [];
}

/** What it makes of them, to be confirmed. @param {unknown} error @returns {Chosen} */
function guessIn(error) {
  const guess = error instanceof CallError ? error.parameters.guess : null;
  if (guess === null || typeof guess !== 'object') return {};
  return Object.fromEntries(Object.entries(guess).map(([name, column]) => [name, String(column)]));
}

/** A date of the file that may be two; empty where there is none. @param {unknown} error */
const unclearIn = (error) =>
  error instanceof CallError && error.parameters.reason === 'unclear-dates' ? String(error.parameters.date) : '';

/** Which of the two it is. @param {{date: string, dates: string, onChoose: (dates: string) => void}} properties */
function Dates({ date, dates, onChoose }) {
  return html`<${Choice} id="dates" label=${t('reconcile.dates', { date })} value=${dates} onChoose=${onChoose}
    options=${[
      ['', t('reconcile.notChosen')],
      ['day-first', t('reconcile.day-first')],
      ['month-first', t('reconcile.month-first')],
    ]} />`;
}

/** Which column is which. @param {{of: Table, taken: Taken, isOpen: boolean, onChoose: (name: string, column: string) => void}} properties */
function Columns({ of, taken: { names, chosen }, isOpen, onChoose }) {
  const options = [['', t('reconcile.notChosen')], ...names.map((column) => [column, column])];
  return html`<details class="columns-of" open=${isOpen}>
    <summary>${t(of === 'file' ? 'reconcile.columns' : 'reconcile.columnsOf')}</summary>
    <div class="finder">
      ${COLUMNS.map(
        (
          name,
        ) => html`<${Choice} key=${name} id=${`${of}-column-${name}`} label=${t(`reconcile.column.${name}`)} value=${chosen[name] ?? ''}
          onChoose=${(/** @type {string} */ column) => onChoose(name, column)} options=${options} />`,
      )}
    </div>
  </details>`;
}

/** What words of the bank mean that the device does not know. @param {{words: readonly string[], meant: Chosen, onChoose: (word: string, operation: string) => void}} properties */
function Operations({ words, meant, onChoose }) {
  const options = [
    ['', t('reconcile.neither')],
    ['payment', t('reconcile.isSale')],
    ['refund', t('reconcile.isRefund')],
  ];
  return words.map(
    (
      word,
      at,
    ) => html`<${Choice} key=${word} id=${`operation-${at}`} label=${t('reconcile.operation', { word })} value=${meant[word] ?? ''}
      onChoose=${(/** @type {string} */ operation) => onChoose(word, operation)} options=${options} />`,
  );
}

/** @param {{route: Route, revision?: string, back?: unknown}} properties */
export function Reconcile({ route: { query }, revision, back }) {
  const isSaid = useMoreWords(WORDS);
  const { day, today } = useDay(query, revision);
  const [files, setFiles] = useState(/** @type {Files} */ ({ file: null, digital: null, account: null }));
  const [taken, setTaken] = useState(NONE_TAKEN);
  /** A date of the file that may be two, and which of them it is. */
  const [unclear, setUnclear] = useState('');
  const [dates, setDates] = useState('');
  /** Words that the device does not know, and what they mean. */
  const [words, setWords] = useState(/** @type {readonly string[]} */ ([]));
  const [meant, setMeant] = useState(/** @type {Chosen} */ ({}));
  const [answer, setAnswer] = useState(/** @type {Answer | null} */ (null));
  /** Counts what is chosen: other files or another day may be before the answer comes. */
  const turn = useRef(0);
  const { action, isBusy, run, forget } = useAction();
  const begin = () => {
    turn.current += 1;
    setAnswer(null);
    if (action.stage !== 'busy') forget();
  };
  useEffect(begin, [day]);
  /** @param {Table} table @param {(before: Taken) => Taken} change */
  const take = (table, change) => setTaken((before) => ({ ...before, [table]: change(before[table]) }));
  /** @param {Partial<Files>} chosen */
  const choose = (chosen) => {
    setFiles((before) => ({ ...before, ...chosen }));
    begin();
  };
  /** @param {Table} table @param {File | null} file */
  const chooseTable = (table, file) => {
    choose({ [table]: file });
    take(table, () => NONE_TAKEN[table]);
    setWords([]);
    setMeant({});
    setUnclear('');
    setDates('');
  };
  /** How a file is sent: null for none. @param {Table} table */
  const sent = async (table) => {
    const file = files[table];
    if (file === null) return null;
    const columns = Object.fromEntries(Object.entries(taken[table].chosen).filter(([, column]) => column !== ''));
    const named = Object.keys(columns).length === 0 ? {} : { columns };
    return { file: await base64Of(file), ...named, ...(dates === '' ? {} : { dates }) };
  };
  const lay = async () => {
    setAnswer(null);
    const own = turn.current;
    await run(async () => {
      const [first, digital] = [await sent('file'), await sent('digital')];
      if (first === null) return;
      const others = digital === null ? {} : { others: [{ ...digital, method: 'digital-rouble' }] };
      const operations = Object.fromEntries(Object.entries(meant).filter(([, operation]) => operation !== ''));
      const statement = files.account === null ? {} : { statement: await base64Of(files.account) };
      try {
        /** @type {Answer} */
        const result = await ask('/v1/reconciliations', {
          method: 'POST',
          json: { from: day, ...first, ...others, ...statement, operations },
        });
        if (turn.current !== own) return;
        setAnswer(result);
        setWords((before) => [
          ...new Set([...before, ...result.operations.slice(0, MOST_WORDS).map(({ word }) => word)]),
        ]);
        for (const [at, { header, columns }] of [result, ...result.others].entries())
          take(TABLES[at] ?? 'file', () => ({ names: header.filter((name) => name !== ''), chosen: columns }));
      } catch (error) {
        if (turn.current !== own) return; // the answer for what is no longer chosen
        const isOther = error instanceof CallError && error.field?.startsWith('others.') === true;
        const [table, json] = isOther
          ? /** @type {const} */ (['digital', digital])
          : /** @type {const} */ (['file', first]);
        const found = columnsIn(error);
        const isNamed = json !== null && 'columns' in json;
        take(table, (before) => ({
          names: found.length > 0 ? found : before.names,
          chosen: isNamed ? before.chosen : guessIn(error),
        }));
        setUnclear((before) => unclearIn(error) || before);
        throw error;
      }
    });
  };
  if (!isSaid) return null;
  return html`<${Card} id="reconcile" title=${t('reconcile.title')} aside=${back}>
    <${Form} onSubmit=${lay}>
      <${DayField} day=${day} today=${today} />
      <${FileField} id="registry" label=${t('reconcile.file')} help=${t('reconcile.help')}
        file=${files.file} onFile=${(/** @type {File | null} */ file) => chooseTable('file', file)} accept=".xlsx,.csv,.txt,text/csv" />
      <${FileField} id="digital" label=${t('reconcile.digital')} help=${t('reconcile.digitalHelp')}
        file=${files.digital} onFile=${(/** @type {File | null} */ file) => chooseTable('digital', file)} accept=".xlsx,.csv,.txt,text/csv" />
      <${FileField} id="account" label=${t('reconcile.account')} help=${t('reconcile.accountHelp')}
        file=${files.account} onFile=${(/** @type {File | null} */ account) => choose({ account })} accept=".txt,text/plain" />
      ${TABLES.filter((table) => taken[table].names.length > 0).map(
        (table) => html`<${Columns} key=${table} of=${table} taken=${taken[table]} isOpen=${answer === null}
          onChoose=${(/** @type {string} */ name, /** @type {string} */ column) => take(table, ({ names, chosen }) => ({ names, chosen: { ...chosen, [name]: column } }))} />`,
      )}
      <${Operations} words=${words} meant=${meant} onChoose=${(/** @type {string} */ word, /** @type {string} */ operation) => setMeant((before) => ({ ...before, [word]: operation }))} />
      ${unclear !== '' && html`<${Dates} date=${unclear} dates=${dates} onChoose=${setDates} />`}
      <${Button} type="submit" disabled=${files.file === null || isBusy}>${t('reconcile.go')}</${Button}>
    </${Form}>
    <${Outcome} action=${action} />
    ${answer !== null && html`<${Result} answer=${answer} query=${query} />`}
  </${Card}>`;
}
