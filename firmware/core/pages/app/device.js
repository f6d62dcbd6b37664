/**
 * Holds the device's latest state, from one stream, which all pages of this window draw. While the stream is lost,
 * `isLive` is false, and each part hides what may be outdated.
 * @import { DeviceState } from './device-state.d.ts'
 */
import { follow } from './live-state.js';
import { Signal, useSignal } from './signal.js';
import { writeTimesIn } from './writing.js';

/**
 * @typedef {object} Device
 * @property {DeviceState | null} state the latest state; null before the first
 * @property {boolean} isLive whether the device answers now
 * @property {Date | null} lostAt
 */

/** @type {Signal<Device>} */
const device = new Signal(/** @type {Device} */ ({ state: null, isLive: false, lostAt: null }));

/** @type {() => void} */
let stop = () => undefined;

/** @param {() => void} onLost called when the stream is lost, also where the device refuses this window */
export function followDevice(onLost) {
  stop = follow('/console/api/overview/events', {
    /** @param {DeviceState} state */
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

/** Ends the stream and forgets the state, so that nothing of it stays on the screen. */
export function unfollowDevice() {
  stop();
  device.set({ state: null, isLive: false, lostAt: null });
}

/** @returns {Device} */
export const useDevice = () => useSignal(device);

/**
 * The health of a part of the device.
 * @param {string} name
 * @returns undefined for an unknown part, or before the first state
 */
export const usePart = (name) => useDevice().state?.health.parts.find(({ part }) => part === name);

/** Whether the device answers, so that an action may begin. */
export const useIsLive = () => useDevice().isLive;
