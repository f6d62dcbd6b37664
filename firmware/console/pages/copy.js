/** A button that copies the text of a node. */
import { element } from './dom.js';

const SAID_MS = 4000;

/** Where the browser gives no clipboard (a page over plain http), the text is selected instead. @param {Node} node */
async function copy(node) {
  try {
    await navigator.clipboard.writeText(node.textContent ?? '');
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(node);
    return 'Selected: copy it';
  }
}

/**
 * @param {Node} node
 * @param {string} name what is copied, for those who do not see where the button stands
 */
export function copyButton(node, name) {
  const button = element('button', { type: 'button' });
  button.setAttribute('aria-live', 'polite');
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let rest;
  /** @param {string} words @param {string} label */
  const say = (words, label) => {
    button.textContent = words;
    button.setAttribute('aria-label', label);
  };
  const idle = () => say('Copy', `Copy: ${name}`);
  button.addEventListener('click', async () => {
    const words = await copy(node);
    say(words, words);
    clearTimeout(rest);
    rest = setTimeout(idle, SAID_MS);
  });
  idle();
  return button;
}
