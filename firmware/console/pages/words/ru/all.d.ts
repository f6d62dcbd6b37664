/** Made of the records of codes by firmware/device/composition/made-modules.ts. */
export { default } from '../en/all.js';
