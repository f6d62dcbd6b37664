/** What other modules' pages show of recognition: the tray, what lies on it, and the search for an item. */
export { Camera } from './camera/camera.js';
export { pictureOf, trayNow, useLooking } from './camera/camera-sight.js';
export { DrawnTray, EmptyTray, turnDrawn } from './camera/camera-tray.js';
export { Finding, ItemLine } from './items/finding.js';
export { Items } from './items/items.js';
export { likelyOf } from './tray/likely.js';
export { OnScale } from './tray/on-scale.js';
export { isSameTray } from './tray/scale-answer.js';
