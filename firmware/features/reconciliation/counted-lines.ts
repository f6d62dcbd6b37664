/** Finds the lines of one operation in several files. */
import { folded } from './reconciled-books.ts';
import type { RegistryEntry, UnknownOperation } from './registry-line.ts';

/**
 * Finds operations that two files have, so that a sum does not count them twice. Two lines are one operation where they
 * have the same payment, kind and amount, and not two different ids of the operation.
 */
export class CountedLines {
  /** Ids of the operations in earlier files, null without one, by payment, kind and amount. */
  readonly #ofFiles = new Map<string, (string | null)[]>();
  /** The same of the current file. */
  readonly #ofFile = new Map<string, (string | null)[]>();

  beginFile(): void {
    for (const [key, ids] of this.#ofFile) this.#ofFiles.set(key, [...(this.#ofFiles.get(key) ?? []), ...ids]);
    this.#ofFile.clear();
  }

  /**
   * Whether an earlier file has the operation; else records it. Each line of an earlier file matches one line of a
   * later file.
   */
  has(name: string, entry: RegistryEntry | UnknownOperation): boolean {
    const { amount, transaction } = entry;
    const kind = 'operation' in entry ? folded(entry.operation) : entry.isRefund;
    const id = (('refund' in entry && entry.isRefund ? entry.refund : null) ?? transaction) || null;
    const key = JSON.stringify([name, kind, amount]);
    const known = this.#ofFiles.get(key) ?? [];
    const at = known.findIndex((each) => id === null || each === null || each === folded(id));
    if (at >= 0) known.splice(at, 1);
    else {
      // the list is not copied: all lines of a file may name one payment, and each copy would be longer
      const own = this.#ofFile.get(key) ?? [];
      own.push(id === null ? null : folded(id));
      this.#ofFile.set(key, own);
    }
    return at >= 0;
  }
}
