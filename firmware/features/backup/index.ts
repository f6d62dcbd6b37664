/**
 * Backups: a device's data (`contents.ts`) as one file sealed with a passphrase. The running device makes a backup, and
 * checks one that is to be restored; its next start restores it. A board with another board's backup asks no bank about
 * the payments of that board.
 */

export { lockAndRestore } from './at-start.ts';
export { BackupError } from './backup-error.ts';
export { Backups } from './backups.ts';
export { childJudge } from './child-process.ts';
export { copyInto } from './copies.ts';
export { makeBackup } from './make.ts';
export { prepareRestore, type RestoringDevice } from './prepare.ts';
export { addBackupRoutes } from './routes.ts';
export { MIN_PASSPHRASE } from './sealed-stream.ts';
export { finishRestore, type LastRestore } from './swap.ts';
