/**
 * The code that slaves are paired with: shown to a technician, at a press, and for as long as it is good.
 * @import { PairingCode } from '../../../sync/http/schemas.ts'
 */
import { ask, problemWith } from '../call.js';
import { copyButton } from '../copy.js';
import { part, setText, tell } from '../dom.js';
import { countdown, sentence } from '../words.js';

const NOT_AUTHORISED = -6306;
const NOT_HERE = 'The code is shown to a technician: open this page over https, and sign in with a technician’s token.';
const OVER = 'The time of the code is over. Show a new one.';

/** @param {HTMLElement} root */
export function mountPairing(root) {
  const button = part(root, 'button');
  const line = part(root, '.line');
  const code = part(root, 'code');
  const left = part(root, '.left');
  const outcome = part(root, '.outcome');
  /** @type {number | null} */
  let endsAt = null;
  line.append(copyButton(code, 'pairing code'));

  function takeBack() {
    endsAt = null;
    line.hidden = true;
    setText(code, '');
    setText(left, '');
  }

  function tick() {
    if (endsAt === null) return;
    const leftMs = endsAt - performance.now();
    if (leftMs > 0) {
      setText(left, `Good for ${countdown(leftMs)}. Type it on the slave's page.`);
      return;
    }
    takeBack();
    tell(outcome, 'busy', OVER);
  }

  /** @param {PairingCode} shown */
  function showCode({ pairingCode, seconds }) {
    tell(outcome, 'busy', '');
    setText(code, pairingCode);
    line.hidden = false;
    endsAt = performance.now() + seconds * 1000;
    tick();
  }

  async function answer() {
    /** @type {{code: number, msg: string, data: PairingCode}} */
    const { code: number, msg, data } = await ask('/api/get_sync_pairing_code', { method: 'POST' });
    if (number === 0) showCode(data);
    else tell(outcome, 'bad', number === NOT_AUTHORISED ? NOT_HERE : sentence(msg));
  }

  button.addEventListener('click', async () => {
    takeBack();
    await answer().catch((error) => tell(outcome, 'bad', problemWith(error)));
  });
  setInterval(tick, 500);

  return {
    /** @param {boolean} isMaster */
    show(isMaster) {
      root.hidden = !isMaster;
      if (!isMaster) takeBack();
    },
    takeBack,
  };
}
