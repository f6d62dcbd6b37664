/** What other modules' pages show of a store of devices. */
export { Store } from './store.js';
