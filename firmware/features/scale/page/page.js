/**
 * The page for a screen at the scale: it shows what lies there, and one tap chooses.
 * @import { FeaturePage } from '../../../core/pages/app/feature-pages.js'
 */
import { html } from '/console/assets/preact.js';
import { OnScale } from '../../../recognition/pages/index.js';
import { useTray } from './scale-follow.js';

/** @type {FeaturePage} */
export default {
  name: 'scale',
  place: 'alone',
  address: '/scale',
  link: 'tray.scale',
  View: () => html`<${OnScale} follow=${useTray} kind="primary" />`,
};
