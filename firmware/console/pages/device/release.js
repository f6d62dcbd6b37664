/**
 * The running release, the result of the last update, and buttons to update and to go back to the previous release.
 * @import { Machine } from '../../api/machine-routes.ts'
 */
import { html } from '/console/assets/preact.js';
import { ask } from '../../../core/pages/app/api.js';
import { usePart } from '../../../core/pages/app/device.js';
import { has, nameOf, t, useWords } from '../../../core/pages/app/language.js';
import { momentFormat, sentence } from '../../../core/pages/app/writing.js';
import { SureButton } from '../../../core/pages/parts/dialog.js';
import { Button, Card, Outcome, useAction } from '../../../core/pages/parts/parts.js';

/** @param {{machine: Machine, update: NonNullable<Machine['update']>}} properties */
function Facts({ machine, update }) {
  const { locale } = useWords();
  const isLastGood = usePart('configuration')?.reasons.some(({ code }) => code === 'config-last-good');
  const day = (/** @type {string} */ at) =>
    momentFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(at));
  const { outcome, doing, source, putOffSince, putOffWhy, undone } = update;
  const key = `release.outcome.${outcome?.code}`;
  return html`<dl class="facts">
    ${machine.installedAt !== null && html`<dt>${t('release.since')}</dt><dd>${day(machine.installedAt)}</dd>`}
    <dt>${t('release.before')}</dt><dd>${update.previous ?? t('release.noneBefore')}</dd>
    <dt>${t('release.source')}</dt><dd>${source === null ? t('release.noSource') : html`<code>${source}</code>`}</dd>
    <dt>${t('part.configuration')}</dt><dd>${t(isLastGood ? 'release.lastGood' : 'release.config')}<p class="help">${t('release.configWhy')}</p></dd>
    <dt>${t('release.now')}</dt><dd>${nameOf('release.doing', doing)}</dd>
    ${
      outcome !== null &&
      html`<dt>${t('release.last')}</dt>
        <dd>${has(key) ? t(key, { version: outcome.version ?? '' }) : html`<code lang="en">${sentence(outcome.detail)}</code>`}</dd>`
    }
    ${
      putOffSince !== null &&
      html`<dt>${t('release.putOff')}</dt><dd>${day(putOffSince)} <code lang="en">${putOffWhy}</code></dd>`
    }
    ${undone.map(
      ({ version, reason }) =>
        html`<dt>${t('release.undone')}</dt><dd>${version} <code lang="en">${reason}</code></dd>`,
    )}
  </dl>`;
}

/** @param {{machine: Machine, again: () => void}} properties */
export function Release({ machine, again }) {
  const { action, run } = useAction();
  const { update, managed } = machine;
  /** @param {'update' | 'rollback'} what */
  const begin = async (what) => {
    await run(() => ask(`/console/api/device/${what}`, { method: 'POST' }), 'release.begun');
    again();
  };
  const isBusy = action.stage === 'busy' || (update !== null && update.doing !== 'idle');
  return html`<${Card} id="release" title=${t('release.title')}>
    <p>${t('release.runs', { version: machine.version })}</p>
    ${update !== null && html`<${Facts} machine=${machine} update=${update} />`}
    ${
      managed
        ? html`<div class="buttons">
            <${Button} kind="primary" disabled=${isBusy || update?.source === null} onClick=${() => begin('update')}>${t('release.look')}</${Button}>
            <${SureButton} disabled=${isBusy || (update?.previous ?? null) === null} go=${t('release.back')}
              title=${t('release.backSure', { version: update?.previous ?? '' })} words=${t('release.backWords')} onYes=${() => begin('rollback')} />
          </div>`
        : html`<p class="soft">${t('release.byHand')}</p>`
    }
    <${Outcome} action=${action} />
  </${Card}>`;
}
