/** Messages of devices to their master: carried-out marks, status, hints of a change, and requests to be paired. */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { decodePart } from '../../../drivers/lib/text.ts';
import type { Log } from '../../core/host/index.ts';
import { SyncError } from '../errors.ts';
import { NO_REQUEST } from '../pairing-service.ts';
import { DeviceDocument, type DeviceStatus, ProgressDocument, parse } from './centre.ts';
import { type Bucket, HINTS, hintOf, PAIR_INBOX, PAIR_SUBJECT, subjectOf } from './subjects.ts';

interface CentreListener {
  /** A device reports which marks it has carried out. */
  readonly onProgress: (serial: string, ids: readonly string[]) => void;
  readonly onStatus: (serial: string, status: DeviceStatus) => void;
  /** Another device has changed something at the centre. */
  readonly onHint: () => void;
  /** An unpaired device asks to be paired; returns why it is refused, or null. */
  readonly onPairing: (request: unknown) => Promise<string | null>;
}

/** Listens as long as the connection lasts. @param master serial number of the master */
export function listenToDevices(
  connection: NatsConnection,
  master: string,
  listener: CentreListener,
  log: Pick<Log, 'warn'>,
): void {
  /**
   * Subscribes to a bucket's messages. Their subject names the device: the server lets it publish under its own serial
   * number alone.
   */
  const subscribe = (bucket: Bucket, handle: (serial: string, message: Msg) => void): void => {
    const callback = (_error: unknown, message: Msg): void => {
      const serial = decodePart(message.subject.slice(subjectOf(bucket, '').length));
      try {
        if (serial !== null) handle(serial, message);
      } catch (error) {
        if (!(error instanceof SyncError)) throw error;
        log.warn({ err: error, serial }, 'a message of a device was refused');
      }
    };
    connection.subscribe(subjectOf(bucket, '*'), { callback });
  };

  /** Why the device is not paired, or null. */
  const refusalOf = async (message: Msg): Promise<string | null> => {
    try {
      return await listener.onPairing(JSON.parse(message.string()));
    } catch (error) {
      log.warn({ err: error }, 'a pairing failed');
      return error instanceof SyntaxError ? NO_REQUEST : 'the master could not store the pairing: see its log';
    }
  };

  const answerPairing = async (message: Msg): Promise<void> => {
    // the answer is published with the master's rights, so the asker must not choose any subject for it
    if (!message.reply?.startsWith(`${PAIR_INBOX}.`)) return;
    const refusal = await refusalOf(message);
    try {
      message.respond(JSON.stringify({ refusal, masterSerial: master }));
    } catch (error) {
      // the connection has closed meanwhile; the device asks again
      log.warn({ err: error }, 'the answer to a pairing could not be sent');
    }
  };

  subscribe('progress', (serial, message) =>
    listener.onProgress(serial, parse(message.data, ProgressDocument, message.subject).done),
  );
  subscribe('devices', (serial, message) =>
    listener.onStatus(serial, parse(message.data, DeviceDocument, message.subject)),
  );
  const own = hintOf(master);
  connection.subscribe(HINTS, {
    callback: (_error, { subject }) => {
      if (subject !== own) listener.onHint();
    },
  });
  connection.subscribe(PAIR_SUBJECT, { callback: (_error, message) => void answerPairing(message) });
}
