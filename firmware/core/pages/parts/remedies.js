/**
 * The kinds of remedies for faults: a page of this console, an action of the device, or steps done by hand.
 * @import words from '../words/en/remedies.js'
 */

/** @typedef {keyof typeof LEADING} Leading a remedy that opens a page */
/** @typedef {'clock' | 'sync' | 'tryFile'} Doing a remedy that the device carries out */
/** @typedef {keyof typeof words extends infer Key ? Key extends `steps.${infer Name}.1` ? Name : never : never} Step a remedy of three steps done by hand */
/** @typedef {Leading | Doing | Step} Remedy */

/** The parts of each page's address. @satisfies {Readonly<Record<string, readonly [string, ...string[]]>>} */
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
  voice: ['device', 'voice'],
});
