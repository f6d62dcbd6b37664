/**
 * The audit trail of this device: newest lines first, older ones on a press.
 * @import { AuditLine } from '../../../core/audit/line.ts'
 */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { nameOf, t, time } from '../../../core/pages/app/language.js';
import { sentence } from '../../../core/pages/app/writing.js';
import { Button, Card, Chip, Nothing, Outcome, useAction } from '../../../core/pages/parts/parts.js';

const LINES = 20;

/** @type {Readonly<Record<AuditLine['outcome'], readonly ['device.done' | 'device.notDone' | 'device.refused', import('../../../core/pages/parts/parts.js').Look]>>} */
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
function Line({ line }) {
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
  /** @param {readonly AuditLine[]} held those that stay above @param {string | null} from */
  const load = (held, from) =>
    run(async () => {
      /** @type {{lines: AuditLine[], cursor: string | null}} */
      const page = await ask(`/console/api/audit?limit=${LINES}${from === null ? '' : `&cursor=${from}`}`);
      setLines([...held, ...page.lines]);
      setCursor(page.cursor);
    });
  return html`<${Card} id="audit" title=${t('device.audit')}>
    <p class="soft">${t('device.auditWords')}</p>
    ${lines?.length === 0 && html`<${Nothing}>${t('device.nothingYet')}</${Nothing}>`}
    <ol class="trail">${lines?.map((line) => html`<${Line} key=${line.n} line=${line} />`)}</ol>
    <div class="buttons">
      <${Button} disabled=${isBusy} onClick=${() => load([], null)}>${lines === null ? t('device.show') : t('device.newest')}</${Button}>
      ${cursor !== null && html`<${Button} disabled=${isBusy} onClick=${() => load(lines ?? [], cursor)}>${t('device.older')}</${Button}>`}
    </div>
    <${Outcome} action=${action} />
  </${Card}>`;
}
