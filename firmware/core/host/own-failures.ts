/**
 * Counts work that fails by an error of the program: nobody outside is at fault, and no other part reports it. A single
 * failure may be due to one unusual call. Two in a row are a reason in `/health`, and an update that causes it is undone.
 */
import type { Reason } from '../../../drivers/lib/records.ts';
import { reasonOf } from './records.ts';

/** For each kind of work, the part of `/health` that reports its failures, and the reason there. */
const KINDS = {
  sale: { part: 'payments', reason: 'sales-failing' },
  refund: { part: 'payments', reason: 'refunds-failing' },
  cancellation: { part: 'payments', reason: 'cancellations-failing' },
  look: { part: 'model', reason: 'looks-failing' },
  synchronisation: { part: 'sync', reason: 'synchronisation-failing' },
} as const;
export type Work = keyof typeof KINDS;

/** Failures in a row from which a kind of work is reported. */
const IN_A_ROW = 2;

export class OwnFailures {
  readonly #failed = new Map<Work, number>();
  #latest: unknown = null;

  /** Records that work has failed by an error of the program. @param error the same one again, with which another call ends, counts once */
  failed(work: Work, error: unknown): void {
    if (error === this.#latest) return;
    this.#latest = error;
    this.#failed.set(work, (this.#failed.get(work) ?? 0) + 1);
  }

  /** Records that work has succeeded. Not for an answer that repeats earlier work: it does not show that new work succeeds. */
  done(work: Work): void {
    this.#failed.delete(work);
  }

  reasonsOf(part: string): Reason[] {
    return [...this.#failed].flatMap(([work, n]) => {
      const kind = KINDS[work];
      return kind.part === part && n >= IN_A_ROW ? [reasonOf(kind.reason, { n })] : [];
    });
  }
}
