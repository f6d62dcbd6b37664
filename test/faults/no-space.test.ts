/** Each write, sync, rename, shortening and removal of an operation fails once with ENOSPC, and the device goes on. */
import { sweep } from './sweep.ts';

sweep('each call of the storage fails once: ENOSPC', 'ENOSPC', [
  'sale',
  'refund',
  'cancellation',
  'shift that is closed',
  'change of the settings',
]);
