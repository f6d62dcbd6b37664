/** The tray as the device's events have it. @import { Chosen, TrayState } from '../../../recognition/vision/tray-state.ts' @import { Tray } from './stage.js' */
import { useEffect, useState } from '/console/assets/preact.js';
import { useDevice } from '../app/device.js';
import { follow } from '../live.js';

const STREAM = '/v1/recognition/events';
const EVENTS = ['tray.changed', 'item.recognised', 'item.unknown', 'tray.empty', 'camera.lost', 'item.chosen'];

/** @type {Tray} */
const NOTHING = { tray: null, isMoving: false };

/**
 * @param {{onChange: () => void, onChosen: (chosen: Chosen) => void}} handlers `onChange` is called when another thing may lie there, `onChosen` when
 *   it was chosen here, at another screen or before this page was open
 * @returns {Tray} nothing while the device does not answer
 */
export function useTray({ onChange, onChosen }) {
  const { isLive } = useDevice();
  const [seen, setSeen] = useState(NOTHING);
  useEffect(() => {
    if (!isLive) {
      setSeen(NOTHING);
      return;
    }
    const onLost = () => setSeen(NOTHING);
    /** @param {{type: string, tray?: TrayState, chosen?: Chosen}} event */
    const onState = ({ type, tray, chosen }) => {
      if (chosen !== undefined) return onChosen(chosen);
      onChange();
      setSeen((before) =>
        tray === undefined ? { ...before, isMoving: type === 'tray.changed' } : { tray, isMoving: false },
      );
    };
    return follow(STREAM, { onState, onLost }, EVENTS);
  }, [isLive]);
  return seen;
}
