/**
 * Pairs a slave with its master: needed once, and anew when the master was replaced or has shut the slave out.
 * @import { DeviceInfo } from '../../../recognition/http/schemas.ts'
 * @import { StoreStatus } from '../../../sync/http/schemas.ts'
 */
import { call } from '../call.js';
import { part, setText, tell } from '../dom.js';

const UNPAIRED = 'Open the page of the master as its technician, and press “Show pairing code”. Type the code here:';
const TROUBLE =
  'This device tries again by itself. Check that the master runs and that both are on one network. Where the master was replaced, or has shut this device out, pair it anew:';

/** "192.168.1.10:7443", or without a port: then it is the usual one. @param {string} text */
function addressOf(text) {
  const [, host, port] = /^([^:]+):(\d+)$/.exec(text) ?? [null, text, null];
  return { masterIP: host, ...(port === null ? {} : { mastersyncPort: Number(port) }) };
}

/** @param {HTMLElement} root @param {() => void} onPaired */
export function mountSlave(root, onPaired) {
  const form = part(root, 'form');
  const master = part(form, '[name=master]', HTMLInputElement);
  const code = part(form, '[name=code]', HTMLInputElement);
  const button = part(form, 'button', HTMLButtonElement);
  const advice = part(root, '.advice');
  const outcome = part(root, '.outcome');
  let directions = { upload: true, download: true };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const pairingCode = code.value.trim();
    if (master.value.trim() === '' || pairingCode === '') {
      tell(outcome, 'bad', 'Type the address of the master and the code that it shows.');
      (pairingCode === '' ? code : master).focus();
      return;
    }
    button.disabled = true;
    tell(outcome, 'busy', 'Pairing…');
    const problem = await call('/api/set_sync_slave', {
      ...addressOf(master.value.trim()),
      ...directions,
      pairingCode,
    });
    button.disabled = false;
    tell(outcome, problem === null ? 'good' : 'bad', problem ?? 'Paired.');
    if (problem === null) code.value = '';
    onPaired();
  });

  return {
    /** @param {StoreStatus} status @param {DeviceInfo} info */
    show({ role, paired, problem }, { masterIP, mastersyncPort, upload, download }) {
      const isSlave = role === 'slave';
      root.hidden = !isSlave;
      if (!isSlave) return;
      directions = { upload, download };
      form.hidden = paired && problem === null;
      setText(advice, form.hidden ? '' : paired ? TROUBLE : UNPAIRED);
      if (master.value === '' && masterIP !== '') master.value = `${masterIP}:${mastersyncPort}`;
    },
  };
}
