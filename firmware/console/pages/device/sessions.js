/** Who is signed in at which browser, and the way to sign somebody out. @import { Static } from 'typebox' @import { SessionList } from '../../api/session-routes.ts' */
import { html } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { t } from '../../../core/pages/app/language.js';
import { Button, Card, Chip, Nothing, Outcome, useAction } from '../../../core/pages/parts/parts.js';

/** @typedef {Static<typeof SessionList>} Answer */

const PATH = '/console/api/sessions';
const MINUTE = 60;

/** @param {{session: Answer['sessions'][number], isBusy: boolean, onEnd: () => void}} properties */
function Row({ session: { role, till, by, from, idleSeconds, own }, isBusy, onEnd }) {
  const name = till ?? t(`person.${role}`);
  const minutes = Math.floor(idleSeconds / MINUTE);
  const facts = [
    by === 'token' ? t('sessions.token') : '',
    from === '' ? t('sessions.here') : from,
    minutes === 0 ? t('sessions.now') : t('sessions.ago', { n: minutes }),
  ].filter((fact) => fact !== '');
  return html`<li>
    <span class="part">${name}</span>
    ${own && html`<${Chip} look="rest">${t('sessions.own')}</${Chip}>`}
    <span class="soft">${facts.join(' · ')}</span>
    ${!own && html`<span class="buttons"><${Button} disabled=${isBusy} aria-label=${`${t('sessions.end')}: ${name}`} onClick=${onEnd}>${t('sessions.end')}</${Button}></span>`}
  </li>`;
}

export function Sessions() {
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<Answer>} */
  const { data, error, again } = useFetched(PATH);
  const { action, isBusy, run } = useAction();
  /** @param {string} id */
  const end = async (id) => {
    await run(() => ask(`${PATH}/${id}`, { method: 'DELETE' }), 'sessions.ended');
    await again();
  };
  return html`<${Card} id="sessions" title=${t('sessions.title')} error=${error}>
    ${data?.sessions.length === 0 && html`<${Nothing}>${t('sessions.none')}</${Nothing}>`}
    <ul class="parts">
      ${data?.sessions.map((session) => html`<${Row} key=${session.id} session=${session} isBusy=${isBusy} onEnd=${() => end(session.id)} />`)}
    </ul>
    <${Outcome} action=${action} />
  </${Card}>`;
}
