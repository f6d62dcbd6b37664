/** The master's work at the centre: sets it up, publishes the marks, deletes what they name, listens to the devices. */

import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { decodePart, encodePart } from '../../../drivers/lib/subject-part.ts';
import type { Log } from '../../core/host/index.ts';
import { SyncError } from '../errors.ts';
import { NO_REQUEST } from '../pairing-service.ts';
import { Centre, DeviceDocument, type DeviceStatus, MarksDocument, ProgressDocument, parse } from './centre.ts';
import type { MarksState, Wipe } from './decide-marks.ts';
import { follow } from './follow.ts';
import type { Kept } from './store-keeper.ts';
import { StoreView } from './store-view.ts';
import {
  BUCKETS,
  type Bucket,
  HINTS,
  hintOf,
  keyOf,
  MARKS_KEY,
  NEWS,
  PAIR_INBOX,
  PAIR_SUBJECT,
  streamOf,
  subjectOf,
} from './subjects.ts';

const MIB = 1024 * 1024;
/** Names no bucket. */
const UNKNOWN: Kept = { created: '', last: 0 };

interface CentreListener {
  /** A device says which marks it has carried out. */
  readonly onProgress: (serial: string, ids: readonly string[]) => void;
  readonly onStatus: (serial: string, status: DeviceStatus) => void;
  /** Something has changed at the centre. */
  readonly onHint: () => void;
  /** An unpaired device asks to be paired; returns why not, or null. */
  readonly onPairing: (request: unknown) => Promise<string | null>;
}

interface MasterCentreOptions {
  readonly serial: string;
  /** Room of the templates. */
  readonly storageMb: number;
  readonly connection: NatsConnection;
  readonly listener: CentreListener;
  readonly log: Pick<Log, 'warn'>;
}

/** Marks belong to one boot: their bucket is in memory, and the master publishes its stored marks at each start. */
const IN_MEMORY: ReadonlySet<Bucket> = new Set(['marks', 'progress']);

/**
 * The master forgets first: otherwise templates that another device learns afterwards would be taken for older ones at the
 * centre. A device that has forgotten is no longer named: a new board in its place restores newer templates from a backup.
 */
const toForget = ({ devices, done }: Wipe, master: string): readonly string[] =>
  done.includes(master) ? devices.filter((serial) => !done.includes(serial)) : [master];

export class MasterCentre {
  readonly #options: MasterCentreOptions;
  readonly #centre: Centre;
  readonly #view = new StoreView();

  private constructor(options: MasterCentreOptions) {
    this.#options = options;
    this.#centre = new Centre(options.connection);
  }

  /** @throws {SyncError} or the library's errors, where the server is not ready */
  static async open(options: MasterCentreOptions): Promise<MasterCentre> {
    const opened = new MasterCentre(options);
    await opened.#createBuckets();
    opened.#listen();
    return opened;
  }

  /** Each device that receives it synchronises, and so reports its status. */
  knock(): void {
    this.#options.connection.publish(NEWS);
  }

  /**
   * Called before any request to them: a server does not answer requests to a missing bucket.
   * @throws {SyncError} `not-ready` where one is gone: it is created again when the centre is opened
   */
  async requireBuckets(): Promise<void> {
    for (const bucket of BUCKETS)
      try {
        await this.#centre.place(bucket);
      } catch (cause) {
        if (!(cause instanceof SyncError) || cause.code !== 'not-ready') throw cause;
        const what = `the centre has no bucket ${bucket} now: what is gone is made anew from what the devices hold`;
        throw new SyncError('not-ready', what, { cause });
      }
  }

  /** @param kept up to where the templates are on the disk; null where that is not known yet */
  async publish({ boot, marks, wipe }: MarksState, kept: Kept | null = null): Promise<void> {
    const { serial } = this.#options;
    const known = await this.#published();
    const { created, last } = kept ?? UNKNOWN;
    const document = {
      boot,
      serial,
      marks: marks.map(({ item, id }) => ({ item, id })),
      kept: { created, last },
      ...(wipe && { wipe: { id: wipe.id, devices: toForget(wipe, serial) } }),
    };
    if (JSON.stringify(known) === JSON.stringify(document)) return;
    await this.#centre.put(subjectOf('marks', MARKS_KEY), JSON.stringify(document));
    this.#options.connection.publish(NEWS);
  }

  /** Null where there is no document, or none of ours: it is then rewritten. */
  async #published(): Promise<MarksDocument | null> {
    try {
      return await this.#centre.document('marks', MARKS_KEY, MarksDocument);
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'garbage') throw error;
      this.#options.log.warn({ err: error }, 'the marks at the centre are written anew');
      return null;
    }
  }

  /**
   * Takes away templates of marked items and those that were deleted for good.
   * @returns where the templates stand
   * @throws {SyncError}
   */
  async sweep({ marks }: MarksState): Promise<Kept> {
    this.#view.setMarks(marks);
    const { templates, tombstones } = this.#view;
    await follow({ centre: this.#centre, bucket: 'tombstones', view: tombstones });
    await follow({ centre: this.#centre, bucket: 'templates', view: templates });
    const gone = Map.groupBy(templates.expectedDeletions, ({ ref }) =>
      this.#view.isMarked(ref.item) ? `*.${encodePart(ref.item)}.*.*` : `*.${keyOf(ref)}`,
    );
    for (const [filter, entries] of gone)
      if (await this.#purge(filter)) for (const entry of entries) templates.forget(entry);
    return { created: templates.created ?? '', last: templates.last };
  }

  async #createBuckets(): Promise<void> {
    const { jetstreamManager, StorageType, DiscardPolicy } = await import('../../../drivers/lib/jetstream.ts');
    const manager = await jetstreamManager(this.#options.connection, { checkAPI: true });
    for (const bucket of BUCKETS) {
      const settings = {
        subjects: [subjectOf(bucket, '>')],
        max_msgs_per_subject: 1,
        allow_direct: true,
        // a device that may publish could otherwise empty the bucket with one header
        allow_rollup_hdrs: false,
        discard: DiscardPolicy.New,
        max_msg_size: MIB,
        max_bytes: bucket === 'templates' ? this.#options.storageMb * MIB : -1,
      };
      const storage = IN_MEMORY.has(bucket) ? StorageType.Memory : StorageType.File;
      const name = streamOf(bucket);
      const present = await manager.streams.info(name).catch(() => null); // absent: it is made
      if (present === null) await manager.streams.add({ ...settings, name, storage });
      else await manager.streams.update(name, settings);
    }
  }

  /** Whether the server has done it. */
  async #purge(filter: string): Promise<boolean> {
    try {
      await this.#centre.purge('templates', filter);
      return true;
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'refused') throw error;
      this.#options.log.warn({ err: error, filter }, 'the centre could not be swept');
      return false;
    }
  }

  #listen(): void {
    const { connection, listener } = this.#options;
    this.#subscribe('progress', (serial, message) =>
      listener.onProgress(serial, parse(message.data, ProgressDocument, message.subject).done),
    );
    this.#subscribe('devices', (serial, message) =>
      listener.onStatus(serial, parse(message.data, DeviceDocument, message.subject)),
    );
    const own = hintOf(this.#options.serial);
    connection.subscribe(HINTS, {
      callback: (_error, { subject }) => {
        if (subject !== own) listener.onHint();
      },
    });
    connection.subscribe(PAIR_SUBJECT, { callback: (_error, message) => void this.#answerPairing(message) });
  }

  /** The server lets a device publish under its own serial number only: the subject says who it is. */
  #subscribe(bucket: Bucket, take: (serial: string, message: Msg) => void): void {
    const callback = (_error: unknown, message: Msg): void => {
      const serial = decodePart(message.subject.slice(subjectOf(bucket, '').length));
      try {
        if (serial !== null) take(serial, message);
      } catch (error) {
        if (!(error instanceof SyncError)) throw error;
        this.#options.log.warn({ err: error, serial }, 'a message of a device was refused');
      }
    };
    this.#options.connection.subscribe(subjectOf(bucket, '*'), { callback });
  }

  async #answerPairing(message: Msg): Promise<void> {
    // the answer is written with the master's rights: not wherever the asker likes
    if (!message.reply?.startsWith(`${PAIR_INBOX}.`)) return;
    const refusal = await this.#refusalOf(message);
    try {
      message.respond(JSON.stringify({ refusal, masterSerial: this.#options.serial }));
    } catch (error) {
      // the connection is gone meanwhile; the device asks again
      this.#options.log.warn({ err: error }, 'the answer to a pairing could not be sent');
    }
  }

  /** Why the device is not paired, or null. */
  async #refusalOf(message: Msg): Promise<string | null> {
    const { listener, log } = this.#options;
    try {
      return await listener.onPairing(JSON.parse(message.string()));
    } catch (error) {
      log.warn({ err: error }, 'a pairing failed');
      return error instanceof SyntaxError ? NO_REQUEST : 'the master could not store the pairing: see its log';
    }
  }
}
