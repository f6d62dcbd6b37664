/**
 * Random lives of a book of money with one fault each, against a plain model of what was acknowledged. SEED=7 draws one life again,
 * RUNS=300 draws more.
 */

import fs, {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isOfStorage } from '../../firmware/core/files/write-failure.ts';
import { REGISTERING } from '../../firmware/payments/model/payment.ts';
import { NOBODY } from '../../firmware/payments/model/refund.ts';
import { LedgerMaintenance } from '../../firmware/payments/money/ledger-maintenance.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { Shifts } from '../../firmware/payments/reports/shifts/shifts.ts';
import { temporaryFolder } from '../support.ts';
import { NOW, newPayment } from '../terminal/ledger-rig.ts';
import { paymentsAfter } from '../terminal/ledger-rows.ts';
import { seeded } from '../tools/seeded.ts';

const SEED = Number(process.env.SEED ?? 1);
const RUNS = Number(process.env.RUNS ?? 5);
const test = suite(`lives of a book of money (SEED=${SEED})`);

const DAY_MS = 86_400_000;

type Random = (below: number) => number;

function randomOf(seed: number): Random {
  const next = seeded(seed);
  return (below) => Math.floor(next() * below);
}

interface Sale {
  readonly amount: number;
  isPaid: boolean;
  refunded: number;
}

/** What was acknowledged. */
class Model {
  readonly sales = new Map<string, Sale>();
  readonly refunds = new Map<string, number>();
  /** Kopecks that each closed shift has taken and given back. */
  readonly shifts = new Map<number, string>();

  copy(): Model {
    return Object.assign(new Model(), structuredClone({ ...this }));
  }
}

/** The calls that change files, one after the other: each may be looked at before it is made, or fail. */
const pick = ({ writeSync, fdatasyncSync, fsyncSync, renameSync }: typeof fs) => ({
  ...{ writeSync, fdatasyncSync, fsyncSync, renameSync },
});

class Calls implements Disposable {
  readonly #own = pick(fs);
  readonly #exec = DatabaseSync.prototype.exec;
  before: (name: string, bytes: unknown) => void = () => undefined;

  constructor() {
    const calls = this;
    for (const [name, own] of Object.entries<CallableFunction>(this.#own))
      Object.assign(fs, {
        [name]: (...args: unknown[]) => {
          this.before(name, args[1]);
          return own(...args);
        },
      });
    syncBuiltinESMExports();
    const exec = this.#exec;
    DatabaseSync.prototype.exec = function (sql: string) {
      if (/^(BEGIN|COMMIT)/.test(sql)) calls.before(sql, null);
      exec.call(this, sql);
    };
  }

  [Symbol.dispose](): void {
    Object.assign(fs, this.#own);
    syncBuiltinESMExports();
    DatabaseSync.prototype.exec = this.#exec;
  }
}

class Life implements AsyncDisposable {
  readonly #folder = temporaryFolder();
  readonly #medium = temporaryFolder();
  readonly random: Random;
  readonly second: string | null;
  now = NOW;
  model = new Model();
  money: Money;
  keeper: LedgerMaintenance;
  #shifts: Shifts;
  /** No two have orders of one name. */
  readonly #device: number;
  #sold = 0;
  /** Number of the last event that a reader may have seen. */
  seen = 0;

  constructor(random: Random) {
    this.random = random;
    this.#device = random(100_000_000);
    this.second = random(2) === 0 ? this.#medium.path : null;
    [this.money, this.keeper, this.#shifts] = this.#open();
  }

  get folder(): string {
    return this.#folder.path;
  }

  file(name = 'money.db'): string {
    return join(this.folder, name);
  }

  /** Files of the book. */
  get files(): string[] {
    const journal = this.file('money.journal');
    return ['money.db', 'money.db-wal']
      .map((name) => this.file(name))
      .concat(readdirSync(journal).map((name) => join(journal, name)))
      .filter((path) => existsSync(path) && statSync(path).size > 0);
  }

  async reopen(): Promise<void> {
    [this.money, this.keeper, this.#shifts] = this.#open();
    await this.keeper.whenRebuilt();
    this.#shifts.begin();
  }

  async end(): Promise<void> {
    await this.keeper.close();
    this.money.book.close();
  }

  /** One thing that a lane does. What is acknowledged is in the model when it returns. */
  async step(): Promise<void> {
    const what = this.random(20);
    if (what < 9) this.sell();
    else if (what < 13) this.#refund();
    else if (what < 15) this.closeShift();
    else if (what === 15) this.now += DAY_MS;
    else if (what === 16) await this.keeper.compare();
    else if (what === 17) await this.rest();
    else if (what === 18) this.now += (this.random(3) - 1) * 400 * DAY_MS;
    else this.now += 100 * DAY_MS;
    this.seen = Math.max(this.seen, this.money.book.problem === null ? this.money.book.lastEvent : 0);
  }

  /** As a device does it each few seconds: what was journalled counts, and another shift may be open. */
  tryAgain(): void {
    if (this.money.book.tryOpening()) this.#shifts.begin();
  }

  async rest(): Promise<void> {
    await this.keeper.passMinute();
    await this.keeper.passMinute();
  }

  sell(): void {
    this.#sold += 1;
    const { payments } = this.money;
    const [orderId, amount] = [`order-${this.#device}-${this.#sold}`, 100 + this.random(1_000_000)];
    payments.insert({ ...newPayment(1), orderId, amount, createdAt: this.now });
    const sale = { amount, isPaid: false, refunded: 0 };
    this.model.sales.set(orderId, sale);
    payments.intendToShow(orderId, `https://pay.example/${orderId}`, { id: orderId, step: 'one' });
    payments.setStatus(orderId, { ...REGISTERING, seen: true, state: 'ACCEPTED', unreported: true }, this.now);
    sale.isPaid = true;
    payments.setStatus(orderId, { ...REGISTERING, seen: true, state: 'ACCEPTED' }, this.now);
  }

  #refund(): void {
    const open = [...this.model.sales].filter(([, { isPaid, amount, refunded }]) => isPaid && refunded < amount);
    const [orderId, sale] = open[this.random(Math.max(1, open.length))] ?? [];
    if (orderId === undefined || sale === undefined) return;
    const { payments, refunds } = this.money;
    const amount = 1 + this.random(sale.amount - sale.refunded);
    const refundId = `r-${orderId}-${sale.refunded}-${amount}-${this.#sold}`;
    const bank = { profile: 'main', bank: 'CFT', refundedBefore: sale.refunded, createdAt: this.now };
    if (refunds.ofTill(refundId, null) !== null) return;
    refunds.insert({ ...bank, refundId, tillId: refundId, orderId, amount, refundedBy: null, requester: NOBODY });
    refunds.table.change(() => {
      payments.setTransaction(orderId, {
        trxId: null,
        paidAt: null,
        refunded: sale.refunded + amount,
        payer: null,
        paidBy: null,
      });
      refunds.record(refundId, { state: 'done', bankRefundId: null, reason: null, endedAt: this.now });
    });
    sale.refunded += amount;
    this.model.refunds.set(refundId, amount);
  }

  closeShift(): void {
    const { shift } = this.#shifts.close({ till: null, cashier: null }, null);
    this.model.shifts.set(shift.number, JSON.stringify(shift.report));
  }

  /** What the book has is what was acknowledged; of the last step of a cut life more may be there. */
  verify(model: Model, when: string): void {
    const { payments, refunds, shifts } = this.money;
    const rows = new Map(paymentsAfter(payments, 0, 10_000).map((row) => [row.orderId, row]));
    for (const [orderId, { amount, isPaid, refunded }] of model.sales) {
      const row = rows.get(orderId);
      assert.is(row?.amount, amount, `${when}: ${orderId}`);
      if (isPaid) assert.is(row?.status.state, 'ACCEPTED', `${when}: ${orderId}`);
      assert.ok(Number(row?.refunded) >= refunded, `${when}: refunded of ${orderId}`);
      assert.is(payments.find(orderId)?.id, row?.id, `${when}: index of ${orderId}`);
    }
    for (const [refundId, amount] of model.refunds) {
      const { amount: kept, state } = refunds.get(refundId);
      assert.equal([kept, state], [amount, 'done'], `${when}: ${refundId}`);
    }
    for (const [orderId, row] of rows)
      assert.is(
        refunds.of(orderId).reduce((sum, { state, amount }) => sum + (state === 'done' ? amount : 0), 0),
        row.refunded,
        `${when}: refunds of ${orderId}`,
      );
    for (const [number, report] of model.shifts)
      assert.is(JSON.stringify(shifts.closed(number)?.report), report, `${when}: shift ${number}`);
    for (const { number, report } of shifts.list(1_000_000, 1000)) {
      const sum = (of: 'accepted' | 'refunds'): number =>
        report.groups.reduce((total, group) => total + group[of].sum, 0);
      const taken = [...rows.values()].filter(({ shift }) => shift === number);
      const given = refunds.doneIn(number, 0).reduce((total, { amount }) => total + amount, 0);
      assert.equal(
        [sum('accepted'), sum('refunds')],
        [taken.reduce((total, { amount }) => total + amount, 0), given],
        `${when}: sums of shift ${number}`,
      );
    }
  }

  /** Each thing that was acknowledged has its event, and no two have one number. */
  verifyEvents(model: Model): void {
    const events = this.money.payments.table.all('SELECT type, order_id FROM events');
    const known = new Set(events.map(({ type, order_id }) => `${type} ${order_id}`));
    for (const [orderId, { isPaid }] of model.sales) {
      assert.ok(known.has(`payment.created ${orderId}`), `event of ${orderId}`);
      if (isPaid) assert.ok(known.has(`payment.accepted ${orderId}`), `event of the acceptance of ${orderId}`);
    }
    assert.is(
      events.filter(({ type }) => type === 'payment.accepted').length,
      [...known].filter((event) => event.startsWith('payment.accepted')).length,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    this.#folder[Symbol.dispose]();
    this.#medium[Symbol.dispose]();
  }

  #open(): [Money, LedgerMaintenance, Shifts] {
    const file = { path: this.file(), secondFolder: this.second, now: () => this.now };
    const money = Money.open(file, {
      payment: ({ orderId }) => ({ orderId }),
      refund: ({ refundId }) => ({ refundId }),
    });
    const nothing = () => undefined;
    const clock = { wall: () => this.now };
    const keeper = new LedgerMaintenance(money.book, clock, 5, { onRepaired: nothing, onOpened: nothing }, nothing);
    const { payments: ledger, refunds, shifts: book } = money;
    return [
      money,
      keeper,
      new Shifts({ config: { shiftCloseAt: null }, book, ledger, refunds, clock, care: keeper, log: nothing }),
    ];
  }
}

/** Lives until a call of a drawn number, and leaves the files as they are then. @returns what was acknowledged till then */
async function cutLife(life: Life, hasPower: boolean): Promise<Model> {
  using aside = temporaryFolder();
  using calls = new Calls();
  const cut = join(aside.path, 'cut');
  const database = readFileSync(life.file());
  let left = life.random(250);
  let isLineSynced = true;
  let model: Model | null = null;
  calls.before = (name, bytes) => {
    if (model !== null) return;
    left -= 1;
    if (left <= 0) {
      cpSync(life.folder, cut, { recursive: true, filter: (path) => !path.endsWith('-shm') });
      model = life.model.copy();
    } else if (name === 'fdatasyncSync') isLineSynced = true;
    else if (name === 'writeSync' && String(bytes).includes('{"n":')) isLineSynced = false;
  };
  for (let n = 0; n < 60 && model === null; n += 1) await life.step();
  await life.end();
  if (model === null) return life.model;
  rmSync(life.folder, { recursive: true });
  cpSync(cut, life.folder, { recursive: true });
  const wal = life.file('money.db-wal');
  // nothing of SQLite's log is synced before it is brought into the file
  const isUnsynced = existsSync(wal) && readFileSync(life.file()).equals(database);
  if (!hasPower && isUnsynced) truncateSync(wal, life.random(statSync(wal).size + 1));
  if (!hasPower && !isLineSynced) tearLastLine(life);
  return model;
}

function tearLastLine(life: Life): void {
  const path = life.files.findLast((file) => file.endsWith('.log'));
  if (path === undefined) return;
  const bytes = readFileSync(path);
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  const start = bytes.lastIndexOf('\n', end - 2) + 1;
  writeFileSync(path, start === 0 ? bytes : bytes.fill(0, start + life.random(end - start), end));
}

/** Does one thing to one file. @returns what, in words */
function damage(life: Life): string {
  const { files, random } = life;
  const path = files[random(files.length)] ?? life.file();
  const bytes = readFileSync(path);
  // the room behind the lines of a log is nothing that anybody has written
  const end = path.endsWith('.log') ? bytes.findLastIndex((byte) => byte !== 0) + 1 : bytes.length;
  const place = random(end);
  const what = random(3);
  if (what === 0) bytes[place] = (bytes[place] ?? 0) ^ (1 << random(8));
  if (what === 1) bytes.fill(0, place & ~4095, Math.min(end, (place & ~4095) + 4096));
  writeFileSync(path, what === 2 ? bytes.subarray(0, place) : bytes);
  return `${['a bit', 'a block', 'cut'][what]} at ${place} of ${path}`;
}

async function liveWith(life: Life, steps: number): Promise<void> {
  for (let n = 0; n < steps; n += 1) await life.step();
}

/** @returns what was done, and whether events are all there after it */
async function fault(life: Life): Promise<{ what: string; model: Model; hasEvents: boolean; mayLose: boolean }> {
  const { random } = life;
  const kind = random(8);
  const kept = { model: life.model, hasEvents: false, mayLose: false };
  if (kind < 2) {
    const model = await cutLife(life, kind === 0);
    await life.reopen();
    return { ...kept, what: kind === 0 ? 'killed' : 'power cut', model, hasEvents: true };
  }
  if (kind === 2 || kind === 3) {
    await life.end();
    const what = damage(life);
    await life.reopen();
    return { ...kept, what };
  }
  if (kind === 4) {
    await life.end();
    const path = life.files[random(life.files.length)] ?? life.file();
    const isAll = random(3) === 0;
    rmSync(isAll ? life.file('money.journal') : path, { recursive: true });
    await life.reopen();
    return { ...kept, what: `lost ${isAll ? 'the journal' : path}` };
  }
  if (kind === 5) {
    using older = temporaryFolder();
    await life.end();
    cpSync(life.folder, older.path, { recursive: true });
    await life.reopen();
    await liveWith(life, random(15));
    await life.end();
    const name = random(2) === 0 ? 'money.db' : 'money.journal';
    rmSync(life.file(name), { recursive: true });
    cpSync(join(older.path, name), life.file(name), { recursive: true });
    await life.reopen();
    return { ...kept, what: `an older ${name}` };
  }
  if (kind === 6) {
    await using other = new Life(random);
    other.sell(); // without one it is the same as any new device of that moment
    await liveWith(other, random(25));
    await other.end();
    await life.end();
    const name = random(2) === 0 ? 'money.db' : 'money.journal';
    rmSync(life.file(name), { recursive: true });
    cpSync(other.file(name), life.file(name), { recursive: true });
    await life.reopen();
    assert.ok(life.keeper.problems.length > 0 || life.model.sales.size === 0, `another device's ${name} is not named`);
    return { ...kept, what: `another device's ${name}`, mayLose: name === 'money.db' };
  }
  using calls = new Calls();
  let left = random(120);
  let fails = random(2) === 0 ? 1 : 20;
  const error = random(2) === 0 ? { code: 'ENOSPC', syscall: 'write' } : { code: 'EIO', syscall: 'fsync' };
  calls.before = (name) => {
    left -= 1;
    if (left > 0 || fails === 0) return;
    fails -= 1;
    throw Object.assign(new Error(`${name} fails`), name.includes('Sync') ? error : { errcode: 13 });
  };
  for (let n = 0; n < 40; n += 1)
    try {
      await life.step();
    } catch (failure) {
      const { cause } = failure as { cause?: unknown };
      if (!isOfStorage(failure) && !isOfStorage(cause)) throw failure;
      life.tryAgain();
    }
  calls.before = () => undefined;
  life.tryAgain();
  await life.keeper.whenRebuilt();
  return { ...kept, what: 'a disk that fails', hasEvents: true };
}

for (let seed = SEED; seed < SEED + RUNS; seed += 1)
  test(`what was acknowledged survives one fault: SEED=${seed} RUNS=1`, async () => {
    await using life = new Life(randomOf(seed));
    await liveWith(life, life.random(50));
    const { what, model, hasEvents, mayLose } = await fault(life);
    assert.is(life.money.book.problem, null, what);
    if (!mayLose) life.verify(model, what);
    if (hasEvents) life.verifyEvents(model);
    assert.ok(life.money.book.lastEvent >= (hasEvents ? 0 : life.seen) || mayLose, `${what}: numbers of events`);
    await life.keeper.compare();
    await life.rest();
    if (mayLose) return;
    life.verify(model, `${what}, looked after`);
    life.model = model.copy();
    life.sell();
    life.closeShift();
    life.verify(life.model, `${what}, a sale later`);
    await life.end();
    for (const end of ['', '-wal', '-shm']) rmSync(life.file(`money.db${end}`), { force: true });
    await life.reopen();
    life.verify(life.model, `${what}, healed, and the database lost after that`);
  });

test.run();
