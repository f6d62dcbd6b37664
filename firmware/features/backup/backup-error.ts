import { CodedError } from '../../../drivers/lib/errors.ts';
import type { MembersOf } from '../../../drivers/lib/records.ts';
import type { BACKUP_ERRORS } from './error-records.ts';

/** Why a backup was not made or not put back; nothing has changed then. */
type BackupErrorCode = MembersOf<typeof BACKUP_ERRORS, 'Backups'>;

export class BackupError extends CodedError<BackupErrorCode> {
  /** Parameters of the sentence. */
  readonly parameters: Readonly<Record<string, unknown>>;

  constructor(
    code: BackupErrorCode,
    message: string,
    { parameters = {}, ...options }: ErrorOptions & { readonly parameters?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(code, message, options);
    this.parameters = parameters;
  }
}
