/** A form of the claim page: the code that the display shows, and one field for what the person sets with it. */
import { LIMITS } from '/console/assets/limits.js';
import { html, useEffect, useLayoutEffect, useRef, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { t, useWords } from '../../../core/pages/app/language.js';
import { messageFor } from '../../../core/pages/app/outcome.js';
import { Form, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';

/** @import { WordKey } from '../../../core/pages/app/language.js' */

const LIMIT_MS = 10_000;

/**
 * @template Answer
 * @param {string} path @param {object} json @returns {Promise<Answer>}
 * @throws {import('../../../core/pages/app/api.js').CallError}
 */
export const post = (path, json) => ask(path, { method: 'POST', json, limitMs: LIMIT_MS });

/** Reads the code in the link, and removes it from the address at once, so that it is not in the browser's history. */
function codeOfLink() {
  const found = /^#([0-9A-Za-z-]+)/.exec(location.hash)?.[1] ?? '';
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  return found;
}

/** @returns {[string, (code: string) => void]} the code of the link, which a later link replaces */
function useCode() {
  const [code, setCode] = useState(codeOfLink);
  useEffect(() => {
    const onLink = () => setCode((before) => codeOfLink() || before);
    addEventListener('hashchange', onLink);
    return () => removeEventListener('hashchange', onLink);
  }, []);
  return [code, setCode];
}

/**
 * @typedef {object} Field the field beside the code
 * @property {string} name
 * @property {WordKey} label
 * @property {WordKey} help
 * @property {'text' | 'numeric'} inputmode
 * @property {number} most characters
 */

/**
 * @typedef {object} Claim
 * @property {WordKey} intro
 * @property {WordKey} button
 * @property {Field} field
 * @property {(value: string) => WordKey | null} [problemOf] what is wrong with the field before it is sent
 * @property {(error: unknown) => WordKey | null} [refusalOf] what a refused call says of the field
 * @property {(code: string, value: string) => Promise<void>} send
 */

/** @param {Claim} properties */
export function ClaimForm({ intro, button, field, problemOf = () => null, refusalOf = () => null, send }) {
  const words = useWords();
  const [code, setCode] = useCode();
  const [value, setValue] = useState('');
  const [problems, setProblems] = useState(
    /** @type {Readonly<Record<'code' | 'field', WordKey | null>>} */ ({ code: null, field: null }),
  );
  const { action, isBusy, run } = useAction();
  const submitButton = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useLayoutEffect(() => {
    if (code !== '') submitButton.current?.focus();
  }, []);
  const submit = async () => {
    const [sentCode, sentValue] = [code.trim(), value.trim()];
    const found = { code: sentCode === '' ? /** @type {const} */ ('claim.noCode') : null, field: problemOf(sentValue) };
    setProblems(found);
    if (found.code !== null || found.field !== null) return;
    await run(async () => {
      try {
        await send(sentCode, sentValue);
      } catch (error) {
        setProblems({ code: null, field: refusalOf(error) });
        throw error;
      }
    });
  };
  return html`<section id="claim" class="card">
    <p class="soft">${t(intro)}</p>
    <${Form} novalidate onSubmit=${submit}>
      <${TextField} id="code" label=${t('claim.code')} help=${t('claim.codeHelp')} problem=${messageFor(words, problems.code)}
        name="code" autocapitalize="characters" spellcheck="false" most=${LIMITS.claimCode} value=${code} onText=${setCode} />
      <${TextField} id="wanted" label=${t(field.label)} help=${t(field.help)} problem=${messageFor(words, problems.field)}
        name=${field.name} inputmode=${field.inputmode} autocapitalize="none" spellcheck="false" most=${field.most} value=${value} onText=${setValue} />
      <button type="submit" class="primary" ref=${submitButton} disabled=${isBusy}>${t(button)}</button>
    </${Form}>
    <${Outcome} action=${action} id="claim-outcome" />
  </section>`;
}
