/**
 * Work that fails by an error of the program: nobody outside is at fault, and no other part reports it. Two in a row
 * with none done between are a reason in `/health`, by which an update that brings this is undone; one may be about what
 * was asked.
 */
import type { Reason } from '../../../drivers/lib/records.ts';
import { reasonOf } from './records.ts';

/** Each kind of work: the part of `/health` that reports it, and its reason. */
const KINDS = {
  sale: ['payments', 'sales-failing'],
  refund: ['payments', 'refunds-failing'],
  cancellation: ['payments', 'cancellations-failing'],
  look: ['model', 'looks-failing'],
  synchronisation: ['sync', 'synchronisation-failing'],
} as const;
export type Work = keyof typeof KINDS;

const IN_A_ROW = 2;

export class OwnFailures {
  readonly #failed = new Map<Work, number>();
  #latest: unknown = null;

  /** A work has failed by an error of the program. @param error where several calls end in the same error, it counts once */
  failed(work: Work, error: unknown): void {
    if (error === this.#latest) return;
    this.#latest = error;
    this.#failed.set(work, (this.#failed.get(work) ?? 0) + 1);
  }

  /** A work is done, and does not repeat an earlier one: that says nothing of the next. */
  done(work: Work): void {
    this.#failed.delete(work);
  }

  reasonsOf(part: string): Reason[] {
    return [...this.#failed].flatMap(([work, n]) => {
      const [reporting, code] = KINDS[work];
      return reporting === part && n >= IN_A_ROW ? [reasonOf(code, { n })] : [];
    });
  }
}
