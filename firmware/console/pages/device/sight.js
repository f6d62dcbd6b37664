/** What the device knows of its tray and its speed: without that it recognises badly. @import { CameraAnswer } from '../../../recognition/http/v1/camera-schemas.ts' */
import { html } from '/console/assets/preact.js';
import { usePart } from '../app/device.js';
import { useFetched } from '../app/fetched.js';
import { useWords } from '../app/language.js';
import { hrefOf } from '../app/route.js';
import { Card } from '../parts/parts.js';

/** Nothing where no camera looks: what is wrong with it stands among the faults. */
export function Sight() {
  const { t, number } = useWords();
  const camera = usePart('camera');
  const isThere = camera?.state === 'ok' && camera.driver !== 'none';
  /** @type {import('../app/fetched.js').Fetched<CameraAnswer>} */
  const { data } = useFetched(isThere ? '/console/api/camera' : null);
  const lookMs = usePart('model')?.lookMs;
  if (data === null) return null;
  return html`<${Card} id="sight" title=${t('part.tray')}>
    <p class=${data.learned ? '' : 'advice'}>${t(data.learned ? 'camera.isLearned' : 'camera.notLearned')}</p>
    <p class="soft">${lookMs === undefined ? t('camera.notMeasured') : t('camera.lookMs', { ms: number(lookMs) })}</p>
    <a class="button" href=${hrefOf('camera')}>${t('remedy.camera')}</a>
  </${Card}>`;
}
