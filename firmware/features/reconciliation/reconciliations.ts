/** Compares a bank's files with the ledgers of the device and, at the master of a store, of its other lanes. */
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import type { PaymentMethod } from '../../banks/index.ts';
import { zoneNow } from '../../core/host/index.ts';
import type { DateOrder } from '../../core/tables/index.ts';
import { type Accounts, type LocalDay, localDay, TerminalError, zoneDay } from '../../payments/index.ts';
import type { BankStatement } from './bank-statement.ts';
import type { RegistrySource } from './comparison.ts';
import type { KnownOperations, ReconciliationConfig } from './config.ts';
import { type LanesOfStore, laneStates, type Reconciliation } from './differences.ts';
import {
  type DayPayout,
  type MethodPayout,
  methodsOf,
  type OwedDay,
  type Payout,
  Payouts,
  totalOf,
} from './payouts.ts';
import { reconcile } from './reconcile.ts';
import { OwnBooks } from './reconciled-books.ts';
import { columnsOf, type NamedColumns } from './registry-columns.ts';
import { type Registry, type RegistryLine, registryOf } from './registry-entries.ts';
import { registryLines } from './registry-file.ts';

/** A registry, or a statement, as the bank sent it. */
export interface SentFile extends Pick<NamedColumns, 'columns' | 'registry'> {
  readonly file: Uint8Array;
  readonly dates: DateOrder | null;
  /** Payment method of lines that name none; null: that of the payment in the ledger. */
  readonly method: PaymentMethod | null;
}

/** The days and the profile that the files are of. */
export interface WantedReconciliation {
  /** The first and the last day, as `2026-11-21`. */
  readonly from: string;
  readonly to: string;
  /** Null: all profiles. */
  readonly profile: string | null;
  /** Meanings of the banks' words, by the caller; they count before those of the configuration. */
  readonly operations: KnownOperations;
}

/** A further file of the same days, beside the first registry. */
interface OtherRegistry extends Omit<Registry, 'items'> {
  readonly days: readonly OwedDay[];
  readonly total: Payout;
}
type Read = Omit<Registry, 'items'> & { readonly payouts: Payouts };

/** The result: the differences, how the files were read, and what the bank owes. */
export interface ReconciledRegistry extends Reconciliation, Omit<Registry, 'items'> {
  /** Files beside the first one. */
  readonly others: readonly OtherRegistry[];
  readonly days: readonly DayPayout[];
  readonly methods: readonly MethodPayout[];
  readonly total: Payout;
  /** The statement of the account; null where none was sent. */
  readonly statement: BankStatement | null;
}

/**
 * Makes a handler that rewords the refusal of a further file with the name of its field.
 * @param at index in `others`
 */
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

export class Reconciliations {
  readonly #accounts: Pick<Accounts, 'books' | 'store'>;
  readonly #config: ReconciliationConfig;
  /** One reconciliation at a time, because each has its files in memory. */
  readonly #queue = new SerialQueue();

  constructor(accounts: Pick<Accounts, 'books' | 'store'>, config: ReconciliationConfig) {
    this.#accounts = accounts;
    this.#config = config;
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
    return this.#queue.run(async () => {
      const [first, ...others] = files;
      await using lines = registryLines(first.file); // `using` ends its thread, also where the columns are refused
      const registry = await this.#registryOf(lines, first, wanted);
      return await this.#compare({ ...registry, method: first.method }, others, wanted, account);
    });
  }

  #registryOf(
    lines: ReturnType<typeof registryLines>,
    { columns, registry, dates }: SentFile,
    { profile, operations: named }: WantedReconciliation,
  ): Promise<Registry> {
    const { registries, registryOperations, bankTimeZone: bank } = this.#config;
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
    const { lane, ledger, refunds, lanePayments } = this.#accounts.books;
    const { from, to, profile } = wanted;
    const payouts = new Payouts(from === to ? from : null);
    const range = { from: zoneDay(from, taken.timeZone).from, to: zoneDay(to, taken.timeZone).to, profile };
    const books = [
      new OwnBooks({ lane, ledger, refunds }),
      ...(this.#accounts.store.devices() === null ? [] : [lanePayments]),
    ];
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
      ...(await this.#arrivalsOf(payouts.days, statement)),
      methods: methodsOf(all),
      total: totalOf(all),
    };
  }

  /** Reads the files one after the other. @param read gets each further file that was read */
  async *#sources(
    first: RegistrySource,
    others: readonly SentFile[],
    wanted: WantedReconciliation,
    read: Read[],
  ): AsyncGenerator<RegistrySource> {
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
    const { bankStatement } = await import('./bank-statement.ts');
    return await bankStatement(account);
  }

  /** Adds to each day whether its payout has arrived, by the statement. */
  async #arrivalsOf(
    days: readonly OwedDay[],
    statement: BankStatement | null,
  ): Promise<Pick<ReconciledRegistry, 'days' | 'statement'>> {
    if (statement === null) return { days: days.map((day) => ({ ...day, arrival: null })), statement: null };
    const { withArrivals } = await import('./arrivals.ts');
    return { days: withArrivals(days, statement), statement };
  }

  #lanesOf({ from, to }: Pick<LocalDay, 'from' | 'to'>): LanesOfStore {
    const { lane, lanePayments, clock } = this.#accounts.books;
    const now = clock.wall();
    const own = { lane, reportedAt: now, isMissing: false };
    const master = this.#accounts.store.master();
    const devices = this.#accounts.store.devices();
    if (devices === null) return { lanes: [own], master };
    return { lanes: [own, ...laneStates(lanePayments.reports(), devices, { from, to, now })], master };
  }
}
