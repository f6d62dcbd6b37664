/** Icons of the pages in the rail and of the device's settings: strokes in a square of 24. Drawn for Laneware. */
import { html } from '/console/assets/preact.js';
import { featurePage } from '../app/feature-pages.js';

/** @type {Readonly<Record<string, string>>} */
const STROKES = {
  bank: 'M4 10h16 M12 4l8 6 M12 4l-8 6 M7 10v7 M12 10v7 M17 10v7 M4 20h16',
  shop: 'M5 9h14v11H5z M4 9l2-5h12l2 5 M10 20v-5h4v5',
  health: 'M3 12h4l3-7 4 14 3-7h4',
  updates: 'M12 4v11 M7 10l5 5 5-5 M4 20h16',
  access: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8z M12 12h9v4 M17 12v3',
  backup: 'M4 4h16v5H4z M5 9v11h14V9 M10 13h4',
  advanced: 'M4 20L12 4l8 16z M12 10v5 M12 17.5h.01',
  log: 'M5 6h14 M5 12h14 M5 18h8',
  lane: 'M4 5h7v7H4z M13 5h2 M19 5h1 M13 9h7 M4 15h2 M4 19h7 M9 15h2 M14 13v7h6v-7z',
  payments: 'M6 3h12v18l-3-2-3 2-3-2-3 2z M9 8h6 M9 12h6',
  items: 'M12 8c-4-3-8 0-7 5s4 8 7 7c3 1 6-2 7-7s-3-8-7-5z M12 8c0-2 1-4 3-5',
  camera: 'M4 7h4l2-3h4l2 3h4v12H4z M12 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
  store: 'M4 10v10h16V10 M3 10l2-6h14l2 6z M10 20v-6h4v6',
  device: 'M6 6h12v12H6z M9 2v4 M15 2v4 M9 18v4 M15 18v4 M2 9h4 M2 15h4 M18 9h4 M18 15h4',
  welcome: 'M4 7h7 M17 7h3 M14 4v6 M4 17h3 M13 17h7 M10 14v6',
  more: 'M5 12h.01 M12 12h.01 M19 12h.01',
};

/** @param {{name: string}} properties */
export const Icon = ({ name }) =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${STROKES[name] ?? featurePage(name)?.icon} /></svg>`;
