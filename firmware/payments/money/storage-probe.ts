/** Finds out that the ledger cannot be written before a payment fails for it. */
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { Reason } from '../../../drivers/lib/records.ts';
import type { Clock } from '../../core/host/index.ts';
import { freeBytes, writeFailure } from '../../core/store/index.ts';
import { reasonOf } from '../reason-records.ts';

/** A few hundred payments; below it the storage counts as full. */
const LEAST_FREE_BYTES = 1024 * 1024;
/** A try writes 8 KiB: seldom enough for a card, where somebody asks for the health of the device all day. */
const TRY_EVERY_MS = 5 * 60_000;
/** The same where something has failed: that it works again is to be seen soon. */
const TRY_AGAIN_MS = 2000;

const FULL = reasonOf(
  'storage-full',
  {},
  'the storage of the device is full: no payment can be taken; free some space (exports, packages), or put in a larger card',
);

export class StorageProbe {
  readonly #folder: string;
  readonly #write: () => void;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #problem: Reason | null = null;
  #triedAt = Number.NEGATIVE_INFINITY;

  /** @param folder where the ledger lies @param write writes to it, durably, what changes nothing; throws errors of the database */
  constructor(folder: string, write: () => void, clock: Pick<Clock, 'monotonic'>) {
    this.#folder = folder;
    this.#write = write;
    this.#clock = clock;
  }

  /** Something could not be written: the next question is answered by a try. */
  suspect(): void {
    this.#triedAt = Number.NEGATIVE_INFINITY;
  }

  /** Why the ledger cannot be written and what to do, in a sentence; null when it can. */
  get problem(): Reason | null {
    const now = this.#clock.monotonic();
    if (now - this.#triedAt >= (this.#problem === null ? TRY_EVERY_MS : TRY_AGAIN_MS)) {
      this.#triedAt = now;
      this.#problem = this.#try();
    }
    return this.#problem ?? (this.#hasRoom() ? null : FULL);
  }

  #try(): Reason | null {
    try {
      this.#write();
      return null;
    } catch (error) {
      const failure = writeFailure(error);
      if (failure === 'full') return FULL;
      if (failure === 'held')
        return reasonOf(
          'storage-refused',
          { detail: messageOf(error) },
          `no payment can be taken: ${messageOf(error)}`,
        );
      const sentence = `the ledger cannot be written (${messageOf(error)}): no payment can be taken; a card that fails can only be read: restart the device, and replace the card if that does not help`;
      return reasonOf('storage-refused', { detail: messageOf(error) }, sentence);
    }
  }

  /** Where the file system says nothing, the try decides. */
  #hasRoom(): boolean {
    try {
      return freeBytes(this.#folder) >= LEAST_FREE_BYTES;
    } catch {
      return true;
    }
  }
}
