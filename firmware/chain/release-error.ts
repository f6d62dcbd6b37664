import { CodedError } from '../../drivers/lib/errors.ts';

/** Why a file of a release is not in the store's cache: the device that asked goes to the web server then. */
export type ReleaseErrorCode =
  /** Of no release that the chain offers now, or no file of one. */
  | 'not-offered'
  /** The web server does not have it. */
  | 'missing'
  /** The web server is not reached, or does not send what can be kept. */
  | 'unreachable'
  /** What it sends is not what the file itself says of it. */
  | 'damaged'
  /** The disk must be kept free for what the device lives by. */
  | 'no-room'
  /** Too many want something at this moment. */
  | 'busy'
  /** Nothing came in time. */
  | 'slow'
  /** It was thrown away, or is another one by now. */
  | 'gone'
  /** The master does not give it, for one of these reasons. */
  | 'refused';

export class ReleaseError extends CodedError<ReleaseErrorCode> {}
