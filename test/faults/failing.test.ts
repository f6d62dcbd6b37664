/** Each write, sync, rename, shortening and removal of an operation fails once, and the device goes on. */
import { sweep } from './sweep.ts';

sweep('storage that fails once', ['EIO', 'ENOSPC']);
