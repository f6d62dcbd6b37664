/**
 * A cashier who repeats, changes and clears, customers who pay and decline, a bank that loses answers, and the device killed
 * with SIGKILL amid it: at the end the bank's book, the ledger, the export and what the till has read agree, and every
 * difference is one that a person is pointed to. `SALES=300 KILLS=40` is the long run, `BANK=YooKassa` one bank, `SEED=n`
 * repeats a run.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fault, FaultyCall } from '../../../firmware/tools/sandbox-bank/faults.ts';
import type { SandboxPayment } from '../../../firmware/tools/sandbox-bank/payment.ts';
import { KilledLane } from '../../kill/lane.ts';
import { SCREEN, temporaryFolder, until } from '../../support.ts';
import { seeded } from '../../tools/seeded.ts';
import { introduce } from '../banks/profiles.ts';
import { CONFORMING, type ConformingBank } from './banks.ts';

const SALES = Number(process.env.SALES ?? 14);
const KILLS = Number(process.env.KILLS ?? 2);
const SEED = Number(process.env.SEED ?? Date.now() % 100_000);
/** Of the moments after a call in which the device is killed. */
const LATEST_KILL_MS = 150;
/** Questions of a till after a customer's action, before it goes on. */
const QUESTIONS = 40;

interface Row {
  readonly order_id: string;
  readonly amount: number;
  readonly state: string;
  readonly seen: number;
  readonly late: number;
  readonly untold: number;
  readonly bank_id: string | null;
  readonly payload: string | null;
  readonly called: number;
}

interface Picture {
  readonly rows: readonly Row[];
  /** Of the export, without its head. */
  readonly lines: readonly string[];
  readonly health: string;
}

/** A lane, its bank, and what the till has read. */
class Shop {
  readonly #lane: KilledLane;
  readonly #folder: string;
  readonly #random: () => number;
  readonly #ttl: number;
  kills = 0;
  /** Amounts that a till knows to be paid, by the status or by the refusal of another call. */
  readonly knownPaid = new Set<number>();
  /** Sales of a cashier who has only looked at the display, which shows who has paid. */
  readonly #watched = new Set<number>();
  /** Codes that the cashier had cleared: who asks for the same amount afterwards serves another customer. */
  readonly #cleared = new Set<string>();
  /** Payments whose customer has paid or declined. */
  readonly #acted = new Set<string>();

  /** @param folder for the export */
  constructor(lane: KilledLane, folder: string, { ttl }: ConformingBank, random: () => number) {
    this.#lane = lane;
    this.#folder = folder;
    this.#ttl = ttl;
    this.#random = random;
  }

  get book(): SandboxPayment[] {
    return this.#lane.book().toReversed();
  }

  get rows(): Row[] {
    return this.#lane.read('SELECT * FROM payments ORDER BY id') as unknown as Row[];
  }

  /** Whether somebody knows that a sale was paid, or may know by the display. */
  isKnown(amount: number): boolean {
    return this.knownPaid.has(amount) || this.#watched.has(amount);
  }

  isCleared({ qrcId }: SandboxPayment): boolean {
    return this.#cleared.has(qrcId);
  }

  async kill(): Promise<void> {
    this.kills += 1;
    await this.#lane.device.kill();
    await this.#lane.device.start();
  }

  /** One sale, which may be repeated, cleared, changed; and the device killed amid it. */
  async sell(amount: number, isKilled: boolean): Promise<void> {
    this.#misbehave();
    const killed = isKilled ? pause(this.#random() * LATEST_KILL_MS).then(() => this.kill()) : Promise.resolve();
    await this.#ask(amount);
    await killed;
    if (isKilled) await this.#ask(amount); // a till whose call broke asks again
    if (this.#random() < 0.15) await this.#ask(amount);
    if (this.#random() < 0.1) await this.#clear(amount);
    await this.#customer(amount);
    if (this.#random() < 0.8) await this.#follow(amount);
    else this.#watched.add(amount);
  }

  /** The cashier does not ask for an amount that is known to be paid. */
  async #ask(amount: number): Promise<void> {
    if (this.knownPaid.has(amount)) return;
    const ask = () => this.#lane.tryAsking('/showQR', { json: { amount, ttl: this.#ttl } });
    const answer = await ask();
    const refusal: string = answer?.body?.error_message ?? '';
    if (answer?.status === 400 && refusal.includes('been paid')) {
      for (const paid of this.#amountsIn(refusal)) this.knownPaid.add(paid);
      if (!this.knownPaid.has(amount)) await ask(); // another sale: the cashier goes on
    }
  }

  /** Amounts that a refusal names: what the till knows by it. */
  #amountsIn(refusal: string): number[] {
    return [...refusal.matchAll(/(\d+) kopecks/g)].map(([, kopecks]) => Number(kopecks));
  }

  async #clear(amount: number): Promise<void> {
    const answer = await this.#lane.tryAsking('/clearScreen', { method: 'POST' });
    if (answer?.status !== 200) return;
    for (const payment of this.book) if (payment.amount === amount) this.#cleared.add(payment.qrcId);
  }

  /** Pays or declines a code that was shown: the newest of this sale that may have been seen. */
  async #customer(amount: number): Promise<void> {
    const shown = this.rows.findLast((row) => row.amount === amount && row.seen === 1);
    const payment = this.book.find(({ link }) => link === shown?.payload);
    if (payment === undefined || payment.state !== 'open' || this.#acted.has(payment.qrcId)) return;
    const choice = this.#random();
    if (choice > 0.85) return;
    this.#acted.add(payment.qrcId);
    this.#lane.bank.payments[choice < 0.7 ? 'pay' : 'decline'](payment.qrcId);
  }

  /** A till that asks what became of its call, until it knows or goes on. */
  async #follow(amount: number): Promise<void> {
    for (let n = 0; n < QUESTIONS; n += 1) {
      const answer = await this.#lane.tryAsking('/getDynamicQRStatus');
      const status: string | undefined = answer?.body?.dynamicQRStatus;
      const [last] = this.rows.toSorted((one, other) => other.called - one.called);
      if (status === 'ACCEPTED' && last !== undefined) this.knownPaid.add(last.amount);
      if (status !== 'PENDING') return;
      const isOpen = this.book.some((payment) => payment.amount === amount && payment.state === 'open');
      if (isOpen && n > 3) return; // the customer has gone
      await pause(25);
    }
  }

  #misbehave(): void {
    const calls: readonly FaultyCall[] = ['register', 'code', 'state', 'find', 'cancel'];
    const kinds = ['drop', 'drop-before', 'half', 'error', 'too-many', 'nonsense', 'delay'] as const;
    const pick = <T>(all: readonly T[]): T => all[Math.floor(this.#random() * all.length)] as T;
    const faults: Fault[] =
      this.#random() < 0.3 ? [{ call: pick(calls), kind: pick(kinds), ms: 60, retryAfterS: 0, times: 1 }] : [];
    this.#lane.bank.faults.set(faults);
  }

  /** What a person is pointed to: sentences of `/health`. */
  async #health(): Promise<string> {
    return (await this.#lane.ask('/health')).text;
  }

  async #exported(): Promise<string[]> {
    const path = join(this.#folder, 'export.csv');
    const { status, text } = await this.#lane.ask('/exportToCSV', { json: { path } });
    assert.is(status, 200, text);
    return readFileSync(path, 'utf8').trim().split('\r\n').slice(1);
  }

  /** The rows, the export and the health of one moment: the device goes on to settle payments, so that nothing may change meanwhile. */
  picture(): Promise<Picture> {
    return until('a ledger at rest', async () => {
      const { rows } = this;
      const picture = { rows, lines: await this.#exported(), health: await this.#health() };
      return isDeepStrictEqual(rows, this.rows) ? picture : null;
    });
  }
}

const LEDGER_STATE = { paid: 'ACCEPTED', declined: 'REJECTED' } as const;

/** @returns a line about what came of it */
async function compare(shop: Shop): Promise<string> {
  const { book } = shop;
  for (const payment of book) {
    if (payment.state !== 'paid' && payment.state !== 'declined') continue;
    const { bankId, qrcId, state } = payment;
    await until(`${state} of ${bankId} in the ledger`, () => {
      const row = shop.rows.find(({ payload }) => payload === payment.link);
      if (state === 'declined' && row?.state === 'CANCELED') return true; // withdrawn before it was heard
      return row?.state === LEDGER_STATE[state] ? qrcId : null;
    });
  }
  const { rows, lines, health } = await shop.picture();
  for (const { amount, charges, link, bankId } of book) {
    assert.ok(charges <= 1, `${bankId} was charged ${charges} times`);
    if (charges > 0)
      assert.ok(
        rows.some(({ payload }) => payload === link),
        `${amount} was paid by an unknown code`,
      );
  }
  const chargesOf = (amount: number, payments: readonly SandboxPayment[]): number =>
    payments.filter((payment) => payment.amount === amount).reduce((sum, { charges }) => sum + charges, 0);
  const inUse = book.filter((payment) => !shop.isCleared(payment));
  for (const amount of new Set(rows.map((row) => row.amount))) {
    const charges = chargesOf(amount, inUse);
    assert.ok(charges <= 1, `the sale of ${amount} was charged ${charges} times`);
    // one that was cleared and paid beside it: a person is pointed to it
    if (charges === 1)
      for (const { link } of book.filter((one) => one.amount === amount && one.charges > 0 && shop.isCleared(one)))
        assert.is(rows.find(({ payload }) => payload === link)?.late, 1, `${link} was cleared, paid, and not reported`);
  }
  for (const amount of shop.knownPaid) assert.ok(chargesOf(amount, book) >= 1, `${amount} was reported as paid`);
  let pointed = 0;
  for (const row of rows.filter(({ state }) => state === 'ACCEPTED')) {
    if (shop.isKnown(row.amount)) continue;
    // the till does not know: a person is pointed to it, or the next call reports it
    const isLast = row.called === Math.max(...rows.map(({ called }) => called));
    assert.ok(row.late === 1 || row.untold === 1 || isLast, `${row.amount} was paid, and is not reported`);
    pointed += 1;
  }
  assert.is(lines.length, rows.length);
  for (const [n, row] of rows.entries()) {
    const cells = lines[n]?.split(',') ?? [];
    assert.equal(
      [cells[2], cells[3], cells[7], cells[8]],
      [row.state, String(row.amount), row.order_id, row.bank_id ?? ''],
    );
  }
  const late = rows.filter((row) => row.late === 1).length;
  assert.is(health.includes('"payments-late"'), late > 0);
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  return `${rows.length} payments in ${SALES} sales, ${shop.kills} kills: ${count('ACCEPTED')} ACCEPTED (${pointed} of them unknown to the till and pointed out), ${count('REJECTED')} REJECTED, ${count('CANCELED')} CANCELED, ${count('PENDING')} PENDING, ${count('ERROR')} ERROR; ${book.length - rows.filter(({ payload }) => payload !== null).length} codes at the bank that were never shown`;
}

for (const [index, bank] of CONFORMING.entries()) {
  const test = suite(`a cashier at ${bank.title} (${SALES} sales, ${KILLS} kills, SEED=${SEED})`);

  test('the book, the ledger, the export and the till agree', async () => {
    using folder = temporaryFolder();
    const random = seeded(SEED + index);
    const settings = (url: string) => ({
      bankProfile: 'shop',
      bankProfiles: { shop: bank.profile({ url, folder: folder.path }) },
      deviceConnection: SCREEN,
    });
    await using lane = await KilledLane.open({ settings });
    introduce(lane.bank);
    const shop = new Shop(lane, folder.path, bank, random);
    const every = Math.floor(SALES / KILLS);
    let amount = 0;
    for (let sale = 0; sale < SALES; sale += 1) {
      const isRepeated = sale > 0 && random() < 0.15 && !shop.knownPaid.has(amount);
      if (!isRepeated) amount = 10_000 + 100 * sale;
      await shop.sell(amount, sale % every === every - 1 && shop.kills < KILLS);
    }
    lane.bank.faults.set([]);
    await shop.kill();
    process.stdout.write(`${bank.title}: ${await compare(shop)}\n`);
    assert.ok(
      shop.rows.some(({ state }) => state === 'ACCEPTED'),
      'somebody has paid',
    );
  });

  test.run();
}
