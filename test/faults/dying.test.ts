/** The process is killed in the place of each write, sync, rename, shortening and removal of an operation, and started again. */
import { sweep } from './sweep.ts';

sweep('SIGKILL at each call of the storage', ['kill']);
