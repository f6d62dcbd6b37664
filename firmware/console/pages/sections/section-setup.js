/**
 * The one press that sets a fresh device up.
 * @import { ConsoleState } from '../../console-view.ts'
 */
import { call } from '../call.js';
import { part, tell } from '../dom.js';

/** @param {HTMLElement} root */
export function mountSetup(root) {
  const button = part(root, 'button', HTMLButtonElement);
  const outcome = part(root, '.outcome');
  button.addEventListener('click', async () => {
    button.disabled = true;
    tell(outcome, 'busy', 'Setting up…');
    const problem = await call('/console/setup');
    button.disabled = false;
    if (problem === null) tell(outcome, 'good', 'Set up.');
    else tell(outcome, 'bad', problem);
  });
  return {
    /** @param {ConsoleState} state */
    onState({ settings }) {
      const offered = settings.setupRefusal === null;
      const hadFocus = root.contains(document.activeElement);
      root.hidden = !offered;
      if (!offered && hadFocus) part(document, '#ask input').focus();
    },
  };
}
