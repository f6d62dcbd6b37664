/**
 * What the device makes of what lies on the tray, as it changes.
 * @import { Now } from '../../../recognition/http/v1/tray-schemas.ts'
 * @import { Item } from '../scale/stage.js'
 */
import { html, useEffect, useState } from '/console/assets/preact.js';
import { useDevice } from '../app/device.js';
import { useWords } from '../app/language.js';
import { hrefOf } from '../app/route.js';
import { useSees } from '../app/session.js';
import { roubles } from '../app/writing.js';
import { DrawnTray } from '../camera/drawn.js';
import { trayNow, useLooking } from '../camera/sight.js';
import { trayWords } from '../camera/things.js';
import { Outcome, useAction } from '../parts/action.js';
import { Card, Chip } from '../parts/parts.js';
import { answer } from '../scale/answer.js';
import { Tiles } from '../scale/tiles.js';

/** The device watches while it is asked, and looks again only when something has changed. */
const LOOK_EVERY_MS = 700;

/** An object even where there is nothing to say: null would mean that no one looks. */
const look = async () => ({ tray: await trayNow() });

/** @param {Now} tray @returns {['tray.chip.empty' | 'tray.chip.certain' | 'tray.chip.uncertain', 'good' | 'open' | 'rest']} */
function sureness({ state, certain, reason }) {
  if (state === 'empty') return ['tray.chip.empty', 'rest'];
  if (certain && reason === null) return ['tray.chip.certain', 'good'];
  return ['tray.chip.uncertain', 'open'];
}

/** What it may be, to be chosen with one tap, as on the page of a scale. @param {{tray: Now}} properties */
function Choosing({ tray }) {
  const { t } = useWords();
  const { action, run, abandon } = useAction();
  const [chosen, setChosen] = useState(/** @type {Item | null} */ (null));
  useEffect(() => abandon, []);
  const { id, candidates } = tray;
  if (id === null || candidates.length === 0) return null;
  if (chosen !== null)
    return html`<p class="line" role="status"><strong>${chosen.name ?? chosen.id}</strong><${Chip} look="good">${t('scale.chosen')}</${Chip}></p>`;
  /** @param {Item} item */
  const choose = async (item) => {
    if (await run((isWanted) => answer(tray, item.id, isWanted))) setChosen(item);
  };
  return html`<${Tiles} items=${candidates} label=${t('scale.many')} disabled=${action.stage === 'busy'} onChoose=${choose} />
    <${Outcome} action=${action} />`;
}

/** @param {{tray: Now}} properties */
function Verdict({ tray }) {
  const words = useWords();
  const [key, kind] = sureness(tray);
  const [first] = tray.candidates;
  const isOpen = !tray.certain && tray.reason !== 'several-items';
  return html`<div class="verdict">
    ${tray.certain && first?.picture != null && html`<img src=${first.picture} alt="" />`}
    <p class="things" role="status">${trayWords(words, tray)}</p>
    <p class="line">
      <${Chip} look=${kind}>${words.t(key)}</${Chip}>
      ${tray.certain && first?.price != null && html`<span class="price">${roubles(words, first.price)}</span>`}
    </p>
  </div>
  ${isOpen && html`<${Choosing} key=${tray.id} tray=${tray} />`}`;
}

function Live() {
  const words = useWords();
  const { t } = words;
  const { isLive } = useDevice();
  const seesCamera = useSees('camera');
  const { seen } = useLooking(look, LOOK_EVERY_MS);
  const isLost = seen !== null && (seen.tray === null || seen.tray.state === 'lost');
  return html`<${Card} id="tray" title=${t('tray.title')} aside=${html`<a href="/scale" target="_blank" rel="noopener">${t('tray.scale')}</a>${seesCamera && html`<a href=${hrefOf('camera')}>${t('tray.camera')}</a>`}`}>
    ${seen === null && isLive && html`<p class="soft">${t('camera.looking')}</p>`}
    ${isLost && html`<p class="advice">${t('tray.unseen')}</p>`}
    ${seen?.tray != null && !isLost && html`<${Verdict} tray=${seen.tray} />`}
    <${DrawnTray} />
  </${Card}>`;
}

/** Nothing where the lane has no camera: there are shops that only take payments. */
export function Tray() {
  const { state } = useDevice();
  const camera = state?.health.parts.find(({ part }) => part === 'camera');
  return camera === undefined || camera.driver === 'none' ? null : html`<${Live} />`;
}
