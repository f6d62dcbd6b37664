/** Removes the rows of dropped batches, which are no longer visible, a few with each commit. */
import type { TemplatesFile } from './templates-database.ts';

/** Rows that go with one commit: short enough to hold up no call. */
const SWEEP_ROWS = 50;

export class BatchCleanup {
  readonly #file: TemplatesFile;
  #sweeping: Promise<void> | null = null;
  #closed = false;

  constructor(file: TemplatesFile) {
    this.#file = file;
  }

  /** What imports left unfinished goes with the next sweep; never fails: what stays is hidden, and goes next time. */
  async dropLandings(): Promise<void> {
    const drop = () => this.#file.db.exec("UPDATE batches SET state = 'dropped' WHERE state = 'landing'");
    await this.#file.queue.run(drop).catch(() => undefined);
  }

  /** Settles when no row is left; never fails: what stays goes next time. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepAll().finally(() => {
      this.#sweeping = null;
    });
    return this.#sweeping;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#sweeping;
  }

  async #sweepAll(): Promise<void> {
    const some = this.#file.db.prepare(
      `DELETE FROM templates WHERE id IN (SELECT id FROM templates WHERE batch IN
        (SELECT id FROM batches WHERE state = 'dropped') LIMIT ${SWEEP_ROWS})`,
    );
    const sweepSome = (): boolean => {
      if (some.run().changes > 0) return true;
      this.#file.db.exec("DELETE FROM batches WHERE state = 'dropped'");
      return false;
    };
    try {
      while (!this.#closed && (await this.#file.queue.run(sweepSome))) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch {
      // dropped rows do no harm but for their room, and a later sweep or the next start takes them
    }
  }
}
