/** The process is killed in the place of each write, sync, rename, shortening and removal of a sale, a cancellation and a change of the settings, and started again. */
import { sweep } from './sweep.ts';

sweep('SIGKILL at each call of the storage: what is sold and set up', 'kill', [
  'sale',
  'cancellation',
  'change of the settings',
]);
