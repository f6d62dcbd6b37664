/** The page that teaches an item. @import { FeaturePage } from '../../../core/pages/app/feature-pages.js' */
import { Teach } from './teach.js';

/** @type {FeaturePage} */
export default {
  name: 'teach',
  place: 'rail',
  after: 'items',
  isOnPhone: true,
  icon: 'M3 9l9-4 9 4-9 4z M7 11v5c3 2 7 2 10 0v-5 M21 9v6',
  View: Teach,
};
