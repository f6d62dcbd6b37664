/**
 * The room of each bucket, and the share of it that one device may fill, so that a broken or hostile device leaves room
 * for the others. Watches for a full disk, which the message server reports late or never.
 */
import { inTurnsOf } from '../../../drivers/lib/turns.ts';
import { freeBytes } from '../../core/files/index.ts';
import type { Log } from '../../core/host/index.ts';
import { MAX_CROP_BYTES } from '../../recognition/index.ts';
import type { BucketView } from './bucket-view.ts';
import type { Centre } from './centre.ts';
import type { ViewedBucket } from './store-view.ts';
import { type Bucket, ITEM_PARTS, subjectOf } from './subjects.ts';

/** With less the disk counts as full: the largest template, and what the server writes with it, would not fit. */
const LEAST_FREE_BYTES = 2 * 1024 * 1024;

const FULL =
  'storageFull: the disk of the master is full, so that no device can share what it learns: free some space (exports, packages), or put in a larger card';

export class RoomWatch {
  readonly #folder: string;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  /** Called when there is room again. */
  readonly #onRoom: () => void;
  #isFull = false;

  constructor(folder: string, log: Pick<Log, 'info' | 'warn'>, onRoom: () => void) {
    this.#folder = folder;
    this.#log = log;
    this.#onRoom = onRoom;
  }

  /** Checks the disk. Null where there is room. */
  get problem(): string | null {
    this.checkRoom();
    return this.#isFull ? FULL : null;
  }

  /** Logs once that the disk is full, and once that it no longer is. */
  checkRoom(): void {
    const wasFull = this.#isFull;
    this.#isFull = freeBytes(this.#folder) < LEAST_FREE_BYTES;
    if (this.#isFull && !wasFull) this.#log.warn({ folder: this.#folder }, FULL);
    if (this.#isFull || !wasFull) return;
    this.#log.info({ folder: this.#folder }, 'the disk of the master has room again');
    this.#onRoom();
  }
}

const MIB = 1024 * 1024;
interface Room {
  readonly max_bytes: number;
  readonly max_msgs: number;
  readonly max_msg_size: number;
}

/** The sums of the rooms must fit the limits in the server's configuration: `max_file`, and `max_mem` for buckets in memory. */
const ROOMS: Readonly<Record<Exclude<Bucket, 'templates'>, Room>> = {
  // a tombstone is its subject, and its content almost nothing
  tombstones: { max_bytes: 28 * MIB, max_msgs: 200_000, max_msg_size: 64 },
  // all parts of one device, each of the greatest size, fill a half
  items: { max_bytes: 2 * ITEM_PARTS * MIB, max_msgs: 16_384, max_msg_size: MIB },
  devices: { max_bytes: 2 * MIB, max_msgs: 1024, max_msg_size: 4096 },
  progress: { max_bytes: 8 * MIB, max_msgs: 1024, max_msg_size: MIB },
  marks: { max_bytes: 4 * MIB, max_msgs: 16, max_msg_size: MIB },
};
const MOST_TEMPLATES = 1_000_000;
/** The largest picture that a device accepts from another, and room for the head and the vector before it. */
const MOST_TEMPLATE_BYTES = MAX_CROP_BYTES + 64 * 1024;

/** Limits of a bucket. @param storageMb room of the templates, MiB */
export const roomOf = (bucket: Bucket, storageMb: number): Room =>
  bucket === 'templates'
    ? { max_bytes: storageMb * MIB, max_msgs: MOST_TEMPLATES, max_msg_size: MOST_TEMPLATE_BYTES }
    : ROOMS[bucket];

/**
 * Most messages of one device in a bucket: the templates of the largest package, or the tombstones that fill half of
 * their room.
 */
const MOST = 100_000;
/**
 * Share of a bucket's bytes for one device. It is checked only in a nearly full bucket: one device may have taught a
 * whole store.
 */
const SHARE = 1 / 2;
const NEARLY_FULL = 7 / 8;
/** How many messages of a device are read for their mean size: the server does not give the sum of their sizes. */
const WEIGHED = 128;
const WEIGHED_AT_ONCE = 16;
/** Size assumed for a message that is not found under its listed subject: Laneware did not write it. */
const UNREADABLE_BYTES = 1024 * 1024;
const SLICE_SUBJECTS = 2000;

/** What to delete: all entries of a device but the latest. */
export interface Surplus {
  readonly bucket: ViewedBucket;
  /** Encoded serial number of the device. */
  readonly part: string;
  readonly keep: number;
}

/** The entries in a bucket to delete, by device; empty while the bucket has room. @throws {SyncError} */
export async function surplusIn(centre: Centre, bucket: ViewedBucket, view: BucketView): Promise<Surplus[]> {
  const { bytes, room } = await centre.fill(bucket);
  const isNearlyFull = bytes > room * NEARLY_FULL;
  if (!isNearlyFull && view.size <= MOST) return [];
  const surplus: Surplus[] = [];
  for (const [part, subjects] of await byDevice(bucket, view)) {
    const mean = isNearlyFull ? await meanBytes(centre, bucket, subjects) : 0;
    const keep = Math.min(MOST, Math.floor((room * SHARE) / mean));
    if (subjects.length > keep) surplus.push({ bucket, part, keep });
  }
  return surplus;
}

async function byDevice(bucket: ViewedBucket, view: BucketView): Promise<Map<string, string[]>> {
  const start = subjectOf(bucket, '').length;
  const devices = new Map<string, string[]>();
  await inTurnsOf(SLICE_SUBJECTS, view.subjects, (subject) => {
    const part = subject.slice(start, subject.indexOf('.', start));
    const subjects = devices.get(part);
    if (subjects === undefined) devices.set(part, [subject]);
    else subjects.push(subject);
  });
  return devices;
}

/** Mean size of a random sample of messages, subjects included. */
async function meanBytes(centre: Centre, bucket: ViewedBucket, subjects: readonly string[]): Promise<number> {
  let sum = 0;
  for (let weighed = 0; weighed < WEIGHED; weighed += WEIGHED_AT_ONCE) {
    const some = Array.from(
      { length: WEIGHED_AT_ONCE },
      () => subjects[Math.floor(Math.random() * subjects.length)] ?? '',
    );
    const found = await Promise.all(some.map((subject) => centre.get(bucket, subject)));
    for (const [at, data] of found.entries()) sum += (some[at]?.length ?? 0) + (data?.length ?? UNREADABLE_BYTES);
  }
  return sum / WEIGHED;
}
