import { FeatureError } from '../../../drivers/lib/errors.ts';
import type { MembersOf } from '../../../drivers/lib/records.ts';
import { BACKUP_ERRORS } from './error-records.ts';

/** Why a backup was not made or not put back; nothing has changed then. */
type BackupErrorCode = MembersOf<typeof BACKUP_ERRORS, 'Backups'>;

export class BackupError extends FeatureError<BackupErrorCode> {
  /** @param parameters of the sentence */
  constructor(
    code: BackupErrorCode,
    message: string,
    { parameters = {}, ...options }: ErrorOptions & { readonly parameters?: Readonly<Record<string, unknown>> } = {},
  ) {
    const name = `Backups.${code}` as const;
    const field = code === 'WrongPassphrase' ? { field: 'passphrase' } : {};
    super(
      code,
      message,
      { code: name, status: BACKUP_ERRORS[name].status, more: { ...parameters, ...field } },
      options,
    );
  }
}
