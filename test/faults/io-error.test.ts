/** Each write, sync, rename, shortening and removal of an operation fails once with EIO, and the device goes on. */
import { sweep } from './sweep.ts';

sweep('each call of the storage fails once: EIO', 'EIO', [
  'sale',
  'refund',
  'cancellation',
  'shift that is closed',
  'change of the settings',
]);
