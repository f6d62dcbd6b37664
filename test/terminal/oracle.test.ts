/**
 * Random lives of a lane, beside a bank that keeps its own book: no retry is charged twice, no charge is lost, and nothing
 * reads ACCEPTED that was not charged. RUNS=5000 tries more of them, SEED=n repeats a run.
 */

import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import {
  type BankRef,
  type BankReport,
  type CancelOutcome,
  type Order,
  type Registering as Step,
  UNREPORTED,
} from '../../firmware/banks/bank-payment.ts';
import { openDatabase } from '../../firmware/core/files/database.ts';
import { paidBefore } from '../../firmware/payments/model/payment-failures.ts';
import { TerminalError } from '../../firmware/payments/model/terminal-error.ts';
import { MONEY_MIGRATIONS } from '../../firmware/payments/money/money-schema.ts';
import { temporaryFolder } from '../support.ts';
import { HandClock, type Lane, MINUTE_MS, openLane, TestBank, unreachable } from './harness.ts';
import { paymentsAfter } from './ledger-rows.ts';

const RUNS = Number(process.env.RUNS ?? 250);
const SEED = Number(process.env.SEED ?? Date.now() % 100_000);
const test = suite(`random lives of a lane (${RUNS} runs, SEED=${SEED})`);

const PACING = { askingSpeed: 1, graceMs: 30_000 };
const TTL_MINUTES = 5;
/** After this long the same amount is another sale, even if the bank does not answer. */
const AFTERMATH_MS = 60 * MINUTE_MS;

interface Sale {
  readonly amount: number;
  readonly purpose?: string;
  readonly profileName: string;
}

const SALES: readonly Sale[] = [
  { amount: 100, profileName: 'p' },
  { amount: 200, profileName: 'p' },
  { amount: 100, purpose: 'milk', profileName: 'p' },
  { amount: 100, profileName: 'q' },
];

type Silence = 'no answer' | '404' | 'nonsense' | null;
type Registering = 'right' | 'no answer' | 'answer lost' | 'refused' | 'id of another' | 'code of another';

/** A payment in the bank's book. */
interface Entry {
  readonly id: string;
  readonly code: string;
  readonly orderId: string;
  readonly bornAt: number;
  /** Whether the bank has ever called it declined. */
  wasDeclined: boolean;
  state: 'open' | 'confirming' | 'rejected' | 'withdrawn' | 'charged';
  charges: number;
  chargedAt: number;
}

/** Keeps its own book, as honest as its silences let it be. */
class OracleBank extends TestBank {
  readonly book: Entry[] = [];
  silence: Silence = null;
  registering: Registering = 'right';
  /** What happens elsewhere while it registers. */
  meanwhile: () => void = () => undefined;
  readonly #clock: HandClock;

  constructor(clock: HandClock, canCancel: boolean) {
    super();
    this.#clock = clock;
    if (canCancel) this.cancel = async ({ id }): Promise<CancelOutcome> => this.#withdraw(id);
  }

  override async begin({ orderId }: Order): Promise<Step> {
    const mode = this.registering;
    this.registering = 'right';
    this.meanwhile();
    this.meanwhile = () => undefined;
    if (mode === 'no answer') throw unreachable();
    if (mode === 'refused') throw new BankError('refused', 'no');
    const n = this.book.length;
    const entry: Entry = {
      id: `id-${n}`,
      code: `https://pay.example/${n}`,
      orderId,
      bornAt: this.#clock.now,
      wasDeclined: false,
      state: 'open',
      charges: 0,
      chargedAt: 0,
    };
    const [other] = this.book;
    this.book.push(entry);
    if (mode === 'answer lost') throw unreachable();
    const bankId = mode === 'id of another' && other !== undefined ? other.id : entry.id;
    const payload = mode === 'code of another' && other !== undefined ? other.code : entry.code;
    return { ref: { id: bankId }, code: { payload, linkId: null, isPage: true } };
  }

  override async status({ id: bankId }: BankRef): Promise<BankReport> {
    const { state, wasDeclined } = this.of(bankId);
    this.#speak(wasDeclined && (state === 'confirming' || state === 'charged'));
    const verdict = {
      open: 'pending',
      confirming: 'processing',
      rejected: 'rejected',
      withdrawn: 'canceled',
      charged: 'accepted',
    } as const;
    return { ...UNREPORTED, verdict: verdict[state], ids: [bankId] };
  }

  of(id: string): Entry {
    const entry = this.book.find((candidate) => candidate.id === id);
    if (entry === undefined) throw new Error(`the bank has no payment ${id}`);
    return entry;
  }

  isPayable({ state, bornAt }: Entry): boolean {
    const lives = this.#clock.now < bornAt + TTL_MINUTES * MINUTE_MS;
    return state === 'confirming' || (lives && (state === 'open' || state === 'rejected'));
  }

  /** @param isPaidAfterAll it was declined, and is paid now: of that no bank denies to know */
  #speak(isPaidAfterAll: boolean): void {
    if (this.silence === 'no answer') throw unreachable();
    if (this.silence === '404' && !isPaidAfterAll) throw new BankError('refused', 'the bank refused (HTTP 404)');
    if (this.silence === 'nonsense') throw new BankError('contradiction', 'the bank returned no state of the payment');
  }

  #withdraw(id: string): CancelOutcome {
    const entry = this.of(id);
    if (this.silence !== null) {
      // its answer is lost, not always its action
      if (entry.state === 'open' && this.book.length % 2 === 0) entry.state = 'withdrawn';
      throw unreachable();
    }
    if (entry.state === 'charged' || entry.state === 'confirming') return 'already-paid';
    entry.state = 'withdrawn';
    return 'withdrawn';
  }
}

type Action =
  | {
      readonly type: 'ask';
      readonly sale: number;
      readonly registering: Registering;
      readonly hangsUp: boolean;
      readonly meanwhile: Meanwhile;
    }
  | { readonly type: 'static' }
  | { readonly type: 'read' }
  | { readonly type: 'clear' }
  | { readonly type: 'redraw' }
  | { readonly type: 'scan' }
  | { readonly type: 'confirm' | 'decline' | 'pay' }
  | { readonly type: 'silence'; readonly silence: Silence }
  | { readonly type: 'display'; readonly breaks: boolean }
  | { readonly type: 'pass'; readonly ms: number }
  | { readonly type: 'restart'; readonly how: 'orderly' | 'killed' | 'booted' };
type Meanwhile = 'nothing' | 'pay' | 'decline' | 'read' | 'clear';

const often = <T>(weight: number, ...values: readonly T[]) => ({ weight, arbitrary: fc.constantFrom(...values) });

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('ask' as const),
      sale: fc.oneof(often(3, 0), { weight: 2, arbitrary: fc.nat(SALES.length - 1) }),
      registering: fc.oneof(
        often<Registering>(8, 'right'),
        often<Registering>(2, 'no answer', 'answer lost', 'refused', 'id of another', 'code of another'),
      ),
      hangsUp: fc.oneof(often(6, false), often(1, true)),
      meanwhile: fc.oneof(often<Meanwhile>(5, 'nothing'), often<Meanwhile>(2, 'pay', 'decline', 'read', 'clear')),
    }),
  },
  often<Action>(3, { type: 'scan' }),
  often<Action>(6, { type: 'pay' }, { type: 'pay' }, { type: 'confirm' }, { type: 'decline' }),
  often<Action>(4, { type: 'read' }),
  often<Action>(2, { type: 'clear' }, { type: 'redraw' }, { type: 'static' }),
  often<Action>(
    3,
    ...(['no answer', '404', 'nonsense', null, null] as const).map(
      (silence) => ({ type: 'silence', silence }) as const,
    ),
  ),
  often<Action>(1, { type: 'display', breaks: true }, { type: 'display', breaks: false }),
  often<Action>(
    4,
    ...[2000, 2000, 20_000, 2.6 * MINUTE_MS, 4 * MINUTE_MS, 6 * MINUTE_MS].map((ms) => ({ type: 'pass', ms }) as const),
  ),
  often<Action>(1, ...(['orderly', 'killed', 'booted'] as const).map((how) => ({ type: 'restart', how }) as const)),
);

const life = fc.record({
  canCancel: fc.boolean(),
  actions: fc.array(action, { minLength: 4, maxLength: 40, size: 'max' }),
});

/** A lane, its till, its customer and its bank. */
class World implements AsyncDisposable {
  readonly #clock = new HandClock();
  readonly #bank: OracleBank;
  readonly #folder = temporaryFolder();
  #copies = 0;
  #lane: Lane | null = null;
  /** The sale of each code that was on the display, by the bank's id. */
  readonly #shown = new Map<string, Sale>();
  /** What the till knows to be paid, by the bank's id. */
  readonly #knownPaid = new Set<string>();
  /** Payments whose status the till has asked for. */
  readonly #askedAbout = new Set<string>();
  /** Payments whose acceptance the display has shown. */
  readonly #watched = new Set<string>();
  /** The code that the customer has scanned. */
  #scanned: Entry | null = null;
  calls = { shown: 0, again: 0, paidBefore: 0, held: 0, charges: 0 };

  constructor(canCancel: boolean) {
    this.#bank = new OracleBank(this.#clock, canCancel);
  }

  get lane(): Lane {
    if (this.#lane === null) throw new Error('there is no lane yet');
    return this.#lane;
  }

  async open(db = openDatabase(':memory:', MONEY_MIGRATIONS, 0).db): Promise<void> {
    const opening = openLane({ bank: this.#bank, clock: this.#clock, db, pacing: PACING });
    this.#lane = await this.#settled(opening);
    this.lane.screen.onChange(() => this.#look());
  }

  /** Lets time pass until something has come about. */
  async #settled<T>(promise: Promise<T>): Promise<T> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    promise.then(over, over);
    for (let n = 0; !isOver; n += 1) {
      for (let m = 0; m < 4 && !isOver; m += 1) await turn();
      if (!isOver) await this.#tick(50);
      if (n > 1000) throw new Error('a call does not end');
    }
    return promise;
  }

  async #tick(ms: number): Promise<void> {
    mock.timers.tick(ms);
    await this.#clock.advance(ms);
  }

  async #pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 5000) await this.#tick(Math.min(left, 5000));
  }

  /** What the customer and the cashier see changes. */
  #look(): void {
    const { screen, ledger } = this.lane;
    if (screen.picture.kind === 'status' && screen.picture.status === 'success') {
      const last = ledger.last();
      if (last?.ref) this.#watched.add(last.ref.id);
    }
    const shown = screen.payment === null ? null : ledger.find(screen.payment);
    if (shown === null || shown.status.state === 'STATIC') return;
    assert.is.not(shown.status.state, 'ACCEPTED', 'the code of a paid payment is on the display');
    assert.is(shown.orderId, ledger.last()?.orderId, 'the code of another call than the last is on the display');
  }

  #entryOf(orderId: string | null): Entry | null {
    const bankId = orderId === null ? null : this.lane.ledger.find(orderId)?.ref?.id;
    return bankId ? this.#bank.of(bankId) : null;
  }

  async do(step: Action): Promise<void> {
    const { lane } = this;
    switch (step.type) {
      case 'ask':
        await this.#ask(step);
        break;
      case 'static':
        await this.#settled(lane.showStatic('https://pay.example/static')).catch((error) =>
          this.#refused(null, error, false),
        );
        break;
      case 'clear':
        await this.#clear();
        break;
      case 'redraw':
        await this.#settled(lane.payments.redraw('PENDING')).catch(expectRefusal);
        break;
      case 'silence':
        this.#bank.silence = step.silence;
        break;
      case 'display':
        lane.display.breaks = step.breaks;
        break;
      case 'pass':
        await this.#pass(step.ms);
        break;
      case 'restart':
        await this.#restart(step.how);
        break;
      default:
        this.#act(step.type);
    }
    this.#check();
  }

  #act(act: Meanwhile | 'scan' | 'confirm'): void {
    if (act === 'scan') this.#scan();
    else if (act === 'read') this.#read();
    else if (act === 'clear') void this.#clear();
    else if (act !== 'nothing') this.#customer(act);
  }

  async #clear(): Promise<void> {
    this.lane.payments.endSales();
    this.#shown.clear(); // what comes next is another customer's
    await this.#settled(this.lane.view.clear()).catch(expectRefusal);
  }

  #scan(): void {
    const { picture, payment } = this.lane.screen;
    if (picture.kind === 'qr' && payment !== null) this.#scanned = this.#entryOf(payment);
  }

  #customer(act: 'pay' | 'confirm' | 'decline'): void {
    this.#scanned ??= this.#entryOf(this.lane.screen.payment);
    const entry = this.#scanned;
    if (entry === null || !this.#bank.isPayable(entry)) return;
    if (act === 'decline') entry.wasDeclined = true;
    if (act === 'decline') entry.state = 'rejected';
    if (act === 'confirm') entry.state = 'confirming';
    if (act !== 'pay') return;
    entry.state = 'charged';
    entry.charges += 1;
    entry.chargedAt = this.#clock.now;
    this.calls.charges += 1;
    this.#scanned = null;
  }

  #read(): void {
    const status = this.lane.payments.status();
    const entry = this.#entryOf(status.orderId);
    if (status.status === 'ACCEPTED') assert.ok(entry?.charges, 'ACCEPTED without a charge');
    if (entry !== null) {
      this.#askedAbout.add(entry.id);
      if (status.status === 'ACCEPTED') this.#knownPaid.add(entry.id);
    }
    this.lane.payments.markHandled(status);
  }

  async #ask({ sale: index, registering, hangsUp, meanwhile }: Extract<Action, { type: 'ask' }>): Promise<void> {
    const sale = SALES[index] as Sale;
    const charged = this.#chargedBefore();
    const known = this.#bank.book.length;
    this.#bank.registering = registering;
    this.#bank.meanwhile = () => this.#act(meanwhile);
    const details = { ...sale, ttl: TTL_MINUTES, ...(hangsUp && { gone: AbortSignal.abort() }) };
    try {
      await this.#settled(this.lane.showQR(sale.amount, details));
      this.#answered(sale, charged, known);
    } catch (error) {
      this.#refused(sale, error, hangsUp);
    } finally {
      this.#bank.meanwhile = () => undefined;
      this.#bank.registering = 'right';
    }
  }

  /** Ids of what the bank had charged before a call. */
  #chargedBefore(): ReadonlySet<string> {
    return new Set(this.#bank.book.filter(({ charges }) => charges > 0).map(({ id }) => id));
  }

  /** A code is on the display: it may ask no customer to pay twice. @param known payments that the bank had before */
  #answered(sale: Sale, charged: ReadonlySet<string>, known: number): void {
    const last = this.lane.ledger.last();
    assert.equal(saleOf(last), sale, 'the status speaks of another sale than was asked for');
    const code = this.#entryOf(last?.orderId ?? null);
    if (code === null) throw new Error('a code of no payment is on the display');
    const isNew = this.#bank.book.indexOf(code) >= known;
    this.calls[isNew ? 'shown' : 'again'] += 1;
    for (const [id, other] of this.#shown) {
      if (id === code.id || JSON.stringify(other) !== JSON.stringify(sale) || !isNew) continue;
      const entry = this.#bank.of(id);
      // of what was declined silence counts as long as its code lives
      if (entry.wasDeclined && this.#clock.now >= entry.bornAt + TTL_MINUTES * MINUTE_MS + PACING.graceMs - 5000)
        continue;
      if (charged.has(id))
        assert.ok(this.#isKnown(entry), `${id} is charged, and ${code.id} is shown for the same sale`);
      else if (entry.charges === 0)
        assert.ok(
          entry.state === 'rejected' || !this.#bank.isPayable(entry),
          `${id} may be paid, and so may ${code.id}`,
        );
    }
    this.#shown.set(code.id, sale);
  }

  /** Whether the till knows that a payment was paid, or so much time has passed that it is no matter of this sale. */
  #isKnown({ id, bornAt }: Entry): boolean {
    const isWatched = this.#watched.has(id) && !this.#askedAbout.has(id);
    const isLongAgo = this.#clock.now >= bornAt + TTL_MINUTES * MINUTE_MS + PACING.graceMs + AFTERMATH_MS;
    return this.#knownPaid.has(id) || isWatched || isLongAgo;
  }

  #refused(sale: Sale | null, error: unknown, isUnheard: boolean): void {
    expectRefusal(error);
    const paid = paidBefore(error);
    for (const { ref } of paid) {
      const bankId = ref?.id ?? null;
      assert.ok(bankId !== null && this.#bank.of(bankId).charges > 0, 'PreviousPaid of what was not paid');
      assert.not(this.#knownPaid.has(bankId), `${bankId} was reported already`);
      if (!isUnheard) this.#knownPaid.add(bankId);
    }
    this.calls[paid.length > 0 ? 'paidBefore' : 'held'] += 1;
    const { status, orderId } = this.lane.payments.status();
    if (paid.length > 0) assert.is(status, isUnheard ? 'ERROR' : 'ACCEPTED');
    else if (status === 'ACCEPTED')
      assert.equal(
        saleOf(orderId === null ? null : this.lane.ledger.find(orderId)),
        sale,
        'another sale passes for paid',
      );
  }

  async #restart(how: 'orderly' | 'killed' | 'booted'): Promise<void> {
    const before = this.lane;
    this.#scan();
    let { db } = before;
    if (how === 'orderly') await this.#settled(before.stop());
    else {
      // what is on the disk at this moment; the process goes on with a ledger that is not read
      const copy = join(this.#folder.path, `${this.#copies}.db`);
      this.#copies += 1;
      before.db.exec(`VACUUM INTO '${copy}'`);
      db = openDatabase(copy, MONEY_MIGRATIONS, 0).db;
      db.exec('PRAGMA synchronous = OFF');
      await this.#settled(before.stop());
    }
    if (how === 'booted') {
      this.#clock.bootId = `boot-${this.#copies + 1}`;
      this.#clock.now += 20_000;
    }
    await this.open(db);
  }

  /** What must be so at any time. */
  #check(): void {
    const rows = paymentsAfter(this.lane.ledger, 0, 10_000);
    const ids = rows.flatMap(({ ref }) => (ref === null ? [] : [ref.id]));
    assert.is(new Set(ids).size, ids.length, "a bank's id is in the ledger twice");
    for (const { ref, status } of rows) {
      const bankId = ref?.id;
      if (status.state === 'ACCEPTED')
        assert.ok(bankId && this.#bank.of(bankId).charges > 0, 'ACCEPTED without a charge');
    }
  }

  /** The bank reports everything at last: every charge is in the ledger, and each unread one is pointed out. */
  async end(): Promise<void> {
    this.#bank.silence = null;
    for (const entry of this.#bank.book) if (entry.state === 'confirming') entry.state = 'rejected';
    await this.#pass(15 * MINUTE_MS);
    for (let hour = 0; hour < 2; hour += 1) await this.#pass(60 * MINUTE_MS);
    this.#check();
    for (const { id, charges } of this.#bank.book) {
      assert.ok(charges <= 1, `${id} was charged ${charges} times`);
      if (charges === 0) continue;
      const row = paymentsAfter(this.lane.ledger, 0, 10_000).find(({ ref }) => ref?.id === id);
      assert.is(row?.status.state, 'ACCEPTED', `the charge of ${id} is not in the ledger`);
      const isHeard = this.#watched.has(id) || this.lane.ledger.last()?.ref?.id === id || this.#knownPaid.has(id);
      if (!isHeard) assert.ok(row?.status.late, `no till has read that ${id} was paid, and it is not late`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#settled(this.lane.stop());
    this.#folder[Symbol.dispose]();
  }
}

const saleOf = (row: ReturnType<Lane['ledger']['last']>): Sale | null =>
  row && { amount: row.amount, ...(row.purpose !== null && { purpose: row.purpose }), profileName: row.profile };

function expectRefusal(error: unknown): void {
  if (!(error instanceof TerminalError)) throw error;
  assert.is.not(error.category, 'Internal', error.message);
}

test('no retry is charged twice, no charge is lost, nothing reads ACCEPTED that was not charged', async () => {
  const all = { shown: 0, again: 0, paidBefore: 0, held: 0, charges: 0 };
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    await fc.assert(
      fc.asyncProperty(life, async ({ canCancel, actions }) => {
        await using world = new World(canCancel);
        await world.open();
        for (const step of actions) await world.do(step);
        await world.end();
        for (const [what, count] of Object.entries(world.calls)) all[what as keyof typeof all] += count;
      }),
      { numRuns: RUNS, seed: SEED, includeErrorInReport: true },
    );
  } finally {
    mock.timers.reset();
  }
  process.stdout.write(`${JSON.stringify(all)}\n`);
  assert.ok(
    Object.values(all).every((count) => count > 0),
    'every kind of answer was given',
  );
});

test.run();
