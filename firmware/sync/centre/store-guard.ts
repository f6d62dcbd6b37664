/**
 * Keeps the message server's store undamaged. Reads all of it once for each process of the server, reads back the
 * latest messages each minute, and creates a damaged bucket anew. The devices then publish again what they have:
 * templates, words on items, and tombstones, so that nothing deleted comes back.
 */
import type { Log } from '../../core/host/index.ts';
import { SyncError } from '../errors.ts';
import type { MasterCentre } from './master-centre.ts';
import type { Damage } from './store-check.ts';
import type { Bucket } from './subjects.ts';

export const CHECK_MS = 60_000;
/** Where a bucket is damaged again within this time, the card is failing: creating the bucket anew does not help. */
const BEGIN_AGAIN_MS = 60 * 60_000;

export class StoreGuard {
  readonly #log: Pick<Log, 'warn'>;
  /** Id of the server's process whose store was read; null: the store is to be read. */
  #server: string | null = null;
  /** When the store was last read because of a device's report. */
  #doubtedAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isDoubted = false;
  /** When each bucket was created anew, or was last found damaged. */
  readonly #createdAt = new Map<Bucket, number>();

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
  }

  /** Has the store read: a device did not find a message that the store lists or has acknowledged. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /**
   * Does the next part of the checks. Must be called repeatedly, and first before the marks are published, without which no
   * device synchronises.
   * @param now monotonic milliseconds
   * @returns whether there is more to read at once
   * @throws {SyncError} `damaged` where the store cannot be repaired: its marks are then removed
   */
  async check(centre: MasterCentre, now: number): Promise<boolean> {
    for (;;) {
      const damage = await this.#look(centre, now);
      if (damage === null) return centre.check.isReading;
      await this.#repair(centre, damage, now);
    }
  }

  async #look(centre: MasterCentre, now: number): Promise<Damage | null> {
    const { check, server } = centre;
    // a hostile device must not cause the store to be read all the time
    const isDoubted = this.#isDoubted && now - this.#doubtedAt >= CHECK_MS;
    if (server !== this.#server || isDoubted) {
      if (this.#isDoubted) this.#doubtedAt = now;
      this.#server = server;
      this.#isDoubted = false;
      this.#lookedAt = now;
      return await check.begin();
    }
    if (check.isReading) return await check.readOn();
    if (now - this.#lookedAt < CHECK_MS) return null;
    this.#lookedAt = now;
    return await check.check();
  }

  async #repair(centre: MasterCentre, { bucket, what }: Damage, now: number): Promise<void> {
    // has all buckets read again
    this.#server = null;
    const begunAt = this.#createdAt.get(bucket) ?? Number.NEGATIVE_INFINITY;
    this.#createdAt.set(bucket, now); // also while it stays damaged: else the devices would publish everything again each hour
    if (now - begunAt < BEGIN_AGAIN_MS) {
      await centre.shut();
      const card = 'the card of the master may be failing: put in another';
      throw new SyncError('damaged', `the store of the master is damaged again (${bucket}: ${what}); ${card}`);
    }
    this.#log.warn({ bucket, what }, 'the store is damaged: it is begun anew from what the devices hold');
    await centre.beginAnew(bucket);
  }
}
