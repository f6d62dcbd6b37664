/**
 * Imports names and prices from a table: the device checks it, the page shows all faults, and then the whole table is
 * imported.
 * @import { Static } from 'typebox'
 * @import { CheckAnswer } from '../../http/v1/item-check.ts'
 */
import { LIMITS } from '/console/assets/limits.js';
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useUnsaved } from '../../../core/pages/app/drafts.js';
import { has, number, roubles, t } from '../../../core/pages/app/language.js';
import { Button, Card, Chip, Choice, FileField, Outcome, useAction } from '../../../core/pages/parts/parts.js';

/** Time limit of the largest table on a slow board. */
const TABLE_LIMIT_MS = 120_000;

/** @typedef {Static<typeof CheckAnswer>} Check */
/** @typedef {Check['faults'][number]} Fault */

/** @param {File} file @param {string} path @param {string} prices unit of the prices; empty until chosen */
const send = (file, path, prices) =>
  ask(prices === '' ? path : `${path}?prices=${prices}`, {
    method: 'POST',
    body: file,
    headers: { 'content-type': 'text/csv' },
    limitMs: TABLE_LIMIT_MS,
  });

/** @param {Fault} fault */
function wordsOfFault({ fault, field = '', item = '', barcode = '' }) {
  if (fault !== 'value') return t(`table.fault.${fault}`, { item, barcode, field });
  const key = `table.value.${field.split('.')[0]}`;
  return t(has(key) ? key : 'table.value.other', { ...LIMITS });
}

/** @param {{check: Check}} properties */
function Faults({ check: { faults, faultCount } }) {
  return html`<h3>${t('table.faults', { n: faultCount })}</h3>
    <p>${t('table.mend')}</p>
    <div class="scrolled" tabindex="0" role="region" aria-label=${t('table.faults', { n: faultCount })}>
      <table>
        <thead><tr><th scope="col">${t('table.line')}</th><th scope="col">${t('table.wrong')}</th></tr></thead>
        <tbody>${faults.map((fault, at) => html`<tr key=${at}><td>${fault.line}</td><td>${wordsOfFault(fault)}</td></tr>`)}</tbody>
      </table>
    </div>
    ${faultCount > faults.length && html`<p class="soft">${t('table.more', { n: faultCount - faults.length })}</p>`}`;
}

/** @param {{lines: Check['lines']}} properties */
function Lines({ lines }) {
  return html`<div class="scrolled" tabindex="0" role="region" aria-label=${t('table.lines')}>
    <table>
      <thead><tr>
        <th scope="col">${t('table.line')}</th><th scope="col">${t('table.id')}</th><th scope="col">${t('items.name')}</th>
        <th scope="col">${t('items.plu')}</th><th scope="col">${t('table.price')}</th>
      </tr></thead>
      <tbody>${lines.map(
        ({ line, entry }) => html`<tr key=${line}>
          <td>${line}</td><td>${entry.id}</td><td>${entry.name ?? ''}</td><td>${entry.plu ?? ''}</td>
          <td class="sum">${typeof entry.price === 'number' ? roubles(entry.price) : ''}</td>
        </tr>`,
      )}</tbody>
    </table>
  </div>`;
}

/** @param {{check: Check}} properties */
function Preview({ check }) {
  const { created, updated, faultCount, lines, unread = [] } = check;
  return html`<p class="line" role="status">
      <${Chip} look=${faultCount === 0 ? 'good' : 'bad'}>${faultCount === 0 ? t('table.whole') : t('table.faults', { n: faultCount })}</${Chip}>
      <span>${t('table.would', { created: number(created), updated: number(updated) })}</span>
    </p>
    ${unread.length > 0 && html`<p>${t('table.unread', { columns: unread.join(', ') })}</p>`}
    ${faultCount > 0 && html`<${Faults} check=${check} />`}
    ${lines.length > 0 && html`<h3>${t('table.first', { n: lines.length })}</h3><${Lines} lines=${lines} />`}`;
}

/**
 * The choice of the prices' unit, with the first price as an example.
 * @param {{first: NonNullable<Check['prices']>, prices: string, onChoose: (prices: string) => void}} properties
 */
function Prices({ first: { written, kopecks, roubles: ofRoubles }, prices, onChoose }) {
  return html`<${Choice} id="table-prices" label=${t('table.prices', { written })} value=${prices} onChoose=${onChoose}
    options=${[
      ['', t('table.prices.choose')],
      ...(ofRoubles === null ? [] : [['roubles', t('table.prices.roubles', { price: roubles(ofRoubles) })]]),
      ...(kopecks === null ? [] : [['kopecks', t('table.prices.kopecks', { price: roubles(kopecks) })]]),
    ]} />`;
}

/**
 * A field for a file, which can also be dropped there.
 * @param {{file: File | null, onFile: (file: File | null) => void}} properties
 */
function Drop({ file, onFile }) {
  const [isOver, setOver] = useState(false);
  /** @param {DragEvent} event @param {boolean} next */
  const drag = (event, next) => {
    event.preventDefault();
    setOver(next);
  };
  /** @param {DragEvent} event */
  const drop = (event) => {
    drag(event, false);
    const dropped = event.dataTransfer?.files[0];
    if (dropped !== undefined) onFile(dropped);
  };
  return html`<div class="drop ${isOver ? 'over' : ''}"
    onDragOver=${(/** @type {DragEvent} */ event) => drag(event, true)}
    onDragLeave=${(/** @type {DragEvent} */ event) => drag(event, false)}
    onDrop=${drop}>
    <${FileField} id="table-file" label=${t('table.file')} help=${t('table.help')} file=${file} onFile=${onFile} accept=".xlsx,.csv,.txt,text/csv" />
  </div>`;
}

/**
 * One chosen table; another one gets a new element, by its `key`.
 * @param {{file: File, isBusy: boolean, onTake: (prices: string) => void}} properties
 */
function Chosen({ file, isBusy, onTake }) {
  const [check, setCheck] = useState(/** @type {Check | null} */ (null));
  const [prices, setPrices] = useState('');
  const { action, isBusy: isChecking, run } = useAction();
  useEffect(() => void run(async () => setCheck(await send(file, '/v1/catalogue/check', prices))), [prices]);
  const first = check?.prices;
  const isOpen = first !== undefined && !first.said;
  return html`${action.stage !== 'done' && html`<${Outcome} action=${action} />`}
    ${
      check !== null &&
      html`${first !== undefined && (isOpen || prices !== '') && html`<${Prices} first=${first} prices=${prices} onChoose=${setPrices} />`}
      <${Preview} check=${check} />
      <${Button} kind="primary" disabled=${isBusy || isChecking || isOpen || check.faultCount > 0 || check.created + check.updated === 0} onClick=${() => onTake(prices)}>
        ${t('table.take', { n: check.created + check.updated })}</${Button}>`
    }`;
}

export function Table() {
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  useUnsaved(file !== null);
  const latest = useRef(file);
  const [turn, setTurn] = useState(0);
  const { action, isBusy, run, forget } = useAction();
  /** @param {File | null} next */
  const choose = (next) => {
    latest.current = next;
    setFile(next);
    setTurn((before) => before + 1);
    forget();
  };
  const importTable = async (/** @type {string} */ prices) => {
    if (file === null || !(await run(() => send(file, '/v1/catalogue', prices), 'table.taken'))) return;
    if (latest.current === file) setFile(null);
  };
  return html`<${Card} id="table" title=${t('table.title')}
    aside=${html`<a class="button" href="/v1/catalogue?format=csv" download="items.csv">${t('table.out')}</a>
      <a class="button" href="/v1/catalogue?format=1c" download="items.csv">${t('table.out1C')}</a>`}>
    <${Drop} file=${file} onFile=${choose} />
    ${file !== null && html`<${Chosen} key=${turn} file=${file} isBusy=${isBusy} onTake=${importTable} />`}
    <${Outcome} action=${action} />
  </${Card}>`;
}
