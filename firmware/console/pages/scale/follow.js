/** The tray as the device's events have it. @import { TrayState } from '../../../recognition/vision/tray-state.ts' @import { Tray } from './stage.js' */
import { useEffect, useState } from '/console/assets/preact.js';
import { useDevice } from '../app/device.js';
import { follow } from '../live.js';

const STREAM = '/v1/recognition/events';
const EVENTS = ['tray.changed', 'item.recognised', 'item.unknown', 'tray.empty', 'camera.lost'];

/** @type {Tray} */
const NOTHING = { tray: null, isMoving: false };

/** @param {() => void} onChange called when another thing may lie there @returns {Tray} nothing while the device does not answer */
export function useTray(onChange) {
  const { isLive } = useDevice();
  const [seen, setSeen] = useState(NOTHING);
  useEffect(() => {
    if (!isLive) {
      setSeen(NOTHING);
      return;
    }
    const onLost = () => setSeen(NOTHING);
    /** @param {{type: string, tray?: TrayState}} event */
    const onState = ({ type, tray }) => {
      onChange();
      setSeen((before) =>
        tray === undefined ? { ...before, isMoving: type === 'tray.changed' } : { tray, isMoving: false },
      );
    };
    return follow(STREAM, { onState, onLost }, EVENTS);
  }, [isLive]);
  return seen;
}
