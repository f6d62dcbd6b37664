/** What an accountant asks of both ledgers: the totals of a day, and a bank's registry laid beside them. */
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import type { Config } from '../config/index.ts';
import type { Clock } from '../host/index.ts';
import { TerminalError } from './errors.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { RefundLedger } from './refunds/refund-ledger.ts';
import { type DayReport, dayReport } from './reports/day-report.ts';
import { localDay, localDayOf } from './reports/local-day.ts';
import { type Reconciliation, reconcile } from './reports/reconcile.ts';
import { columnsOf, entriesOf, type NamedColumns } from './reports/registry-entries.ts';
import { registryLines } from './reports/registry-file.ts';

export interface AccountsOptions {
  readonly config: Pick<Config['terminal'], 'registries'>;
  readonly clock: Pick<Clock, 'wall'>;
  readonly ledger: Ledger;
  readonly refunds: RefundLedger;
}

/** Which days of which profile a registry is of. */
export interface WantedReconciliation extends NamedColumns {
  /** `2026-11-21`, the first and the last. */
  readonly from: string;
  readonly to: string;
  /** Null: all. */
  readonly profile: string | null;
}

export class Accounts {
  readonly #options: AccountsOptions;
  /** Each holds a file in memory. */
  readonly #reconciliations = new SerialQueue();

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /**
   * The totals of a day of the shop.
   * @param day `2026-11-21`; null for today
   * @param till only what it has asked for; null for all
   * @throws {TerminalError} 400 for a day that no calendar has
   */
  dayReport(day: string | null, till: string | null = null): DayReport {
    const { ledger, refunds, clock } = this.#options;
    return dayReport({ ledger, refunds }, day === null ? localDayOf(clock.wall()) : localDay(day), till);
  }

  /**
   * Lays a bank's registry beside the ledgers.
   * @param file as the bank sent it
   * @throws {TerminalError} 400
   */
  async reconcile(file: Uint8Array, wanted: WantedReconciliation): Promise<Reconciliation> {
    const { ledger, refunds, config } = this.#options;
    const { from, to, profile } = wanted;
    const [first, last] = [localDay(from), localDay(to)];
    if (last.from < first.from) throw TerminalError.invalid('to', 'must not be before from');
    const columns = columnsOf(wanted, config.registries);
    const range = { from: first.from, to: last.to, profile };
    return this.#reconciliations.run(() =>
      reconcile({ ledger, refunds }, entriesOf(registryLines(file), columns), range),
    );
  }
}
