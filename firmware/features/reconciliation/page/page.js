/**
 * The view that compares a bank's file with the ledger.
 * @import { FeaturePage } from '../../../core/pages/app/feature-pages.js'
 */
import { Reconcile } from './reconcile.js';

/** @type {FeaturePage} */
export default { name: 'reconcile', place: 'payments', link: 'reconcile.link', View: Reconcile };
