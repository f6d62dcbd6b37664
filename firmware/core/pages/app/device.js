/**
 * The device as this window knows it: one stream of its state. All pages draw the latest state. While the stream is
 * lost, `isLive` is false, and each part hides what it can no longer trust.
 * @import { ConsoleState } from '../../../console/console-view.ts'
 */
import { follow } from './live-state.js';
import { Signal, useSignal } from './signal.js';
import { writeTimesIn } from './writing.js';

/**
 * @typedef {object} Device
 * @property {ConsoleState | null} state the latest; null before the first
 * @property {boolean} isLive whether the device answers now
 * @property {Date | null} lostAt
 */

/** @type {Signal<Device>} */
const device = new Signal(/** @type {Device} */ ({ state: null, isLive: false, lostAt: null }));

/** @type {() => void} */
let stop = () => undefined;

/** @param {() => void} onLost called, too, when the device does not answer, or no longer answers this window */
export function followDevice(onLost) {
  stop = follow('/console/api/overview/events', {
    /** @param {ConsoleState} state */
    onState(state) {
      writeTimesIn(state.timeZone);
      device.set({ state, isLive: true, lostAt: null });
    },
    onLost() {
      const { state, lostAt } = device.value;
      device.set({ state, isLive: false, lostAt: lostAt ?? new Date() });
      onLost();
    },
  });
}

/** Nothing of it stays on the screen. */
export function leaveDevice() {
  stop();
  device.set({ state: null, isLive: false, lostAt: null });
}

/** @returns {Device} */
export const useDevice = () => useSignal(device);

/** How a part of it is. @param {string} name @returns undefined where it has none, or before the first state */
export const usePart = (name) => useDevice().state?.health.parts.find(({ part }) => part === name);

/** Whether a action may be begun: none is while the device does not answer. */
export const useIsLive = () => useDevice().isLive;
