/**
 * The page of tills' calls, for their programmers.
 * @import { FeaturePage } from '../../../core/pages/app/feature-pages.js'
 */
import { Integrate } from './integrate.js';

/** @type {FeaturePage} */
export default {
  name: 'integrate',
  place: 'rail',
  after: 'device',
  icon: 'M8 8l-5 4 5 4 M16 8l5 4-5 4 M14 5l-4 14',
  View: Integrate,
};
