/** A release in pieces from a master's cache to a device. The message server says who asks: it may under its own serial number only. */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import Type from 'typebox';
import { jsonFitting } from '../store/index.ts';
import type { ChainLink } from './link.ts';
import type { FileAsked, ReleaseSource } from './release-cache.ts';
import type { Chunk } from './release-cached-file.ts';
import { ReleaseError } from './release-error.ts';
import { RELEASES, releaseSubject } from './subjects.ts';

/** A master that has not answered by then is slow, or away: its own limit is less. */
const SLOW_MS = 20_000;
const TOTAL = 'Laneware-Total';
const TAG = 'Laneware-Tag';
const REFUSED = 'Laneware-Refused';

const Wanted = Type.Object({
  version: Type.String({ maxLength: 32 }),
  name: Type.String({ maxLength: 80 }),
  offset: Type.Integer({ minimum: 0 }),
  length: Type.Integer({ minimum: 0 }),
});

async function answer(message: Msg, cache: ReleaseSource): Promise<void> {
  const { headers: newHeaders } = await import('../../drivers/lib/nats.ts');
  const headers = newHeaders();
  try {
    const wanted = jsonFitting(Wanted, message.string());
    if (wanted === null) throw new ReleaseError('not-offered', 'this is no request for a part of a file');
    const { data, total, tag } = await cache.read({ ...wanted, reader: message.subject });
    headers.set(TOTAL, String(total));
    headers.set(TAG, tag);
    message.respond(data, { headers });
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    headers.set(REFUSED, error.code);
    message.respond(error.message, { headers });
  }
}

/** Answers on the master's own connection as long as it is there. */
export function openReleaseDoor(
  connection: NatsConnection,
  cache: ReleaseSource,
  onFailure: (error: unknown) => void,
): void {
  const callback = (error: unknown, message: Msg): void => {
    // the device that asked waits, and goes to the web server then
    if (error === null) answer(message, cache).catch(onFailure);
  };
  connection.subscribe(RELEASES, { callback });
}

/** The same cache, seen from a slave: it fails with {@link ReleaseError}, too. @param part encoded serial number of this device */
export const releasesOfMaster = (link: Pick<ChainLink, 'askMaster'>, part: string): ReleaseSource => ({
  /** @throws {ChainError} `no-line`, `timeout` */
  async read({ version, name, offset, length }: FileAsked): Promise<Chunk> {
    const wanted = JSON.stringify({ version, name, offset, length });
    const { data, headers } = await link.askMaster(releaseSubject(part), wanted, SLOW_MS);
    const refused = headers?.get(REFUSED) ?? '';
    if (refused !== '') throw new ReleaseError('refused', `the master does not give it: ${refused}`);
    const total = Number(headers?.get(TOTAL));
    const tag = headers?.get(TAG) ?? '';
    if (!Number.isSafeInteger(total) || total < 1 || tag === '' || data.length > length || offset + data.length > total)
      throw new ReleaseError('unreachable', 'what answers is no master that keeps releases');
    if (length > 0 && data.length === 0) throw new ReleaseError('unreachable', 'the master gives nothing');
    return { data: Buffer.from(data), total, tag };
  },
});
