/**
 * How this device stands in its store: a master with its devices, or a slave with its master.
 * @import { DeviceInfo } from '../../../recognition/http/schemas.ts'
 * @import { StoreStatus } from '../../../sync/http/schemas.ts'
 */
import { dataOf, problemWith } from '../call.js';
import { element, fill, part, setText } from '../dom.js';
import { sentence, timeOf } from '../words.js';
import { mountPairing } from './store-pairing.js';
import { mountSlave } from './store-slave.js';

const ASK_EVERY_MS = 10_000;

/** @typedef {StoreStatus['devices'][number] & {isOwn: boolean}} Device */

/** @param {Device} device */
function heardOf({ silent }) {
  if (silent === null) return 'not heard of since the start';
  const minutes = Math.floor(silent / 60_000);
  return minutes < 1 ? 'synchronised within a minute' : `synchronised ${minutes} min ago`;
}

/** @param {Device} device */
function wordsOf(device) {
  const templates = `${device.templates} templates`;
  if (device.conflict) return `${templates} · two devices show this serial number`;
  return device.isOwn ? templates : `${templates} · ${heardOf(device)}`;
}

/** @param {Device} device */
function entry(device) {
  const name = element('strong', {}, device.isOwn ? `${device.sn} (this device)` : device.sn);
  return element('li', {}, name, element('p', { className: 'soft' }, wordsOf(device)));
}

/** @param {StoreStatus} status @param {DeviceInfo} info */
function summaryOf({ role, masterSN, lastSuccess, pending }, { masterIP }) {
  if (role === 'master') return 'This device is the master of its store.';
  const master = [masterSN, masterIP === '' ? '' : `at ${masterIP}`].filter(Boolean).join(' ');
  const last = lastSuccess === null ? 'Not synchronised yet.' : `Last synchronised ${timeOf(new Date(lastSuccess))}.`;
  const rest = pending === 0 ? '' : ` ${pending} templates wait for the next time.`;
  return `This device is a slave of the master ${master}. ${last}${rest}`.replace(' .', '.');
}

/** What an unpaired device waits for is told beside the fields for it. @param {StoreStatus} status */
const problemOf = ({ paired, problem }) => (paired ? sentence(problem ?? '') : 'Not paired yet.');

/** @param {HTMLElement} root */
export function mountStore(root) {
  const summary = part(root, '.summary');
  const problem = part(root, '.problem');
  const none = part(root, '.none');
  const list = part(root, 'ul');
  const pairing = mountPairing(part(root, '.pairing'));
  const slave = mountSlave(part(root, '.slave'), () => refresh());
  let askedAt = Number.NEGATIVE_INFINITY;
  let isLive = false;

  async function show() {
    /** @type {StoreStatus} */
    const status = await dataOf('/api/get_sync_status');
    /** @type {DeviceInfo} */
    const info = await dataOf('/api/get_device_info');
    const isMaster = status.role === 'master';
    const devices = status.devices.map((device) => ({ ...device, isOwn: device.sn === status.masterSN }));
    root.hidden = status.role === 'standalone';
    setText(summary, summaryOf(status, info));
    setText(problem, problemOf(status));
    setText(none, isMaster && devices.every(({ isOwn }) => isOwn) ? 'No other device is paired yet.' : '');
    fill(list, devices, entry);
    pairing.show(isMaster);
    slave.show(status, info);
  }

  function refresh() {
    askedAt = performance.now();
    show().catch((error) => {
      root.hidden = false;
      setText(problem, problemWith(error));
    });
  }

  function refreshInTime() {
    if (isLive && !document.hidden && performance.now() - askedAt >= ASK_EVERY_MS) refresh();
  }

  setInterval(refreshInTime, ASK_EVERY_MS / 2);
  return {
    onState() {
      isLive = true;
      refreshInTime();
    },
    onLost() {
      isLive = false;
      askedAt = Number.NEGATIVE_INFINITY;
      pairing.takeBack();
      setText(summary, '');
      setText(problem, '');
      setText(none, '');
      fill(list, [], entry);
    },
  };
}
