/** Why the embedder gives no vector. */
import { CodedError } from '../../../drivers/lib/errors.ts';

/**
 * - `timeout`: no vector within the deadline
 * - `unavailable`: there is no working model now (see `state`), or its worker was lost during the request
 * - `busy`: too many requests wait
 * - `bad-input`: the pixels are not of the model's input size
 * - `bad-output`: the model could not make a vector of this picture
 * - `closed`: the embedder was closed
 */
export type EmbedderErrorCode = 'timeout' | 'unavailable' | 'busy' | 'bad-input' | 'bad-output' | 'closed';

export class EmbedderError extends CodedError<EmbedderErrorCode> {}
