/**
 * What works and what does not, with what to do.
 * @import { ConsoleState } from '../../console-view.ts'
 * @import { PartHealth } from '../../../host/health.ts'
 */
import { element, fill, part, setText } from '../dom.js';
import { sentence } from '../words.js';

/** @type {Readonly<Record<string, string>>} */
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
/** @type {Readonly<Record<PartHealth['state'] | 'unknown', readonly [string, string]>>} */
const STATES = {
  ok: ['OK', 'good'],
  degraded: ['Needs attention', 'open'],
  failed: ['Failed', 'bad'],
  unknown: ['Not known now', 'rest'],
};
const OVERALL = { ok: 'All is well', degraded: 'Needs attention', failed: 'Something has failed' };

/** @param {string} name */
const nameOf = (name) => NAMES[name] ?? name.charAt(0).toUpperCase() + name.slice(1);

/** @param {{part: string, state: keyof typeof STATES, reason: string}} health */
function entry({ part: name, state, reason }) {
  const [words, look] = STATES[state];
  /** @type {HTMLElement[]} */
  const parts = [element('span', {}, nameOf(name)), element('span', { className: `chip ${look}` }, words)];
  if (reason !== '') parts.push(element('p', { className: 'reason' }, sentence(reason)));
  return element('li', {}, ...parts);
}

/** @param {HTMLElement} root @param {HTMLElement} overall @param {HTMLElement} about */
export function mountHealth(root, overall, about) {
  const list = part(root, 'ul');
  /** @type {readonly string[]} */
  let names = [];

  /** @param {string} words @param {string} look */
  function sayOverall(words, look) {
    setText(overall, words);
    overall.className = `chip ${look}`;
  }

  return {
    /** @param {ConsoleState} state */
    onState({ health, settings }) {
      const isFresh = settings.bank === null && settings.setupRefusal === null;
      if (isFresh) sayOverall('Not set up yet', 'open');
      else sayOverall(OVERALL[health.state], STATES[health.state][1]);
      setText(about, `Device ${health.serial} · version ${health.version}`);
      names = health.parts.map((each) => each.part);
      fill(list, health.parts, entry);
    },
    onLost() {
      sayOverall('No answer', 'bad');
      fill(
        list,
        names.map((name) => ({ part: name, state: /** @type {const} */ ('unknown'), reason: '' })),
        entry,
      );
    },
  };
}
