/**
 * The frame in its own shape, with the device's findings drawn over it, and its answer on the tray in words. The
 * drawing's lengths are percentages of the frame, so it fits any size.
 * @import { Translator } from '../../../core/pages/app/language.js'
 * @import { Now } from '../../http/v1/tray-schemas.ts'
 * @import { Area, Corner, Size } from './camera-area.js'
 * @import { Seen } from './camera-sight.js'
 */
import { html, useEffect, useLayoutEffect, useRef } from '/console/assets/preact.js';
import { t } from '../../../core/pages/app/language.js';
import { likelyOf } from '../tray/likely.js';
import { CORNERS, changedArea, MOVED } from './camera-area.js';

/** Share of the frame's side by which an arrow key moves the area. */
const STEP_SHARE = 0.01;
/** @type {Readonly<Record<string, readonly [number, number]>>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** The radius of a handle: a finger needs 44 pixels. */
const HANDLE_PIXELS = 22;
const KNOB_PIXELS = 8;

/** The attributes of a rectangle. @param {Area} part @param {Size} frame */
const placeOf = ({ left, top, width, height }, frame) => ({
  x: `${(left / frame.width) * 100}%`,
  y: `${(top / frame.height) * 100}%`,
  width: `${(width / frame.width) * 100}%`,
  height: `${(height / frame.height) * 100}%`,
});

/**
 * A line on a wider dark one, to be visible on every picture.
 * @param {{part: Area, frame: Size, look: string}} properties
 */
function Line({ part, frame, look }) {
  const place = placeOf(part, frame);
  return html`<rect class="line-dark" ...${place} /><rect class=${look} ...${place} />`;
}

/** The middle of a look, which the net uses. @param {Area} look @param {number | null} share @returns {Area} */
function usedOf({ left, top, width, height }, share) {
  const used = share ?? 1;
  return {
    left: left + (width * (1 - used)) / 2,
    top: top + (height * (1 - used)) / 2,
    width: width * used,
    height: height * used,
  };
}

/** @param {{area: Area, frame: Size, onChange: (area: Area) => void}} properties */
function Grips({ area, frame, onChange }) {
  const drag = useRef(/** @type {{corner: Corner, x: number, y: number, area: Area, box: DOMRect} | null} */ (null));
  const whole = useRef(/** @type {SVGRectElement | null} */ (null));
  // the focus lets the keys work at once, and scrolls a phone to the frame
  useLayoutEffect(() => whole.current?.focus(), []);
  const endDrag = () => {
    drag.current = null;
  };
  /** @param {Corner} corner */
  const grip = (corner) => ({
    onPointerDown: (/** @type {PointerEvent} */ event) => {
      const target = /** @type {SVGElement} */ (event.currentTarget);
      target.setPointerCapture(event.pointerId);
      const box = target.ownerSVGElement?.getBoundingClientRect();
      if (box !== undefined) drag.current = { corner, x: event.clientX, y: event.clientY, area, box };
    },
    onPointerMove: (/** @type {PointerEvent} */ event) => {
      if (drag.current === null) return;
      const { x, y, box } = drag.current;
      const by = {
        x: ((event.clientX - x) / box.width) * frame.width,
        y: ((event.clientY - y) / box.height) * frame.height,
      };
      onChange(changedArea(drag.current.area, drag.current.corner, by, frame));
    },
    onPointerUp: endDrag,
    onPointerCancel: endDrag,
  });
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    const arrow = ARROWS[event.key];
    if (arrow === undefined) return;
    event.preventDefault();
    const step = (/** @type {number} */ side) => Math.max(1, Math.round(side * STEP_SHARE));
    const by = { x: arrow[0] * step(frame.width), y: arrow[1] * step(frame.height) };
    onChange(changedArea(area, event.shiftKey ? { x: 1, y: 1 } : MOVED, by, frame));
  };
  return html`<rect
      class="grip"
      ref=${whole}
      ...${placeOf(area, frame)}
      ...${grip(MOVED)}
      tabindex="0"
      role="application"
      aria-label=${t('camera.grip')}
      aria-describedby="area-help"
      onKeyDown=${onKeyDown}
    />
    ${CORNERS.map((corner) => {
      const place = {
        cx: `${((area.left + (corner.x > 0 ? area.width : 0)) / frame.width) * 100}%`,
        cy: `${((area.top + (corner.y > 0 ? area.height : 0)) / frame.height) * 100}%`,
      };
      return html`<circle class="knob" ...${place} r=${KNOB_PIXELS} />
        <circle class="handle" data-corner="${corner.x},${corner.y}" ...${place} r=${HANDLE_PIXELS} ...${grip(corner)} />`;
    })}`;
}

/**
 * @param {{seen: Seen, draft: Area | null, onDraft: (area: Area) => void, isAdvanced: boolean}} properties `draft`: the
 * area as it is being changed; `isAdvanced`: also shows what the model gets of the area
 */
export function Stage({ seen: { image, sight }, draft, onDraft, isAdvanced }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const stage = useRef(/** @type {HTMLDivElement | null} */ (null));
  const { frame, things } = sight;
  const { width, height } = frame;
  useEffect(() => {
    if (canvas.current === null) return;
    Object.assign(canvas.current, { width, height });
    canvas.current.getContext('2d')?.drawImage(image, 0, 0);
    image.close();
  }, [image]);
  useEffect(() => {
    stage.current?.style.setProperty('--shape', String(width / height));
  }, [width, height]);
  return html`<div class="stage" ref=${stage}>
    <canvas ref=${canvas} role="img" aria-label=${t('camera.picture')}></canvas>
    <svg class="overlay" role="group" aria-label=${t('camera.overlay')}>
      <${Line} part=${draft ?? sight.area} frame=${frame} look="line-area" />
      ${
        draft === null &&
        html`${isAdvanced && sight.looks.map((look) => html`<rect class="line-look" ...${placeOf(look, frame)} />`)}
        ${isAdvanced && sight.looks.slice(0, 1).map((look) => sight.sees !== null && html`<rect class="line-used" ...${placeOf(usedOf(look, sight.sees), frame)} />`)}
        ${things.map(
          ({ box }, at) => html`<${Line} part=${box} frame=${frame} look="line-thing" />
            ${things.length > 1 && html`<text class="line-number" x=${placeOf(box, frame).x} y=${placeOf(box, frame).y} dx="6" dy="20">${at + 1}</text>`}`,
        )}`
      }
      ${draft !== null && html`<${Grips} area=${draft} frame=${frame} onChange=${onDraft} />`}
    </svg>
  </div>`;
}

/** @typedef {Pick<Now['things'][number], 'certain' | 'reason' | 'candidates'>} Thing */

/** @param {Thing['candidates'][number]} candidate */
const nameOf = ({ name, id }) => (name === null ? id : `${name} (${id})`);

/** @param {Translator} translator @param {Thing} thing */
function thingWords({ t, locale }, thing) {
  const { certain, reason } = thing;
  const candidates = likelyOf(thing);
  const [first] = candidates;
  if (first === undefined) return t('tray.notKnown');
  if (certain) return nameOf(first);
  if (reason !== 'look-alikes') return t('tray.perhaps', { name: nameOf(first) });
  const names = candidates.slice(0, 2).map(nameOf); // no third is known to be as near
  return t('tray.alike', { names: new Intl.ListFormat(locale, { type: 'disjunction' }).format(names) });
}

/** @param {Translator} translator @param {Now | null} tray @returns {string} empty where nothing can be said */
export function trayWords(translator, tray) {
  const { t } = translator;
  if (tray === null || tray.state === 'lost') return '';
  if (tray.state === 'empty') return t('tray.empty');
  if (tray.reason === 'several-items') {
    const list = tray.things.map((thing, at) => `${at + 1}: ${thingWords(translator, thing)}`);
    return t('tray.several', { list: list.join('; ') });
  }
  const what = thingWords(translator, tray);
  const count = tray.things.length;
  const sentence = count > 1 ? t('tray.some', { count, what }) : t('tray.one', { what });
  if (tray.reason === 'few-templates') return `${sentence} ${t('tray.fewTemplates')}`;
  return tray.reason === 'look-alikes' ? `${sentence} ${t('tray.lookAlikes')}` : sentence;
}
