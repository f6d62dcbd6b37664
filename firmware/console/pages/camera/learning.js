/** What the tray looks like with nothing on it: learned with a press, after a question. */
import { html, useState } from '/console/assets/preact.js';
import { ask } from '../app/api.js';
import { useWords } from '../app/language.js';
import { Button, Outcome, useDeed } from '../parts/deed.js';
import { Question } from '../parts/dialog.js';
import { Card } from '../parts/parts.js';

/** @param {{isLearned: boolean}} properties */
export function Learning({ isLearned }) {
  const { t } = useWords();
  const { deed, run } = useDeed();
  const [isAsking, setAsking] = useState(false);
  const learn = () => {
    setAsking(false);
    return run(() => ask('/v1/camera/empty-tray', { method: 'PUT' }), 'camera.learned');
  };
  return html`<${Card} id="learning" title=${t('camera.emptyTray')}>
    <p class=${isLearned ? 'soft' : 'advice'}>${t(isLearned ? 'camera.isLearned' : 'camera.notLearned')}</p>
    <${Button} kind=${isLearned ? 'plain' : 'primary'} onClick=${() => setAsking(true)} disabled=${deed.stage === 'busy'}>${t('camera.learn')}</${Button}>
    <${Outcome} deed=${deed} />
    ${
      isAsking &&
      html`<${Question} title=${t('camera.learnSure')} yes=${t('camera.learnYes')} onYes=${learn} onClose=${() => setAsking(false)}>
        <p>${t('camera.learnWords')}</p>
      </${Question}>`
    }
  </${Card}>`;
}
