/** What pages of other modules show of a store of devices. */
export { Store } from './store.js';
