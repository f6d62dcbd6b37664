/**
 * The names of things at the centre, and who may write where. The buckets are JetStream key-value buckets (NATS ADR-8):
 * stream `KV_<bucket>`, subjects `$KV.<bucket>.<key>`. A device's keys begin with its encoded serial number. In the
 * buckets a device may write these keys alone, and it reads only by requests.
 *
 * A request names the subject of its answer, and the server writes there with its own rights. So devices and buckets
 * are in two accounts: a permitted request is exported as a service, and its answer returns to the account of the
 * devices, where no bucket listens.
 *
 * An item's id may be `>`, `*`, `a b` or `ü`, and `>` as part of a filter would empty a bucket. So each part of a
 * template's name is encoded as `i` and its base64url; the parts are joined by dots.
 */
import { decodePart, encodePart } from '../../../drivers/lib/text.ts';
import type { TemplateName } from '../../recognition/index.ts';

const PARTS_OF_A_TEMPLATE = 3;

export const keyOf = ({ item, origin, sid }: TemplateName): string => [item, origin, sid].map(encodePart).join('.');

/** Identifies a template in memory. It costs less than its key: a round makes tens of thousands. */
export const identityOf = ({ item, origin, sid }: TemplateName): string => `${item}\n${origin}\n${sid}`;

/** Reads a template's name from a key; null for any other key. */
export function refOf(key: string): TemplateName | null {
  const parts = key.split('.').map(decodePart);
  const [item, origin, sid] = parts;
  return parts.length === PARTS_OF_A_TEMPLATE && item && origin && sid ? { item, origin, sid } : null;
}

export const BUCKETS = ['templates', 'tombstones', 'marks', 'progress', 'devices', 'items'] as const;
export type Bucket = (typeof BUCKETS)[number];

const bucketOf = (bucket: Bucket): string => `laneware_${bucket}`;
export const streamOf = (bucket: Bucket): string => `KV_${bucketOf(bucket)}`;
export const subjectOf = (bucket: Bucket, key: string): string => `$KV.${bucketOf(bucket)}.${key}`;

/** Subject of the service that returns a message: by a subject appended to it, or by a number in the request. */
export const directGet = (bucket: Bucket): string => `$JS.API.DIRECT.GET.${streamOf(bucket)}`;

/** Buckets that devices follow by the numbers of their messages. */
const FOLLOWED = ['templates', 'tombstones', 'items'] as const;
export type FollowedBucket = (typeof FOLLOWED)[number];

/** The marks of all items in one document: a device reads all of them or none. */
export const MARKS_KEY = 'current';

/** The account of the buckets, for the master and for a device that is being paired. */
export const CENTRE_ACCOUNT = 'CENTRE';
/** The account of the devices, the master's own member included. */
export const STORE_ACCOUNT = 'STORE';

export const PAIR_SUBJECT = 'laneware.pair';
/** The master's message to all devices: synchronise now. */
export const NEWS = 'laneware.news';
export const HINTS = 'laneware.hint.*';
/** A device's message that something has changed, so that others need not wait for their next round. */
export const hintOf = (serial: string): string => `laneware.hint.${encodePart(serial)}`;

/** The subject of a device's reports on its payments to its master. @param part its encoded serial number */
export const lanePaymentsSubject = (part: string): string => `laneware.lane-payments.${part}`;
export const LANE_PAYMENTS = lanePaymentsSubject('*');

export const PAIR_USER = 'pair';
export const PAIR_INBOX = '_INBOX_pair';
export const inboxOf = (serial: string): string => `_INBOX_${encodePart(serial)}`;

/**
 * @param publisher serial number of the device that put the entry there: the template's maker, or another with a copy
 */
export const entrySubject = (bucket: 'templates' | 'tombstones', publisher: string, ref: TemplateName): string =>
  subjectOf(bucket, `${encodePart(publisher)}.${keyOf(ref)}`);

export interface Entry {
  readonly ref: TemplateName;
  /** Encoded serial number of the device that put the entry there. */
  readonly publisher: string;
  readonly subject: string;
}

/** Reads an entry's subject; null where it is no entry of Laneware. */
export function entryOf(bucket: FollowedBucket, subject: string): Entry | null {
  const prefix = subjectOf(bucket, '');
  if (!subject.startsWith(prefix)) return null;
  const key = subject.slice(prefix.length);
  const dot = key.indexOf('.');
  const ref = refOf(key.slice(dot + 1));
  return ref === null || dot < 1 ? null : { ref, publisher: key.slice(0, dot), subject };
}

/**
 * Subject of a request for a bucket's state. Devices cannot use the server's own, `$JS.API`: it belongs to each
 * account.
 */
export const bucketInfo = (bucket: Bucket): string => `laneware.info.${bucket}`;
export const bucketInfoAtServer = (bucket: Bucket): string => `$JS.API.STREAM.INFO.${streamOf(bucket)}`;

/** Requests that the account of the buckets answers to any device. */
export const SERVICES: readonly string[] = [
  subjectOf('templates', '*.*.*.*'),
  subjectOf('tombstones', '*.*.*.*'),
  subjectOf('progress', '*'),
  subjectOf('devices', '*'),
  subjectOf('items', '*.*'),
  ...BUCKETS.map((bucket) => `${directGet(bucket)}.>`),
  ...FOLLOWED.map(directGet),
  LANE_PAYMENTS,
];

/**
 * Into how many parts a device's words on items are split: with 50,000 items, a part is then far smaller than a message
 * may be.
 */
export const ITEM_PARTS = 64;
/** @param part below `ITEM_PARTS` */
export const itemPart = (serial: string, part: number): string => subjectOf('items', `${encodePart(serial)}.${part}`);

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/**
 * What a device may publish and subscribe to.
 * @param isStopped whether the device has filled its share of the room: it may then publish no templates, tombstones or
 * items
 */
export function permissionsOf(serial: string, isStopped = false): Permissions {
  const own = encodePart(serial);
  const given = [
    subjectOf('templates', `${own}.*.*.*`),
    subjectOf('tombstones', `${own}.*.*.*`),
    // one by one: other parts must not be written
    ...Array.from({ length: ITEM_PARTS }, (_, part) => itemPart(serial, part)),
  ];
  return {
    publish: [
      lanePaymentsSubject(own),
      subjectOf('progress', own),
      subjectOf('devices', own),
      ...(isStopped ? [] : given),
      hintOf(serial),
      ...BUCKETS.flatMap((bucket) => [bucketInfo(bucket), `${directGet(bucket)}.>`]),
      ...FOLLOWED.map(directGet),
    ],
    subscribe: [`${inboxOf(serial)}.>`, HINTS, NEWS],
  };
}

export const PAIR_PERMISSIONS: Permissions = { publish: [PAIR_SUBJECT], subscribe: [`${PAIR_INBOX}.>`] };
