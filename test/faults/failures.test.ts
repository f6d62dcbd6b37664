/** Each write, sync, rename, shortening and removal of an operation fails once, with EIO and with ENOSPC in turn, and the device goes on. */
import { sweep } from './sweep.ts';

sweep('each call of the storage fails once', 'failure', [
  'sale',
  'refund',
  'cancellation',
  'shift that is closed',
  'change of the settings',
]);
