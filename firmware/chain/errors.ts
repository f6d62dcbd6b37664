/** What goes wrong between a store and its chain. */
import { CodedError } from '../../drivers/lib/errors.ts';

export type ChainErrorCode =
  /** The file of credentials cannot be used, or the chain does not accept what is in it. */
  | 'credentials'
  /** The server is not known by its certificate. */
  | 'certificate'
  /** No server answers, or not in time: it is unknown whether what was sent has come through. */
  | 'away'
  /** A server answers, and no stream takes what is sent. Passes by itself while servers choose another leader. */
  | 'no-stream'
  /** No way to the chain just now: no master, no line, or the store belongs to no chain. The same may be sent again. */
  | 'no-line'
  /** It is unknown whether it came through. The same may be sent again. */
  | 'timeout'
  /** The chain does not take it, and will not. */
  | 'refused'
  /** The chain has no room for it. */
  | 'full'
  /** What was to be sent or read has no such name. */
  | 'name'
  /** What lies there was not put there by the chain, or was replaced by it long ago. */
  | 'forged'
  /** A store joins at its master. */
  | 'no-master';

export class ChainError extends CodedError<ChainErrorCode> {}

/** A line that is away is no trouble of what would go over it. */
export const isAway = (error: unknown): boolean =>
  error instanceof ChainError && (error.code === 'no-line' || error.code === 'timeout');
