/** A bank's file beside the ledger. @import { FeaturePage } from '../../../core/pages/app/feature-pages.js' */
import { Reconcile } from './reconcile.js';

/** @type {FeaturePage} */
export default { name: 'reconcile', place: 'payments', link: 'reconcile.link', View: Reconcile };
