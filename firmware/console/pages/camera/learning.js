/** What the tray looks like with nothing on it: learned with a press, after a question. */
import { html, useState } from '/console/assets/preact.js';
import { ask, CallError } from '../app/api.js';
import { useWords } from '../app/language.js';
import { Button, Outcome, useAction } from '../parts/action.js';
import { Question } from '../parts/dialog.js';
import { Card } from '../parts/parts.js';

const KNOWN = '/console/api/camera/empty-tray';

/** @param {{isLearned: boolean}} properties */
export function Learning({ isLearned }) {
  const { t } = useWords();
  const { action, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const [isRefused, setRefused] = useState(false);
  /** @param {'refuse' | 'ignore'} things */
  const learn = (things) => {
    setAsking(false);
    setRefused(false);
    return run(async () => {
      try {
        await ask(`/console/api/camera/empty-tray?things=${things}`, { method: 'PUT' });
      } catch (error) {
        setRefused(error instanceof CallError && error.code === 'Tray.NotEmpty');
        throw error;
      }
    }, 'camera.learned');
  };
  return html`<${Card} id="learning" title=${t('camera.emptyTray')}>
    <p class=${isLearned ? 'soft' : 'advice'}>${t(isLearned ? 'camera.isLearned' : 'camera.notLearned')}</p>
    <${Button} kind=${isLearned ? 'plain' : 'primary'} onClick=${() => setAsking(true)} disabled=${action.stage === 'busy'}>${t('camera.learn')}</${Button}>
    <${Outcome} action=${action} />
    ${
      isRefused &&
      html`<div class="known-tray">
        ${
          isLearned &&
          html`<figure><img src=${KNOWN} alt="" /><figcaption class="soft">${t('camera.knownTray')}</figcaption></figure>`
        }
        <p>${t('camera.trayChanged')}</p>
        <${Button} onClick=${() => learn('ignore')} disabled=${action.stage === 'busy'}>${t('camera.learnAnyway')}</${Button}>
      </div>`
    }
    ${
      isAsking &&
      html`<${Question} title=${t('camera.learnSure')} yes=${t('camera.learnYes')} onYes=${() => learn('refuse')} onClose=${() => setAsking(false)}>
        <p>${t('camera.learnWords')}</p>
      </${Question}>`
    }
  </${Card}>`;
}
