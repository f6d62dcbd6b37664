/** What goes wrong between a device and its chain. The message says what to do. */
import { CodedError } from '../../../drivers/lib/errors.ts';

export type ChainErrorCode =
  /** The file of credentials cannot be used, or the chain does not accept what is in it. */
  | 'credentials'
  /** The server is not known by its certificate. */
  | 'certificate'
  /** No server answers, or not in time: it is unknown whether what was sent has come through. */
  | 'away'
  /** A server answers, and no stream takes what is sent. Passes by itself while servers choose another leader. */
  | 'refused';

export class ChainError extends CodedError<ChainErrorCode> {}
