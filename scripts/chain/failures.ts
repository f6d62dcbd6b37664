/** What ends a command of chain.sh, in a sentence that says what to do. */
import { JetStreamApiError } from '@nats-io/jetstream';
import { AuthorizationError, PermissionViolationError } from '@nats-io/transport-node';
import { codeOf, isCode, messageOf } from '../../drivers/lib/errors.ts';
import { isStoreError } from '../../firmware/store/errors.ts';
import { isOfStorage } from '../../firmware/store/write-failure.ts';

/** What a person reads, and the end of a command. */
export class ChainFailure extends Error {
  override name = 'ChainFailure';
}

/** JSStreamNotFoundErr. */
export const STREAM_NOT_FOUND = 10_059;
/** JSClusterNotAvailErr. */
const NO_LEADER = 10_008;
/** What the library calls a request whose server has just gone. */
const UNANSWERED: ReadonlySet<string> = new Set([
  'TimeoutError',
  'NoRespondersError',
  'RequestError',
  'ClosedConnectionError',
]);

/** Whether too few servers of the hub are there to answer; a moment later they may be. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return error.code === NO_LEADER;
  return error instanceof Error && UNANSWERED.has(error.name);
}

/** The library's class for this one is not among what it exports. */
export const isNotEnabled = (error: unknown): boolean => error instanceof Error && error.name === 'JetStreamNotEnabled';

/** Null where it is a fault of the command itself: its stack says more than a sentence. */
export function sentenceOf(error: unknown): string | null {
  if (error instanceof ChainFailure) return error.message;
  const why = messageOf(error);
  if (isUnanswered(error))
    return `the hub does not answer (${why}): look whether two of its three servers run, and try again`;
  if (error instanceof AuthorizationError || error instanceof PermissionViolationError)
    return `the hub does not let us do that (${why}): a reader may only read what stores report, and a file that was called back opens nothing`;
  if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND)
    return 'the hub lacks a stream of the chain: scripts/chain.sh streams makes it';
  if (error instanceof JetStreamApiError || isNotEnabled(error))
    return `the hub does not do it (${why}): the logs of its servers say more`;
  if (!isOfStorage(error)) return null;
  if (error instanceof Error && 'syscall' in error && error.syscall === 'listen')
    return `nothing can listen there (${why}): another --port, or --host, may do`;
  const path = error instanceof Error && 'path' in error ? String(error.path) : 'a file';
  return troubleWith(path, error);
}

const OF_FILES: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `there is no file ${path}: look at its name, and at the folder that you are in`,
  EISDIR: (path) => `${path} is a folder, or no plain file: name another`,
  NOT_PLAIN: (path) => `${path} is a folder, or no plain file: name another`,
  ENOTDIR: (path) => `${path}: a part of this path is no folder`,
  EACCES: (path) => `${path} may not be read by this user, or not be written: be the one whose it is`,
  ENOSPC: (path) => `${path} cannot be written: the disk is full`,
};

/** What is wrong with a file that somebody has named, and what to do. */
export function troubleWith(path: string, error: unknown): string {
  const say = OF_FILES[codeOf(error) ?? ''];
  if (say !== undefined) return say(path);
  return isStoreError(error) || isCode(error, 'EPERM') ? `${path} ${messageOf(error)}` : `${path}: ${messageOf(error)}`;
}
