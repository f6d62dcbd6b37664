/**
 * What lies in the streams of the hub, read by subject and number. Never through a consumer: a user who may make one may have the
 * hub deliver to any subject that he names, and so write what he may not say himself.
 */
import { type JetStreamManager, jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

const REQUEST_LIMIT_MS = 10_000;
/** Answers that are waited for at one moment. */
const AT_ONCE = 64;

/** Without a question to the account, which a reader may not ask. @param apiPrefix where one asks that is no administrator */
export const managerOf = (connection: NatsConnection, apiPrefix?: string): Promise<JetStreamManager> =>
  jetstreamManager(connection, {
    ...{ timeout: REQUEST_LIMIT_MS, checkAPI: false },
    ...(apiPrefix !== undefined && { apiPrefix }),
  });

interface Stored {
  readonly stream: string;
  /** Subjects, with wildcards. */
  readonly filter: string;
  /** Where a reader asks; left out by an administrator. */
  readonly api?: string | undefined;
}

/** Some of them at one moment, so that the way to the hub and back is not waited for with each. */
export async function eachAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const worker = async (): Promise<void> => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** The newest message of each subject. @throws the library's error */
export async function readNewest(
  connection: NatsConnection,
  { stream, filter, api }: Stored,
  take: (message: StoredMsg) => void,
): Promise<void> {
  const manager = await managerOf(connection, api);
  const { state } = await manager.streams.info(stream, { subjects_filter: filter });
  await eachAtOnce(Object.keys(state.subjects ?? {}), async (subject) => {
    const message = await manager.streams.getMessage(stream, { last_by_subj: subject });
    if (message !== null) take(message);
  });
}

/**
 * All messages that lie there at this moment, those of one subject in order.
 * @param since ms since 1970, by the clock of the hub; null: all that it keeps
 * @throws the library's error
 */
export async function readAll(
  connection: NatsConnection,
  { stream, filter, since, api }: Stored & { readonly since: number | null },
  take: (message: StoredMsg) => void,
): Promise<void> {
  const manager = await managerOf(connection, api);
  const { state } = await manager.streams.info(stream, { subjects_filter: filter });
  const next = (seq: number, subject: string): Promise<StoredMsg | null> => {
    // the library's type has no such field, and every server does; the leader is asked, for a copy may be behind
    const query = { seq, next_by_subj: subject };
    return manager.streams.getMessage(stream, query);
  };
  const isBefore = async (seq: number): Promise<boolean> => {
    const message = await next(seq, '>');
    return message !== null && since !== null && message.time.getTime() < since;
  };
  const first = await firstNot(isBefore, state.first_seq, state.last_seq + 1);
  await eachAtOnce(Object.keys(state.subjects ?? {}), async (subject) => {
    for (let seq = first; seq <= state.last_seq; ) {
      const message = await next(seq, subject);
      if (message === null || message.seq > state.last_seq) return;
      take(message);
      seq = message.seq + 1;
    }
  });
}

/** The first number from `low` to `high` that is not so, where all that are so come first. */
async function firstNot(isSo: (number: number) => Promise<boolean>, low: number, high: number): Promise<number> {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await isSo(middle)) from = middle + 1;
    else to = middle;
  }
  return from;
}
