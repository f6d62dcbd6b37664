/** Bytes and messages of each bucket, and of one message: one that is full takes no room of another. */
import { MAX_CROP_BYTES } from '../../recognition/index.ts';
import { type Bucket, ITEM_PARTS } from './subjects.ts';

const MIB = 1024 * 1024;
interface Room {
  readonly max_bytes: number;
  readonly max_msgs: number;
  readonly max_msg_size: number;
}

/** Together they fit into what the server may have: `max_file` and `max_mem` of its configuration. */
const ROOMS: Readonly<Record<Exclude<Bucket, 'templates'>, Room>> = {
  // the subject of a tombstone says all
  tombstones: { max_bytes: 28 * MIB, max_msgs: 200_000, max_msg_size: 64 },
  // all parts of one device, each as large as may be, take a half
  items: { max_bytes: 2 * ITEM_PARTS * MIB, max_msgs: 16_384, max_msg_size: MIB },
  devices: { max_bytes: 2 * MIB, max_msgs: 1024, max_msg_size: 4096 },
  progress: { max_bytes: 8 * MIB, max_msgs: 1024, max_msg_size: MIB },
  marks: { max_bytes: 4 * MIB, max_msgs: 16, max_msg_size: MIB },
};
const MOST_TEMPLATES = 1_000_000;
/** The largest picture that a device takes of another, with room for the head and the vector before it. */
const MOST_TEMPLATE_BYTES = MAX_CROP_BYTES + 64 * 1024;

/** @param storageMb room of the templates */
export const roomOf = (bucket: Bucket, storageMb: number): Room =>
  bucket === 'templates'
    ? { max_bytes: storageMb * MIB, max_msgs: MOST_TEMPLATES, max_msg_size: MOST_TEMPLATE_BYTES }
    : ROOMS[bucket];
