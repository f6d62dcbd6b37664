/**
 * Checks that a bucket returns each message that it lists or acknowledges. After a power cut the server's files may end in zeros,
 * be short or lack a page. The server reports no error: it lists and acknowledges messages that it does not return (seen with
 * 2.9.10).
 */
import { SyncError } from '../errors.ts';
import type { Centre } from './centre.ts';
import type { Bucket } from './subjects.ts';

/** Most requests that wait for an answer at the same time. */
const AT_ONCE = 64;
/** Messages that are read before the master does other work: a few megabytes of templates. */
const SLICE_MESSAGES = 512;

export interface Damage {
  readonly bucket: Bucket;
  readonly what: string;
}

export class StoreCheck {
  readonly #centre: Centre;
  readonly #buckets: readonly Bucket[];
  readonly #probeOf: (bucket: Bucket) => { readonly subject: string; readonly content: string };
  /** Subjects that are still to be read, by bucket. */
  readonly #left = new Map<Bucket, string[]>();

  /** @param probeOf makes the master's probe for a bucket, which nobody deletes; its content is new each time */
  constructor(
    centre: Centre,
    buckets: readonly Bucket[],
    probeOf: (bucket: Bucket) => { readonly subject: string; readonly content: string },
  ) {
    this.#centre = centre;
    this.#buckets = buckets;
    this.#probeOf = probeOf;
  }

  get isReading(): boolean {
    return this.#left.size > 0;
  }

  /**
   * Puts a probe into each bucket, and compares its listing with its count. `readOn` then reads all messages.
   * @throws {SyncError}
   */
  async begin(): Promise<Damage | null> {
    this.#left.clear();
    for (const bucket of this.#buckets) {
      if (!(await this.#isProbeKept(bucket))) return { bucket, what: 'what it acknowledges is not there' };
      const { place, subjects } = await this.#centre.list(bucket);
      const { last, messages } = await this.#centre.place(bucket);
      const isUnchanged = last === place.last && messages === place.messages;
      if (isUnchanged && subjects.length !== messages)
        return { bucket, what: `it counts ${messages} messages and lists ${subjects.length}` };
      if (subjects.length > 0) this.#left.set(bucket, [...subjects]);
    }
    return null;
  }

  /** Reads the next messages; listed ones that are not found, and are still listed, are lost. @throws {SyncError} */
  async readOn(): Promise<Damage | null> {
    for (const [bucket, subjects] of this.#left) {
      const missing = await this.#missing(bucket, subjects.splice(-SLICE_MESSAGES));
      if (subjects.length === 0) this.#left.delete(bucket);
      const listed = missing.length === 0 ? null : new Set((await this.#centre.list(bucket)).subjects);
      const lost = await this.#missing(
        bucket,
        missing.filter((subject) => listed?.has(subject)),
      );
      return lost.length === 0
        ? null
        : { bucket, what: `it lists ${lost.length} messages or more that it does not give` };
    }
    return null;
  }

  /** Reads back the latest message of each bucket, or a probe where it was deleted. @throws {SyncError} */
  async check(): Promise<Damage | null> {
    for (const bucket of this.#buckets) {
      const { last } = await this.#centre.place(bucket);
      const isKept = (last > 0 && (await this.#centre.at(bucket, last)) !== null) || (await this.#isProbeKept(bucket));
      if (!isKept) return { bucket, what: 'what it has acknowledged last is not there' };
    }
    return null;
  }

  async #isProbeKept(bucket: Bucket): Promise<boolean> {
    const { subject, content } = this.#probeOf(bucket);
    const number = await this.#putIfRoom(subject, content);
    if (number === null) return true; // a full bucket accepts nothing that it could lose
    // by its subject and not its number: a request to a slow server was repeated, and has a later number
    const found = await this.#centre.get(bucket, subject);
    return found !== null && Buffer.from(found).toString() === content;
  }

  async #putIfRoom(subject: string, content: string): Promise<number | null> {
    try {
      return await this.#centre.put(subject, content);
    } catch (error) {
      if (error instanceof SyncError && error.code === 'full') return null;
      throw error;
    }
  }

  async #missing(bucket: Bucket, subjects: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    for (let at = 0; at < subjects.length; at += AT_ONCE) {
      const some = subjects.slice(at, at + AT_ONCE);
      const found = await Promise.all(some.map((subject) => this.#centre.get(bucket, subject)));
      missing.push(...some.filter((_, index) => found[index] === null));
    }
    return missing;
  }
}
