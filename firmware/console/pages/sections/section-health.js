/** What works and what does not, with what to do. */
import { element, fill, setText } from '../dom.js';
import { sentence } from '../words.js';

const NAMES = {
  settings: 'Set-up',
  display: 'Customer display',
  payments: 'Payments',
  ledger: 'Record of payments',
  camera: 'Camera',
  model: 'Recognition model',
  templates: 'Item templates',
  sync: 'Synchronisation',
  tls: 'Encryption',
  audit: 'Audit trail',
};
const STATES = {
  ok: ['OK', 'good'],
  degraded: ['Needs attention', 'open'],
  failed: ['Failed', 'bad'],
  unknown: ['Not known now', 'rest'],
};
const OVERALL = { ok: 'All is well', degraded: 'Needs attention', failed: 'Something has failed' };

const nameOf = (part) => NAMES[part] ?? part.charAt(0).toUpperCase() + part.slice(1);

function entry({ part, state, reason }) {
  const [words, look] = STATES[state];
  const parts = [element('span', {}, nameOf(part)), element('span', { className: `chip ${look}` }, words)];
  if (reason !== '') parts.push(element('p', { className: 'reason' }, sentence(reason)));
  return element('li', {}, ...parts);
}

export function mountHealth(root, overall, about) {
  const list = root.querySelector('ul');
  let names = [];

  function sayOverall(words, look) {
    setText(overall, words);
    overall.className = `chip ${look}`;
  }

  return {
    onState({ health, settings }) {
      const isFresh = settings.bank === null && settings.setupRefusal === null;
      if (isFresh) sayOverall('Not set up yet', 'open');
      else sayOverall(OVERALL[health.state], STATES[health.state][1]);
      setText(about, `Device ${health.serial} · version ${health.version}`);
      names = health.parts.map(({ part }) => part);
      fill(list, health.parts, entry);
    },
    onLost() {
      sayOverall('No answer', 'bad');
      const parts = names.map((part) => ({ part, state: 'unknown', reason: '' }));
      fill(list, parts, entry);
    },
  };
}
