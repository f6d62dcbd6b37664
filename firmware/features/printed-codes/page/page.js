/**
 * The page of the labels of the shop's scales.
 * @import { FeaturePage } from '../../../core/pages/app/feature-pages.js'
 */
import { PrintedCodes } from './printed-codes.js';

/** @type {FeaturePage} */
export default {
  name: 'printed-codes',
  place: 'section',
  after: 'access',
  icon: 'M4 5v14 M8 5v14 M11 5v14 M15 5v14 M17 5v14 M20 5v14',
  line: 'settings.printedCodesWords',
  View: PrintedCodes,
};
