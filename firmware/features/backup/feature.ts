import type { Feature } from '../feature.ts';
import { BACKUP_ERRORS } from './error-records.ts';

/** The device itself adds its calls and its start: a restore must be finished before anything else. */
export const backup: Feature = {
  name: 'backup',
  errors: BACKUP_ERRORS,
  command: { words: ['backup', 'restore'], load: async () => (await import('./command.ts')).addKeeping },
};
