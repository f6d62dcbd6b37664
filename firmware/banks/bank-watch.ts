/** Finds out that the bank in use does not answer before a payment fails for it: it is asked something harmless, over and over. */
import { pauseBy, type Timekeeper } from '../core/host/index.ts';
import type { BankPool } from './bank-pool.ts';
import { TerminalError } from './errors.ts';
import type { BankProfile } from './registry.ts';

const ASK_EVERY_MS = 60_000;
/** Where it did not answer: that it does again is to be seen soon. */
const ASK_AGAIN_MS = 10_000;
const ANSWER_LIMIT_MS = 10_000;

interface WatchedBank {
  readonly banks: Pick<BankPool, 'tryOut'>;
  /** Of the bank in use; null until configured. */
  readonly profile: () => BankProfile | null;
  /** Ends the watch. */
  readonly closing: AbortSignal;
  readonly clock: Pick<Timekeeper, 'after'>;
}

/** Settles when the watch has ended. */
export async function watchBank({ banks, profile, closing, clock }: WatchedBank): Promise<void> {
  let answers = true;
  while (!closing.aborted) {
    await pauseBy(clock, answers ? ASK_EVERY_MS : ASK_AGAIN_MS, closing);
    const own = closing.aborted ? null : profile();
    if (own === null) continue;
    try {
      answers = await banks.tryOut(own, { deadlineMs: ANSWER_LIMIT_MS, closing });
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      answers = false; // it cannot be opened: the pool keeps why
    }
  }
}
