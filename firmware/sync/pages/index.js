/** The part of the console's pages about a store of devices, for other modules. */
export { Store } from './store.js';
