/** The payment services on their own: bank and display under the test's control, and a clock that is turned by hand. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type Display, DisplayError, type DisplayOptions, type Picture } from '../../drivers/display/contract.ts';
import type { OnlineBank } from '../../firmware/banks/bank.ts';
import { BankError } from '../../firmware/banks/bank-error.ts';
import {
  type BankRef,
  type BankReport,
  type BankVerdict,
  type CancelOutcome,
  type Order,
  type Registering,
  UNREPORTED,
} from '../../firmware/banks/bank-payment.ts';
import { BankPool } from '../../firmware/banks/bank-pool.ts';
import type { BankProfile } from '../../firmware/banks/registry.ts';
import { Book } from '../../firmware/core/book/book.ts';
import { openDatabase } from '../../firmware/core/files/database.ts';
import type { Timekeeper } from '../../firmware/core/host/clock.ts';
import type { HealthReport } from '../../firmware/core/host/health.ts';
import { type Base, openBase, openLog } from '../../firmware/device/composition/base.ts';
import { buildTerminal } from '../../firmware/device/composition/build-terminal.ts';
import { loadConfig } from '../../firmware/device/composition/config.ts';
import type { PaymentFailure } from '../../firmware/payments/model/payment.ts';
import type { PaymentRow } from '../../firmware/payments/model/payment-row.ts';
import { TerminalError } from '../../firmware/payments/model/terminal-error.ts';
import { Ledger } from '../../firmware/payments/money/ledger.ts';
import { type Described, Money, moneyPlan } from '../../firmware/payments/money/money.ts';
import { MONEY_MIGRATIONS } from '../../firmware/payments/money/money-schema.ts';
import type { Refunds } from '../../firmware/payments/refunds/refunds.ts';
import type { Pacing } from '../../firmware/payments/service/outcome/poll-schedule.ts';
import type { PaymentService } from '../../firmware/payments/service/payment-service.ts';
import { besideSuccess } from '../../firmware/payments/service/sale/calls.ts';
import type { Caller } from '../../firmware/payments/service/sale/sale.ts';
import type { CustomerView } from '../../firmware/payments/service/screen/customer-view.ts';
import type { Screen } from '../../firmware/payments/service/screen/screen.ts';
import { DriverSettings } from '../../firmware/payments/settings/settings.ts';
import type { ActiveSettings } from '../../firmware/payments/settings/settings-document.ts';
import type { Terminal } from '../../firmware/payments/terminal.ts';
import type { MovableClock } from '../../firmware/recognition/service/recognition.ts';
import { failed, temporaryFolder } from '../support.ts';
import { poolOf, SEALER, TestBanks } from './banks/pools.ts';
import { paymentsAfter } from './ledger-rows.ts';

interface Alarm {
  readonly due: number;
  readonly task: () => void;
}

/** Stands still until it is moved. */
export class HandClock implements MovableClock, Timekeeper {
  bootId = 'boot-1';
  /** Where it is set, it leaps: what was due meanwhile happens when time passes again. */
  now = 1_000_000;
  readonly #alarms = new Set<Alarm>();
  wall = (): number => Date.parse('2026-11-20') + this.now;
  monotonic = (): number => this.now;
  setFloor = (): void => undefined;
  after = (ms: number, task: () => void): (() => void) => {
    const alarm = { due: this.now + Math.ceil(ms), task }; // whole milliseconds, as clocks have
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  };

  /** Lets time pass: what is due meanwhile happens at its moment, when what came before has had its effect. */
  async advance(ms: number): Promise<void> {
    const end = this.now + ms;
    while (this.now < end) await this.step(end - this.now);
  }

  /** Lets time pass until something has happened, or so long. What is due at the same moment happens together. */
  async step(ms: number): Promise<void> {
    const due = Math.min(...[...this.#alarms].map((alarm) => alarm.due));
    this.now = Math.max(this.now, Math.min(due, this.now + ms));
    for (const alarm of [...this.#alarms].filter((alarm) => alarm.due === due && due <= this.now)) {
      // one before it may have called it off
      if (this.#alarms.delete(alarm)) alarm.task();
    }
    await settled();
  }
}

/** What follows by itself, without time passing, has happened. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await turn();
}

/** A bank under the test's control. `verdicts` by bank id; an Error there is thrown instead. */
export class TestBank implements OnlineBank {
  readonly kind = 'online';
  readonly linkRule = 'nspk';
  readonly registered: Order[] = [];
  readonly canceled: string[] = [];
  readonly verdicts = new Map<string, BankVerdict | Error>();
  /** Thrown by the next registrations, one each. */
  failures: Error[] = [];
  #gate: Promise<void> = Promise.resolve();
  #silence: Promise<void> = Promise.resolve();
  /** What the next registrations are answered with, one each, in place of an id and a code of their own. */
  answers: { readonly bankId: string; readonly payload: string }[] = [];
  /** Lets what was held last go on. */
  release = (): void => undefined;
  questions = 0;
  /** The log lines for a technician. */
  readonly logged: string[] = [];
  /** What it reports beside the verdict. */
  reported: Partial<BankReport> = {};
  /** Thrown in place of opening it. */
  unusable: Error | null = null;
  cancel?: NonNullable<OnlineBank['cancel']>;
  code?: NonNullable<OnlineBank['code']>;
  refund?: NonNullable<OnlineBank['refund']>;
  refundStatus?: NonNullable<OnlineBank['refundStatus']>;
  findRefund?: NonNullable<OnlineBank['findRefund']>;
  find?: NonNullable<OnlineBank['find']>;
  tryOut?: NonNullable<OnlineBank['tryOut']>;

  async begin(order: Order): Promise<Registering> {
    this.registered.push(order);
    await this.#gate;
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    const { orderId } = order;
    const { bankId, payload } = this.answers.shift() ?? {
      bankId: `bank-${orderId}`,
      payload: `https://pay.example/${orderId}`,
    };
    return { ref: { id: bankId }, code: { payload, linkId: null, isPage: true } };
  }

  async status({ id: bankId }: BankRef): Promise<BankReport> {
    this.questions += 1;
    await this.#silence;
    const verdict = this.verdicts.get(bankId) ?? 'pending';
    if (verdict instanceof Error) throw verdict;
    return { ...UNREPORTED, ...this.reported, verdict, ids: [bankId] };
  }

  /** Lets no registration answer before `release`. */
  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    this.release = resolve;
  }

  /** Answers no status before `release`. */
  beSilent(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#silence = promise;
    this.release = resolve;
  }

  /** @param outcome of each, after it is done where it is a function */
  allowCancel(outcome: CancelOutcome | (() => void) = 'withdrawn'): void {
    this.cancel = async ({ id }): Promise<CancelOutcome> => {
      if (typeof outcome === 'function') outcome();
      this.canceled.push(id);
      return typeof outcome === 'function' ? 'withdrawn' : outcome;
    };
  }

  async close(): Promise<void> {}
}

/** A pool of that one bank, for any profile. */
class TestPool extends BankPool {
  readonly #bank: TestBank;

  constructor(bank: TestBank, clock: HandClock) {
    const opened = new TestBanks(async (profile) => {
      if (bank.unusable !== null) throw bank.unusable;
      return profile.bankName === 'Static' ? { kind: 'static', payload: profile.staticQR } : bank;
    });
    super(
      ...poolOf(
        clock,
        () => [{ bankName: 'Sandbox' }],
        opened,
        (message) => bank.logged.push(message),
      ),
    );
    this.#bank = bank;
  }

  override isAnswering({ ref }: Pick<PaymentRow, 'ref'>): boolean {
    return ref !== null || this.#bank.find !== undefined;
  }
}

/** A display under the test's control: `drawn` is everything that was ever drawn, in order. */
export class TestDisplay implements Display {
  readonly kind = 'serial';
  readonly drawn: Picture[] = [];
  readonly #options: DisplayOptions;
  state: Display['state'] = { name: 'ready' };
  /** Makes the next drawings break in the middle. */
  breaks = false;
  /** How often it was cleared for a code that was to follow. */
  clearedAhead = 0;

  constructor(options: DisplayOptions) {
    this.#options = options;
  }

  async draw(picture: Picture): Promise<void> {
    if (this.state.name !== 'ready') throw new DisplayError('serial', 'not-connected', 'the display is unplugged');
    if (this.breaks) throw new DisplayError('serial', 'lost', 'the link broke');
    this.drawn.push(picture);
  }

  clearAhead(): void {
    this.clearedAhead += 1;
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

const STEPS = ['insert', 'recordRef', 'intendToShow', 'setStatus', 'recordReceipt'] as const;

/** A ledger whose disk may be full for some of the steps of a payment. */
class TestLedger extends Ledger {
  fullFor: readonly (typeof STEPS)[number][] = [];
  /** Whether the payment of the last call cannot be read. */
  isUnreadable = false;

  constructor(...given: ConstructorParameters<typeof Ledger>) {
    super(...given);
    for (const step of STEPS) {
      const own = this[step];
      const stepOrFail = (...asked: unknown[]): void => {
        // what node:sqlite throws
        if (this.fullFor.includes(step)) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
        Reflect.apply(own, this, asked);
      };
      Object.assign(this, { [step]: stepOrFail });
    }
  }

  override last(): PaymentRow | null {
    if (this.isUnreadable) throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
    return super.last();
  }
}

/** Its database outlives the process that has it. */
class TestMoney extends Money {
  override readonly payments = new TestLedger(this.book, () => this.shifts.openNumber);
}

export const MINUTE_MS = 60_000;
export const PACING = { askingSpeed: 500, graceMs: 30_000, bankDeadlineMs: 1000 };
/** For tests in which only the calls ask the bank. */
export const NO_POLLS = { askingSpeed: 1 / 3600 };
export const unreachable = () => new BankError('unreachable', 'the bank does not answer');

const SETTINGS: ActiveSettings = { profileName: 'p', profile: { bankName: 'Sandbox' }, connection: { type: 'screen' } };

interface Details extends Partial<Pick<ActiveSettings, 'profileName' | 'profile'>> {
  readonly purpose?: string;
  readonly ttl?: number;
  readonly gone?: AbortSignal;
  readonly caller?: Caller;
}

export interface Lane extends AsyncDisposable {
  readonly terminal: Terminal;
  readonly bank: TestBank;
  readonly clock: HandClock;
  readonly db: DatabaseSync;
  readonly ledger: TestLedger;
  readonly screen: Screen;
  readonly display: TestDisplay;
  readonly view: CustomerView;
  readonly payments: PaymentService;
  readonly refunds: Refunds;
  /** What the next process knows of its display. */
  readonly noted: string;
  showQR(amount: number, details?: Details): Promise<PaymentFailure | null>;
  /** The same with a profile whose code is fixed. */
  showStatic(payload: string): Promise<PaymentFailure | null>;
  /** What Prometheus reads. */
  metrics(): Promise<string>;
  /** What `/health` says. */
  health(): HealthReport;
  /** The bank's id of the payment that was registered as the n-th. */
  bankId(n: number): string;
  /** Ends the process as a power cut would: nothing more happens in it; the same database can be opened again. */
  stop(): Promise<void>;
}

export interface LaneParts {
  readonly bank?: TestBank;
  /** Banks that are asked for real, in the place of that one, and the profile that is set up. */
  readonly real?: { readonly pool: BankPool; readonly profile: BankProfile };
  readonly clock?: HandClock;
  readonly db?: DatabaseSync;
  readonly symbolMs?: number;
  readonly unreadMs?: number;
  readonly pacing?: Partial<Pacing>;
  /** 0 to 1; 0.5 when left out. */
  readonly random?: () => number;
  readonly fullFor?: TestLedger['fullFor'];
  /** Another display than the one under the test's control. */
  readonly open?: (options: DisplayOptions) => Display;
}

/** A till whose answer goes out at once, unless it has hung up. */
export const callerNamed = (till: string | null, gone = new AbortController().signal): Caller => ({
  gone,
  till,
  cashier: null,
  ownOnly: false,
  whenAnswered: (heard) => {
    if (!gone.aborted) heard();
  },
});

/** What all lanes of this process stand on, but for their folders; and what a display that was set up leaves in a folder. */
async function openShared(): Promise<{ readonly base: Base; readonly settings: Buffer }> {
  using folder = temporaryFolder();
  const { config } = loadConfig(null, { LANEWARE_DATADIR: folder.path });
  const base = openBase(config, openLog('silent'));
  const path = base.dataDir.file('settings.json');
  await new DriverSettings(path, SEALER).update(
    {
      bankProfile: SETTINGS.profileName,
      bankProfiles: { [SETTINGS.profileName]: SETTINGS.profile },
      deviceConnection: { connectionType: 'Screen' },
    },
    async () => undefined,
  );
  base.dataDir.release();
  return { base, settings: readFileSync(path) };
}

const SHARED = await openShared();

function laneBase(folder: string, clock: HandClock, terminal: Partial<Base['config']['terminal']>): Base {
  const { base, settings } = SHARED;
  base.metrics.registry.clear(); // those of the lane before
  const config = { ...base.config, terminal: { ...base.config.terminal, ...terminal } };
  const dataDir = { path: folder, file: (name: string) => join(folder, name), release: () => undefined };
  writeFileSync(dataDir.file('settings.json'), settings);
  return { ...base, clock, config, dataDir };
}

/** What a lane has noted of its display when it was stopped, for the next one on its database. */
const notedBefore = new WeakMap<DatabaseSync, string>();

/** The clocks of the lanes that are open, each as often as there are lanes. */
const moving: HandClock[] = [];
/** How often a lane is looked at before what comes from outside of its clock is waited for: a bank's socket, a thread. */
const LOOKS_AT_ONCE = 2000;
/** How often it is looked at then, and the pause before each. */
const LOOKS_OUTSIDE = 1000;
const OUTSIDE_PAUSE_MS = 10;
const STEP_MS = 10;
/** After so many looks what is waited for is far away: a late check, a longer pause of the bank. */
const LOOKS_CLOSELY = 1000;
const LONG_STEP_MS = 100;

/** Waits for a fact of the open lanes: time passes on their clocks until it has come about. */
export async function until<T>(what: string, check: () => Promise<T> | T): Promise<NonNullable<T>> {
  const atOnce = moving.length === 0 ? 0 : LOOKS_AT_ONCE;
  for (let looks = 0; ; looks += 1) {
    const value = await check();
    if (value !== undefined && value !== null && value !== false) return value;
    if (looks >= atOnce + LOOKS_OUTSIDE)
      throw new Error(`${what}: not after ${looks} looks, which saw ${inspect(value)}`);
    for (const clock of new Set(moving)) await clock.step(looks < LOOKS_CLOSELY ? STEP_MS : LONG_STEP_MS);
    if (looks >= atOnce) await pause(OUTSIDE_PAUSE_MS);
  }
}

const required = (opened: TestMoney | null): TestMoney => {
  if (opened === null) throw new Error('no book was opened');
  return opened;
};

export async function openLane(parts: LaneParts = {}): Promise<Lane> {
  const { bank = new TestBank(), clock = new HandClock(), symbolMs = 20, unreadMs = 120_000 } = parts;
  const folder = temporaryFolder();
  const db = parts.db ?? openDatabase(':memory:', MONEY_MIGRATIONS, 0).db;
  const shownCode = join(folder.path, 'on-display');
  const noted = (): string => (existsSync(shownCode) ? readFileSync(shownCode, 'utf8').trimEnd() : '');
  writeFileSync(shownCode, notedBefore.get(db) ?? '');
  let opened: TestMoney | null = null;
  const openMoney = (described: Described): Money => {
    opened = new TestMoney(Book.over(db, moneyPlan(described)));
    opened.payments.fullFor = parts.fullFor ?? [];
    return opened;
  };
  let display: TestDisplay | null = null;
  let isStopped = false;
  const openTestDisplay = (options: DisplayOptions): Display => {
    display = new TestDisplay(options);
    return display;
  };
  const terminal = buildTerminal(laneBase(folder.path, clock, { unreadMs }), SEALER, null, {
    banks: parts.real?.pool ?? new TestPool(bank, clock),
    openMoney,
    openDisplay: (_connection, options) => (parts.open ?? openTestDisplay)(options),
    pace: { ...PACING, displayPatienceMs: 1000, ...parts.pacing, symbolMs },
    random: parts.random ?? (() => 0.5),
  });
  const { payments: ledger } = required(opened);
  await terminal.start();
  moving.push(clock);
  const { screen, view, payments, refunds } = terminal;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    moving.splice(moving.indexOf(clock), 1);
    await terminal.close();
    notedBefore.set(db, noted());
    folder[Symbol.dispose]();
  };
  const showQR: Lane['showQR'] = async (amount, details = {}) => {
    const { purpose = null, ttl = 5, gone, caller = callerNamed(null, gone), ...settings } = details;
    const used = { ...SETTINGS, ...(parts.real && { profile: parts.real.profile }), ...settings };
    return besideSuccess((await payments.startSale(used, { amount, purpose, ttl }, caller, null)).warnings);
  };
  return {
    terminal,
    bank,
    clock,
    db,
    ledger,
    screen,
    get display() {
      if (display === null) throw new Error('this lane has another display');
      return display;
    },
    view,
    payments,
    refunds,
    get noted() {
      return noted();
    },
    showQR,
    showStatic: (staticQR) => showQR(1, { profile: { bankName: 'Static', staticQR } }),
    metrics: () => SHARED.base.metrics.registry.metrics(),
    health: () => SHARED.base.health.report(),
    bankId: (n) => `bank-${bank.registered[n]?.orderId}`,
    stop,
    [Symbol.asyncDispose]: async () => {
      bank.release(); // a test that failed on the way must not wait for ever
      await stop();
    },
  };
}

/** The same database in the next process. */
export async function restarted(lane: Lane, parts: LaneParts = {}): Promise<Lane> {
  await lane.stop();
  const { bank, clock, db } = lane;
  return openLane({ bank, clock, db, ...parts });
}

/** A test on a lane of its own. */
export const onLane = (run: (lane: Lane) => Promise<void>, parts?: LaneParts) => async (): Promise<void> => {
  await using opened = await openLane(parts);
  await run(opened);
};

/** The same with other parts than the usual ones. */
export const onLaneWith = (parts: LaneParts) => (run: (lane: Lane) => Promise<void>) => onLane(run, parts);

export const refusal = (call: Promise<unknown>) => failed(TerminalError, call);

/** What the codes among some pictures carry. */
export const codes = (pictures: readonly Picture[]): string[] =>
  pictures.flatMap((picture) => (picture.kind === 'qr' ? [picture.payload] : []));

export const ended = (l: Lane, state: string): Promise<boolean> =>
  until(state, () => l.payments.status().status === state);

/** The bank reports that of the payment that was registered as the n-th, and the status says so. */
export const report = async (l: Lane, verdict: 'accepted' | 'rejected' | 'canceled', n = 0): Promise<void> => {
  l.bank.verdicts.set(l.bankId(n), verdict);
  await ended(l, verdict.toUpperCase());
};

export const registered = ({ bank }: Lane, n = 1): Promise<boolean> =>
  until(`registration ${n}`, () => bank.registered.length === n);

/** Waits until the bank has been asked `n` more times. */
export async function asked({ bank }: Lane, n = 2): Promise<void> {
  const before = bank.questions;
  await until('questions to the bank', () => bank.questions >= before + n);
}

/** Turns the clock past a payment's ttl and grace. */
export function pastTheEnd({ clock }: Lane, ttl = 5): void {
  clock.now += ttl * MINUTE_MS + PACING.graceMs + 1;
}

/** What became of the payments, oldest first: amount and state, as `100 PENDING`. */
export const states = ({ ledger }: Lane): string[] =>
  paymentsAfter(ledger, 0, 100).map(({ amount, status }) => `${amount} ${status.state}`);
