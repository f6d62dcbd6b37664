/** Compares a bank's registries with the ledgers of a store. */

import { nextTurn } from '../../../drivers/lib/turns.ts';
import { type ComparedPayment, type ReconciledBooks, TerminalError } from '../../payments/index.ts';
import { Comparison, type RegistrySource } from './comparison.ts';
import type { LanesOfStore, Reconciliation } from './differences.ts';

/** Most payments of the ledgers compared with one registry. */
const MOST_COMPARED = 100_000;
/** Payments that are read before the event loop gets a turn. */
const PAYMENTS_A_PIECE = 50;

interface ReconciledRange {
  /** ms since 1970; the second timestamp is excluded. */
  readonly from: number;
  readonly to: number;
  /** The registry must have only payments of this profile; null: of all profiles. */
  readonly profile: string | null;
}

/**
 * Compares registries with ledgers, in pieces of a few milliseconds, because sales continue meanwhile.
 * @param books the ledgers of this device first, then of others
 * @param sources registries of one period, one after the other
 * @throws {TerminalError} 400 for a range with more than `MOST_COMPARED` payments, and the errors of `sources`
 */
export async function reconcile(
  books: readonly ReconciledBooks[],
  sources: AsyncIterable<RegistrySource>,
  { from, to, profile }: ReconciledRange,
  store: LanesOfStore,
): Promise<Reconciliation> {
  const isCompared = (each: { readonly profile: string }): boolean => profile === null || each.profile === profile;
  const comparison = new Comparison(books, store);
  for await (const source of sources) await comparison.read(source);
  let compared = 0;
  for (const each of books)
    for (let last: ComparedPayment | undefined | null = null; last !== undefined; ) {
      const piece: ComparedPayment[] = each.acceptedBetween(from, to, PAYMENTS_A_PIECE, last);
      comparison.addMissingPayments(piece.filter(isCompared));
      comparison.addMissingReturns(piece.filter(isCompared));
      compared += piece.length;
      if (compared > MOST_COMPARED) {
        throw TerminalError.invalid(
          'to',
          `must be nearer to from: more than ${MOST_COMPARED} payments lie between them`,
        );
      }
      last = piece.at(-1);
      await nextTurn();
    }
  for (const each of books) comparison.addMissingRefunds(each.refundsDoneBetween(from, to).filter(isCompared));
  return comparison.outcome;
}
