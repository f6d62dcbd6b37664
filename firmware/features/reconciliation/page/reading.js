/** Asks how to read a bank's file: which column is which, which number of a date is the day, and what a word means. */
import { html } from '/console/assets/preact.js';
import { CallError } from '../../../core/pages/app/api.js';
import { t } from '../../../core/pages/app/language.js';
import { Choice } from '../../../core/pages/parts/parts.js';

/** @typedef {Readonly<Record<string, string>>} Chosen columns by what they are */
/** A file with named columns: their names, and the meaning chosen for each. @typedef {'file' | 'digital'} Table */
/** @typedef {{readonly names: readonly string[], readonly chosen: Chosen}} Taken */

const COLUMNS = /** @type {const} */ ([
  ...['order', 'bank', 'transaction', 'refund', 'type', 'method'],
  ...['amount', 'commission', 'payout', 'date'],
]);

/** The columns that the device found in a file without knowing their meaning. @param {unknown} error @returns {readonly string[]} */
export function columnsIn(error) {
  const columns = error instanceof CallError ? error.parameters.columns : null;
  return Array.isArray(columns) ? columns.map(String).filter((name) => name !== '') : [];
}

/** The device's guess at their meaning, to be confirmed. @param {unknown} error @returns {Chosen} */
export function guessIn(error) {
  const guess = error instanceof CallError ? error.parameters.guess : null;
  if (guess === null || typeof guess !== 'object') return {};
  return Object.fromEntries(Object.entries(guess).map(([name, column]) => [name, String(column)]));
}

/**
 * Whether the guess is enough to read the file: it has the amount, and a column that identifies a payment.
 * @param {Chosen} guess
 */
export const isEnough = ({ amount, order, bank, transaction }) =>
  amount !== undefined && (order ?? bank ?? transaction) !== undefined;

/** A date of the file that may mean two days; empty where there is none. @param {unknown} error */
export const unclearIn = (error) =>
  error instanceof CallError && error.parameters.reason === 'unclear-dates' ? String(error.parameters.date) : '';

/**
 * The choice between the two days.
 * @param {{date: string, dates: string, onChoose: (dates: string) => void}} properties
 */
export function Dates({ date, dates, onChoose }) {
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
export function Columns({ of, taken: { names, chosen }, isOpen, onChoose }) {
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
export function Operations({ words, meant, onChoose }) {
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
