/**
 * The drawn tray: without a camera, buttons lay things on it. And the card by which the empty tray is learned.
 * @import { Laid } from '../../http/v1/camera-routes.ts'
 */
import { html, useEffect, useState } from '/console/assets/preact.js';
import { ask, CallError } from '../../../core/pages/app/api.js';
import { useBusy } from '../../../core/pages/app/busy-state.js';
import { usePart } from '../../../core/pages/app/device.js';
import { t } from '../../../core/pages/app/language.js';
import { SureButton } from '../../../core/pages/parts/dialog.js';
import { Button, Card, Outcome, useAction } from '../../../core/pages/parts/parts.js';

/** @typedef {{otherwise?: unknown}} Otherwise shown where the pictures come from a folder */

const DRAWN = '/console/api/camera/drawn-tray';

/** @returns {Promise<Laid | null>} null where the pictures come from a folder */
async function laidNow() {
  try {
    return await ask(DRAWN);
  } catch (error) {
    if (error instanceof CallError && error.code === 'Camera.NotDrawn') return null;
    throw error;
  }
}

/** Turns the thing on the tray, as a hand would under a camera. Does nothing where pictures come from a folder. */
export async function turnDrawn() {
  const laid = await laidNow();
  if (laid !== null) await ask(DRAWN, { method: 'PUT', json: { thing: laid.thing } });
}

/** @param {Otherwise} properties */
function Buttons({ otherwise }) {
  const { action, isBusy, run } = useAction();
  const [laid, setLaid] = useState(/** @type {Laid | null | undefined} */ (undefined));
  useEffect(() => void run(async () => setLaid(await laidNow())), []);
  useBusy(laid === undefined && action.stage !== 'failed');
  /** @param {Laid['thing']} thing */
  const lay = (thing) => run(async () => setLaid(await ask(DRAWN, { method: 'PUT', json: { thing } })));
  if (laid === undefined) return null;
  if (laid === null) return otherwise;
  return html`<div class="drawn" role="group" aria-label=${t('drawn.title')}>
    <p class="soft">${t('drawn.title')}</p>
    <div class="buttons">
      ${laid.things.map(
        (thing) =>
          html`<${Button} key=${thing} pressed=${thing === laid.thing} onClick=${() => lay(thing)} disabled=${isBusy}>${t(`drawn.${thing}`)}</${Button}>`,
      )}
    </div>
    <${Outcome} action=${action} />
  </div>`;
}

/** Shows nothing where there is a camera. @param {Otherwise} properties */
export function DrawnTray({ otherwise = null }) {
  return usePart('camera')?.driver === 'replay' ? html`<${Buttons} otherwise=${otherwise} />` : null;
}

/** The learned empty tray. */
const EMPTY = '/console/api/camera/empty-tray';

/**
 * Learns the empty tray, after a question.
 * @param {{isLearned: boolean, onLearned?: () => void, children?: unknown}} properties
 */
export function EmptyTray({ isLearned, onLearned = () => undefined, children }) {
  const { action, isBusy, run } = useAction();
  /** @param {'refuse' | 'ignore'} things */
  const learn = async (things) => {
    if (await run(() => ask(`${EMPTY}?things=${things}`, { method: 'PUT' }), 'camera.learned')) onLearned();
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
          html`<figure><img src=${EMPTY} alt="" /><figcaption class="soft">${t('camera.knownTray')}</figcaption></figure>`
        }
        <p class="advice" role="alert">${t('camera.trayChanged')}</p>
        <${Button} onClick=${() => learn('ignore')} disabled=${isBusy}>${t('camera.learnAnyway')}</${Button}>
      </div>`
    }
  </${Card}>`;
}
