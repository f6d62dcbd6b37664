/** What works and what does not, with what to do. */
import { element, fill, setText } from './dom.js';

const NAMES = {
  settings: 'Set-up',
  display: 'Customer display',
  payments: 'Payments',
  ledger: 'Record of payments',
  camera: 'Camera',
  model: 'Recognition model',
  templates: 'Item templates',
  sync: 'Synchronisation',
};
const STATES = { ok: ['OK', 'good'], degraded: ['Needs attention', 'open'], failed: ['Failed', 'bad'] };
const OVERALL = { ok: 'All is well', degraded: 'Needs attention', failed: 'Something has failed' };

const nameOf = (part) => NAMES[part] ?? part.charAt(0).toUpperCase() + part.slice(1);

function sentence(text) {
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(/([.!?])\.$/, '$1');
}

function entry({ part, state, reason }) {
  const [words, look] = STATES[state];
  const parts = [element('span', {}, nameOf(part)), element('span', { className: `chip ${look}` }, words)];
  if (reason !== '') parts.push(element('p', { className: 'reason' }, sentence(reason)));
  return element('li', {}, ...parts);
}

export function mountHealth(root, overall, about) {
  const list = root.querySelector('ul');
  return ({ health, settings }) => {
    const isFresh = settings.bank === null && settings.setupRefusal === null;
    setText(overall, isFresh ? 'Not set up yet' : OVERALL[health.state]);
    overall.className = `chip ${isFresh ? 'open' : STATES[health.state][1]}`;
    setText(about, `Device ${health.serial} · version ${health.version}`);
    fill(list, health.parts, entry);
  };
}
