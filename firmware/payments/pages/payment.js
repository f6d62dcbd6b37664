/**
 * The view of one payment: its steps, its refunds, and what a person records about it or about a refund without an outcome.
 * @import { WordKey } from '../../core/pages/app/language.js'
 * @import { Action } from '../../core/pages/parts/parts.js'
 * @import { Refund, WholePayment } from './types.js'
 */
import { LIMITS } from '/console/assets/limits.js';
import { html, useLayoutEffect, useRef, useState } from '/console/assets/preact.js';
import { ask, CallError } from '../../core/pages/app/api.js';
import { useDraft, useOnce, useUnsaved } from '../../core/pages/app/drafts.js';
import { useFetched } from '../../core/pages/app/fetched.js';
import { nameOf, roubles, t, time } from '../../core/pages/app/language.js';
import { useMessage } from '../../core/pages/app/outcome.js';
import { parseRoubles } from '../../core/pages/parts/amount.js';
import { Copy } from '../../core/pages/parts/copy.js';
import { Dialog, Question, SureButton } from '../../core/pages/parts/dialog.js';
import { Button, Card, Chip, Form, Outcome, TextField, useAction } from '../../core/pages/parts/parts.js';
import { Failure, isUnstored, ledgerState, Silence } from './payment-state.js';

/** @param {string} id */
const pathOf = (id) => `/v1/payments/${encodeURIComponent(id)}`;

/**
 * @typedef {object} Step
 * @property {string} at ISO 8601
 * @property {WordKey} key
 * @property {number} [amount] kopecks
 * @property {string | null} [more]
 */

/** @param {WholePayment} payment @returns {Step[]} in the order of time */
function stepsOf(payment) {
  /** @type {Step[]} */
  const steps = [{ at: payment.createdAt, key: 'step.asked', amount: payment.amount }];
  if (payment.paidAt !== null) steps.push({ at: payment.paidAt, key: 'step.paid' });
  if (payment.endedAt !== null && payment.state !== 'STATIC')
    steps.push({ at: payment.endedAt, key: `step.${payment.state}` });
  if (payment.receipt !== null) steps.push({ at: payment.receipt.at, key: 'step.receipt' });
  if (payment.acknowledgedAt !== null)
    steps.push({ at: payment.acknowledgedAt, key: 'step.lookedInto', more: payment.note });
  for (const { createdAt, endedAt, state, amount, why, reason } of payment.refunds) {
    steps.push({ at: createdAt, key: 'step.refundAsked', amount, more: why });
    if (endedAt === null) steps.push({ at: createdAt, key: 'step.refundOpen', more: reason });
    else if (state === 'done') steps.push({ at: endedAt, key: 'step.refundDone', amount, more: reason });
    else steps.push({ at: endedAt, key: 'step.refundRefused', amount, more: reason });
  }
  return steps.sort((one, other) => one.at.localeCompare(other.at));
}

/** @param {{payment: WholePayment}} properties */
function Timeline({ payment }) {
  return html`<ol class="timeline" aria-label=${t('step.all')}>
    ${stepsOf(payment).map(
      ({ at, key, amount, more }, index) => html`<li key=${index}>
        <time datetime=${at}>${time(at)}</time>
        <span>${t(key, { amount: amount === undefined ? '' : roubles(amount) })}${(more ?? '') !== '' && html` <span class="soft">${more}</span>`}</span>
      </li>`,
    )}
  </ol>`;
}

const OUTCOMES = /** @type {const} */ (['done', 'refused']);
/** @param {string | null} state */
const isOutcome = (state) => OUTCOMES.some((outcome) => outcome === state);

/**
 * Whether a person may mark an outcome: none is known, or the bank has reported another than the one that was marked.
 * @param {Refund} refund
 */
const isToBeDecided = ({ state, told }) => !isOutcome(state) || (isOutcome(told) && told !== state);

/**
 * A refund without an outcome: a person who has looked in the account at the bank marks what is seen there.
 * @param {{payment: string, refund: Refund, onDone: () => void}} properties
 */
function Decide({ payment, refund, onDone }) {
  const [note, setNote] = useDraft(`decision on ${payment} ${refund.id}`, '');
  useUnsaved(note !== '');
  const { action, isBusy, run } = useAction();
  /** @param {'done' | 'refused'} outcome */
  const decide = async (outcome) => {
    const path = `${pathOf(payment)}/refunds/${encodeURIComponent(refund.id)}/decide`;
    const isDone = await run(() => ask(path, { method: 'POST', json: { outcome, note: note.trim() } }));
    if (isDone) setNote('');
    onDone();
  };
  const amount = roubles(refund.amount);
  return html`<section class="advice">
    <h3>${t(refund.decided === null ? 'decide.title' : 'decide.titleAgain', { amount, time: time(refund.createdAt) })}</h3>
    <p>${t(refund.decided === null ? 'decide.words' : 'decide.wordsAgain')}</p>
    <${TextField} id="decision-note" label=${t('late.note')} help=${t('decide.noteHelp')}
      most=${LIMITS.note} value=${note} onText=${setNote} />
    <div class="buttons">
      ${OUTCOMES.map(
        (
          outcome,
        ) => html`<${SureButton} key=${outcome} go=${t(`decide.${outcome}`)} title=${t(`decide.${outcome}Sure`, { amount })}
          words=${t(`decide.${outcome}Words`)} disabled=${isBusy || note.trim() === ''} onYes=${() => decide(outcome)} />`,
      )}
    </div>
    <${Outcome} action=${action} />
  </section>`;
}

/**
 * Asks a supervisor for the PIN.
 * @param {{amount: number, action: Action, onPin: (pin: string) => void, onClose: () => void}} properties `action`: the
 * refund, refused at first
 */
function SupervisorPin({ amount, action, onPin, onClose }) {
  const [pin, setPin] = useState('');
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const isWrong = action.field === 'supervisorPin';
  useLayoutEffect(() => field.current?.focus(), [action.stage]);
  const submit = () => {
    setPin('');
    onPin(pin);
  };
  return html`<${Dialog} title=${t('refund.pinTitle', { amount: roubles(amount) })} onClose=${onClose}>
    <${Form} novalidate class="words" onSubmit=${submit}>
      ${!isWrong && html`<${Outcome} action=${action} />`}
      <${TextField} id="supervisor-pin" label=${t('refund.pin')} problem=${isWrong ? action.said : ''}
        input=${field} type="password" inputmode="numeric" most=${LIMITS.longestPin} value=${pin} onText=${setPin} />
      <div class="buttons">
        <${Button} type="submit" kind="danger" disabled=${pin === '' || action.stage === 'busy'}>${t('refund.giveBack')}</${Button}>
        <button type="button" onClick=${onClose}>${t('leaveIt')}</button>
      </div>
    </${Form}>
  </${Dialog}>`;
}

/** The example in the message about a wrong amount; where less is left to refund, that is the example. */
const EXAMPLE_KOPECKS = 12_345;

/** @param {{payment: WholePayment, onDone: () => void}} properties */
function GiveBack({ payment, onDone }) {
  const left = payment.amount - payment.refunded;
  const [text, setText] = useDraft(`refund of ${payment.id}`, '');
  const [why, setWhy] = useDraft(`why ${payment.id} goes back`, '');
  useUnsaved(text !== '' || why !== '');
  const [isAsking, setAsking] = useState(false);
  const [isLimited, setLimited] = useState(false);
  const [problem, setProblem] = useMessage();
  const { action, isBusy, run } = useAction();
  const send = useOnce(`a refund of ${payment.id}`);
  const read = text.trim() === '' ? { kopecks: left } : parseRoubles(text);
  const amount = 'kopecks' in read ? read.kopecks : 0;
  const look = () => {
    const isWrong = 'problem' in read || amount > left;
    setProblem(
      isWrong
        ? ({ t, roubles, number }) =>
            t('refund.wrong', {
              left: roubles(left),
              example: number(Math.min(left, EXAMPLE_KOPECKS) / 100, { minimumFractionDigits: 2 }),
            })
        : null,
    );
    setAsking(!isWrong);
  };
  /** @param {{supervisorPin?: string}} more */
  const giveBack = async (more) => {
    setAsking(false);
    let state = '';
    const isDone = await run(
      async () => {
        try {
          const reason = why.trim() === '' ? {} : { why: why.trim() };
          /** @type {{state: string}} */
          const refund = await send(`${pathOf(payment.id)}/refunds`, { amount, ...reason, ...more });
          state = refund.state;
        } catch (error) {
          if (error instanceof CallError && error.code === 'Payments.RefundLimit') setLimited(true);
          throw error;
        }
      },
      ({ t, roubles }) => (state === 'done' ? t('step.refundDone', { amount: roubles(amount) }) : t('refund.asked')),
    );
    if (isDone) {
      setText((before) => (before === text ? '' : before));
      setWhy((before) => (before === why ? '' : before));
      setLimited(false);
    }
    onDone();
  };
  return html`<${Form} novalidate onSubmit=${look}>
      <${TextField} id="refund" label=${t('refund.amount')} help=${t('refund.help', { left: roubles(left) })} problem=${problem}
        inputmode="decimal" value=${text} onText=${setText} />
      <${TextField} id="why" label=${t('refund.why')} help=${t('refund.whyHelp')} most=${LIMITS.note} value=${why} onText=${setWhy} />
      <${Button} type="submit" disabled=${isBusy}>${t('refund.giveBack')}</${Button}>
      <${Outcome} action=${action} />
    </${Form}>
    ${
      isAsking &&
      html`<${Question} title=${t('refund.sure', { amount: roubles(amount) })} yes=${t('refund.giveBack')} kind="danger" onYes=${() => giveBack({})} onClose=${() => setAsking(false)}>
        ${why.trim() !== '' && html`<p>${why.trim()}</p>`}<p>${t('refund.sureWords')}</p>
      </${Question}>`
    }
    ${isLimited && html`<${SupervisorPin} amount=${amount} action=${action} onPin=${(/** @type {string} */ supervisorPin) => giveBack({ supervisorPin })} onClose=${() => setLimited(false)} />`}`;
}

/** @param {{payment: WholePayment, onDone: () => void}} properties */
function LookedInto({ payment, onDone }) {
  const [note, setNote] = useDraft(`note on ${payment.id}`, '');
  useUnsaved(note !== '');
  const { action, isBusy, run } = useAction();
  const acknowledge = async () => {
    await run(() =>
      ask(`${pathOf(payment.id)}/acknowledge`, {
        method: 'POST',
        json: note.trim() === '' ? {} : { note: note.trim() },
      }),
    );
    onDone();
  };
  return html`<${Form} class="advice" novalidate onSubmit=${acknowledge}>
    <h3>${t('late.title')}</h3>
    <p>${t(payment.refunded >= payment.amount ? 'late.wordsBack' : 'late.words')}</p>
    <${TextField} id="note" label=${t('late.note')} help=${t('late.noteHelp')}
      most=${LIMITS.note} value=${note} onText=${setNote} />
    <${Button} type="submit" kind="primary" disabled=${isBusy}>${t('late.done')}</${Button}>
    <${Outcome} action=${action} />
  </${Form}>`;
}

/** The button by which a cashier has the bank asked about an open payment. @param {{id: string}} properties */
function CheckNow({ id }) {
  const { action, isBusy, run } = useAction();
  const check = () =>
    run(() => ask(`/console/api/payments/${encodeURIComponent(id)}/check`, { method: 'POST' }), 'payment.checking');
  return html`<div class="buttons"><${Button} disabled=${isBusy} onClick=${check}>${t('payment.check')}</${Button}></div>
    <${Outcome} action=${action} />`;
}

const FACTS = /** @type {const} */ ([
  'id',
  'qrcId',
  'trxId',
  'method',
  'payerBank',
  'payerPhone',
  'reference',
  'number',
  'till',
  'cashier',
  'shift',
  'profile',
  'bank',
]);

/** Facts that are too long to be read out or typed. @type {readonly string[]} */
const COPIED = ['id', 'qrcId', 'trxId', 'reference'];

/** The facts by which a payment is found at the bank or in the till. @param {{payment: WholePayment}} properties */
function Facts({ payment }) {
  const { payerBank = null, payerPhone = null } = payment.bankPayment ?? {};
  const word = payment.methodWord === null ? '' : ` (${payment.methodWord})`;
  const method = payment.method === null ? null : `${t(`method.${payment.method}`)}${word}`;
  const bank = `${nameOf('bank', payment.bank)}${payment.test ? ` · ${t('test')}` : ''}`;
  const facts = { ...payment, bank, method, payerBank, payerPhone };
  const known = FACTS.filter((name) => facts[name] !== null);
  return html`<details>
    <summary>${t('fact.all')}</summary>
    <dl class="facts">
      ${known.map(
        (name) => html`<div key=${name}>
          <dt>${t(`fact.${name}`)}</dt>
          <dd class="line"><code id="fact-${name}">${facts[name]}</code>${COPIED.includes(name) && html`<${Copy} text=${String(facts[name])} of="fact-${name}" name=${t(`fact.${name}`)} />`}</dd>
        </div>`,
      )}
    </dl>
  </details>`;
}

/**
 * @param {{id: string, isReceiptSought?: boolean, revision: unknown, back: unknown}} properties `isReceiptSought`: it
 * was opened as one that may lack a receipt
 */
export function PaymentView({ id, isReceiptSought = false, revision, back }) {
  /** @type {import('../../core/pages/app/fetched.js').Fetched<WholePayment>} */
  const { data: payment, error, again } = useFetched(pathOf(id), revision);
  if (payment === null) return html`<${Card} id="payment" title=${t('payment.title')} aside=${back} error=${error} />`;
  const [key, look] = ledgerState(payment);
  const { code: refusal = null, reason = null } = payment.refunds.at(-1) ?? {};
  const canGoBack = payment.state === 'ACCEPTED' && payment.refunded < payment.amount;
  return html`<${Card} id="payment" title=${t('payment.of', { time: time(payment.createdAt) })} aside=${back}>
    <p class="line"><strong class="sum large">${roubles(payment.amount)}</strong><${Chip} look=${look} live>${t(key)}</${Chip}></p>
    ${payment.purpose !== null && html`<p>${payment.purpose}</p>`}
    ${payment.failure !== null && html`<${Failure} failure=${payment.failure} />`}
    ${payment.doubt !== null && html`<p class="advice">${t('payment.doubt')}</p>`}
    ${refusal !== null && html`<${Failure} failure=${{ code: refusal, detail: reason ?? '' }} />`}
    ${
      payment.silence !== null &&
      html`<div class="advice">
      <p>${t(isUnstored(payment) ? 'payment.unstoredSince' : 'payment.silence', { time: time(payment.silence.since) })}</p>
      <${Silence} silence=${payment.silence} isUnstored=${isUnstored(payment)} />
    </div>`
    }
    ${payment.state === 'PENDING' && html`<${CheckNow} id=${payment.id} />`}
    ${isReceiptSought && payment.receipt === null && html`<p class="advice">${t('receipt.none')}</p>`}
    ${payment.refunds
      .filter(isToBeDecided)
      .map((refund) => html`<${Decide} key=${refund.id} payment=${payment.id} refund=${refund} onDone=${again} />`)}
    ${payment.late && html`<${LookedInto} payment=${payment} onDone=${again} />`}
    ${canGoBack && html`<${GiveBack} payment=${payment} onDone=${again} />`}
    <${Timeline} payment=${payment} />
    <${Facts} payment=${payment} />
  </${Card}>`;
}
