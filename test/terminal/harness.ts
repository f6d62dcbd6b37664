/** The payment services on their own: a bank and a display that do as they are told, and a clock that is turned by hand. */
import type { DatabaseSync } from 'node:sqlite';
import { type Display, DisplayError, type DisplayOptions, type Picture } from '../../drivers/display/contract.ts';
import type { Clock } from '../../firmware/clock.ts';
import { openDatabase } from '../../firmware/store/database.ts';
import { Sealer } from '../../firmware/store/sealer.ts';
import { BankError, type BankVerdict, type OnlineBank, type Registration } from '../../firmware/terminal/banks/bank.ts';
import { CustomerView } from '../../firmware/terminal/customer-view.ts';
import { LEDGER_MIGRATIONS, Ledger } from '../../firmware/terminal/ledger.ts';
import { PaymentBanks } from '../../firmware/terminal/payment-banks.ts';
import { Payments } from '../../firmware/terminal/payments.ts';
import { Presenter } from '../../firmware/terminal/presenter.ts';
import type { ActiveSettings } from '../../firmware/terminal/settings.ts';

export class HandClock implements Clock {
  bootId = 'boot-1';
  now = 1_000_000;
  wall = (): number => Date.parse('2026-11-20') + this.now;
  monotonic = (): number => this.now;
}

/** A bank under the test's control. `verdicts` by bank id; an Error there is thrown instead. */
export class TestBank implements OnlineBank {
  readonly kind = 'online';
  readonly registered: Registration[] = [];
  readonly canceled: string[] = [];
  readonly verdicts = new Map<string, BankVerdict | Error>();
  /** Thrown by the next registrations, one each. */
  failures: Error[] = [];
  /** Awaited by each registration before it answers. */
  gate: Promise<void> = Promise.resolve();
  questions = 0;
  cancel?: NonNullable<OnlineBank['cancel']>;

  async register(payment: Registration) {
    this.registered.push(payment);
    await this.gate;
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    return { bankId: `bank-${payment.orderId}`, payload: `https://pay.example/${payment.orderId}` };
  }

  async status(bankId: string): Promise<BankVerdict> {
    this.questions += 1;
    const verdict = this.verdicts.get(bankId) ?? 'pending';
    if (verdict instanceof Error) throw verdict;
    return verdict;
  }

  allowCancel(outcome: () => void = () => undefined): void {
    this.cancel = async (bankId) => {
      outcome();
      this.canceled.push(bankId);
    };
  }

  async close(): Promise<void> {}
}

/** A display under the test's control: `drawn` is everything that was ever drawn, in order. */
export class TestDisplay implements Display {
  readonly kind = 'serial';
  readonly drawn: Picture[] = [];
  readonly #options: DisplayOptions;
  state: Display['state'] = { name: 'ready' };
  /** Makes the next drawings break in the middle. */
  breaks = false;

  constructor(options: DisplayOptions) {
    this.#options = options;
  }

  async show(picture: Picture): Promise<void> {
    if (this.state.name !== 'ready') throw new DisplayError('serial', 'not-connected', 'the display is unplugged');
    if (this.breaks) throw new DisplayError('serial', 'lost', 'the link broke');
    this.drawn.push(picture);
  }

  unplug(): void {
    this.state = { name: 'lost', reason: 'unplugged', code: 'lost' };
    this.#options.onState?.(this.state);
  }

  connecting(): void {
    this.state = { name: 'connecting' };
    this.#options.onState?.(this.state);
  }

  /** Comes back as a real one does: with the current picture. */
  replug(): void {
    this.state = { name: 'ready' };
    this.breaks = false;
    this.drawn.push(this.#options.current());
    this.#options.onState?.(this.state);
  }

  async close(): Promise<void> {}
}

export const PACING = { pollFirstMs: 5, pollMaxMs: 10, graceMs: 30_000, bankDeadlineMs: 1000 };
export const unreachable = () => new BankError('unreachable', 'the bank does not answer');

const SETTINGS: ActiveSettings = { profileName: 'p', profile: { bankName: 'Sandbox' }, connection: { type: 'screen' } };

export interface Lane {
  readonly bank: TestBank;
  readonly clock: HandClock;
  readonly db: DatabaseSync;
  readonly ledger: Ledger;
  readonly presenter: Presenter;
  readonly display: TestDisplay;
  readonly view: CustomerView;
  readonly payments: Payments;
  showQR(amount: number, details?: { purpose?: string; ttl?: number }): Promise<void>;
  /** The bank's id of the payment that was registered as the n-th. */
  bankId(n: number): string;
  /** Ends the process as a power cut would: nothing more happens in it; the same database can be opened again. */
  stop(): Promise<void>;
}

export interface LaneParts {
  readonly bank?: TestBank;
  readonly clock?: HandClock;
  readonly db?: DatabaseSync;
  readonly symbolMs?: number;
  /** Another display than the one that does as it is told. */
  readonly open?: (options: DisplayOptions) => Display;
}

export async function openLane(parts: LaneParts = {}): Promise<Lane> {
  const { bank = new TestBank(), clock = new HandClock(), symbolMs = 20 } = parts;
  const db = parts.db ?? openDatabase(':memory:', LEDGER_MIGRATIONS, 0).db;
  const ledger = new Ledger(db);
  let display: TestDisplay | null = null;
  const openTestDisplay = (options: DisplayOptions): Display => {
    display = new TestDisplay(options);
    return display;
  };
  const log = (): void => undefined;
  const presenter = new Presenter({
    idleQR: null,
    symbolMs,
    patienceMs: 1000,
    open: parts.open ?? openTestDisplay,
    log,
  });
  const view = new CustomerView({ ledger, presenter, clock, log });
  const pool = { open: () => bank };
  const banks = new PaymentBanks(pool, new Sealer(Buffer.alloc(32, 7)));
  const payments = new Payments({ clock, ledger, view, pool, banks, pacing: PACING, random: () => 0.5, log });
  payments.recover();
  await presenter.connect();
  return {
    bank,
    clock,
    db,
    ledger,
    presenter,
    get display() {
      if (display === null) throw new Error('this lane has another display');
      return display;
    },
    view,
    payments,
    showQR: (amount, { purpose, ttl = 5 } = {}) => payments.showQR(SETTINGS, { amount, purpose: purpose ?? null, ttl }),
    bankId: (n) => `bank-${bank.registered[n]?.orderId}`,
    stop: async () => {
      await payments.close();
      view.close();
      await presenter.close();
    },
  };
}
