/** Made of the records of codes by firmware/device/composition/made-modules.ts. */
import type words from './index.js';

declare const all: typeof words & Readonly<Record<`problem.${string}`, string>>;
export default all;
