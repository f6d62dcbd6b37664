/**
 * Who has done what to this device, for a technician who asks: newest first, older ones on a press.
 * @import { AuditLine } from '../../../audit/line.ts'
 */
import { dataOf, problemWith } from '../call.js';
import { element, part, tell } from '../dom.js';
import { sentence, timeOf } from '../words.js';

const LINES = 20;

/** @type {Readonly<Record<string, string>>} */
const DEEDS = {
  settings: 'Settings sent',
  'payments-exported': 'Payments exported',
  'payment-acknowledged': 'Late payment looked into',
  'payment-refunded': 'Payment refunded',
  'refund-decided': 'Refund decided by a person',
  'registry-reconciled': 'Registry of a bank compared',
  'cash-link-made': 'Code to print made',
  'payment-cancelled': 'Payment cancelled',
  'template-learned': 'Template learned',
  'template-deleted': 'Template deleted',
  'item-deleted': 'Item deleted',
  'all-templates-deleted': 'All templates deleted',
  'item-marked-for-deletion-everywhere': 'Item marked for deletion in the store',
  'mark-for-deletion-taken-back': 'Mark for deletion taken back',
  'templates-exported': 'Templates exported',
  'package-downloaded': 'Package downloaded',
  'templates-imported': 'Templates imported',
  'speed-set': 'Speed set',
  'learning-mode-set': 'Learning mode set',
  'result-count-set': 'Number of results set',
  'area-set': 'Recognition area set',
  'empty-tray-learned': 'Empty tray learned',
  'clock-set': 'Clock set',
  reboot: 'Reboot',
  'factory-reset': 'Factory reset',
  'store-information-set': 'Store information set',
  'became-master': 'Became the master of the store',
  'became-slave': 'Became a slave of a master',
  'became-standalone': 'Left the store',
  'synchronisation-limit-set': 'Synchronisation limit set',
  'pairing-code-shown': 'Pairing code shown',
  'device-paired': 'Device paired',
  'device-revoked': 'Device shut out',
  'release-changed': 'Another release runs',
  'lines-lost': 'Lines of this trail lost',
  'more-refusals': 'More calls',
  call: 'Call',
};

/** @type {Readonly<Record<AuditLine['credential'], string>>} */
const CREDENTIALS = {
  loopback: 'a program on this device',
  till: 'the till’s token',
  technician: 'a technician’s token',
  none: 'no token',
  button: 'the button at the tray',
  'pairing-code': 'the pairing code',
  device: 'the device itself',
};

/** @type {Readonly<Record<AuditLine['outcome'], [string, string]>>} */
const OUTCOMES = { done: ['Done', 'good'], failed: ['Failed', 'open'], refused: ['Refused', 'bad'] };

/** @param {AuditLine} line */
const who = ({ address, credential, till }) =>
  [address, till === undefined ? (CREDENTIALS[credential] ?? credential) : `the till ${till}`]
    .filter((words) => words !== null)
    .join(', ');

/** @param {AuditLine['what']} about */
const what = (about) =>
  Object.entries(about)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');

/** @param {AuditLine} line */
const reasonOf = ({ code, why }) =>
  [why === undefined ? '' : sentence(why), code === undefined ? '' : `Code ${code}.`].filter(Boolean).join(' ');

/** @param {AuditLine} line */
function entry(line) {
  const [words, look] = OUTCOMES[line.outcome];
  const times = line.times === undefined ? '' : ` (${line.times} times)`;
  return element(
    'li',
    {},
    element('strong', {}, `${DEEDS[line.deed] ?? line.deed}${times}`),
    element('span', { className: `chip ${look}` }, words),
    ...[what(line.what), reasonOf(line)].filter(Boolean).map((text) => element('span', { className: 'detail' }, text)),
    element('span', { className: 'detail soft' }, `${timeOf(new Date(line.at))} · ${who(line)}`),
  );
}

/** @param {HTMLElement} root */
export function mountAudit(root) {
  const list = part(root, 'ol');
  const outcome = part(root, '.outcome');
  const show = part(root, 'button', HTMLButtonElement);
  const older = part(root, 'button + button', HTMLButtonElement);
  /** @type {number | null} */
  let last = null;

  /** @param {number | null} before */
  async function load(before) {
    show.disabled = true;
    older.disabled = true;
    try {
      /** @type {{lines: AuditLine[], more: boolean}} */
      const { lines, more } = await dataOf(
        `/console/audit?limit=${LINES}${before === null ? '' : `&before=${before}`}`,
      );
      if (before === null) list.replaceChildren();
      list.append(...lines.map(entry));
      last = lines.at(-1)?.n ?? null;
      older.hidden = !more;
      show.textContent = 'Show the newest';
      tell(outcome, 'good', list.childElementCount === 0 ? 'Nothing yet.' : '');
    } catch (error) {
      tell(outcome, 'bad', problemWith(error));
    }
    show.disabled = false;
    older.disabled = false;
  }

  show.addEventListener('click', () => load(null));
  older.addEventListener('click', () => load(last));
  return { onState: () => undefined };
}
