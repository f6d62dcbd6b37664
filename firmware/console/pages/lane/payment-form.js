/**
 * The form that makes a payment by hand, and the button that clears the display. The message about either disappears
 * when its subject has changed (`message-subject.js`).
 */
import { LIMITS } from '/console/assets/limits.js';
import { html, useEffect, useLayoutEffect, useRef } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useIsShown } from '../../../core/pages/app/busy-state.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useDraft, useOnce, useUnsaved } from '../../../core/pages/app/drafts.js';
import { t, useWords } from '../../../core/pages/app/language.js';
import { useMessage } from '../../../core/pages/app/outcome.js';
import { LEAST_KOPECKS, MOST_KOPECKS, parseRoubles, typed } from '../../../core/pages/parts/amount.js';
import { Keypad } from '../../../core/pages/parts/keypad.js';
import { Button, Card, Form, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';
import { awaitOutcome } from './await-outcome.js';
import { stillHolds, subjectNow, subjectOf } from './message-subject.js';

/**
 * Media query of a machine with a mouse. Only there the field is focused: a touch screen would open its keyboard over
 * the page.
 */
const KEYBOARD = '(any-pointer: fine)';
const PROBLEM_LIMITS = { empty: 0, shape: 0, least: LEAST_KOPECKS, most: MOST_KOPECKS };

export function PaymentForm() {
  const { decimalSign } = useWords();
  const { state, isLive } = useDevice();
  const [amount, setAmount] = useDraft('amount', '');
  const [purpose, setPurpose] = useDraft('purpose', '');
  useUnsaved(amount !== '' || purpose !== '');
  const [problem, setProblem] = useMessage();
  const { action, isBusy, run, forget } = useAction();
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const isShown = useIsShown();
  useLayoutEffect(() => {
    if (isShown && matchMedia(KEYBOARD).matches) field.current?.focus({ preventScroll: true });
  }, [isShown]);
  const send = useOnce('the sale');
  const holds = useRef(/** @type {ReturnType<typeof stillHolds> | null} */ (null));
  const subject = state === null || !isLive ? null : subjectOf(state);
  useEffect(() => {
    if (holds.current === null || holds.current(subject)) return;
    holds.current = null;
    forget();
  }, [subject]);

  /**
   * Runs an action at the lane; its message stays as long as it holds.
   * @param {() => Promise<unknown>} work @param {import('../../../core/pages/app/outcome.js').Said} done
   */
  const runAtLane = (work, done) => {
    holds.current = null;
    return run(async () => {
      await work();
      // where the device does not answer any more, the page itself shows it
      holds.current = await subjectNow().then(
        (after) => stillHolds(subject, after),
        () => () => false,
      );
    }, done);
  };

  const submit = async () => {
    const read = parseRoubles(amount);
    if ('problem' in read) {
      setProblem(({ t, roubles }) => t(`amount.${read.problem}`, { limit: roubles(PROBLEM_LIMITS[read.problem]) }));
      field.current?.focus();
      return;
    }
    setProblem(null);
    const what = purpose.trim();
    const json = { amount: read.kopecks, ...(what === '' ? {} : { purpose: what }) };
    const isAsked = await runAtLane(async () => {
      /** @type {{id: string}} */
      const { id } = await send('/v1/payments', json);
      void awaitOutcome(id);
    }, 'lane.shown');
    if (!isAsked) return;
    // what was typed while the payment was made is for the next sale
    setPurpose((before) => (before === purpose ? '' : before));
    if (field.current?.value !== amount) return;
    setAmount('');
    field.current.focus({ preventScroll: true });
    const code = document.getElementById('customer');
    if (code !== null && code.getBoundingClientRect().bottom > innerHeight) code.scrollIntoView();
  };
  const clear = () => runAtLane(() => ask('/console/api/display/clear', { method: 'POST', json: {} }), 'lane.cleared');
  const isSetUp = state !== null && state.settings.bank !== null;
  return html`<${Card} id="ask" title=${t('lane.ask')}>
    <${Form} novalidate onSubmit=${submit}>
      <${TextField} id="amount" label=${t('lane.amount')} help=${t('lane.amountHelp')} problem=${problem}
        input=${field} class="amount" inputmode="decimal" value=${amount} onText=${setAmount} />
      <${Keypad} keys=${[...'123456789', decimalSign(), '0', 'back']} onKey=${(/** @type {string} */ key) => setAmount(typed(amount, key))} />
      <${TextField} id="purpose" label=${t('lane.purpose')}
        most=${LIMITS.purpose} value=${purpose} onText=${setPurpose} />
      <div class="buttons">
        <${Button} type="submit" kind="primary" disabled=${!isSetUp || isBusy}>${t('lane.show')}</${Button}>
        <${Button} name="clear" disabled=${!isSetUp || isBusy} onClick=${clear}>${t('lane.clear')}</${Button}>
      </div>
    </${Form}>
    <${Outcome} action=${action} />
  </${Card}>`;
}
