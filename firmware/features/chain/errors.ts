/** Failures between a device and its chain. The message says what to do. */
import { CodedError } from '../../../drivers/lib/errors.ts';

export type ChainErrorCode =
  /** The file of credentials is unusable, or the chain rejects the credentials. */
  | 'credentials'
  /** The server's certificate is not trusted. */
  | 'certificate'
  /** No server answers in time: it is unknown whether the message has arrived. */
  | 'away'
  /** A server answers, but no stream takes the message. This passes by itself while servers choose another leader. */
  | 'refused';

export class ChainError extends CodedError<ChainErrorCode> {}
