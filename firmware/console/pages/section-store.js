/** A master's devices, and the code that a slave is paired with: shown only on the master itself, at a press. */
import { element, fill, setText, tell } from './dom.js';

const ASK_EVERY_MS = 10_000;
const NOT_AUTHORISED = -6306;
const NOT_HERE = 'The code is shown only in a browser on the master itself. There, open this page as http://127.0.0.1.';

async function ask(path, method) {
  const response = await fetch(path, { method, signal: AbortSignal.timeout(ASK_EVERY_MS) });
  return await response.json();
}

function heardOf({ silent }) {
  if (silent === null) return 'not heard of since the start';
  const minutes = Math.floor(silent / 60_000);
  return minutes < 1 ? 'synchronised within a minute' : `synchronised ${minutes} min ago`;
}

function wordsOf(device) {
  const templates = `${device.templates} templates`;
  if (device.conflict) return `${templates} · two devices show this serial number`;
  return device.isOwn ? templates : `${templates} · ${heardOf(device)}`;
}

function entry(device) {
  const name = element('strong', {}, device.isOwn ? `${device.sn} (this device)` : device.sn);
  return element('li', {}, name, element('p', { className: 'soft' }, wordsOf(device)));
}

export function mountStore(root) {
  const list = root.querySelector('ul');
  const button = root.querySelector('button');
  const outcome = root.querySelector('.outcome');

  async function refresh() {
    const { data } = await ask('/api/get_sync_status', 'GET');
    root.hidden = data.role !== 'master';
    if (root.hidden) return;
    const devices = data.devices.map((device) => ({ ...device, isOwn: device.sn === data.masterSN }));
    setText(root.querySelector('.none'), devices.every(({ isOwn }) => isOwn) ? 'No other device is paired yet.' : '');
    fill(list, devices, entry);
  }

  button.addEventListener('click', async () => {
    const answer = await ask('/api/get_sync_pairing_code', 'POST').catch(() => null);
    if (answer === null) tell(outcome, 'bad', 'The device does not answer. Check that it runs, and ask again.');
    else if (answer.code === NOT_AUTHORISED) tell(outcome, 'bad', NOT_HERE);
    else if (answer.code !== 0) tell(outcome, 'bad', answer.msg);
    else tell(outcome, 'good', `${answer.data.pairingCode} (good for ${Math.ceil(answer.data.seconds / 60)} min)`);
  });

  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    onState() {
      if (performance.now() - askedAt < ASK_EVERY_MS) return;
      askedAt = performance.now();
      refresh().catch(() => {}); // the page says by itself when the device does not answer
    },
  };
}
