/**
 * The one thing that mends each fault: a page of this console, a action of the device, or steps that are
 * done by hand. @import words from '../words/en/remedies.js'
 */

/** @typedef {keyof typeof LEADING} Leading leads to a page */
/** @typedef {'clock' | 'sync' | 'tryFile'} Doing has the device do it */
/** @typedef {keyof typeof words extends infer Key ? Key extends `steps.${infer Name}.1` ? Name : never : never} Step one of three that are done by hand */
/** @typedef {Leading | Doing | Step} Remedy */

/** The parts of an address. @satisfies {Readonly<Record<string, readonly [string, ...string[]]>>} */
export const LEADING = /** @type {const} */ ({
  setUp: ['welcome'],
  payments: ['payments'],
  camera: ['camera'],
  items: ['items'],
  store: ['store'],
  integrate: ['integrate'],
  access: ['device', 'access'],
  pins: ['device', 'access'],
  log: ['device', 'log'],
  shop: ['device', 'shop'],
});
