/**
 * The view that compares a bank's file with the ledger.
 * @import { FeaturePage } from '../../../core/pages/app/feature-pages.js'
 * @import { Route } from '../../../core/pages/app/route.js'
 * @import { ReconciliationAnswer } from '../../../payments/http/reconciliation-routes.ts'
 * @import { Chosen, Table, Taken } from './reading.js'
 * @import { Static } from 'typebox'
 */
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask, base64Of, CallError } from '../../../core/pages/app/api.js';
import { t } from '../../../core/pages/app/language.js';
import { Button, Card, FileField, Form, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';
import { DayField, useDay } from '../../../payments/pages/index.js';
import { Columns, columnsIn, Dates, guessIn, isEnough, Operations, unclearIn } from './reading.js';
import { Result } from './result.js';

/** @typedef {Static<typeof ReconciliationAnswer>} Answer */
/** @typedef {{readonly file: File | null, readonly digital: File | null, readonly account: File | null}} Files */
/** The most unknown words that a person is asked about. */
const MOST_WORDS = 10;

/** @type {Readonly<Record<Table, Taken>>} */
const NONE_TAKEN = { file: { names: [], chosen: {} }, digital: { names: [], chosen: {} } };
const TABLES = /** @type {const} */ (['file', 'digital']);

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
  /** Counts choices: the files or the day may have changed before an answer comes. */
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
  const lay = async () => {
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
        const isKnown = found.length > 0 && !isNamed && isEnough(guessIn(error));
        setGuessed(isKnown);
        if (!isKnown) throw error;
      }
    });
  };
  return html`<${Card} id="reconcile" title=${t('reconcile.title')} aside=${back}>
    <${Form} onSubmit=${lay}>
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
