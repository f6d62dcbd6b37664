/** By what payments are looked for: it stands in the address, so that the list outlives a reload and can be sent to somebody. */
import { html, useState } from '/console/assets/preact.js';
import { useWords } from '../app/language.js';
import { hrefOf, routeOf } from '../app/route.js';
import { Button } from '../parts/action.js';
import { Card, Field } from '../parts/parts.js';

export const STATES = /** @type {const} */ (['PENDING', 'ACCEPTED', 'REJECTED', 'CANCELED', 'ERROR', 'STATIC']);

/**
 * A text with a comma or a point, or a short one, is an amount; any other is an id.
 * @param {string} text @returns {Record<string, string>} parameters of `GET /v1/payments`
 */
export function soughtBy(text) {
  const plain = text.trim();
  if (plain === '') return {};
  const [, whole, part] = /^(\d{1,7})(?:[.,](\d{1,2}))?\s*₽?$/.exec(plain) ?? [];
  if (whole !== undefined) return { amount: String(Number(whole) * 100 + Number((part ?? '').padEnd(2, '0'))) };
  return { orderId: plain };
}

/** @param {{query: URLSearchParams, today: string, profiles: readonly string[]}} properties */
export function Finder({ query, today, profiles }) {
  const { t } = useWords();
  const [text, setText] = useState(query.get('text') ?? '');
  /** @param {Record<string, string>} changed */
  const go = (changed) => {
    // of the address, which is ahead of what is drawn
    const next = { ...Object.fromEntries(routeOf(location.hash).query), ...changed };
    location.hash = hrefOf('payments', [], next);
  };
  /** @param {string} name */
  const choose =
    (name) =>
    (/** @type {{currentTarget: HTMLInputElement | HTMLSelectElement}} */ { currentTarget }) =>
      go({ [name]: currentTarget.value });
  return html`<${Card} id="find" title=${t('find.title')}>
    <form
      class="finder"
      onSubmit=${(/** @type {Event} */ event) => {
        event.preventDefault();
        go({ text });
      }}
    >
      <${Field} id="day" label=${t('find.day')}>
        ${(/** @type {object} */ wires) => html`<input ...${wires} type="date" max=${today} value=${query.get('day') ?? today} onChange=${choose('day')} />`}
      </${Field}>
      <${Field} id="state" label=${t('find.state')}>
        ${(
          /** @type {object} */ wires,
        ) => html`<select ...${wires} value=${query.get('state') ?? ''} onChange=${choose('state')}>
          <option value="">${t('find.any')}</option>
          ${STATES.map((state) => html`<option key=${state} value=${state}>${t(`payment.${state}`)}</option>`)}
        </select>`}
      </${Field}>
      ${
        profiles.length > 1 &&
        html`<${Field} id="profile" label=${t('find.profile')}>
          ${(
            /** @type {object} */ wires,
          ) => html`<select ...${wires} value=${query.get('profile') ?? ''} onChange=${choose('profile')}>
            <option value="">${t('find.any')}</option>
            ${profiles.map((profile) => html`<option key=${profile} value=${profile}>${profile}</option>`)}
          </select>`}
        </${Field}>`
      }
      <${Field} id="text" label=${t('find.text')} help=${t('find.textHelp')}>
        ${(/** @type {object} */ wires) => html`<input ...${wires} type="search" autocomplete="off" value=${text}
          onInput=${(/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) => setText(currentTarget.value)} />`}
      </${Field}>
      <${Button} type="submit">${t('find.find')}</${Button}>
    </form>
  </${Card}>`;
}
