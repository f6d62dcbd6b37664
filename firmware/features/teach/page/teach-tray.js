/**
 * Before anything is taught: the empty tray is learned, else a bare one would be sold as what was taught last.
 * @import { CameraAnswer } from '../../../recognition/http/camera-schemas.ts'
 */
import { html } from '/console/assets/preact.js';
import { usePart } from '../../../core/pages/app/device.js';
import { useFetched } from '../../../core/pages/app/fetched.js';
import { t } from '../../../core/pages/app/language.js';
import { useSees } from '../../../core/pages/app/session.js';
import { Card, Nothing } from '../../../core/pages/parts/parts.js';
import { DrawnTray, EmptyTray } from '../../../recognition/pages/index.js';

/** @typedef {import('../../../core/pages/app/fetched.js').Fetched<CameraAnswer>} Sight */

/** @param {{children: unknown}} properties shown once the tray is known, or where no camera looks at one */
export function TrayFirst({ children }) {
  const camera = usePart('camera');
  const isSeeing = camera?.state === 'ok' && camera.driver !== 'none';
  const mayLearn = useSees('camera');
  const { data, error, again } = /** @type {Sight} */ (useFetched(isSeeing ? '/console/api/camera' : null));
  if (isSeeing && data === null && error === null) return null;
  if (data === null || data.learned) return children;
  if (!mayLearn)
    return html`<${Card} id="learning" title=${t('camera.emptyTray')}><${Nothing}>${t('teach.trayFirst')}</${Nothing}></${Card}>`;
  return html`<div class="column teach-one">
    <${EmptyTray} isLearned=${false} onLearned=${() => void again()}>
      <${DrawnTray} />
    </${EmptyTray}>
  </div>`;
}
