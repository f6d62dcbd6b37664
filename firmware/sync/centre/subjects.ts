/**
 * Where things lie at the centre, and who may write where. The buckets are JetStream key-value buckets (NATS ADR-8):
 * stream `KV_<bucket>`, subjects `$KV.<bucket>.<key>`. A device's keys begin with its serial number, encoded, and it
 * may publish to these alone; it reads by requests only.
 *
 * A request names the subject of its answer, and the server writes there with its own rights. So devices are in an account of
 * their own, and the buckets in another: a permitted request is exported as a service, and its answer comes back into the
 * account of the devices, where no bucket listens.
 *
 * An item's id may be `>`, `*`, `a b` or `ü`, and the first of these, sent raw, would empty a bucket; so each part of a
 * template's name travels as `i` and its base64url, joined by dots.
 */
import { decodePart, encodePart } from '../../../drivers/lib/subject-part.ts';
import type { TemplateName } from '../../recognition/index.ts';

const PARTS_OF_A_TEMPLATE = 3;

export const keyOf = ({ item, origin, sid }: TemplateName): string => [item, origin, sid].map(encodePart).join('.');

/** Names a template in memory: cheaper than its key, of which a round would make tens of thousands. */
export const identityOf = ({ item, origin, sid }: TemplateName): string => `${item}\n${origin}\n${sid}`;

/** Null for what is no template's name: it is left alone. */
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

/** The service that returns the message of the subject that is appended to it, or of the number that it is sent. */
export const directGet = (bucket: Bucket): string => `$JS.API.DIRECT.GET.${streamOf(bucket)}`;

/** What devices follow by the numbers of its messages. */
const FOLLOWED = ['templates', 'tombstones', 'items'] as const;
export type FollowedBucket = (typeof FOLLOWED)[number];

/** The marks of all items in one document: a device reads all of them or none. */
export const MARKS_KEY = 'current';

/** The account of the buckets: the master, and who is being paired. */
export const CENTRE_ACCOUNT = 'CENTRE';
/** The account of the devices, the master's own half among them. */
export const STORE_ACCOUNT = 'STORE';

export const PAIR_SUBJECT = 'laneware.pair';
/** The master has changed its marks. */
export const NEWS = 'laneware.news';
export const HINTS = 'laneware.hint.*';
/** Says "something changed", so that others need not wait for their next round. */
export const hintOf = (serial: string): string => `laneware.hint.${encodePart(serial)}`;

/** Where a device sends its payments to its master, for reconciliation. @param part its encoded serial number */
export const lanePaymentsSubject = (part: string): string => `laneware.lane-payments.${part}`;
export const LANE_PAYMENTS = lanePaymentsSubject('*');

export const PAIR_USER = 'pair';
export const PAIR_INBOX = '_INBOX_pair';
export const inboxOf = (serial: string): string => `_INBOX_${encodePart(serial)}`;

/** @param publisher serial number of the device that put it there: the maker, or another that has a copy */
export const entrySubject = (bucket: 'templates' | 'tombstones', publisher: string, ref: TemplateName): string =>
  subjectOf(bucket, `${encodePart(publisher)}.${keyOf(ref)}`);

export interface Entry {
  readonly ref: TemplateName;
  /** Encoded serial number of the device that put it there. */
  readonly publisher: string;
  readonly subject: string;
}

/** Null for what is no entry of ours. */
export function entryOf(bucket: FollowedBucket, subject: string): Entry | null {
  const prefix = subjectOf(bucket, '');
  if (!subject.startsWith(prefix)) return null;
  const key = subject.slice(prefix.length);
  const dot = key.indexOf('.');
  const ref = refOf(key.slice(dot + 1));
  return ref === null || dot < 1 ? null : { ref, publisher: key.slice(0, dot), subject };
}

/**
 * How a bucket stands. `$JS.API` itself would be another one in the account of the devices: each account has its own.
 */
export const bucketInfo = (bucket: Bucket): string => `laneware.info.${bucket}`;
export const bucketInfoAtServer = (bucket: Bucket): string => `$JS.API.STREAM.INFO.${streamOf(bucket)}`;

/** Requests of any device that the account of the buckets answers. */
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

/** Of the words of a device about items: so many keep a part of 50,000 items far below what fits into one message. */
export const ITEM_PARTS = 64;
/** @param part below `ITEM_PARTS` */
export const itemPart = (serial: string, part: number): string => subjectOf('items', `${encodePart(serial)}.${part}`);

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** @param isStopped whether it has filled its share of the room: it then gives nothing more of what the others take */
export function permissionsOf(serial: string, isStopped = false): Permissions {
  const own = encodePart(serial);
  const given = [
    subjectOf('templates', `${own}.*.*.*`),
    subjectOf('tombstones', `${own}.*.*.*`),
    // each by its name: a device has no others
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
