import type { Feature } from '../feature.ts';
import { BACKUP_ERRORS } from './error-records.ts';

/** Its calls and its start are the device's own: what is put back has to be there before anything else. */
export const backup: Feature = {
  name: 'backup',
  errors: BACKUP_ERRORS,
  command: { words: ['backup', 'restore'], load: async () => (await import('./command.ts')).addKeeping },
};
