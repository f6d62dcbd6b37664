/** The latest payment, with its time left, and the payments before it. @import { PaymentView } from '../../console-view.ts' */
import { html, useMemo, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useTick } from '../../../core/pages/app/clock.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { pagesAt } from '../../../core/pages/app/feature-pages.js';
import { countdown, roubles, t, time } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { Button, Card, Chip, Nothing, Outcome, useAction } from '../../../core/pages/parts/parts.js';
import { Failure, stateOf } from '../../../payments/pages/index.js';
import { stopAwaiting } from './await-outcome.js';

/** @typedef {'withdrawn' | 'already-paid' | 'refunded' | 'not-possible' | 'unknown'} Outcomes result of a cancellation */

const TICK_MS = 250;
/** How many earlier payments are shown, besides all open ones. */
const MOST_RECENT = 5;

/** Counts down from the time left that the device has sent. @param {{payment: PaymentView}} properties */
function Left({ payment }) {
  const receivedAt = useMemo(() => performance.now(), [payment.leftMs]);
  useTick(TICK_MS);
  const left = Math.max(0, (payment.leftMs ?? 0) - (performance.now() - receivedAt));
  return html`<span class="left" role="timer">${t('lane.left', { left: countdown(left) })}</span>`;
}

/** @param {{payment: PaymentView}} properties */
function Cancel({ payment: { orderId } }) {
  const { action, isBusy, run } = useAction();
  const [outcome, setOutcome] = useState(/** @type {Outcomes | null} */ (null));
  const cancel = () =>
    run(async () => {
      setOutcome(null);
      /** @type {{outcome: Outcomes}} */
      const answer = await ask(`/v1/payments/${encodeURIComponent(orderId)}/cancel`, { method: 'POST', json: {} });
      setOutcome(answer.outcome);
    });
  return html`<${Button} name="cancel" onClick=${cancel} disabled=${isBusy}>${t('lane.cancel')}</${Button}>
    ${outcome === null ? html`<${Outcome} action=${action} />` : html`<p class="advice" role="alert">${t(`cancel.${outcome}`)}</p>`}`;
}

const PLAY = /** @type {const} */ (['pay', 'decline', 'silent', 'late']);

/** Buttons that act as the customer or the bank of a sandbox payment. @param {{payment: PaymentView}} properties */
function Play({ payment: { orderId } }) {
  const { action, isBusy, run } = useAction();
  /** @param {typeof PLAY[number]} does */
  const act = (does) =>
    run(() => {
      // a payment is late where nobody waits for its outcome: so this page must stop waiting, too
      if (does === 'late') stopAwaiting(orderId);
      return ask(`/console/api/sandbox/payments/${encodeURIComponent(orderId)}`, { method: 'POST', json: { does } });
    });
  return html`<div class="play" role="group" aria-label=${t('sandbox.title')}>
      <p class="soft">${t('sandbox.title')}</p>
      <div class="buttons">
        ${PLAY.map((does) => html`<${Button} key=${does} disabled=${isBusy} onClick=${() => act(does)}>${t(`sandbox.${does}`)}</${Button}>`)}
      </div>
    </div>
    <${Outcome} action=${action} />`;
}

/** @param {{payment: PaymentView}} properties */
function Payment({ payment }) {
  const { isLive } = useDevice();
  const [key, look] = stateOf(payment, isLive);
  const isOpen = isLive && payment.state === 'PENDING';
  const canBeRefunded = payment.state === 'ACCEPTED' && payment.refunded < payment.amount;
  return html`<p class="line">
      <strong class="sum">${roubles(payment.amount)}</strong>
      <${Chip} look=${look} live>${t(key)}</${Chip}>
      ${isOpen && payment.leftMs !== null && html`<${Left} payment=${payment} />`}
      ${canBeRefunded && html`<a class="button" href=${hrefOf('payments', [payment.orderId])}>${t('refund.giveBack')}</a>`}
    </p>
    <p class="line">
      ${payment.purpose !== null && html`<span>${payment.purpose}</span>`}
      <time class="soft" datetime=${payment.createdAt}>${time(payment.createdAt)}</time>
    </p>
    ${payment.failure !== null && html`<${Failure} failure=${payment.failure} />`}
    <div class="buttons">
      ${isOpen && html`<${Cancel} payment=${payment} key=${payment.orderId} />`}
      ${isOpen && payment.link !== null && html`<a class="button" href=${payment.link} target="_blank" rel="noopener">${t('lane.payer')}</a>`}
    </div>
    ${isOpen && payment.bank === 'Sandbox' && html`<${Play} payment=${payment} key=${payment.orderId} />`}`;
}

/** @param {string} id of a card of this page */
function goTo(id) {
  const card = document.getElementById(id);
  card?.scrollIntoView({ block: 'start' });
  const first = card?.querySelector('button, a, input, select');
  if (first instanceof HTMLElement) first.focus({ preventScroll: true });
}

export function Latest() {
  const { state, isLive } = useDevice();
  const payment = state?.payment ?? null;
  return html`<${Card} id="latest" title=${t('lane.latest')}>
    ${payment === null ? html`<${Nothing}>${t('lane.noPayment')}</${Nothing}>` : html`<${Payment} payment=${payment} />`}
    ${pagesAt('checkout').map(({ name, View }) => html`<${View} key=${name} />`)}
    <button type="button" class="primary to-keypad" disabled=${!isLive} onClick=${() => goTo('ask')}>${t('lane.ask')}</button>
  </${Card}>`;
}

/** An earlier payment; an open one can be cancelled here alone. @param {{payment: PaymentView}} properties */
function Row({ payment }) {
  const { isLive } = useDevice();
  const [key, look] = stateOf(payment, isLive);
  const content = html`<span class="sum">${roubles(payment.amount)}</span>
    <${Chip} look=${look}>${t(key)}</${Chip}>
    <time datetime=${payment.createdAt}>${time(payment.createdAt)}</time>`;
  return html`<li><a href=${hrefOf('payments', [payment.orderId])}>${content}</a>
    ${isLive && payment.state === 'PENDING' && html`<div class="buttons"><${Cancel} payment=${payment} /></div>`}
  </li>`;
}

export function Recent() {
  const { state } = useDevice();
  const before = state?.recent.filter(({ orderId }) => orderId !== state.payment?.orderId) ?? [];
  const recent = before.filter((payment, at) => at < MOST_RECENT || payment.state === 'PENDING');
  const late = state?.lateCount ?? 0;
  const all = html`<a href=${hrefOf('payments')}>${t('lane.all')}</a>`;
  if (late === 0 && recent.length === 0) return null;
  return html`<${Card} id="recent" title=${t('lane.recent')} aside=${all}>
    ${late > 0 && html`<p class="advice">${t('lane.late', { n: late })} <a href=${hrefOf('payments', [], { late: 'true' })}>${t('lane.lookAt')}</a></p>`}
    <ol class="rows">${recent.map((payment) => html`<${Row} key=${payment.orderId} payment=${payment} />`)}</ol>
  </${Card}>`;
}
