/** By what payments are looked for: it stands in the address, so that the list outlives a reload and can be sent to somebody. */
import { LIMITS } from '/console/assets/limits.js';
import { html, useEffect, useState } from '/console/assets/preact.js';
import { t } from '../../core/pages/app/language.js';
import { parseRoubles } from '../../core/pages/parts/amount.js';
import { Button, Choice, Form, TextField } from '../../core/pages/parts/parts.js';
import { DayField, seek } from './day.js';

const STATES = /** @type {const} */ (['PENDING', 'ACCEPTED', 'REJECTED', 'CANCELED', 'ERROR', 'STATIC']);

export const METHODS = /** @type {const} */ (['sbp', 'digital-rouble', 'card', 'bank-service', 'unknown']);

const NUMBER = /^[1-9]\d{0,14}$/;
/** How people write roubles behind an amount. */
const ROUBLES = /\s*(?:₽|руб\.?|р\.?|rub)$/i;
/** What the payment system's links begin with: one that is pasted is sought by the id behind it. */
const LINK = /^https:\/\/qr\.nspk\.ru\/([A-Z0-9]+)/;
const IDS = ['reference', 'orderId', 'qrcId', 'trxId'];

/**
 * Each reading that a text can have: digits are an amount, a payment's number and the number of a receipt.
 * @param {string} text @returns {Record<string, string>[]} parameters of `GET /v1/payments`
 */
export function readingsOf(text) {
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
 * What is typed and not sought yet is kept with the browser's step: a reload and the way back leave it in its field.
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

/** @param {URLSearchParams} query whether payments of all days are sought */
export const isOfAllDays = (query) => query.get('days') === 'all';

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
