/**
 * The audit trail of the device: newest lines first, older ones on a press. The latest lines of its own log, filtered
 * by severity, part and text; the list follows the log until a person pauses it.
 * @import { AuditLine } from '../../../core/audit/line.ts'
 * @import { Look } from '../../../core/pages/parts/parts.js'
 */
import { LIMITS } from '/console/assets/limits.js';
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { nameOf, t, time } from '../../../core/pages/app/language.js';
import { sentence } from '../../../core/pages/app/writing.js';
import { Button, Card, Chip, Choice, Nothing, Outcome, TextField, useAction } from '../../../core/pages/parts/parts.js';

const TRAIL_LINES = 20;

/**
 * @type {Readonly<Record<AuditLine['outcome'],
 *   readonly ['device.done' | 'device.notDone' | 'device.refused', Look]>>}
 */
const OUTCOMES = {
  done: ['device.done', 'good'],
  failed: ['device.notDone', 'open'],
  refused: ['device.refused', 'bad'],
};

/** @param {AuditLine['what']} about */
const what = (about) =>
  Object.entries(about)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');

/** @param {AuditLine} line */
function whoOf({ till, credential, signedInBy }) {
  const role = credential === 'technician' || credential === 'supervisor' ? credential : 'cashier';
  if (signedInBy !== undefined) return t(`device.signedIn.${signedInBy}`, { person: till ?? t(`person.${role}`) });
  return till === undefined ? t(`credential.${credential}`) : t('device.byTill', { till });
}

/** @param {{line: AuditLine}} properties */
function TrailLine({ line }) {
  const [key, look] = OUTCOMES[line.outcome];
  const who = whoOf(line);
  const reason = [
    line.why === undefined ? '' : sentence(line.why),
    line.code === undefined ? '' : t('device.code', { code: line.code }),
  ];
  return html`<li>
    <p class="line">
      <strong>${nameOf('audit', line.deed)}</strong>
      ${line.times !== undefined && html`<span>${t('device.times', { n: line.times })}</span>`}
      <${Chip} look=${look}>${t(key)}</${Chip}>
    </p>
    ${[what(line.what), reason.join(' ').trim()].filter((text) => text !== '').map((text) => html`<p>${text}</p>`)}
    <p class="soft"><time datetime=${line.at}>${time(line.at)}</time> · ${[line.address, who].filter((text) => text !== null).join(', ')}</p>
  </li>`;
}

export function Audit() {
  const [lines, setLines] = useState(/** @type {readonly AuditLine[] | null} */ (null));
  const [cursor, setCursor] = useState(/** @type {string | null} */ (null));
  const { action, isBusy, run } = useAction();
  /**
   * @param {readonly AuditLine[]} held lines that stay above the new ones
   * @param {string | null} from cursor of the page; null: the newest
   */
  const load = (held, from) =>
    run(async () => {
      /** @type {{lines: AuditLine[], cursor: string | null}} */
      const page = await ask(`/console/api/audit?limit=${TRAIL_LINES}${from === null ? '' : `&cursor=${from}`}`);
      setLines([...held, ...page.lines]);
      setCursor(page.cursor);
    });
  return html`<${Card} id="audit" title=${t('device.audit')}>
    <p class="soft">${t('device.auditWords')}</p>
    ${lines?.length === 0 && html`<${Nothing}>${t('device.nothingYet')}</${Nothing}>`}
    <ol class="trail">${lines?.map((line) => html`<${TrailLine} key=${line.n} line=${line} />`)}</ol>
    <div class="buttons">
      <${Button} disabled=${isBusy} onClick=${() => load([], null)}>${lines === null ? t('device.show') : t('device.newest')}</${Button}>
      ${cursor !== null && html`<${Button} disabled=${isBusy} onClick=${() => load(lines ?? [], cursor)}>${t('device.older')}</${Button}>`}
    </div>
    <${Outcome} action=${action} />
  </${Card}>`;
}

/** @typedef {'info' | 'warn' | 'error'} Least */
/**
 * @typedef {{n: number, at: string, level: string, part: typeof PARTS[number], message: string,
 *   details: string}} LogLine
 */
/** @typedef {{level: Least, part: string, text: string}} Sought */

const LEAST = /** @type {const} */ (['info', 'warn', 'error']);
const PARTS = /** @type {const} */ (['terminal', 'recognition', 'sync', 'chain', 'device']);
const LOG_LINES = '100';

/** @type {Readonly<Record<string, readonly ['log.of.warn' | 'log.of.error', Look]>>} */
const GRAVE = { warn: ['log.of.warn', 'open'], error: ['log.of.error', 'bad'], fatal: ['log.of.error', 'bad'] };

/** @param {Sought} sought */
const pathOf = (sought) =>
  `/console/api/log?${new URLSearchParams(Object.entries({ ...sought, limit: LOG_LINES }).filter(([, value]) => value !== ''))}`;

/** @param {{line: LogLine}} properties */
function LogRow({ line: { at, level, part, message, details } }) {
  const grave = GRAVE[level];
  return html`<li>
    <p class="line">
      ${grave !== undefined && html`<${Chip} look=${grave[1]}>${t(grave[0])}</${Chip}>`}
      <span class="part">${t(`log.part.${part}`)}</span>
      ${at !== '' && html`<time class="soft" datetime=${at}>${time(at)}</time>`}
    </p>
    <p><code lang="en">${message}${details !== '{}' && ` ${details}`}</code></p>
  </li>`;
}

/** @param {{sought: Sought, onSeek: (changed: Partial<Sought>) => void}} properties */
function Finder({ sought: { level, part, text }, onSeek }) {
  return html`<div class="finder" role="search">
    <${Choice} id="log-level" label=${t('log.level')} value=${level} onChoose=${(/** @type {string} */ value) => onSeek({ level: /** @type {Least} */ (value) })}
      options=${LEAST.map((each) => [each, t(`log.least.${each}`)])} />
    <${Choice} id="log-part" label=${t('log.part')} value=${part} onChoose=${(/** @type {string} */ value) => onSeek({ part: value })}
      options=${[['', t('log.part.all')], ...PARTS.map((each) => [each, t(`log.part.${each}`)])]} />
    <${TextField} id="log-text" label=${t('log.text')}
      type="search" maxlength=${LIMITS.logText} value=${text} onText=${(/** @type {string} */ value) => onSeek({ text: value })} />
  </div>`;
}

export function Log() {
  const { state } = useDevice();
  const now = state?.logLines ?? 0;
  const [held, setHeld] = useState(/** @type {number | null} */ (null));
  const [sought, setSought] = useState(/** @type {Sought} */ ({ level: 'info', part: '', text: '' }));
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<{lines: LogLine[]}>} */
  const { data, error } = useFetched(pathOf(sought), held ?? now);
  const hold = html`<${Button} onClick=${() => setHeld(held === null ? now : null)}>${t(held === null ? 'log.hold' : 'log.goOn')}</${Button}>`;
  return html`<${Card} id="log" title=${t('log.title')} aside=${hold} error=${error}>
    <p class="soft">${t('log.words')}</p>
    <${Finder} sought=${sought} onSeek=${(/** @type {Partial<Sought>} */ changed) => setSought((before) => ({ ...before, ...changed }))} />
    ${data?.lines.length === 0 && html`<${Nothing}>${t('log.none')}</${Nothing}>`}
    <div class="log" tabindex="0" role="region" aria-label=${t('log.lines')}>
      <ol class="trail">${data?.lines.map((line) => html`<${LogRow} key=${line.n} line=${line} />`)}</ol>
    </div>
    <p class="soft">${t('log.supportWords')}</p>
    <p><a class="button" href="/console/api/support" download>${t('log.support')}</a></p>
  </${Card}>`;
}
