/**
 * Keeps the message server's store sound: reads it whole once for each process of the server, reads back what was acknowledged last
 * each minute, and begins a damaged bucket anew. The devices then give what they hold: templates, words on items, and tombstones, so
 * that nothing deleted comes back.
 */
import type { Log } from '../../core/host/index.ts';
import { SyncError } from '../errors.ts';
import type { MasterCentre } from './master-centre.ts';
import type { Damage } from './store-check.ts';
import type { Bucket } from './subjects.ts';

export const CHECK_MS = 60_000;
/** A bucket that is damaged again within this time is the card's fault, which no beginning mends. */
const BEGIN_AGAIN_MS = 60 * 60_000;

export class StoreGuard {
  readonly #log: Pick<Log, 'warn'>;
  /** The process of the server whose store was read whole. */
  #server: string | null = null;
  /** When a device's doubt last had the store read. */
  #doubtedAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isDoubted = false;
  /** When each bucket was begun anew. */
  readonly #begun = new Map<Bucket, number>();

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
  }

  /** Notes that a device did not find what the store lists or has acknowledged. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /**
   * Call it again and again, at the beginning before any device is let in.
   * @param now monotonic milliseconds
   * @returns whether there is more to read at once
   * @throws {SyncError} `damaged` where the store cannot be mended: no device is let in any more
   */
  async look(centre: MasterCentre, now: number): Promise<boolean> {
    for (;;) {
      const damage = await this.#look(centre, now);
      if (damage === null) return centre.check.isReading;
      await this.#mend(centre, damage, now);
    }
  }

  async #look(centre: MasterCentre, now: number): Promise<Damage | null> {
    const { check, server } = centre;
    // a hostile device must not have it read all the time
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

  async #mend(centre: MasterCentre, { bucket, what }: Damage, now: number): Promise<void> {
    // the others are to be read, too
    this.#server = null;
    const begunAt = this.#begun.get(bucket) ?? Number.NEGATIVE_INFINITY;
    this.#begun.set(bucket, now); // while it stays damaged, too: else all would be given again each hour
    if (now - begunAt < BEGIN_AGAIN_MS) {
      await centre.shut();
      const card = 'the card of the master may be failing: put in another';
      throw new SyncError('damaged', `the store of the master is damaged again (${bucket}: ${what}); ${card}`);
    }
    this.#log.warn({ bucket, what }, 'the store is damaged: it is begun anew from what the devices hold');
    await centre.beginAnew(bucket);
  }
}
