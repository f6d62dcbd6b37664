/**
 * The page for a screen at the scale: it follows the tray by the device's events and shows the recognised items; one
 * tap chooses an item.
 * @import { FeaturePage } from '../../../core/pages/app/feature-pages.js'
 * @import { Chosen, TakenBack, TrayState } from '../../../recognition/answer/tray-state.ts'
 * @import { Tray } from '../../../recognition/pages/tray/on-scale.js'
 * @import { Item } from '../../../recognition/pages/tray/scale-tiles.js'
 */
import { html, useEffect, useState } from '/console/assets/preact.js';
import { useDevice } from '../../../core/pages/app/device.js';
import { follow } from '../../../core/pages/app/live-state.js';
import { isSameTray, OnScale } from '../../../recognition/pages/index.js';

const STREAM = '/v1/recognition/events';
/** The names in `tray-watch.ts`, which no page can import; a test compares them. */
export const EVENTS = [
  'tray.changed',
  'item.recognised',
  'item.unknown',
  'tray.empty',
  'camera.lost',
  'item.chosen',
  'item.taken_back',
];

/** @type {Tray} */
const NOTHING = { tray: null, isMoving: false };

/**
 * A person's choice for a thing on the tray; `item` null: the certain or chosen item was taken back.
 * @typedef {Pick<Chosen, 'thing'> & {recognition: string | null, item: Item | null}} Said
 */

/**
 * Follows the tray.
 * @param {{onChange: (isSame: boolean) => void, onSaid: (said: Said) => void}} handlers `onChange` is called when the
 * things on the tray move and when they lie still, with whether they may be the same as before; `onSaid` is called with
 * a
 * choice at this screen, at another one, or before this page was open
 * @returns {Tray & {isUnknown: boolean}} empty while the device does not answer; `isUnknown`: the model does not run,
 * so that nothing is recognised
 */
function useTray({ onChange, onSaid }) {
  const { isLive, state } = useDevice();
  const isStopped = state?.health.parts.some(({ reasons }) => reasons.some(({ code }) => code === 'model-stopped'));
  const [seen, setSeen] = useState(NOTHING);
  useEffect(() => {
    if (!isLive) {
      setSeen(NOTHING);
      return;
    }
    /** @type {TrayState | null} */
    let reported = null;
    const onLost = () => {
      reported = null;
      setSeen(NOTHING);
    };
    /** @param {{tray?: TrayState, chosen?: Chosen, takenBack?: TakenBack}} event */
    const onState = ({ tray, chosen, takenBack }) => {
      if (chosen !== undefined) return onSaid(chosen);
      if (takenBack !== undefined) return onSaid({ ...takenBack, item: null });
      onChange(tray === undefined || (reported !== null && isSameTray(reported, tray)));
      reported = tray ?? reported;
      setSeen((before) => (tray === undefined ? { ...before, isMoving: true } : { tray, isMoving: false }));
    };
    return follow(STREAM, { onState, onLost }, EVENTS);
  }, [isLive]);
  return { ...seen, isUnknown: isLive && seen.tray === null && isStopped === true };
}

/** @type {FeaturePage} */
export default {
  name: 'scale',
  place: 'alone',
  address: '/scale',
  link: 'tray.scale',
  View: () => html`<${OnScale} follow=${useTray} kind="primary" />`,
};
