/** Asks the bank in use something harmless again and again, to learn that it does not answer before a payment fails. */
import { pauseBy, type Timekeeper } from '../core/host/index.ts';
import type { BankPool } from './bank-pool.ts';
import { TerminalError } from './errors.ts';
import type { BankProfile } from './registry.ts';

const ASK_EVERY_MS = 60_000;
/** Pause after a question without an answer: a recovery is to show soon. */
const ASK_AGAIN_MS = 10_000;
const ANSWER_LIMIT_MS = 10_000;

interface WatchedBank {
  readonly banks: Pick<BankPool, 'tryOut'>;
  /** The profile in use; null until configured. */
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
