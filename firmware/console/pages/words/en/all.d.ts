/** Made of the records of codes by firmware/device/composition/made-modules.ts. */
import type { Words } from '../../../../../drivers/lib/records.ts';
import type words from './index.js';

declare const all: typeof words & Readonly<Record<`problem.${string}` | `reason.${string}`, Words>>;
export default all;
