/**
 * The master's work at the centre: creates the buckets, publishes the marks, and deletes entries: of marked and of deleted
 * templates, of devices beyond their shares, and of devices that are no members.
 */

import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import { decodePart, encodePart } from '../../../drivers/lib/text.ts';
import { inTurnsOf } from '../../../drivers/lib/turns.ts';
import type { Log } from '../../core/host/index.ts';
import { SyncError } from '../errors.ts';
import { Centre, MarksDocument } from './centre.ts';
import type { MarksState, Wipe } from './deletion-marks.ts';
import { follow } from './follow.ts';
import { roomOf, type Surplus, surplusIn } from './shares.ts';
import { StoreCheck } from './store-check.ts';
import type { Flushed } from './store-keeper.ts';
import { StoreView, type ViewedBucket } from './store-view.ts';
import { BUCKETS, type Bucket, keyOf, MARKS_KEY, NEWS, streamOf, subjectOf } from './subjects.ts';

/** Buckets in which devices write under their own serial numbers. */
const OF_DEVICES = ['tombstones', 'templates', 'items', 'progress', 'devices'] as const;

/** Entries handled before the event loop gets a turn: one or two milliseconds of work. */
const SLICE_ENTRIES = 2000;

/** Published while it is not known which messages are on the disk; fits no bucket. */
const UNKNOWN: Flushed = { created: '', last: 0 };

/** Buckets in memory. Marks and the reports on them belong to one boot; the master publishes its stored marks at each start. */
const IN_MEMORY: ReadonlySet<Bucket> = new Set(['marks', 'progress']);
const IN_FILES = BUCKETS.filter((bucket) => !IN_MEMORY.has(bucket));

/** Last part of the subject of the master's probe, a message that is read back: it is under its serial number, and no entry. */
const PROBE = 'probe';

/**
 * The devices that still have to carry out the wipe. The master does it first: otherwise templates that another device learns
 * after it would be deleted as older ones. A device that has done it is left out: a new board in its place restores newer
 * templates from a backup.
 */
const toForget = ({ devices, done }: Wipe, master: string): readonly string[] =>
  done.includes(master) ? devices.filter((serial) => !done.includes(serial)) : [master];

export class MasterCentre {
  readonly #connection: NatsConnection;
  readonly #serial: string;
  readonly #log: Pick<Log, 'warn'>;
  readonly #centre: Centre;
  readonly #view = new StoreView();
  readonly #storageMb: number;
  /** Checks that the buckets in files are undamaged. */
  readonly check: StoreCheck;
  /** The members, joined, for which the entries of all other devices were removed; null: to be done. */
  #cleanedFor: string | null = null;

  private constructor(connection: NatsConnection, serial: string, storageMb: number, log: Pick<Log, 'warn'>) {
    this.#connection = connection;
    this.#serial = serial;
    this.#storageMb = storageMb;
    this.#log = log;
    this.#centre = new Centre(connection);
    this.check = new StoreCheck(this.#centre, IN_FILES, (bucket) => ({
      subject: subjectOf(bucket, `${encodePart(serial)}.${PROBE}`),
      // in the bucket `items`, a device reads it as an entry without words
      content: JSON.stringify({ ...(bucket === 'items' && { words: [] }), id: randomUUID() }),
    }));
  }

  /**
   * Opens the centre and creates its buckets.
   * @param storageMb room of the templates, MiB
   * @throws {SyncError} or the library's errors, where the server is not ready
   */
  static async open(
    connection: NatsConnection,
    serial: string,
    storageMb: number,
    log: Pick<Log, 'warn'>,
  ): Promise<MasterCentre> {
    const opened = new MasterCentre(connection, serial, storageMb, log);
    await opened.#createBuckets();
    return opened;
  }

  /** Id of the server's process. */
  get server(): string {
    return this.#centre.server;
  }

  /** Asks all devices to synchronise, and so to report their status. */
  knock(): void {
    this.#connection.publish(NEWS);
  }

  /**
   * Must be called before requests to the buckets: the server does not answer a request to a missing bucket.
   * @throws {SyncError} `not-ready` where a bucket is gone: opening the centre creates it again
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

  /** Deletes a bucket, creates it empty, and asks all devices to fill it. @throws {SyncError} or the library's errors */
  async beginAnew(bucket: Bucket): Promise<void> {
    const { jetstreamManager } = await import('../../../drivers/lib/jetstream.ts');
    const manager = await jetstreamManager(this.#connection, { checkAPI: true });
    await manager.streams.delete(streamOf(bucket));
    await this.#createBuckets();
    this.knock();
  }

  /** Removes the marks: without them no device synchronises, until they are published again. @throws {SyncError} */
  async shut(): Promise<void> {
    await this.#centre.purge('marks', '>');
  }

  /**
   * Publishes the marks where they have changed.
   * @param kept number up to which the templates are on the disk; null: not known
   */
  async publish({ boot, marks, wipe }: MarksState, kept: Flushed | null = null): Promise<void> {
    const known = await this.#published();
    const { created, last } = kept ?? UNKNOWN;
    const document = {
      boot,
      serial: this.#serial,
      marks: marks.map(({ item, id }) => ({ item, id })),
      kept: { created, last },
      ...(wipe && { wipe: { id: wipe.id, devices: toForget(wipe, this.#serial) } }),
    };
    if (JSON.stringify(known) === JSON.stringify(document)) return;
    await this.#centre.put(subjectOf('marks', MARKS_KEY), JSON.stringify(document));
    this.#connection.publish(NEWS);
  }

  /** The published marks; null where the document is missing or not Laneware's: it is then rewritten. */
  async #published(): Promise<MarksDocument | null> {
    try {
      return await this.#centre.document('marks', MARKS_KEY, MarksDocument);
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'garbage') throw error;
      this.#log.warn({ err: error }, 'the marks at the centre are written anew');
      return null;
    }
  }

  /**
   * Deletes templates of marked items and permanently deleted templates.
   * @returns the state of the templates' bucket
   * @throws {SyncError}
   */
  async sweep({ marks }: MarksState): Promise<Flushed> {
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

  /**
   * How many templates of others each device has permanently deleted, as of the last sweep. The master is left out,
   * because it publishes the deletions of all.
   */
  async foreignDeletions(): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    await inTurnsOf(SLICE_ENTRIES, this.#view.tombstones.entries, ({ publisher, ref }) => {
      const device = decodePart(publisher);
      if (device === null || device === ref.origin || device === this.#serial) return;
      counts.set(device, (counts.get(device) ?? 0) + 1);
    });
    return counts;
  }

  /**
   * Entries of devices beyond their shares, as of the last sweep. The master publishes for all, and has no share.
   * @throws {SyncError}
   */
  async surplus(): Promise<Surplus[]> {
    const own = encodePart(this.#serial);
    const of = (bucket: ViewedBucket): Promise<Surplus[]> => surplusIn(this.#centre, bucket, this.#view[bucket]);
    return [...(await of('tombstones')), ...(await of('templates'))].filter(({ part }) => part !== own);
  }

  /** Deletes the oldest entries beyond the shares. @throws {SyncError} */
  async dropSurplus(all: readonly Surplus[]): Promise<void> {
    for (const { bucket, part, keep } of all) {
      await this.#centre.purge(bucket, `${part}.>`, keep);
      this.#view[bucket].invalidate();
    }
    this.knock();
  }

  /** Deletes the entries of devices that are no members, such as revoked ones; once for the same members. @throws {SyncError} */
  async dropStrangers(members: readonly string[]): Promise<void> {
    const parts = new Set(members.map(encodePart));
    const key = members.join('\n');
    if (key === this.#cleanedFor) return;
    this.#cleanedFor = key;
    try {
      await this.#dropAllBut(parts);
    } catch (error) {
      this.recheckMembers();
      throw error;
    }
  }

  /** Has the next `dropStrangers` check again: a revoked device may have written until the server reloaded. */
  recheckMembers(): void {
    this.#cleanedFor = null;
  }

  async #dropAllBut(parts: ReadonlySet<string>): Promise<void> {
    for (const bucket of OF_DEVICES) {
      const { templates, tombstones } = this.#view;
      const view = bucket === 'templates' ? templates : bucket === 'tombstones' ? tombstones : null;
      const subjects = view?.subjects ?? (await this.#centre.list(bucket)).subjects;
      const start = subjectOf(bucket, '').length;
      const strangers = new Set<string>();
      await inTurnsOf(SLICE_ENTRIES, subjects, (subject) => {
        const [part = ''] = subject.slice(start).split('.', 1);
        if (!parts.has(part)) strangers.add(part);
      });
      for (const stranger of strangers) {
        this.#log.warn(
          { bucket, device: decodePart(stranger) },
          'what a device that was shut out has put is taken away',
        );
        for (const filter of [stranger, `${stranger}.>`]) await this.#centre.purge(bucket, filter);
        view?.invalidate();
      }
    }
  }

  async #createBuckets(): Promise<void> {
    const { jetstreamManager, StorageType, DiscardPolicy } = await import('../../../drivers/lib/jetstream.ts');
    const manager = await jetstreamManager(this.#connection, { checkAPI: true });
    for (const bucket of BUCKETS) {
      const settings = {
        subjects: [subjectOf(bucket, '>')],
        max_msgs_per_subject: 1,
        allow_direct: true,
        // otherwise any device that may publish could empty the bucket with one header
        allow_rollup_hdrs: false,
        discard: DiscardPolicy.New,
        ...roomOf(bucket, this.#storageMb),
      };
      const storage = IN_MEMORY.has(bucket) ? StorageType.Memory : StorageType.File;
      const name = streamOf(bucket);
      const present = await manager.streams.info(name).catch(() => null); // absent: it is created
      if (present === null) await manager.streams.add({ ...settings, name, storage });
      else await manager.streams.update(name, settings);
    }
  }

  /** Deletes templates by a filter of subjects. @returns false where the server refuses */
  async #purge(filter: string): Promise<boolean> {
    try {
      await this.#centre.purge('templates', filter);
      return true;
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'refused') throw error;
      this.#log.warn({ err: error, filter }, 'the centre could not be swept');
      return false;
    }
  }
}
