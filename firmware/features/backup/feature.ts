import type { Feature } from '../feature.ts';
import { BACKUP_ERRORS } from './error-records.ts';

/** Adds no calls: the device itself adds them, and at its start finishes a restore before anything else. */
export const backup: Feature = {
  name: 'backup',
  errors: BACKUP_ERRORS,
  command: { words: ['backup', 'restore'], load: async () => (await import('./command.ts')).addBackupCommands },
};
