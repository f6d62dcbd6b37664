/**
 * What the camera sees and what of it the device looks at, so that a technician can place the recognition area. It is drawn, not
 * put into an `img`: the device may refuse a picture in words, and the page's policy lets no other images in than its files.
 * @import { ConsoleState } from '../../console-view.ts'
 * @import { CalibratedArea } from '../../../recognition/settings.ts'
 */
import { dataOf, problemWith, request, Told } from '../call.js';
import { part, setText } from '../dom.js';
import { sentence } from '../words.js';
import { drawThings, trayNow, trayWords } from './things.js';

/** @typedef {Pick<CalibratedArea, 'top' | 'left' | 'width' | 'height'>} Area */

const LOOK_EVERY_MS = 3000;
const LINE_PIXELS = 6;
/** Each line lies on a wider dark one: it must be seen on every picture. */
const AREA_COLOUR = '#ffd400';
const DARK = '#10151c';
const DASHES = [28, 20];

const AREA_WORDS = 'The solid frame is the recognition area (set_calib).';
const SEEN_WORDS =
  'Items are found anywhere in it; where none is, only what lies inside the dashed frame is looked at.';

/** @returns {Promise<ImageBitmap>} @throws what `problemWith` words */
async function picture() {
  const response = await request('/api/get_image');
  if (response.headers.get('content-type') === 'image/jpeg') return await createImageBitmap(await response.blob());
  throw new Told(sentence((await response.json()).msg));
}

/**
 * The middle of an area that the model sees: a square, since a longer side is cut.
 * @param {Area} area
 * @param {number} share of its shorter side
 * @returns {Area}
 */
function seenOf({ top, left, width, height }, share) {
  const side = Math.min(width, height) * share;
  return { left: left + (width - side) / 2, top: top + (height - side) / 2, width: side, height: side };
}

/**
 * Just inside of the rectangle, so that one along the picture's rim is seen as well.
 * @param {CanvasRenderingContext2D} pen
 * @param {Area} area
 * @param {readonly number[]} dashes
 */
function frame(pen, { left, top, width, height }, dashes) {
  pen.setLineDash([...dashes]);
  for (const { colour, pixels } of [
    { colour: DARK, pixels: LINE_PIXELS * 2 },
    { colour: AREA_COLOUR, pixels: LINE_PIXELS },
  ]) {
    pen.strokeStyle = colour;
    pen.lineWidth = pixels;
    pen.strokeRect(left + LINE_PIXELS, top + LINE_PIXELS, width - 2 * LINE_PIXELS, height - 2 * LINE_PIXELS);
  }
}

/** @param {HTMLElement} root */
export function mountCamera(root) {
  const canvas = part(root, 'canvas', HTMLCanvasElement);
  const legend = part(root, '.legend');
  const things = part(root, '.things');
  const problem = part(root, '.problem');
  const again = part(root, 'button');
  const pen = canvas.getContext('2d');
  /** @type {ConsoleState['camera']} */
  let camera = null;
  let isInSight = false;
  let isLooking = false;
  let hasStopped = false;

  async function draw() {
    if (pen === null) return;
    /** @type {Promise<Area>} */
    const calibrated = dataOf('/api/get_calib');
    const [image, area, tray] = await Promise.all([picture(), calibrated, trayNow()]);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    frame(pen, area, []);
    if (camera?.seenShare) frame(pen, seenOf(area, camera.seenShare), DASHES);
    drawThings(pen, tray?.things ?? [], area);
    setText(things, trayWords(tray));
    setText(legend, camera?.seenShare ? `${AREA_WORDS} ${SEEN_WORDS}` : AREA_WORDS);
  }

  /** @param {string} trouble empty where the picture is one of now */
  function show(trouble) {
    hasStopped = trouble !== '';
    setText(problem, trouble);
    again.hidden = !hasStopped;
    canvas.hidden = hasStopped;
    legend.hidden = hasStopped;
    things.hidden = hasStopped;
  }

  function look() {
    if (camera === null || !isInSight || document.hidden || isLooking || hasStopped) return;
    isLooking = true;
    draw()
      .then(
        () => show(''),
        (error) => show(problemWith(error)),
      )
      .finally(() => {
        isLooking = false;
      });
  }

  function retry() {
    hasStopped = false;
    look();
  }

  again.addEventListener('click', retry);
  new IntersectionObserver(([entry]) => {
    isInSight = entry?.isIntersecting === true;
    look();
  }).observe(root);
  setInterval(look, LOOK_EVERY_MS);

  return {
    /** @param {ConsoleState} state */
    onState(state) {
      const isNew = camera === null;
      camera = state.camera;
      root.hidden = camera === null;
      if (isNew) retry();
    },
    onLost() {
      camera = null;
      canvas.hidden = true;
      legend.hidden = true;
      things.hidden = true;
      again.hidden = true;
      setText(problem, '');
    },
  };
}
