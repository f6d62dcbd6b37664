/** The payment terminal: settings, payments, display and ledger put together. Knows nothing of HTTP. */
import type { Display, DisplayOptions } from '../../drivers/display/contract.ts';
import type { DisplayConnection } from '../../drivers/display/registry.ts';
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import type { Config } from '../config/load.ts';
import type { Timekeeper } from '../host/clock.ts';
import type { HealthBoard } from '../host/health.ts';
import type { Log, LogLine } from '../host/log.ts';
import type { Metrics } from '../host/metrics.ts';
import type { DataDir } from '../store/data-dir.ts';
import type { Sealer } from '../store/sealer.ts';
import { Accounts } from './accounts.ts';
import type { CashLink } from './banks/bank.ts';
import type { NamedBankHealth } from './banks/pool/bank-health.ts';
import { BankPool } from './banks/pool/bank-pool.ts';
import { Merchants } from './banks/pool/merchants.ts';
import type { BankHealth } from './banks/pool/open-banks.ts';
import { type BankContext, type BankProfile, fitBank } from './banks/registry.ts';
import { TerminalError } from './errors.ts';
import { exportToCsv } from './export/export.ts';
import { terminalFailure } from './failures.ts';
import { watchTerminal } from './health.ts';
import { Ledger } from './ledger/ledger.ts';
import { LedgerRecovery } from './ledger/ledger-recovery.ts';
import type { PaymentRow } from './ledger/payment-row.ts';
import { StorageProbe } from './ledger/storage-probe.ts';
import { EventFeed } from './outbox/event-feed.ts';
import { Outbox } from './outbox/outbox.ts';
import { RefundEvents } from './outbox/refund-events.ts';
import type { Answered, Caller } from './payments/calls/calls.ts';
import { saleKeyOf } from './payments/calls/sale-key.ts';
import { PAYMENT_STATES } from './payments/payment.ts';
import { PaymentWaits } from './payments/payment-waits.ts';
import { Payments } from './payments/payments.ts';
import { type AskedPayment, wantedPayment } from './payments/sale.ts';
import type { Refund } from './refunds/refund.ts';
import { RefundLedger } from './refunds/refund-ledger.ts';
import { Refunds } from './refunds/refunds.ts';
import { CustomerView, symbolOf } from './screen/customer-view.ts';
import { Screen } from './screen/screen.ts';
import { DriverSettings } from './settings/settings.ts';
import type { SettingsChanges } from './settings/settings-changes.ts';
import { type ActiveSettings, EMPTY_SETTINGS, type SettingsObject } from './settings/settings-document.ts';
import type { AddressQueueOptions } from './webhooks/address-queue.ts';
import { Webhooks } from './webhooks/webhooks.ts';

export interface TerminalOptions {
  readonly config: Config['terminal'];
  readonly dataDir: DataDir;
  readonly clock: Timekeeper;
  readonly sealer: Sealer;
  /** What banks are opened with. */
  readonly bankContext: BankContext;
  readonly openDisplay: (connection: DisplayConnection, options: DisplayOptions) => Display;
  readonly health: HealthBoard;
  readonly metrics: Metrics;
  readonly log: Log;
  /** That of the data folder when left out. */
  readonly ledger?: Ledger;
  /** That of the data folder when left out. */
  readonly refundLedger?: RefundLedger;
  /** Those that are built in when left out. */
  readonly banks?: BankPool;
  /** Payments and refunds as the outside is told of them. */
  readonly describe: { readonly payment: (payment: PaymentRow) => object; readonly refund: (refund: Refund) => object };
  /** How webhooks wait for the next attempt; by Node's timers when left out. */
  readonly wait?: AddressQueueOptions['wait'];
  /** 0 to 1, so that the lanes of a store do not ask their bank in step. */
  readonly random?: () => number;
}

export class Terminal {
  readonly screen: Screen;
  readonly view: CustomerView;
  readonly ledger: Ledger;
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly waits = new PaymentWaits();
  readonly accounts: Accounts;
  readonly outbox: Outbox;
  readonly events: EventFeed;
  readonly webhooks: Webhooks;
  readonly settings: DriverSettings;
  readonly #options: TerminalOptions;
  readonly #banks: BankPool;
  readonly #merchants: Merchants;
  readonly #refundLedger: RefundLedger;
  readonly #recoveries: readonly [payments: LedgerRecovery, refunds: LedgerRecovery];
  readonly #probe: StorageProbe;
  readonly #updates = new SerialQueue();
  /** Whether the payments that the process before left have been taken up. */
  #isRecovered = false;

  constructor(options: TerminalOptions) {
    const { config, dataDir, clock, sealer, log } = options;
    this.#options = options;
    const path = dataDir.file('ledger.db');
    const refundsPath = dataDir.file('refunds.db');
    const beside = { secondFolder: config.ledgerCopyDir, now: () => clock.wall() };
    this.ledger = options.ledger ?? Ledger.open({ path, ...beside });
    this.#refundLedger = options.refundLedger ?? RefundLedger.open({ path: refundsPath, ...beside });
    const explain: LogLine = (message, details = {}) => log.info(details, message);
    this.outbox = new Outbox(this.ledger, { clock, describe: options.describe.payment });
    const told = { refunds: this.#refundLedger, payments: this.ledger, outbox: this.outbox };
    const refundEvents = new RefundEvents({ ...told, describe: options.describe.refund, log: explain });
    this.events = new EventFeed({
      outbox: this.outbox,
      refunds: refundEvents,
      clock,
      deliveredTo: () => this.webhooks.deliveredTo,
      log: explain,
    });
    this.webhooks = new Webhooks({
      addresses: config.webhooks,
      path: dataDir.file('webhooks.db'),
      outbox: this.outbox,
      feed: this.events,
      clock,
      random: options.random ?? Math.random,
      log: explain,
      wait: options.wait,
    });
    this.accounts = new Accounts({ config, clock, ledger: this.ledger, refunds: this.#refundLedger });
    this.settings = new DriverSettings(dataDir.file('settings.json'), sealer);
    const context = options.bankContext;
    this.#merchants = new Merchants(dataDir.file('merchants.json'), sealer, context, () => this.settings.profiles);
    this.#banks = options.banks ?? new BankPool({ context, clock, sealer, merchants: this.#merchants });
    this.screen = new Screen({
      clock,
      idleQR: config.idleQR,
      symbolMs: config.symbolMs,
      patienceMs: config.displayDeadlineMs,
      open: (display) => options.openDisplay(this.#requireSettings().connection, display),
      log: explain,
    });
    const outcomes = options.metrics.counter('laneware_payments_total', 'Payments by how they ended', ['state']);
    // the updater reads this figure: it never restarts a device while somebody waits for a payment
    options.metrics.gauge(
      'laneware_payments_open',
      'Payments that somebody waits for: being registered, or shown and within their time',
      () => this.payments.waiting,
    );
    this.view = new CustomerView({ ledger: this.ledger, screen: this.screen, clock, log: explain });
    this.payments = new Payments({
      clock,
      ledger: this.ledger,
      view: this.view,
      banks: this.#banks,
      digest: (text) => sealer.digest(text, 'sale'),
      profileOf: (name) => this.settings.profiles.find(({ profileName }) => profileName === name)?.profile ?? null,
      pacing: config,
      random: options.random ?? Math.random,
      symbolMs: config.symbolMs,
      log: explain,
      onOutcome: (state) => outcomes.inc({ state }),
      onUnwritten: () => this.#probe.suspect(),
    });
    this.refunds = new Refunds({
      clock,
      refunds: this.#refundLedger,
      payments: this.ledger,
      noteRefunded: (orderId, kopecks) => this.payments.noteRefunded(orderId, kopecks),
      banks: this.#banks,
      deadlineMs: config.bankDeadlineMs,
      random: options.random ?? Math.random,
      log: explain,
    });
    const warn: LogLine = (message, details = {}) => log.warn(details, message);
    this.#recoveries = [
      new LedgerRecovery({
        ledger: this.ledger,
        words: { ledger: 'the ledger', row: 'payment', rows: 'payments' },
        path,
        clock,
        onRepaired: (ids) => this.#takeUp(ids),
        onOpened: () => this.#recover(),
        log: warn,
      }),
      new LedgerRecovery({
        ledger: this.#refundLedger,
        words: { ledger: 'the ledger of refunds', row: 'refund', rows: 'refunds' },
        path: refundsPath,
        clock,
        onRepaired: () => this.refunds.recover(),
        onOpened: () => this.refunds.recover(),
        log: warn,
      }),
    ];
    this.#probe = new StorageProbe({ folder: dataDir.path, write: () => this.ledger.tryWrite(), clock });
    watchTerminal(options.health, this, clock);
  }

  /** What became of the ledgers' files and rows, and what to do, in sentences. */
  get ledgerProblems(): readonly string[] {
    return this.#recoveries.flatMap(({ problems }) => problems);
  }

  /** Why no payment can be kept and what to do, in a sentence; null when it can. */
  get storageProblem(): string | null {
    return this.#probe.problem;
  }

  /** Takes up open payments and connects the display that is set up. */
  async start(): Promise<void> {
    if (this.ledger.isOpen) this.#recover();
    this.refunds.recover();
    this.events.start();
    this.webhooks.start();
    for (const recovery of this.#recoveries) recovery.start();
    const { active } = this.settings;
    if (active === null) return;
    this.#tryBank(active.profile);
    await this.screen.connect();
  }

  /** How it is with the bank in use; null until configured. */
  get bankHealth(): BankHealth | null {
    const { active } = this.settings;
    return active === null ? null : this.#banks.health(active.profile);
  }

  /** How it is with the banks of the other profiles. */
  get otherBanks(): readonly NamedBankHealth[] {
    const others = this.settings.profiles.slice(1);
    return others.map(({ profileName, profile }) => ({ profileName, health: this.#banks.health(profile) }));
  }

  /** What sets a fresh device up; the first page has its button only beside the sandbox bank. */
  get firstStep(): string {
    const press = this.#options.bankContext.sandboxBaseUrl === null ? '' : ', or press "Set up" on the first page';
    return `send settings with updateDriverSettings${press}`;
  }

  /** Returns what `getDriverSettings` tells; empty fields until configured. */
  describeSettings(): SettingsObject {
    return this.settings.masked() ?? EMPTY_SETTINGS;
  }

  /** All or nothing; one update at a time. @returns what has changed @throws {TerminalError} */
  updateSettings(sent: SettingsObject): Promise<SettingsChanges> {
    return this.#updates.run(() => this.#updateSettings(sent));
  }

  /**
   * @param caller the till that waits for the answer
   * @param name what the till names the sale by, for ever; null for nothing
   * @throws {TerminalError}
   */
  async showQR(asked: AskedPayment, caller: Caller, name: string | null = null): Promise<Answered> {
    const key = name === null ? null : saleKeyOf(name, asked);
    // before anything else: whatever the settings say by now, it is that payment
    const repeated = key === null ? null : this.payments.repeated(key, asked, caller);
    if (repeated !== null) return repeated;
    const profileName = asked.profile ?? null;
    const active = profileName === null ? this.settings.active : this.settings.with(profileName);
    if (active === null) {
      const error = this.#notConfigured();
      this.payments.failCall(error);
      throw error;
    }
    const wanted = wantedPayment(asked);
    const ttl = fitBank(active.profile.bankName, wanted);
    return this.payments.showQR(active, { ...wanted, ttl }, caller, key);
  }

  /** @throws {TerminalError} */
  async clearScreen(): Promise<void> {
    this.#requireSettings();
    this.payments.giveUp();
    await this.view.clear();
  }

  /** @throws {TerminalError} */
  async showInfoQR(payload: string): Promise<void> {
    this.#requireSettings();
    await this.view.showInfo(payload);
  }

  /** @param ordinal of `PAYMENT_STATES` @throws {TerminalError} */
  async displayStatus(ordinal: number): Promise<void> {
    this.#requireSettings();
    const state = PAYMENT_STATES[ordinal];
    if (state === undefined) throw new RangeError(`there is no state ${ordinal}`);
    const symbol = symbolOf(state);
    if (state === 'EMPTY') await this.clearScreen();
    else if (symbol === null) await this.payments.redraw();
    else await this.view.showSymbol(symbol);
  }

  /** Has the bank in use make a code to be printed. @throws {TerminalError} */
  async createCashLink(description: string): Promise<CashLink> {
    const { profile } = this.#requireSettings();
    const { bankDeadlineMs } = this.#options.config;
    try {
      return await this.#banks.createCashLink(profile, description, bankDeadlineMs);
    } catch (error) {
      throw terminalFailure(error);
    }
  }

  /** Wall clock of the device, ms since 1970. */
  now(): number {
    return this.#options.clock.wall();
  }

  /** Returns how many payments were written. @throws {TerminalError} */
  async exportToCSV(path: string): Promise<number> {
    this.#requireSettings();
    const { config, dataDir } = this.#options;
    const places = { folder: dataDir.file('exports'), roots: config.exportRoots };
    const { problem } = this.ledger.table;
    if (problem !== null) throw terminalFailure(problem, { therefore: 'nothing was exported' });
    return exportToCsv(this.ledger, path, places, () => this.#recoveries[0].compare());
  }

  /** Ends what is under way; what comes afterwards fails. */
  async halt(): Promise<void> {
    this.waits.close();
    await Promise.all([this.payments.close(), this.refunds.close()]);
  }

  async close(): Promise<void> {
    await this.halt();
    await this.webhooks.close();
    this.events.close();
    this.view.close();
    await this.screen.close();
    await this.#banks.close();
    await Promise.all(this.#recoveries.map((recovery) => recovery.close()));
    this.ledger.close();
    this.#refundLedger.close();
  }

  #recover(): void {
    if (this.#isRecovered) return;
    this.#isRecovered = true;
    this.payments.recover();
  }

  /** Payments that had vanished, or had been changed, are as they were. */
  #takeUp(ids: readonly number[]): void {
    this.ledger.askAgain();
    for (const payment of ids.map((id) => this.ledger.byId(id))) {
      if (payment !== null) this.ledger.changes.tell([payment.orderId]);
      if (payment?.settled === false && payment.status.seen) this.payments.takeUp(payment);
    }
  }

  async #updateSettings(sent: SettingsObject): Promise<SettingsChanges> {
    const before = this.settings.active;
    await this.#banks.renew(this.settings.validate(sent).profile);
    const outgoing = this.settings.profiles;
    const changes = await this.settings.update(sent, () => this.#merchants.keep(outgoing));
    const { connection, profile } = this.#requireSettings();
    await this.#banks.keepOnly(profile);
    if (before === null || JSON.stringify(before.connection) !== JSON.stringify(connection))
      await this.screen.connect();
    return changes;
  }

  /** What is wrong with its files is told at start, not with the first payment; a slow storage delays nothing. */
  #tryBank(profile: BankProfile): void {
    this.#banks
      .open(profile)
      .catch((err: unknown) => this.#options.log.warn({ err }, 'the bank of the settings cannot be opened'));
  }

  #requireSettings(): ActiveSettings {
    const active = this.settings.active;
    if (active !== null) return active;
    throw this.#notConfigured();
  }

  #notConfigured(): TerminalError {
    const message = `the driver is not configured: ${this.firstStep}`;
    return TerminalError.of(400, 'DriverSettings', 'IsNotConfigured', message);
  }
}
