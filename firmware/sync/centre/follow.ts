/**
 * Brings the view of a bucket up to date, with a few messages by their numbers or with a listing. A listing is read in slices:
 * that of 50,000 templates is 6 MB. Pull consumers that the master creates were tried instead: they took 110 lines more, 57 %
 * more bytes, and 36 % more CPU of an idle server.
 */
import { inTurnsOf } from '../../../drivers/lib/turns.ts';
import { SyncError } from '../errors.ts';
import type { BucketView } from './bucket-view.ts';
import type { Centre, Numbered } from './centre.ts';
import type { FollowedBucket } from './subjects.ts';

/** Most requests that wait for an answer at the same time. */
const AT_ONCE = 64;
/** Most steps of one round: other devices may write to the bucket all the time, and the next round reads what comes later. */
const MOST_STEPS = 4;
/** Subjects handled before the event loop gets a turn: about a millisecond of work. */
const SLICE_SUBJECTS = 200;

interface Following {
  readonly centre: Centre;
  readonly bucket: FollowedBucket;
  readonly view: BucketView;
  /** Called with each message that was requested by its number, once the view has it. */
  readonly onMessage?: (message: Numbered) => void;
}

const damaged = (bucket: FollowedBucket, what: string): SyncError =>
  new SyncError('damaged', `the store of the master is damaged: ${what} (${bucket})`);

/** Brings the view up to date. @throws {SyncError} `damaged` where the bucket's count did not fit two listings */
export async function follow(following: Following): Promise<void> {
  const { centre, bucket, view } = following;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const step = view.step(await centre.place(bucket));
    if (step.kind === 'done') return;
    if (step.kind === 'damaged') throw damaged(bucket, 'it counts messages that it does not list');
    if (step.kind === 'list') await list(following);
    else {
      await request(following, step.numbers);
      await inTurnsOf(SLICE_SUBJECTS, view.ownUpTo(step.last), ([number, subject]) => view.apply(subject, number));
      view.reach(step.last);
    }
  }
}

/**
 * Lists the bucket again after listed messages were not found: they should have been deleted meanwhile.
 * @throws {SyncError} `damaged` where one is still listed, and still not found
 */
export async function requireGone(following: Following, subjects: readonly string[]): Promise<void> {
  const { centre, bucket, view } = following;
  view.invalidate();
  await follow(following);
  for (const subject of subjects)
    if (view.isListed(subject) && (await centre.get(bucket, subject)) === null)
      throw damaged(bucket, 'it lists messages that it does not give');
}

/**
 * Reads back a message that a bucket has acknowledged.
 * @param number of the message @throws {SyncError} `damaged` where neither it nor a later one is under the subject
 */
export async function requireStored(
  centre: Pick<Centre, 'latest'>,
  bucket: FollowedBucket,
  subject: string,
  number: number,
): Promise<void> {
  // A later number is right: a request to a slow server was repeated, or another device has this serial number. An earlier
  // one is not: the message that was to replace it is lost.
  const present = (await centre.latest(bucket, subject))?.number ?? 0;
  if (present < number) throw damaged(bucket, 'it has acknowledged a message that it does not give');
}

async function list({ centre, bucket, view }: Following): Promise<void> {
  const { place, subjects } = await centre.list(bucket);
  view.beginListing(place);
  await inTurnsOf(SLICE_SUBJECTS, subjects, (subject) => view.apply(subject, null));
}

/** Requests messages and applies them in the order of their numbers, so that the latest of a subject counts. */
async function request(following: Following, numbers: readonly number[]): Promise<void> {
  const { centre, bucket, view, onMessage = () => undefined } = following;
  for (let at = 0; at < numbers.length; at += AT_ONCE) {
    const some = numbers.slice(at, at + AT_ONCE);
    const found = await Promise.all(some.map((number) => centre.at(bucket, number)));
    for (const [index, message] of found.entries()) {
      if (message === null) continue;
      view.apply(message.subject, some[index] ?? null);
      onMessage(message);
    }
  }
}
