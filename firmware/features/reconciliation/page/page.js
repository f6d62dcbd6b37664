/**
 * The page that compares a bank's files with the ledger and shows the differences. It asks a person what the device
 * does not know: what each column means, whether a date begins with its day, and what a bank's word means.
 * @import { FeaturePage } from '../../../core/pages/app/feature-pages.js'
 * @import { Route } from '../../../core/pages/app/route.js'
 * @import { ReconciliationAnswer } from '../routes.ts'
 * @import { Static } from 'typebox'
 */
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask, base64Of, CallError } from '../../../core/pages/app/api.js';
import { t } from '../../../core/pages/app/language.js';
import {
  Button,
  Card,
  Choice,
  FileField,
  Form,
  Outcome,
  TextField,
  useAction,
} from '../../../core/pages/parts/parts.js';
import { DayField, useDay } from '../../../payments/pages/index.js';
import { Result } from './result.js';

/**
 * @typedef {Readonly<Record<string, string>>} Chosen a column's name, or an operation, by what a person chose it for
 */
/**
 * A file with named columns: their names, and the meaning chosen for each.
 * @typedef {{readonly names: readonly string[], readonly chosen: Chosen}} Taken
 */

const TABLES = /** @type {const} */ (['file', 'digital']);
/** @typedef {typeof TABLES[number]} Table */

const COLUMNS = /** @type {const} */ ([
  ...['order', 'bank', 'transaction', 'refund', 'type', 'method'],
  ...['amount', 'commission', 'payout', 'date'],
]);

/**
 * Names of the columns that the device found in a file that it refused.
 * @param {unknown} error @returns {readonly string[]}
 */
function columnsIn(error) {
  const columns = error instanceof CallError ? error.parameters.columns : null;
  return Array.isArray(columns) ? columns.map(String).filter((name) => name !== '') : [];
}

/**
 * The device's guess at the meanings of the columns, which a person must confirm.
 * @param {unknown} error
 * @returns {Chosen}
 */
function guessIn(error) {
  const guess = error instanceof CallError ? error.parameters.guess : null;
  if (guess === null || typeof guess !== 'object') return {};
  return Object.fromEntries(Object.entries(guess).map(([name, column]) => [name, String(column)]));
}

/**
 * Whether the guess is enough to read the file: it has the amount, and a column that identifies a payment.
 * @param {Chosen} guess
 */
const isEnough = ({ amount, order, bank, transaction }) =>
  amount !== undefined && (order ?? bank ?? transaction) !== undefined;

/**
 * The date for which a file was refused, because it may mean two days; empty where that is not the reason.
 * @param {unknown} error
 */
const unclearIn = (error) =>
  error instanceof CallError && error.parameters.reason === 'unclear-dates' ? String(error.parameters.date) : '';

/**
 * The choice whether the file's dates begin with the day or with the month.
 * @param {{date: string, dates: string, onChoose: (dates: string) => void}} properties
 */
function Dates({ date, dates, onChoose }) {
  return html`<${Choice} id="dates" label=${t('reconcile.dates', { date })} value=${dates} onChoose=${onChoose}
    options=${[
      ['', t('reconcile.notChosen')],
      ['day-first', t('reconcile.day-first')],
      ['month-first', t('reconcile.month-first')],
    ]} />`;
}

/**
 * The choice of each column's meaning.
 * @param {{of: Table, taken: Taken, isOpen: boolean, onChoose: (name: string, column: string) => void}} properties
 */
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

/**
 * The choice of the meaning of words that the device does not know.
 * @param {{words: readonly string[], meant: Chosen, onChoose: (word: string, operation: string) => void}} properties
 */
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

/** @typedef {Static<typeof ReconciliationAnswer>} Answer */
/** @typedef {{readonly file: File | null, readonly digital: File | null, readonly account: File | null}} Files */

/** Most words of the bank of which a person is asked the meaning. */
const MOST_WORDS = 10;

/** @type {Readonly<Record<Table, Taken>>} */
const NONE_TAKEN = { file: { names: [], chosen: {} }, digital: { names: [], chosen: {} } };

/** @param {{route: Route, revision?: string, back?: unknown}} properties */
function Reconcile({ route: { query }, revision, back }) {
  const { day, today } = useDay(query, revision);
  /** The last day, where the file covers several. */
  const [to, setTo] = useState('');
  const [files, setFiles] = useState(/** @type {Files} */ ({ file: null, digital: null, account: null }));
  const [taken, setTaken] = useState(NONE_TAKEN);
  /** A date of the file that may mean two days, and the choice between them. */
  const [unclear, setUnclear] = useState('');
  const [dates, setDates] = useState('');
  /** Words that the device does not know, and their chosen meanings. */
  const [words, setWords] = useState(/** @type {readonly string[]} */ ([]));
  const [meant, setMeant] = useState(/** @type {Chosen} */ ({}));
  /** Whether the columns' meanings are guessed from their names: a person must confirm them first. */
  const [isGuessed, setGuessed] = useState(false);
  const [answer, setAnswer] = useState(/** @type {Answer | null} */ (null));
  /** Counts the choices of files and days: an answer to an earlier choice is dropped. */
  const turn = useRef(0);
  const { action, isBusy, run, forget } = useAction();
  const begin = () => {
    turn.current += 1;
    setAnswer(null);
    setGuessed(false);
    if (action.stage !== 'busy') forget();
  };
  useEffect(begin, [day, to]);
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
  /** A file as it is sent; null for none. @param {Table} table */
  const sent = async (table) => {
    const file = files[table];
    if (file === null) return null;
    const columns = Object.fromEntries(Object.entries(taken[table].chosen).filter(([, column]) => column !== ''));
    const named = Object.keys(columns).length === 0 ? {} : { columns };
    return { file: await base64Of(file), ...named, ...(dates === '' ? {} : { dates }) };
  };
  const compare = async () => {
    setAnswer(null);
    setGuessed(false);
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
          json: { from: day, ...(to === '' ? {} : { to }), ...first, ...others, ...statement, operations },
        });
        if (turn.current !== own) return;
        setAnswer(result);
        setWords((before) => [
          ...new Set([...before, ...result.operations.slice(0, MOST_WORDS).map(({ word }) => word)]),
        ]);
        for (const [at, { header, columns }] of [result, ...result.others].entries())
          take(TABLES[at] ?? 'file', () => ({ names: header.filter((name) => name !== ''), chosen: columns }));
      } catch (error) {
        if (turn.current !== own) return; // the answer is about files or days that are no longer chosen
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
        const isKnown = found.length > 0 && !isNamed && isEnough(guessIn(error));
        setGuessed(isKnown);
        if (!isKnown) throw error;
      }
    });
  };
  return html`<${Card} id="reconcile" title=${t('reconcile.title')} aside=${back}>
    <${Form} onSubmit=${compare}>
      <${DayField} day=${day} today=${today} label=${t('reconcile.from')} />
      <${TextField} id="to" label=${t('reconcile.to')} help=${t('reconcile.toHelp')} type="date"
        min=${day} max=${today} value=${to} onText=${setTo} />
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
      ${isGuessed && html`<p class="advice" role="status">${t('reconcile.guessed')}</p>`}
      ${unclear !== '' && html`<${Dates} date=${unclear} dates=${dates} onChoose=${setDates} />`}
      <${Button} type="submit" kind="primary" disabled=${files.file === null || isBusy}>${t('reconcile.go')}</${Button}>
    </${Form}>
    <${Outcome} action=${action} />
    ${answer !== null && html`<${Result} answer=${answer} query=${query} />`}
  </${Card}>`;
}

/** @type {FeaturePage} */
export default { name: 'reconcile', place: 'payments', link: 'reconcile.link', View: Reconcile };
