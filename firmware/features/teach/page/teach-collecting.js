/**
 * Learns pictures of each side of a thing while a button is pressed: each picture that is good and unlike the earlier
 * ones. Advises the person on the current picture.
 * @import { CameraAnswer } from '../../../recognition/http/v1/camera-routes.ts'
 * @import { LearnedTemplate } from '../../../recognition/http/v1/template-routes.ts'
 * @import { Static } from 'typebox'
 */
import { html, useEffect, useRef, useState } from '/console/assets/preact.js';
import { ask, CallError, wordsOf } from '../../../core/pages/app/api.js';
import { useDevice, usePart } from '../../../core/pages/app/device.js';
import { newKey } from '../../../core/pages/app/drafts.js';
import { t, useWords } from '../../../core/pages/app/language.js';
import { hrefOf } from '../../../core/pages/app/route.js';
import { useSees } from '../../../core/pages/app/session.js';
import { Button, Card, Outcome, useAction } from '../../../core/pages/parts/parts.js';
import { pictureOf, turnDrawn, useLooking } from '../../../recognition/pages/index.js';
import { Score, Verdict } from './teach-uncertain.js';

/** Pixels on each side of a print, which is a small copy of a picture, for comparison. */
const SIDE = 24;
/** Prints with a smaller mean distance of their levels (0 to 255) are alike; the noise of a camera makes 2 or 3. */
const ALIKE = 6;

/** @typedef {readonly number[]} Print */

/** @param {ImageBitmap} image @returns {Print} */
function printOf(image) {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: SIDE, height: SIDE });
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (pen === null) return [];
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(image, 0, 0, SIDE, SIDE);
  return [...pen.getImageData(0, 0, SIDE, SIDE).data].filter((_, at) => at % 4 !== 3);
}

/** @param {Print} one @param {Print} other */
function isAlike(one, other) {
  const sum = one.reduce((total, level, at) => total + Math.abs(level - (other[at] ?? 0)), 0);
  return sum < ALIKE * one.length;
}

/** @typedef {'empty' | 'several' | CameraAnswer['quality'][number] | 'alike' | 'unlike' | 'good'} Advice */

/**
 * @typedef {object} View
 * @property {CameraAnswer} sight
 * @property {ImageBitmap | null} crop null where the tray is empty
 * @property {Print | null} print of the crop
 */

/** @returns {Promise<ImageBitmap | null>} @throws {CallError} */
async function cropNow() {
  try {
    return await pictureOf('/console/api/camera/crop');
  } catch (error) {
    // the thing may be removed between the two calls
    if (error instanceof CallError && error.code === 'Tray.Empty') return null;
    throw error;
  }
}

/** @returns {Promise<View>} @throws {CallError} */
async function viewNow() {
  /** @type {CameraAnswer} */
  const sight = await ask('/console/api/camera');
  const crop = sight.tray === 'empty' ? null : await cropNow();
  return { sight, crop, print: crop === null ? null : printOf(crop) };
}

/**
 * What the person should change first; `good` for nothing.
 * @param {View} view
 * @param {readonly {print: Print}[]} taken pictures that were learned
 * @param {readonly {print: Print}[]} aside pictures unlike those of the item
 * @returns {Advice}
 */
function adviceOf({ sight: { things, quality }, print }, taken, aside) {
  if (print === null) return 'empty';
  if (things.length > 1) return 'several';
  const [flaw] = quality;
  if (flaw !== undefined) return flaw;
  const isAmong = (/** @type {readonly {print: Print}[]} */ looks) =>
    looks.some((other) => isAlike(print, other.print));
  if (isAmong(taken)) return 'alike';
  return isAmong(aside) ? 'unlike' : 'good';
}

const LOOK_EVERY_MS = 700;
const WANTED = 5;

/** @typedef {Static<typeof LearnedTemplate> & {print: Print}} Taken */

/**
 * @typedef {{id: string, print: Print, crop: ImageBitmap}} Aside a picture that was refused as unlike those of the item
 */

/** @param {{crop: ImageBitmap | null, name: string, onDrawn?: (canvas: HTMLCanvasElement) => void}} properties */
function Drawn({ crop, name, onDrawn = () => undefined }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  useEffect(() => {
    if (canvas.current === null || crop === null) return;
    Object.assign(canvas.current, { width: crop.width, height: crop.height });
    canvas.current.getContext('2d')?.drawImage(crop, 0, 0);
    crop.close();
    onDrawn(canvas.current);
  }, [crop]);
  return html`<canvas ref=${canvas} role="img" aria-label=${name}></canvas>`;
}

/**
 * Fetches the print of a template.
 * @param {string} path @param {Print} seen print of the picture on the page, which is nearly the same
 * @returns {Promise<Print>}
 */
async function printAt(path, seen) {
  try {
    const image = await pictureOf(path);
    const print = printOf(image);
    image.close();
    return print;
  } catch (error) {
    // the template was learned, even where its picture cannot be fetched
    if (error instanceof CallError) return seen;
    throw error;
  }
}

/** @param {string} item @param {Print} seen @param {'learn' | 'refuse'} unlike @returns {Promise<Taken>} */
async function take(item, seen, unlike) {
  const path = `/v1/items/${encodeURIComponent(item)}/templates?unlike=${unlike}`;
  /** @type {Static<typeof LearnedTemplate>} */
  const learned = await ask(path, { method: 'POST', json: {} });
  return { ...learned, print: await printAt(learned.picture, seen) };
}

/**
 * Handlers of a button that works while it is pressed by a finger, the mouse, space or Enter.
 * @param {(isHeld: boolean) => void} setHeld
 */
function holding(setHeld) {
  const isKey = (/** @type {KeyboardEvent} */ { key }) => key === ' ' || key === 'Enter';
  const end = () => setHeld(false);
  return {
    onPointerDown: (
      /** @type {PointerEvent & {currentTarget: HTMLElement}} */ { button, pointerId, currentTarget },
    ) => {
      currentTarget.setPointerCapture(pointerId); // words that appear above may move the button from under the finger
      setHeld(button === 0);
    },
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: end,
    onBlur: end,
    onKeyDown: (/** @type {KeyboardEvent} */ event) => isKey(event) && setHeld(true),
    onKeyUp: (/** @type {KeyboardEvent} */ event) => isKey(event) && end(),
    // a long press on a phone would open a menu
    onContextMenu: (/** @type {Event} */ event) => event.preventDefault(),
  };
}

/** @param {{aside: readonly Aside[], onDrop: () => void}} properties */
function SetAside({ aside, onDrop }) {
  if (aside.length === 0) return null;
  return html`<div class="advice">
    <p>${t('teach.aside')}</p>
    <ul class="pictures">${aside.map(({ id, crop }, at) => html`<li key=${id}><${Drawn} crop=${crop} name=${t('teach.asideNumber', { n: at + 1 })} /></li>`)}</ul>
    <div class="buttons"><${Button} onClick=${onDrop}>${t('teach.unlikeNo')}</${Button}></div>
  </div>`;
}

/** @param {{taken: readonly Taken[], onGone: (template: string) => void}} properties */
function Pictures({ taken, onGone }) {
  const { action, run } = useAction();
  const mayDelete = useSees('items');
  /** @param {Taken} one */
  const remove = async ({ item, template }) => {
    const path = `/v1/items/${encodeURIComponent(item)}/templates/${encodeURIComponent(template)}`;
    if (await run(() => ask(path, { method: 'DELETE' }), 'teach.deleted')) onGone(template);
  };
  return html`<ol class="pictures">
      ${taken.map(
        (one, at) => html`<li key=${one.template}>
          <img src=${one.picture} alt=${t('teach.picture', { n: at + 1 })} />
          ${mayDelete && html`<${Button} aria-label=${t('finding.deleteNumber', { n: at + 1 })} onClick=${() => remove(one)}>${t('finding.delete')}</${Button}>`}
        </li>`,
      )}
    </ol>
    <${Outcome} action=${action} />`;
}

/** @param {{item: string, name: string}} properties */
export function Collecting({ item, name }) {
  const words = useWords();
  const { isLive } = useDevice();
  const { seen, error } = useLooking(viewNow, LOOK_EVERY_MS);
  const [taken, setTaken] = useState(/** @type {readonly Taken[]} */ ([]));
  const [isHeld, setHeld] = useState(false);
  const { action, isBusy, run } = useAction();
  const isDone = taken.length >= WANTED;
  const [first, latest] = [taken[0], taken.at(-1)];
  const [aside, setAside] = useState(/** @type {readonly Aside[]} */ ([]));
  /** @type {{current: HTMLCanvasElement | null}} the current picture as drawn */
  const canvas = useRef(null);
  const advice = seen === null ? null : adviceOf(seen, taken, aside);
  const takeOne = (/** @type {'learn' | 'refuse'} */ unlike) =>
    run(async () => {
      const [print, look] = [seen?.print ?? null, canvas.current];
      if (print === null || look === null) return;
      const crop = await createImageBitmap(look);
      try {
        const one = await take(item, print, unlike);
        crop.close();
        setTaken((before) => [...before, one]);
        setAside((before) => before.filter((other) => !isAlike(other.print, print)));
      } catch (error) {
        if (!(error instanceof CallError && error.code === 'Templates.Unlike')) throw error;
        setAside((before) => [...before, { id: newKey(), print, crop }]);
      }
    });
  useEffect(() => {
    if (isHeld && advice === 'good' && !isDone && isLive) void takeOne('refuse');
  }, [seen, isHeld]);
  const isDrawn = usePart('camera')?.driver === 'replay';
  useEffect(() => {
    // a drawn thing of the simulated camera is turned by the page: a person cannot turn it while they press the button
    if (isDrawn && isHeld && advice === 'alike' && !isDone && isLive) void run(turnDrawn);
  }, [seen, isHeld]);
  useEffect(() => {
    if (!isLive) setHeld(false);
  }, [isLive]);
  return html`<${Card} id="collecting" title=${t('teach.show')}>
    <div class="columns"><div class="column">
    ${error !== null && html`<p class="problem" role="alert">${wordsOf(words, error)} ${t('camera.again')}</p>`}
    <div class="sight">${
      seen !== null &&
      html`<div class="crop">
      ${
        seen.crop !== null &&
        html`<${Drawn} crop=${seen.crop} name=${t('teach.crop')} onDrawn=${(/** @type {HTMLCanvasElement} */ drawn) => {
          canvas.current = drawn;
        }} />`
      }
    </div>`
    }
    <p class="said ${advice === 'good' || isDone ? 'good' : 'open'}" role="status">
      ${isDone ? t('teach.enough') : advice === null ? t('camera.looking') : t(`teach.advice.${advice}`)}
    </p></div>
    <p class="line"><strong class="large">${t('teach.of', { n: taken.length, most: WANTED })}</strong>
      <progress max=${WANTED} value=${taken.length} aria-label=${t('teach.of', { n: taken.length, most: WANTED })}></progress></p>
    ${
      isDone
        ? html`<${Verdict} item=${item} />
            <p>${t('teach.otherSide')}</p>
            <div class="buttons"><${Button} onClick=${() => setTaken([])}>${t('teach.more')}</${Button}>
              <a class="button" href=${hrefOf('lane')}>${t('welcome.lane')}</a></div>`
        : html`<button type="button" class="hold ${advice === 'good' || isHeld ? 'primary' : ''} ${isHeld ? 'held' : ''}" aria-pressed=${String(isHeld)} disabled=${!isLive} ...${holding(setHeld)}>${t('teach.hold')}</button>
            <div class="buttons"><${Button} disabled=${seen?.print == null || isBusy} onClick=${() => takeOne('learn')}>${t(advice === 'unlike' ? 'teach.unlikeYes' : 'teach.one', { name })}</${Button}></div>`
    }
    ${action.stage === 'failed' && html`<${Outcome} action=${action} />`}
    </div><div class="column">
    ${first !== undefined && latest !== undefined && html`<${Score} before=${[first.before]} after=${[latest.after]} />`}
    <${SetAside} aside=${aside} onDrop=${() => setAside([])} />
    <${Pictures} taken=${taken} onGone=${(/** @type {string} */ gone) => setTaken((before) => before.filter(({ template }) => template !== gone))} />
    </div></div>
  </${Card}>`;
}
