import { type MembersOf, RecordedError } from '../../../drivers/lib/records.ts';
import { BACKUP_ERRORS } from './error-records.ts';

/** Why a backup was not made or not restored; nothing has changed then. */
type BackupErrorCode = MembersOf<typeof BACKUP_ERRORS, 'Backups'>;

export class BackupError extends RecordedError<BackupErrorCode> {
  /** Parameters of the error's sentence in the console. */
  readonly parameters: Readonly<Record<string, unknown>>;

  constructor(
    code: BackupErrorCode,
    message: string,
    { parameters = {}, ...options }: ErrorOptions & { readonly parameters?: Readonly<Record<string, unknown>> } = {},
  ) {
    const more = code === 'WrongPassphrase' ? { ...parameters, field: 'passphrase' } : parameters;
    super(['Backups', BACKUP_ERRORS], code, message, { ...options, more });
    this.parameters = parameters;
  }
}
