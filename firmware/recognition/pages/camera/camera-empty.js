/** The button that learns the empty tray, after a question. */
import { html } from '/console/assets/preact.js';
import { ask, CallError } from '../../../core/pages/app/api.js';
import { t } from '../../../core/pages/app/language.js';
import { SureButton } from '../../../core/pages/parts/dialog.js';
import { Button, Card, Outcome, useAction } from '../../../core/pages/parts/parts.js';

const KNOWN = '/console/api/camera/empty-tray';

/** @param {{isLearned: boolean, onLearned?: () => void, children?: unknown}} properties */
export function EmptyTray({ isLearned, onLearned = () => undefined, children }) {
  const { action, isBusy, run } = useAction();
  /** @param {'refuse' | 'ignore'} things */
  const learn = async (things) => {
    if (await run(() => ask(`${KNOWN}?things=${things}`, { method: 'PUT' }), 'camera.learned')) onLearned();
  };
  const isRefused = action.error instanceof CallError && action.error.code === 'Tray.NotEmpty';
  return html`<${Card} id="learning" title=${t('camera.emptyTray')}>
    <p class=${isLearned ? 'soft' : 'advice'}>${t(isLearned ? 'camera.isLearned' : 'camera.notLearned')}</p>
    ${children}
    <${SureButton} kind=${isLearned ? 'plain' : 'primary'} disabled=${isBusy} go=${t('camera.learn')}
      title=${t('camera.learnSure')} words=${t('camera.learnWords')} yes=${t('camera.learnYes')} onYes=${() => learn('refuse')} />
    ${!isRefused && html`<${Outcome} action=${action} />`}
    ${
      isRefused &&
      html`<div class="known-tray">
        ${
          isLearned &&
          html`<figure><img src=${KNOWN} alt="" /><figcaption class="soft">${t('camera.knownTray')}</figcaption></figure>`
        }
        <p class="advice" role="alert">${t('camera.trayChanged')}</p>
        <${Button} onClick=${() => learn('ignore')} disabled=${isBusy}>${t('camera.learnAnyway')}</${Button}>
      </div>`
    }
  </${Card}>`;
}
