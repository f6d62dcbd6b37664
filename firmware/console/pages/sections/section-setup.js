/** The one press that sets a fresh device up. */
import { call } from '../call.js';
import { tell } from '../dom.js';

export function mountSetup(root) {
  const button = root.querySelector('button');
  const outcome = root.querySelector('.outcome');
  button.addEventListener('click', async () => {
    button.disabled = true;
    tell(outcome, 'busy', 'Setting up…');
    const problem = await call('/console/setup');
    button.disabled = false;
    if (problem === null) tell(outcome, 'good', 'Set up.');
    else tell(outcome, 'bad', problem);
  });
  return {
    onState({ settings }) {
      const offered = settings.setupRefusal === null;
      const hadFocus = root.contains(document.activeElement);
      root.hidden = !offered;
      if (!offered && hadFocus) document.querySelector('#ask input').focus();
    },
  };
}
