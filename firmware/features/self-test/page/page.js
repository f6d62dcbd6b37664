/** The page of the walk through a new lane. @import { FeaturePage } from '../../../core/pages/app/feature-pages.js' */
import { SelfTest } from './self-test.js';

/** @type {FeaturePage} */
export default {
  name: 'self-test',
  place: 'section',
  after: 'health',
  icon: 'M5 4h14v16H5z M8 9l2 2 4-4 M8 16h8',
  line: 'settings.selfTestWords',
  View: SelfTest,
};
