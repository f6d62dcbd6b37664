/** What an accountant asks of both ledgers: the totals of a day, and a bank's registry laid beside them. */

import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import { TerminalError } from '../banks/index.ts';
import type { Config, KnownOperations } from '../core/config/index.ts';
import type { Clock } from '../core/host/index.ts';

import type { Ledger } from './money/ledger.ts';
import type { RefundLedger } from './refunds/refund-ledger.ts';
import type { BankStatement } from './reports/bank-statement.ts';
import { type DayReport, dayReport } from './reports/day-report.ts';
import type { Reconciliation } from './reports/differences.ts';
import type { LanePayments } from './reports/lane-payments.ts';
import { type LanesOfStore, laneStates } from './reports/lanes-of-store.ts';
import { type LocalDay, localDay, localDayOf, timeZone } from './reports/local-day.ts';
import { type DayPayout, type MethodPayout, type OwedDay, type Payout, Payouts } from './reports/payouts.ts';
import { reconcile } from './reports/reconcile.ts';
import { OwnBooks } from './reports/reconciled-books.ts';
import { columnsOf, type NamedColumns } from './reports/registry-columns.ts';
import { type DateOrder, type Registry, registryOf } from './reports/registry-entries.ts';
import { registryLines } from './reports/registry-file.ts';
import type { Shifts } from './reports/shifts.ts';
import { zoneDay } from './reports/zone-day.ts';

/** The store that the device belongs to. */
export interface StoreOfLanes {
  /** Serial number of another device that is its master; null where this one is, or stands alone. */
  master(): string | null;
  /** Serial numbers of the other devices, where this one is the master; else none. */
  devices(): readonly string[] | null;
}

const ALONE: StoreOfLanes = { master: () => null, devices: () => null };

export interface AccountsOptions {
  /** Serial number. */
  readonly lane: string;
  /** Of the other lanes. */
  readonly lanePayments: LanePayments;
  readonly config: Pick<Config['terminal'], 'registries' | 'registryOperations' | 'bankTimeZone'>;
  readonly clock: Pick<Clock, 'wall'>;
  readonly ledger: Ledger;
  readonly refunds: RefundLedger;
  readonly shifts: Pick<Shifts, 'returning'>;
}

/** Which days of which profile a registry is of. */
export interface WantedReconciliation extends NamedColumns {
  /** `2026-11-21`, the first and the last. */
  readonly from: string;
  readonly to: string;
  /** Null: all. */
  readonly profile: string | null;
  readonly dates: DateOrder | null;
  /** What words mean, before what the configuration says of them. */
  readonly operations: KnownOperations;
}

/** The result: days of which time zone were compared, by which columns, and what the bank owes. */
export interface ReconciledRegistry extends Reconciliation, Omit<Registry, 'items'> {
  readonly days: readonly DayPayout[];
  readonly methods: readonly MethodPayout[];
  readonly total: Payout;
  /** Null where none was given. */
  readonly statement: BankStatement | null;
}

export class Accounts {
  readonly #options: AccountsOptions;
  /** Each holds a file in memory. */
  readonly #reconciliations = new SerialQueue();
  #store = ALONE;

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /** From now on the master's reconciliations are of the whole store. */
  belongTo(store: StoreOfLanes): void {
    this.#store = store;
    this.#options.lanePayments.belongTo(() => store.devices() ?? []);
  }

  /**
   * The totals of a day of the shop.
   * @param day `2026-11-21`; null for today
   * @param till only what it has asked for; null for all
   * @throws {TerminalError} 400 for a day that no calendar has
   */
  dayReport(day: string | null, till: string | null = null): DayReport {
    const { ledger, refunds, shifts, clock } = this.#options;
    return dayReport({ ledger, refunds, shifts }, day === null ? localDayOf(clock.wall()) : localDay(day), till);
  }

  /**
   * Lays a bank's registry beside the ledgers; at the master of a store, beside those of all lanes.
   * @param file as the bank sent it
   * @param account a statement of the shop's account, for the days that the bank owes; null for none
   * @throws {TerminalError} 400
   */
  async reconcile(
    file: Uint8Array,
    wanted: WantedReconciliation,
    account: Uint8Array | null = null,
  ): Promise<ReconciledRegistry> {
    const { config } = this.#options;
    if (localDay(wanted.to).from < localDay(wanted.from).from)
      throw TerminalError.invalid('to', 'must not be before from');
    const columns = columnsOf(wanted, config.registries);
    const others = wanted.profile === null ? config.registries : {};
    return this.#reconciliations.run(async () => {
      const operations = { ...config.registryOperations, ...wanted.operations };
      const meaning = { bank: config.bankTimeZone, device: timeZone(), dates: wanted.dates, operations };
      await using lines = registryLines(file); // its thread ends with it, also where its columns are refused
      const registry = await registryOf(lines, columns, meaning, others);
      return await this.#compare(registry, wanted, account);
    });
  }

  async #compare(
    registry: Registry,
    { from, to, profile }: WantedReconciliation,
    account: Uint8Array | null,
  ): Promise<ReconciledRegistry> {
    const { lane, ledger, refunds, lanePayments } = this.#options;
    const { items, ...taken } = registry;
    const payouts = new Payouts(from === to ? from : null);
    const range = { from: zoneDay(from, taken.timeZone).from, to: zoneDay(to, taken.timeZone).to, profile };
    const others = this.#store.devices() === null ? [] : [lanePayments];
    const books = [new OwnBooks({ lane, ledger, refunds }), ...others];
    const compared = await reconcile(books, payouts.read(items), payouts, range, this.#lanesOf(range));
    return {
      ...compared,
      ...taken,
      ...(await this.#arrived(payouts.days, account)),
      methods: payouts.methods,
      total: payouts.total,
    };
  }

  /** What it needs is loaded when a statement is sent. @throws {TerminalError} 400 */
  async #arrived(
    days: readonly OwedDay[],
    account: Uint8Array | null,
  ): Promise<Pick<ReconciledRegistry, 'days' | 'statement'>> {
    if (account === null) return { days: days.map((day) => ({ ...day, arrival: null })), statement: null };
    const { bankStatement } = await import('./reports/bank-statement.ts');
    const { withArrivals } = await import('./reports/arrivals.ts');
    const statement = await bankStatement(account);
    return { days: withArrivals(days, statement), statement };
  }

  #lanesOf({ from, to }: Pick<LocalDay, 'from' | 'to'>): LanesOfStore {
    const { lane, lanePayments, clock } = this.#options;
    const now = clock.wall();
    const own = { lane, reportedAt: now, isMissing: false };
    const master = this.#store.master();
    const devices = this.#store.devices();
    if (devices === null) return { lanes: [own], master };
    return { lanes: [own, ...laneStates(lanePayments.reports(), devices, { from, to, now })], master };
  }
}
