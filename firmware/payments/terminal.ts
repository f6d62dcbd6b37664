/** The payment terminal: puts settings, payments, display and ledger together. Knows nothing of HTTP. */

import type { Picture } from '../../drivers/display/contract.ts';
import {
  type BankProfile,
  type CashLink,
  type CertificateStore,
  countBanks,
  fitBank,
  gaugeReachability,
  isPlayMoney,
  type Trial,
} from '../banks/index.ts';
import { isStoreError } from '../core/files/index.ts';
import type { HealthBoard, LogLine, Metrics, Timekeeper } from '../core/host/index.ts';
import { Accounts } from './accounts.ts';
import { EventFeed } from './events/event-feed.ts';
import { Outbox } from './events/outbox.ts';
import { watchTerminal } from './health.ts';
import type { TerminalConfig } from './model/config.ts';
import { terminalFailure } from './model/failures.ts';
import { PAYMENT_STATES } from './model/payment.ts';
import type { PaymentRow } from './model/payment-row.ts';
import { REFUND_OUTCOMES } from './model/refund.ts';
import { TerminalError } from './model/terminal-error.ts';
import type { Ledger } from './money/ledger.ts';
import { Ledgers } from './money/ledgers.ts';
import type { Described, Money } from './money/money.ts';
import { Refunds } from './refunds/refunds.ts';
import { LanePayments } from './reports/lanes/lane-payments.ts';
import { LaneFeed } from './reports/lanes/lane-records.ts';
import { exportToCsv } from './reports/papers/export.ts';
import { ExportRoom } from './reports/papers/export-room.ts';
import { unbalanced } from './reports/shifts/balance.ts';
import { Shifts } from './reports/shifts/shifts.ts';
import { PACE, type Pace } from './service/outcome/pace.ts';
import { PaymentFigures } from './service/outcome/payment-figures.ts';
import { PaymentWaits } from './service/outcome/payment-waits.ts';
import { PaymentService } from './service/payment-service.ts';
import type { Answered } from './service/sale/calls.ts';
import { type Caller, type OnWrongTtl, type SaleRequest, wantedOf } from './service/sale/sale.ts';
import { saleKeyOf } from './service/sale/sale-key.ts';
import { CustomerView, symbolOf } from './service/screen/customer-view.ts';
import type { Screen } from './service/screen/screen.ts';
import { ShownCode } from './service/screen/shown-code.ts';
import type { DriverSettings } from './settings/settings.ts';
import type { SettingsChanges } from './settings/settings-changes.ts';
import { EMPTY_SETTINGS, type SettingsObject } from './settings/settings-document.ts';
import { SettingsInUse, type SettingsInUseOptions } from './settings/settings-in-use.ts';
import { type OpenDisplay, screenOf } from './terminal-screen.ts';

export interface TerminalOptions extends Omit<SettingsInUseOptions, 'connect' | 'onBankAnswer'> {
  /** Serial number of the device. */
  readonly serial: string;
  readonly config: TerminalConfig;
  /** Opens a display; the drivers' own function when left out. */
  readonly openDisplay?: OpenDisplay | undefined;
  /** Ports of the displays of a device that is not configured; those of `systemd/udev` when left out. */
  readonly firstDisplays?: readonly string[] | undefined;
  readonly health: HealthBoard;
  readonly metrics: Metrics;
  /** Opens the book of money; that of the data folder when left out. */
  readonly openMoney?: (described: Described) => Money;
  /** Describes payments and refunds in events. */
  readonly describe: Described;
  /** Values that differ from `PACE`. */
  readonly pace?: Partial<Pace> | undefined;
  /** 0 to 1, so that the lanes of a store do not ask their bank in step. */
  readonly random?: () => number;
}

/** What payments, refunds and their events have in common. */
interface Common {
  readonly clock: Timekeeper;
  readonly random: () => number;
  readonly log: LogLine;
}

/** How long a code will live at a bank, in minutes. @throws {TerminalError} 400 naming the field that the bank does not accept */
function lifeAt(bankName: string, wanted: Parameters<typeof fitBank>[1]): number {
  try {
    return fitBank(bankName, wanted);
  } catch (error) {
    throw terminalFailure(error);
  }
}

export class Terminal {
  readonly settings: DriverSettings;
  readonly ledger: Ledger;
  readonly outbox: Outbox;
  readonly events: EventFeed;
  readonly accounts: Accounts;
  readonly shifts: Shifts;
  /** Payments of the other lanes of a store, at its master. */
  readonly lanePayments: LanePayments;
  readonly screen: Screen;
  readonly view: CustomerView;
  readonly payments: PaymentService;
  readonly refunds: Refunds;
  readonly waits = new PaymentWaits();
  readonly #options: TerminalOptions;
  readonly #pace: Pace;
  readonly #ledgers: Ledgers;
  readonly #exportRoom: ExportRoom;
  readonly #inUse: SettingsInUse;
  readonly #onSale = new Set<() => void>();
  #unbalanced: readonly string[] = [];
  /** Whether the payments that the previous process left are followed up. */
  #isRecovered = false;

  constructor(options: TerminalOptions) {
    const { serial, config, dataDir, clock, describe, metrics, log } = options;
    const explain: LogLine = (message, details = {}) => log.info(details, message);
    const common: Common = { clock, random: options.random ?? Math.random, log: explain };
    this.#options = options;
    this.#pace = { ...PACE, ...options.pace };
    this.#exportRoom = new ExportRoom(dataDir.file('exports'), config.exportsMb);
    this.#ledgers = new Ledgers({
      dataDir,
      medium: config.ledgerCopyDir,
      keptYears: config.journalYears,
      serial,
      clock,
      describe,
      openMoney: options.openMoney,
      kept: {
        onRepaired: (payments) => this.#followRestored(payments),
        onOpened: (isRebuilt) => this.#opened(isRebuilt),
        onChecked: () => this.ledger.sums.recountAll(),
      },
      log: (message, details = {}) => log.warn(details, message),
    });
    const ledgers = this.#ledgers;
    const { payments: ledger, refunds, shifts: book } = ledgers.money;
    this.ledger = ledger;
    this.shifts = new Shifts({ config, clock, book, ledger, refunds, care: ledgers.care, log: explain });
    this.outbox = new Outbox(ledger, clock, describe.payment);
    this.events = new EventFeed(this.outbox, explain);
    this.lanePayments = new LanePayments({ path: dataDir.file('lanes.db'), clock });
    const { lanePayments, shifts } = this;
    this.accounts = new Accounts({ clock, lane: serial, lanePayments, shifts, ledger, refunds });
    this.#inUse = new SettingsInUse({
      ...options,
      connect: () => this.screen.connect(),
      onBankAnswer: countBanks(metrics),
    });
    gaugeReachability(metrics, () => this.#inUse.bankHealth);
    this.settings = this.#inUse.driver;
    const { symbolMs, displayPatienceMs: patienceMs } = this.#pace;
    this.screen = screenOf(this.settings, options, { clock, symbolMs, patienceMs, log: explain });
    const shownCode = new ShownCode(dataDir.file('on-display'), clock);
    const late = () => (ledger.isOpen ? ledger.queries.lateCount() : null);
    const figures = new PaymentFigures(metrics, clock, () => this.payments.waiting, late);
    this.view = new CustomerView(ledger, this.screen, shownCode, clock, figures, explain);
    this.payments = this.#openPayments(common, figures);
    this.refunds = this.#openRefunds(common);
    const { payments, screen } = this;
    const watched = {
      settings: this.#inUse,
      ledgers,
      ledger,
      payments,
      refunds: this.refunds,
      screen,
      unbalanced: () => this.#unbalanced,
    };
    watchTerminal(options.health, watched, clock);
  }

  /**
   * The records that this device sends to its store's master. @param restoredAt when a backup was restored last, 0:
   * never
   */
  laneFeed(restoredAt: number): LaneFeed {
    return new LaneFeed({ ledger: this.ledger, refunds: this.#ledgers.money.refunds, restoredAt });
  }

  /** After a restore, before the start: compares ledger, days and shifts. `/health` names what differs. */
  async compareShifts(): Promise<void> {
    const { ledger, shifts } = this;
    try {
      this.#unbalanced = await unbalanced({ ledger, refunds: this.#ledgers.money.refunds, shifts });
    } catch (error) {
      if (!(error instanceof TerminalError || isStoreError(error, 'ROWS_UNSOUND'))) throw error;
      this.#unbalanced = [error.message]; // rows that are damaged prevent the comparison, and no sale
    }
  }

  /** Follows up open payments and connects the display of the settings. */
  async start(): Promise<void> {
    await this.#ledgers.start();
    await this.shifts.start(); // payments found to be accepted after this count in the next shift
    if (this.ledger.isOpen) this.#recover();
    this.refunds.recover();
    this.events.start();
    this.#inUse.watchBank();
    const { active } = this.settings;
    if (active === null) return;
    this.#inUse.tryBank(active);
    await this.screen.connect();
  }

  /** Whether no money moves: with the settings in use, or with those of the given payment. */
  isPlayMoney(payment: Pick<PaymentRow, 'merchant'> | null): boolean {
    const { active } = this.settings;
    const merchant = payment?.merchant ?? (active === null ? null : this.#inUse.banks.merchantOf(active.profile));
    return isPlayMoney(merchant);
  }

  /** Certificates and keys that were sent to the device. */
  get certificates(): CertificateStore {
    return this.#inUse.certificates;
  }

  /** The answer of `getDriverSettings`; empty fields until configured. */
  describeSettings(): SettingsObject {
    return this.settings.masked() ?? EMPTY_SETTINGS;
  }

  /** Stores an update whole or not at all; one at a time. @returns what has changed @throws {TerminalError} */
  async updateSettings(sent: SettingsObject): Promise<SettingsChanges> {
    return (await this.#inUse.update(sent, { mayLack: false })).changes;
  }

  /**
   * As `updateSettings`, for tills that know only the fields of their driver: accepts settings for which something is missing
   * on the device.
   * @returns `notes`: what is still missing, on the device and at its display, to show a payment
   * @throws {TerminalError}
   */
  async updateDriverSettings(
    sent: SettingsObject,
  ): Promise<{ changes: SettingsChanges; notes: readonly TerminalError[] }> {
    const { changes, lack } = await this.#inUse.update(sent, { mayLack: true });
    return { changes, notes: [lack, await this.view.displayProblem()].filter((each) => each !== null) };
  }

  /** Whether nothing of a sale is under way: no payment is waited for, and the display shows nothing of one. */
  get isAtRest(): boolean {
    return this.payments.waiting === 0 && this.screen.isIdle;
  }

  /** Calls `listener` when a till asks for a payment, before anything else is done. @returns a function that ends that */
  onSale(listener: () => void): () => void {
    this.#onSale.add(listener);
    return () => void this.#onSale.delete(listener);
  }

  /**
   * @param caller the till that waits for the answer
   * @param name the till's key of the sale, valid for ever; null for none
   * @throws {TerminalError}
   */
  async sell(
    asked: SaleRequest,
    caller: Caller,
    name: string | null = null,
    onWrongTtl: OnWrongTtl = 'refuse',
  ): Promise<Answered> {
    for (const listener of this.#onSale) listener();
    const key = name === null ? null : saleKeyOf(name, asked);
    // before anything else: a known key stands for its payment, even where the settings have changed since
    const repeated = key === null ? null : this.payments.repeated(key, asked, caller);
    if (repeated !== null) return await repeated;
    const wanted = wantedOf(asked, this.#options.config.ttlMaxMinutes, onWrongTtl);
    const profileName = asked.profile ?? null;
    const active = profileName === null ? this.settings.active : this.settings.with(profileName);
    this.screen.endClaim(); // the technician's code is removed before a bank is asked
    if (active === null || this.settings.isUnsure) {
      const error = this.#inUse.notConfigured();
      this.payments.failCall(error);
      throw error;
    }
    const ttl = lifeAt(active.profile.bankName, wanted);
    return await this.payments.startSale(active, { ...wanted, ttl }, caller, key);
  }

  /**
   * Clears the display and ends the sale of the shown code: tills that only know the nine calls have no other way to end
   * it. @throws {TerminalError}
   */
  async clearScreen(): Promise<void> {
    this.#inUse.require();
    this.payments.endSales();
    await this.view.clear();
  }

  /** @throws {TerminalError} */
  async showInfoQR(payload: string): Promise<void> {
    this.#inUse.require();
    await this.view.showInfo(payload);
  }

  /**
   * Shows a code for the technician on the display of the settings; a device without settings uses a display that it
   * finds.
   * @returns whether it is shown now: it never replaces a payment, its outcome or a till's picture
   */
  showClaim(picture: Picture): boolean {
    const { screen, settings } = this;
    if (!this.isAtRest || screen.isTested) return false;
    screen.showClaim(picture);
    // the settings of a till later replace the found display
    if (settings.active === null && !screen.hasDisplay)
      screen.connect().catch((err: unknown) => this.#options.log.warn({ err }, 'no display can be looked for'));
    return true;
  }

  /** Asks the bank of a profile something harmless; nothing is stored, and no payment made. @throws {BankTestError} @throws {TerminalError} */
  async tryBank(profile: BankProfile): Promise<Trial> {
    try {
      return await this.#inUse.trials.run(profile);
    } catch (error) {
      throw terminalFailure(error);
    }
  }

  /** @param ordinal of `PAYMENT_STATES` @throws {TerminalError} */
  async displayStatus(ordinal: number): Promise<void> {
    this.#inUse.require();
    const state = PAYMENT_STATES[ordinal];
    if (state === undefined) throw new RangeError(`there is no state ${ordinal}`);
    const symbol = symbolOf(state);
    if (state === 'EMPTY') await this.clearScreen();
    else if (state === 'PENDING' || state === 'STATIC') await this.payments.redraw(state);
    else if (symbol !== null) await this.view.showSymbol(symbol);
  }

  /** Has the bank in use make a code to be printed. @throws {TerminalError} */
  async createCashLink(description: string): Promise<CashLink> {
    const { profile } = this.#inUse.requireSure();
    const { bankDeadlineMs } = this.#pace;
    try {
      return await this.#inUse.banks.createCashLink(profile, description, bankDeadlineMs);
    } catch (error) {
      throw terminalFailure(error);
    }
  }

  /** Wall clock of the device, ms since 1970. */
  now(): number {
    return this.#options.clock.wall();
  }

  /**
   * Runs a reading for a report. Where it meets rows that the storage has altered, it runs once more after the search for
   * their copies.
   * @throws {TerminalError} `EntriesDamaged` where no copy has them
   */
  async whenSound<T>(read: () => T | Promise<T>): Promise<T> {
    try {
      return await this.#ledgers.care.whenSound(read);
    } catch (error) {
      throw terminalFailure(error);
    }
  }

  /** As `whenSound`; rows without a copy are read as they are. */
  whenRestored<T>(read: () => T): Promise<T> {
    return this.#ledgers.care.whenRestored(read);
  }

  /** Checks the whole ledger and restores what it can, before a copy of it leaves the device. Never fails. */
  checkLedger(): Promise<void> {
    return this.#ledgers.care.checkAll();
  }

  /** Returns how many payments were written. @throws {TerminalError} */
  async exportToCSV(path: string): Promise<number> {
    this.#inUse.require();
    const { config, dataDir } = this.#options;
    const places = { folder: dataDir.file('exports'), roots: config.exportRoots, room: this.#exportRoom };
    const { problem } = this.ledger.book;
    if (problem !== null) throw terminalFailure(problem, { therefore: 'nothing was exported' });
    const { care } = this.#ledgers;
    const books = { ledger: this.ledger, care, refundsOf: (id: string) => this.refunds.of(id) };
    return exportToCsv(books, path, places, () => this.#ledgers.compare());
  }

  /** Ends all work under way; later calls fail. */
  async halt(): Promise<void> {
    this.waits.close();
    this.#inUse.trials.close();
    await Promise.all([this.payments.close(), this.refunds.close()]);
  }

  async close(): Promise<void> {
    this.shifts.stop();
    await this.halt();
    this.events.close();
    this.view.close();
    await this.screen.close();
    await this.#inUse.closeBanks();
    await this.#ledgers.close();
    this.lanePayments.close();
  }

  #openPayments(common: Common, figures: PaymentFigures): PaymentService {
    const { config, sealer } = this.#options;
    return new PaymentService({
      ...common,
      ledger: this.ledger,
      view: this.view,
      screen: this.screen,
      banks: this.#inUse.banks,
      digest: (text) => sealer.digest(text, 'sale'),
      profileOf: (name) => this.#inUse.profileOf(name),
      pacing: this.#pace,
      symbolMs: this.#pace.symbolMs,
      unreadMs: config.unreadMs,
      figures,
      onUnwritten: () => this.#ledgers.suspectStorage(),
    });
  }

  #openRefunds(common: Common): Refunds {
    const { metrics } = this.#options;
    return new Refunds({
      ...common,
      refunds: this.#ledgers.money.refunds,
      payments: this.ledger,
      recordRefundedSum: (orderId, kopecks) => this.payments.recordRefundedSum(orderId, kopecks),
      banks: this.#inUse.banks,
      deadlineMs: this.#pace.bankDeadlineMs,
      onEnd: metrics.counterOf('laneware_refunds_total', 'Refunds by how they ended', 'state', REFUND_OUTCOMES),
    });
  }

  #recover(): void {
    if (this.#isRecovered) return;
    this.#isRecovered = true;
    this.payments.recover();
  }

  /** After the book was opened late, or rebuilt. */
  #opened(isRebuilt: boolean): void {
    if (isRebuilt) this.ledger.followAgain();
    this.events.maintain();
    this.shifts.begin();
    this.#recover();
    this.refunds.recover();
  }

  /** After lost or altered payments were restored: wakes those who wait for them, and follows those that are not settled. */
  #followRestored(ids: readonly number[]): void {
    this.shifts.begin();
    for (const payment of ids.map((id) => this.ledger.byId(id))) {
      if (payment !== null) this.ledger.changes.notify([payment.orderId]);
      if (payment?.settled === false && payment.status.seen) this.payments.followSeen(payment);
    }
  }
}
