/**
 * Answers an accountant from both ledgers: the totals of a day, and a bank's registry compared with payments and
 * refunds.
 */

import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import { type PaymentMethod, TerminalError } from '../banks/index.ts';
import type { Config, KnownOperations } from '../core/config/index.ts';
import { type Clock, zoneNow } from '../core/host/index.ts';
import type { DateOrder } from '../core/tables/index.ts';
import type { BankStatement } from '../features/reconciliation/bank-statement.ts';
import { type LanesOfStore, laneStates, type Reconciliation } from '../features/reconciliation/differences.ts';
import {
  type DayPayout,
  type MethodPayout,
  methodsOf,
  type OwedDay,
  type Payout,
  Payouts,
  totalOf,
} from '../features/reconciliation/payouts.ts';
import { reconcile, type Source } from '../features/reconciliation/reconcile.ts';
import { OwnBooks } from '../features/reconciliation/reconciled-books.ts';
import { columnsOf, type NamedColumns } from '../features/reconciliation/registry-columns.ts';
import { type Registry, type RegistryLine, registryOf } from '../features/reconciliation/registry-entries.ts';
import { registryLines } from '../features/reconciliation/registry-file.ts';
import { type LocalDay, localDay, zoneDay } from './model/local-day.ts';
import type { Ledger } from './money/ledger.ts';
import type { RefundLedger } from './money/refund-ledger.ts';
import { type DayReport, DayReports } from './reports/days/day-report.ts';
import type { LanePayments } from './reports/lanes/lane-payments.ts';
import type { Shifts } from './reports/shifts/shifts.ts';

/** The store that the device belongs to. */
export interface StoreOfLanes {
  /**
   * Serial number of the store's master where that is another device; null where this device is the master or has no
   * store.
   */
  master(): string | null;
  /** Serial numbers of the other devices of the store; null on a device that is not the master. */
  devices(): readonly string[] | null;
  /** Where another device of the store is in the shop's network; null where that is not known. */
  addressOf(serial: string): string | null;
}

const ALONE: StoreOfLanes = { master: () => null, devices: () => null, addressOf: () => null };

export interface AccountsOptions {
  /** Serial number. */
  readonly lane: string;
  /** Payments of the store's other lanes. */
  readonly lanePayments: LanePayments;
  readonly config: Pick<Config['terminal'], 'registries' | 'registryOperations' | 'bankTimeZone'>;
  readonly clock: Pick<Clock, 'wall'>;
  readonly ledger: Ledger;
  readonly refunds: RefundLedger;
  readonly shifts: Pick<Shifts, 'orders' | 'returning'>;
}

/** A registry, or a statement, as the bank sent it. */
export interface SentFile extends Pick<NamedColumns, 'columns' | 'registry'> {
  readonly file: Uint8Array;
  readonly dates: DateOrder | null;
  /** How a line was paid that does not say so; null: take the ledger's word. */
  readonly method: PaymentMethod | null;
}

/** Which days of which profile a registry is of. */
export interface WantedReconciliation {
  /** `2026-11-21`, the first and the last. */
  readonly from: string;
  readonly to: string;
  /** Null: all. */
  readonly profile: string | null;
  /** What the words of a registry mean, before the configuration adds its own. */
  readonly operations: KnownOperations;
}

/** A further file of the same days, beside the first registry. */
interface OtherRegistry extends Omit<Registry, 'items'> {
  readonly days: readonly OwedDay[];
  readonly total: Payout;
}
type Read = Omit<Registry, 'items'> & { readonly payouts: Payouts };

/** The result: days of which time zone were compared, by which columns, and what the bank owes. */
export interface ReconciledRegistry extends Reconciliation, Omit<Registry, 'items'> {
  /** Files beside the first one. */
  readonly others: readonly OtherRegistry[];
  readonly days: readonly DayPayout[];
  readonly methods: readonly MethodPayout[];
  readonly total: Payout;
  /** The statement of the account; null where none was sent. */
  readonly statement: BankStatement | null;
}

/** Words the refusal of a further file with the name of its field. */
const inOther =
  (at: number) =>
  (cause: unknown): never => {
    if (!(cause instanceof TerminalError) || cause.field === null) throw cause;
    const { field, message, parameters } = cause;
    throw TerminalError.invalid(`others.${at}.${field}`, message.slice(field.length + 1), { cause, parameters });
  };

async function* entriesOf(at: number, entries: AsyncIterable<RegistryLine>): AsyncGenerator<RegistryLine> {
  try {
    yield* entries;
  } catch (cause) {
    inOther(at)(cause);
  }
}

export class Accounts {
  readonly #options: AccountsOptions;
  readonly #days: DayReports;
  /** Each holds a file in memory. */
  readonly #reconciliations = new SerialQueue();
  #store = ALONE;

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.#days = new DayReports(options);
  }

  /** Makes reconciliations cover the whole store where this device is its master. */
  belongTo(store: StoreOfLanes): void {
    this.#store = store;
    this.#options.lanePayments.belongTo(() => store.devices() ?? []);
  }

  /** At a master: the other lane of the store that has taken a payment; null for none. */
  laneOf(orderId: string): { readonly serial: string; readonly address: string | null } | null {
    if (this.#store.devices() === null) return null;
    const payment = this.#options.lanePayments.find(orderId);
    return payment === null ? null : { serial: payment.lane, address: this.#store.addressOf(payment.lane) };
  }

  /**
   * The totals of a day of the shop.
   * @param till counts only payments of this till; null for all
   * @throws {StoreError} `ROWS_UNSOUND`
   */
  async dayReport(day: LocalDay, till: string | null = null): Promise<DayReport> {
    await this.#days.count(day);
    return this.#days.of(day, till);
  }

  /**
   * Compares a bank's registry with the ledgers; the master of a store adds those of all its lanes.
   * @param files of the same days: the registry, then other sources of the same payments
   * @param account a statement of the shop's account, to find the payouts that the first file promises; null for none
   * @throws {TerminalError} 400
   */
  async reconcile(
    files: readonly [SentFile, ...SentFile[]],
    wanted: WantedReconciliation,
    account: Uint8Array | null = null,
  ): Promise<ReconciledRegistry> {
    if (localDay(wanted.to).from < localDay(wanted.from).from)
      throw TerminalError.invalid('to', 'must not be before from');
    return this.#reconciliations.run(async () => {
      const [first, ...others] = files;
      await using lines = registryLines(first.file); // its thread ends with it, also where its columns are refused
      const registry = await this.#registryOf(lines, first, wanted);
      return await this.#compare({ ...registry, method: first.method }, others, wanted, account);
    });
  }

  #registryOf(
    lines: ReturnType<typeof registryLines>,
    { columns, registry, dates }: SentFile,
    { profile, operations: named }: WantedReconciliation,
  ): Promise<Registry> {
    const { registries, registryOperations, bankTimeZone: bank } = this.#options.config;
    const operations = { ...registryOperations, ...named };
    const known = columnsOf({ columns, registry, profile }, registries);
    const meaning = { bank, device: zoneNow(), dates, operations };
    return registryOf(lines, known, meaning, profile === null ? registries : {});
  }

  async #compare(
    { items, method, ...taken }: Registry & Pick<SentFile, 'method'>,
    others: readonly SentFile[],
    wanted: WantedReconciliation,
    account: Uint8Array | null,
  ): Promise<ReconciledRegistry> {
    const { lane, ledger, refunds, lanePayments } = this.#options;
    const { from, to, profile } = wanted;
    const payouts = new Payouts(from === to ? from : null);
    const range = { from: zoneDay(from, taken.timeZone).from, to: zoneDay(to, taken.timeZone).to, profile };
    const books = [new OwnBooks({ lane, ledger, refunds }), ...(this.#store.devices() === null ? [] : [lanePayments])];
    const statement = account === null ? null : await this.#statementOf(account); // refused before anything is compared
    const read: Read[] = [];
    const source = { entries: payouts.read(items), counts: payouts, method, timeZone: taken.timeZone };
    const sources = this.#sources(source, others, wanted, read);
    const compared = await reconcile(books, sources, range, this.#lanesOf(range));
    const all = [payouts, ...read.map((other) => other.payouts)];
    return {
      ...compared,
      ...taken,
      others: read.map(({ payouts: its, ...other }) => ({ ...other, days: its.days, total: its.total })),
      ...(await this.#arrived(payouts.days, statement)),
      methods: methodsOf(all),
      total: totalOf(all),
    };
  }

  /** Reads the files one after the other, each in its own thread. @param read gets each further file that was read */
  async *#sources(
    first: Source,
    others: readonly SentFile[],
    wanted: WantedReconciliation,
    read: Read[],
  ): AsyncGenerator<Source> {
    yield first;
    for (const [at, other] of others.entries()) {
      await using lines = registryLines(other.file);
      const { items, ...taken } = await this.#registryOf(lines, other, wanted).catch(inOther(at));
      const payouts = new Payouts(wanted.from === wanted.to ? wanted.from : null);
      read.push({ ...taken, payouts });
      const entries = entriesOf(at, payouts.read(items));
      yield { entries, counts: payouts, method: other.method, timeZone: taken.timeZone };
    }
  }

  /** Reads the statement; its code is loaded on first use. @throws {TerminalError} 400 */
  async #statementOf(account: Uint8Array): Promise<BankStatement> {
    const { bankStatement } = await import('../features/reconciliation/bank-statement.ts');
    return await bankStatement(account);
  }

  /** Matches the statement with the payouts. */
  async #arrived(
    days: readonly OwedDay[],
    statement: BankStatement | null,
  ): Promise<Pick<ReconciledRegistry, 'days' | 'statement'>> {
    if (statement === null) return { days: days.map((day) => ({ ...day, arrival: null })), statement: null };
    const { withArrivals } = await import('../features/reconciliation/arrivals.ts');
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
