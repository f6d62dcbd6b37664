/**
 * What the device makes of the things on the tray, over the camera's picture and in words.
 * @import { CalibratedArea } from '../../../recognition/settings.ts'
 * @import { Now } from '../../../recognition/http/v1/tray-schemas.ts'
 */
import { request } from '../call.js';

const LINE_PIXELS = 6;
const BOX_COLOUR = '#3fe08a';
const DARK = '#10151c';
const NUMBER_PIXELS = 44;
/** Items of equal standing that are named. */
const MOST_NAMED = 3;

/** @typedef {Now['things'][number]} Thing */
/** @typedef {Pick<CalibratedArea, 'width' | 'height'>} Area */

/** @returns {Promise<Now | null>} null where the device cannot tell: the page says elsewhere why */
export async function trayNow() {
  const answer = await request('/v1/recognition?wait=1');
  return answer.ok ? await answer.json() : null;
}

/** @param {Thing['candidates'][number] | undefined} candidate */
const nameOf = (candidate) =>
  candidate === undefined
    ? 'not known'
    : candidate.name === null
      ? candidate.id
      : `${candidate.name} (${candidate.id})`;

/** @param {Pick<Thing, 'certain' | 'reason' | 'candidates'>} thing */
function thingWords({ certain, reason, candidates: [first, ...others] }) {
  if (certain) return nameOf(first);
  if (reason === 'look-alikes')
    return `${[first, ...others].slice(0, MOST_NAMED).map(nameOf).join(' or ')}, which look alike`;
  return first === undefined ? nameOf(first) : `perhaps ${nameOf(first)}`;
}

/** @param {Now | null} tray */
export function trayWords(tray) {
  if (tray === null || tray.state === 'lost') return '';
  if (tray.state === 'empty') return 'The tray is empty.';
  if (tray.reason === 'several-items') {
    const list = tray.things.map((thing, at) => `${at + 1}: ${thingWords(thing)}`);
    return `Several items: take all but one away. ${list.join('; ')}.`;
  }
  const also = tray.reason === 'look-alikes' ? ' lanectl look-alikes says what would help.' : '';
  return `On the tray: ${tray.things.length > 1 ? `${tray.things.length} × ` : ''}${thingWords(tray)}.${also}`;
}

/**
 * Whether a box is the whole area: nothing could be told from what it lies on.
 * @param {Thing['box']} box
 * @param {Area} area whose sides may be fractions
 */
const isWhole = ({ width, height }, area) => width > area.width - 2 && height > area.height - 2;

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {readonly Thing[]} things
 * @param {Area} area that they lie in
 */
export function drawThings(pen, things, area) {
  pen.setLineDash([]);
  for (const [at, { box }] of things.entries()) {
    if (isWhole(box, area)) continue;
    for (const { colour, pixels } of [
      { colour: DARK, pixels: LINE_PIXELS * 2 },
      { colour: BOX_COLOUR, pixels: LINE_PIXELS },
    ]) {
      pen.strokeStyle = colour;
      pen.lineWidth = pixels;
      pen.strokeRect(box.x, box.y, box.width, box.height);
    }
    if (things.length > 1) number(pen, at + 1, box);
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} value
 * @param {Thing['box']} box
 */
function number(pen, value, { x, y }) {
  pen.fillStyle = DARK;
  pen.fillRect(x, y, NUMBER_PIXELS, NUMBER_PIXELS);
  pen.fillStyle = BOX_COLOUR;
  pen.font = `bold ${NUMBER_PIXELS * 0.8}px sans-serif`;
  pen.fillText(String(value), x + NUMBER_PIXELS / 4, y + NUMBER_PIXELS * 0.8);
}
