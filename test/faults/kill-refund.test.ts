/** The process is killed in the place of each write, sync, rename, shortening and removal of a refund and of a shift that is closed, and started again. */
import { sweep } from './sweep.ts';

sweep('SIGKILL at each call of the storage: what goes back, and the end of the day', 'kill', [
  'refund',
  'shift that is closed',
]);
