/**
 * The newest payment: its amount, what has become of it, and how to pay it in the sandbox.
 * @import { ConsoleState, PaymentView } from '../../console-view.ts'
 */
import { part, setText } from '../dom.js';
import { formatRoubles } from '../money.js';
import { bankWords, paymentWords, unheard } from '../payment-words.js';
import { countdown, timeOf } from '../words.js';

const LOOPBACK = /^(localhost|127\.|\[::1\])/;
const NONE = 'None yet. Ask for one above, or from your till.';
const NO_PHONE =
  'This link opens on this machine only. For phones, start with LANEWARE_SANDBOXBANK_HOST=0.0.0.0 and scan the code.';

/** @param {HTMLElement} root */
export function mountPayment(root) {
  const none = part(root, '.none');
  const some = part(root, '.some');
  const amount = part(root, '.amount');
  const chip = part(root, '.chip');
  const purpose = part(root, '.purpose');
  const detail = part(root, '.detail');
  const advice = part(root, '.advice');
  const link = part(root, 'a', HTMLAnchorElement);
  const phone = part(root, '.phone');
  /** @type {PaymentView | null} */
  let shown = null;
  let endsAt = 0;

  function tick() {
    if (shown === null) return;
    const leftMs = shown.leftMs === null ? null : Math.max(0, endsAt - performance.now());
    const [words, look] = paymentWords({ ...shown, leftMs: leftMs === null ? null : Math.ceil(leftMs) });
    setText(chip, words);
    chip.className = `chip ${look}`;
    const left = leftMs === null || leftMs === 0 ? [] : [`${countdown(leftMs)} left`];
    setText(detail, [...left, bankWords(shown.bank), timeOf(new Date(shown.createdAt))].join(' · '));
  }

  /** @param {Pick<ConsoleState, 'payment'>} state */
  function onState({ payment }) {
    shown = payment;
    setText(none, NONE);
    none.hidden = payment !== null;
    some.hidden = payment === null;
    if (payment === null) return;
    endsAt = performance.now() + (payment.leftMs ?? 0);
    setText(amount, formatRoubles(payment.amount));
    setText(purpose, payment.purpose ?? '');
    setText(advice, payment.message ?? '');
    const address = payment.link === null ? null : URL.parse(payment.link);
    const isOffered = address !== null && /^https?:$/.test(address.protocol) && (payment.leftMs ?? 0) > 0;
    link.hidden = !isOffered;
    link.href = isOffered ? address.href : '';
    phone.hidden = !isOffered || !LOOPBACK.test(address.hostname);
    setText(phone, NO_PHONE);
    tick();
  }

  setInterval(tick, 500);
  return {
    onState,
    onLost() {
      // what was never heard is not none
      if (shown !== null) onState({ payment: unheard(shown) });
    },
  };
}
