/** A call that a person sends from here: chosen of those that there are, changed as they like, and what is answered. @import { ConsoleState } from '../../console-view.ts' @import { Known } from './known-calls.js' @import { Draft, Sent } from './send-call.js' */
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { CallError, wordsOf } from '../app/api.js';
import { useDevice } from '../app/device.js';
import { useFetched } from '../app/fetched.js';
import { newKey } from '../app/key.js';
import { useWords } from '../app/language.js';
import { useSaid } from '../app/said.js';
import { number } from '../app/writing.js';
import { Button, Outcome, useAction } from '../parts/action.js';
import { Copy } from '../parts/copy.js';
import { Card, Field } from '../parts/parts.js';
import { Text } from './body.js';
import { curlOf } from './curl.js';
import { readKnownCalls } from './known-calls.js';
import { isKey, isReachable, sendCall } from './send-call.js';
import { Status } from './status.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const FIRST = 'createPayment';
const NONE = { method: 'GET', path: '/v1/payments', key: '', body: '' };

/** @typedef {{currentTarget: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement}} Typed */

/** @param {Known} known @param {string | null} payment the latest, in the place of an id @returns {Draft} */
const draftOf = ({ method, path, body, takesKey }, payment) => ({
  method,
  path: payment === null ? path : path.replace('/v1/payments/{id}', `/v1/payments/${encodeURIComponent(payment)}`),
  key: takesKey ? newKey() : '',
  body,
});

/** What the answer says of a failure. @param {string} text @returns {CallError | null} */
function failureOf(text) {
  try {
    const { code, status, error_category, error_code, error_message, ...rest } = Object(JSON.parse(text));
    if (typeof code === 'string') return new CallError(code, rest);
    if (status !== 'error') return null; // under a success it is about a payment
    return new CallError(`${error_category} ${error_code}`, { detail: error_message });
  } catch {
    return null; // no JSON: there is nothing to word
  }
}

/** @param {{sent: Sent}} properties */
function Answer({ sent }) {
  const words = useWords();
  const { t } = words;
  const failure = failureOf(sent.text);
  return html`<div class="answer" aria-live="polite">
    <h3>${t('send.answer')}</h3>
    <p class="line"><${Status} status=${sent.status} /><span>${t('calls.ms', { ms: number(words, Math.round(sent.ms)) })}</span></p>
    ${failure !== null && html`<p class="problem">${wordsOf(words, failure)}</p>`}
    ${sent.text === '' ? html`<p class="soft">${t('calls.noBody')}</p>` : html`<${Text} text=${sent.text} name=${t('send.answer')} />`}
    ${sent.cut && html`<p class="soft">${t('calls.cut')}</p>`}
  </div>`;
}

/** @param {{known: readonly Known[], onChoose: (known: Known) => void, chosen: string}} properties */
function Choice({ known, onChoose, chosen }) {
  const { t, has } = useWords();
  /** @param {Known} call */
  const named = ({ id, method, path }) => {
    const key = `operation.${id}`;
    return has(key) ? `${t(key)} · ${method} ${path}` : `${method} ${path}`;
  };
  /** @param {Typed} event */
  const choose = ({ currentTarget: { value } }) => {
    const call = known.find(({ id }) => id === value);
    if (call !== undefined) onChoose(call);
  };
  return html`<${Field} id="send-call" label=${t('send.call')}>
    ${(/** @type {object} */ wires) => html`<select ...${wires} value=${chosen} onChange=${choose}>
      ${chosen === '' && html`<option value="">${t('send.other')}</option>`}
      ${known.map((call) => html`<option key=${call.id} value=${call.id}>${named(call)}</option>`)}
    </select>`}
  </${Field}>`;
}

/** What no page can send, as a line for a shell. @param {{state: ConsoleState, draft: Draft}} properties */
function ByShell({ state, draft }) {
  const { t } = useWords();
  const line = curlOf(state, draft);
  return html`<p class="help">${t('send.byShell')}</p>
    <pre id="send-curl" class="body" tabindex="0" role="region" aria-label="curl">${line}</pre>
    <div class="buttons"><${Copy} text=${line} of="send-curl" name="curl" /></div>`;
}

/** @param {{start?: Draft, focus?: boolean}} properties `start`: a call that is sent again; `focus`: somebody has just asked for it */
export function Sender({ start, focus = false }) {
  const words = useWords();
  const { t } = words;
  const { state } = useDevice();
  const { data: known } = useFetched('/console/api/terminal/openapi.json', null, readKnownCalls);
  const [chosen, setChosen] = useState('');
  const [draft, setDraft] = useState(start ?? NONE);
  const [sent, setSent] = useState(/** @type {Sent | null} */ (null));
  const [problem, setProblem] = useSaid();
  const [keyProblem, setKeyProblem] = useSaid();
  const { action, run } = useAction();
  /** @type {{current: HTMLElement | null}} */
  const own = useRef(null);
  const payment = state?.recent[0]?.orderId ?? null;
  /** @param {Known} call */
  const choose = (call) => {
    setChosen(call.id);
    setDraft(draftOf(call, payment));
    setSent(null);
    setProblem(null);
    setKeyProblem(null);
  };
  useEffect(() => {
    const first = known?.find(({ id }) => id === FIRST);
    if (start === undefined && first !== undefined && chosen === '') choose(first);
  }, [known]);
  useEffect(() => {
    if (focus) own.current?.querySelector('textarea')?.focus();
  }, []);
  /** @param {keyof Draft} name */
  const typed =
    (name) =>
    (/** @type {Typed} */ { currentTarget }) =>
      setDraft({ ...draft, [name]: currentTarget.value });
  /** @param {Event} event */
  const send = async (event) => {
    event.preventDefault();
    const isUnfinished = !draft.path.startsWith('/') || draft.path.includes('{');
    setProblem(isUnfinished ? 'send.pathWrong' : null);
    setKeyProblem(isKey(draft.key) ? null : 'send.keyWrong');
    if (isUnfinished || !isKey(draft.key) || !isReachable(draft)) return;
    setSent(null);
    await run(async () => setSent(await sendCall(draft)));
  };
  return html`<${Card} id="send" title=${t('send.title')}>
    <form ref=${own} novalidate onSubmit=${send}>
      <p class="help">${t('send.help')}</p>
      ${known !== null && html`<${Choice} known=${known} chosen=${chosen} onChoose=${choose} />`}
      <div class="target-fields">
        <${Field} id="send-method" label=${t('send.method')}>
          ${(/** @type {object} */ wires) => html`<select ...${wires} value=${draft.method} onChange=${typed('method')}>
            ${METHODS.map((method) => html`<option key=${method} value=${method}>${method}</option>`)}
          </select>`}
        </${Field}>
        <${Field} id="send-path" label=${t('send.path')} problem=${problem}>
          ${(/** @type {object} */ wires) => html`<input ...${wires} autocomplete="off" spellcheck=${false} value=${draft.path} onInput=${typed('path')} />`}
        </${Field}>
      </div>
      <${Field} id="send-key" label=${t('calls.key')} help=${t('send.keyHelp')} problem=${keyProblem}>
        ${(/** @type {object} */ wires) => html`<input ...${wires} autocomplete="off" spellcheck=${false} value=${draft.key} onInput=${typed('key')} />`}
      </${Field}>
      <${Field} id="send-body" label=${t('send.body')}>
        ${(/** @type {object} */ wires) => html`<textarea ...${wires} rows="8" spellcheck=${false} value=${draft.body} onInput=${typed('body')}></textarea>`}
      </${Field}>
      <div class="buttons">
        ${isReachable(draft) && html`<${Button} type="submit" kind="primary" disabled=${action.stage === 'busy'}>${t('send.send')}</${Button}>`}
        <${Button} onClick=${() => setDraft({ ...draft, key: newKey() })}>${t('send.newKey')}</${Button}>
      </div>
      ${!isReachable(draft) && state !== null && html`<${ByShell} state=${state} draft=${draft} />`}
      <${Outcome} action=${action} />
    </form>
    ${sent !== null && html`<${Answer} sent=${sent} />`}
  </${Card}>`;
}
