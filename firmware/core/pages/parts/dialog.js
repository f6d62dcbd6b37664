/** Questions before actions that are hard to undo, in the browser's own dialogue element, with its focus and Escape. */
import { LIMITS } from '/console/assets/limits.js';
import { html, useLayoutEffect, useRef, useState } from '/console/assets/preact.js';
import { t } from '../app/language.js';
import { Button, TextField } from './parts.js';

/** Ignores Enter while it is held down from the press that opened the question. @param {KeyboardEvent} event */
const ignoreHeldEnter = (event) => event.repeat && event.key === 'Enter' && event.preventDefault();

/**
 * A dialogue that is open as long as it is drawn.
 * @param {{title: string, onClose: () => void, isHeld?: boolean, children?: unknown}} properties `isHeld`: only a
 *   button in it closes it, no key and no gesture
 */
export function Dialog({ title, onClose, isHeld = false, children }) {
  const own = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const isGone = useRef(false);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = own.current;
    dialog?.showModal();
    return () => {
      // while the dialogue is open, nothing behind it can take the focus
      isGone.current = true;
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const closed = () => {
    if (isGone.current) return;
    if (isHeld) own.current?.showModal();
    else onClose();
  };
  return html`<dialog ref=${own} aria-label=${title} onClose=${closed} onKeyDown=${ignoreHeldEnter}>
    <h2>${title}</h2>
    ${children}
  </dialog>`;
}

/**
 * @param {{title: string, children?: unknown, yes: string, onYes: () => void, onClose: () => void, kind?: 'primary' | 'danger', disabled?: boolean}} properties
 */
export function Question({ title, children, yes, onYes, onClose, kind = 'primary', disabled = false }) {
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <div class="words">${children}</div>
    <div class="buttons">
      <${Button} kind=${kind} onClick=${onYes} disabled=${disabled}>${yes}</${Button}>
      <button type="button" onClick=${onClose}>${t('leaveIt')}</button>
    </div>
  </${Dialog}>`;
}

/**
 * A question before an action that cannot be undone: a person must type a name.
 * @param {{title: string, words: string, label: string, name: string, yes: string, onYes: () => void, onClose: () => void}} properties
 */
export function TypedQuestion({ words, label, name, ...question }) {
  const [typed, setTyped] = useState('');
  return html`<${Question} ...${question} kind="danger" disabled=${typed.trim() !== name}>
    <p>${words}</p>
    <${TextField} id="typed" label=${label}
      autocapitalize="off" spellcheck=${false} most=${LIMITS.deviceName} value=${typed} onText=${setTyped} />
  </${Question}>`;
}

/**
 * A button that asks before it acts.
 * @param {{go: string, title: string, words: string, onYes: () => void, yes?: string, kind?: 'plain' | 'primary' | 'danger', disabled?: boolean, isAsked?: boolean, typed?: {label: string, name: string}}} properties
 *   `go`: words of the button; `yes`: words of the question's button; `isAsked`: whether it asks now; `typed`: the name
 *   that a person must type first
 */
export function SureButton({ go, title, words, onYes, yes = go, kind = 'plain', disabled, isAsked = true, typed }) {
  const [isOpen, setOpen] = useState(false);
  const onClose = () => setOpen(false);
  const carryOut = () => {
    onClose();
    onYes();
  };
  const question = { title, yes, kind: kind === 'danger' ? kind : 'primary', onYes: carryOut, onClose };
  return html`<${Button} kind=${kind} disabled=${disabled} onClick=${() => (isAsked ? setOpen(true) : onYes())}>${go}</${Button}>
    ${isOpen && typed === undefined && html`<${Question} ...${question}><p>${words}</p></${Question}>`}
    ${isOpen && typed !== undefined && html`<${TypedQuestion} ...${question} ...${typed} words=${words} />`}`;
}
