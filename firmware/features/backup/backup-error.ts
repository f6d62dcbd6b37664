import { CodedError } from '../../../drivers/lib/errors.ts';

/**
 * Why a backup was not made or not put back; nothing has changed then.
 * - `WrongPassphrase`: it is not the one that the file was sealed with
 * - `Damaged`: no backup, not all of one, or changed since it was written
 * - `TooNew`: a later release has written it
 * - `NewerPayments`: the device knows payments or refunds that it does not
 * - `Busy`: another one is being made or put back
 */
type BackupErrorCode = 'WrongPassphrase' | 'Damaged' | 'TooNew' | 'NewerPayments' | 'Busy';

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
