/**
 * Backups: a shop's data in a device (`contents.ts`), as one file sealed with a passphrase. They are made while the
 * device runs, and checked and restored at its next start. A backup that is restored on another board asks no bank
 * about the payments of the first board.
 */
export { judgingApart } from './apart.ts';
export { takeOver } from './at-start.ts';
export { BackupError } from './backup-error.ts';
export { Backups } from './backups.ts';
export { copyInto } from './copies.ts';
export { makeBackup } from './make.ts';
export { type Home, prepareRestore } from './prepare.ts';
export { addBackupRoutes } from './routes.ts';
export { MIN_PASSPHRASE } from './sealed-stream.ts';
export { finishRestore, type LastRestore } from './swap.ts';
