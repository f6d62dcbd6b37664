/** The end of setting up: what the shop still has to do before its first day. */
import { html } from '/console/assets/preact.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { t } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { useSession } from '../../../core/pages/app/session.js';

/** @param {{steps: readonly {href: string, title: string}[]}} properties `steps` of the path that are left */
export function Undone({ steps }) {
  const session = useSession();
  /** @type {import('../../../core/pages/app/fetched.js').Fetched<import('../device/making.js').State>} */
  const { data: backups } = useFetched('/console/api/backups');
  const left = [
    ...steps,
    ...(session?.pins === false ? [{ href: hrefOf('device', ['access']), title: t('welcome.noPins') }] : []),
    ...(backups?.lastMade === null ? [{ href: hrefOf('device', ['backup']), title: t('welcome.noBackup') }] : []),
  ];
  if (left.length === 0) return null;
  return html`<section id="undone" class="card" aria-labelledby="undone-title">
    <h2 id="undone-title">${t('welcome.undone')}</h2>
    <ul class="rows">${left.map(({ href, title }) => html`<li key=${href}><a href=${href}>${title}</a></li>`)}</ul>
  </section>`;
}
