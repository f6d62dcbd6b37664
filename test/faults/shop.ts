/**
 * A till by the book (`docs/till.md`), a customer and a bank, at a device whose storage fails or whose process is killed where the test
 * says so; and what all of them must agree on afterwards. Knows the device by its calls alone.
 */
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import { KilledLane } from '../kill/lane.ts';
import { type Answer, type TemporaryFolder, temporaryFolder } from '../support.ts';
import { tbankSettings } from '../terminal/tbank.ts';
import { FaultyStorage } from './storage.ts';

/** All that a run sells. */
const ALL = 100_000;
/** A till asks so long for an answer: the device tries to write again each few seconds. */
const PATIENCE_MS = 60_000;
const AGAIN_MS = 50;

export interface Sale {
  readonly id: string;
  readonly amount: number;
}

/** As far as they are changed here. */
interface Settings {
  readonly bankProfiles: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface Turnover {
  readonly accepted: { readonly count: number; readonly sum: number };
  readonly refunds: { readonly count: number; readonly sum: number };
}

const without = (one: Turnover, other: Turnover): Turnover => {
  const left = (part: keyof Turnover) => ({
    count: one[part].count - other[part].count,
    sum: one[part].sum - other[part].sum,
  });
  return { accepted: left('accepted'), refunds: left('refunds') };
};
const turnoverOf = ({ accepted, refunds }: Turnover): Turnover => ({ accepted, refunds });

export class Shop implements AsyncDisposable {
  readonly #folder: TemporaryFolder;
  readonly storage: FaultyStorage;
  readonly lane: KilledLane;
  /** What the till knows to be paid. */
  readonly paid: Sale[] = [];
  /** Totals of the shifts that the till has closed, by their numbers. */
  readonly closed = new Map<number, Turnover>();
  /** What the till has set up last, as the device shows it; null before. */
  setUp: Settings | null = null;
  /** How often the device has gone away. */
  deaths = 0;
  #keys = 0;

  private constructor(folder: TemporaryFolder, storage: FaultyStorage, lane: KilledLane) {
    this.#folder = folder;
    this.storage = storage;
    this.lane = lane;
  }

  static async open(): Promise<Shop> {
    const folder = temporaryFolder();
    const storage = new FaultyStorage(folder.path);
    const env = (dataDir: string) => storage.environment(dataDir);
    return new Shop(folder, storage, await KilledLane.open({ settings: tbankSettings, env }));
  }

  /** One that no other sale, refund or shift has. */
  newKey(): string {
    this.#keys += 1;
    return `key ${this.#keys}`;
  }

  /** The device goes away, where it has not already, and is started again by the next call. */
  async die(): Promise<void> {
    this.deaths += 1;
    await this.lane.device.kill();
  }

  /** Sends it until there is an answer that says more than that it is to be sent again. */
  async answerTo(path: string, json: unknown = undefined, key: string | null = null): Promise<Answer> {
    const headers = { 'content-type': 'application/json', ...(key !== null && { 'idempotency-key': key }) };
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await this.lane.tryAsking(path, json === undefined ? {} : { json, headers });
      if (answer === null) await this.die();
      else if (answer.body?.repeat === false || (answer.status < 500 && answer.status !== 429)) return answer;
      if (performance.now() > end) throw new Error(`${path}: ${answer?.text ?? 'no answer'}`);
      await pause(AGAIN_MS);
    }
  }

  /** What the bank says, the newest first. */
  book(): SandboxPayment[] {
    return this.lane.bank.payments.list(ALL);
  }

  atBank(amount: number): SandboxPayment[] {
    return this.book().filter((payment) => payment.amount === amount);
  }

  /** A code that the customer may scan, of an amount that no other sale has. */
  async ask(amount = 10_000 + 100 * this.#keys): Promise<Sale & { readonly link: string }> {
    const { status, body, text } = await this.answerTo('/v1/payments', { amount }, this.newKey());
    if (body.repeat === false) return await this.ask(amount); // still wanted
    assert.ok(status === 200 || status === 201, text);
    return { id: body.id, amount, link: body.link };
  }

  async sell(): Promise<Sale> {
    const { id, amount, link } = await this.ask();
    const code = this.atBank(amount).find((payment) => payment.link === link);
    assert.ok(code, `the bank knows the code of ${id}`);
    this.lane.bank.payments.pay(code?.qrcId ?? '');
    const end = performance.now() + PATIENCE_MS;
    for (let state = 'PENDING'; state !== 'ACCEPTED'; ) {
      state = (await this.answerTo(`/v1/payments/${id}?wait=25`)).body.state;
      assert.ok(['PENDING', 'ACCEPTED'].includes(state), `${id} is paid, and ${state}`);
      assert.ok(performance.now() < end, `${id} is paid, and stays PENDING`);
    }
    this.paid.push({ id, amount });
    return { id, amount };
  }

  /** What the bank says of all that was sold and given back, and the till knows of. */
  atBankInAll(): Turnover {
    const paid = this.book().filter(({ state }) => state === 'paid');
    const back = paid.filter(({ refunded }) => refunded > 0);
    const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);
    return {
      accepted: { count: paid.length, sum: sum(paid.map(({ amount }) => amount)) },
      refunds: { count: back.length, sum: sum(back.map(({ refunded }) => refunded)) },
    };
  }

  /** The same without what lies in closed shifts. */
  sinceClose(): Turnover {
    return [...this.closed.values()].reduce(without, this.atBankInAll());
  }

  async close(): Promise<void> {
    const expected = this.sinceClose();
    const key = this.newKey();
    const { status, body, text } = await this.answerTo('/v1/shifts/close', { cashier: 'Anna' }, key);
    assert.ok(status === 200 || status === 201, text);
    assert.is(body.number, this.closed.size + 1, 'one shift after the other');
    assert.equal(turnoverOf(body.totals), expected, `shift ${body.number} and the bank`);
    this.closed.set(body.number, expected);
    const again = await this.answerTo('/v1/shifts/close', { cashier: 'Anna' }, key);
    assert.equal([again.status, again.body], [200, body], 'the same shift again');
  }

  /** Bank, till and device say the same of all that was sold, and the device goes on selling. */
  async agrees(): Promise<void> {
    const book = this.book();
    for (const { orderId, charges } of book) assert.ok(charges <= 1, `${orderId} was charged ${charges} times`);
    const paid = book.filter(({ state }) => state === 'paid').map(({ amount }) => amount);
    const known = this.paid.map(({ amount }) => amount);
    assert.equal(paid.sort(), known.sort(), 'what the bank was paid, and the till knows');
    const { body } = await this.answerTo('/v1/shifts/current');
    assert.is(body.number, this.closed.size + 1, 'the shift that is open');
    assert.equal(turnoverOf(body.totals), this.sinceClose(), 'the shift that is open, and the bank');
    if (this.setUp !== null) assert.equal(await this.settings(), this.setUp, 'the settings');
    await this.sell();
    const { sales, parts } = (await this.answerTo('/health')).body.health;
    assert.ok(['sells', 'sells-look-later'].includes(sales), `${sales}: ${JSON.stringify(parts)}`);
  }

  /** Nothing that the till was told is said otherwise later, by this process or the next. */
  async keeps(): Promise<void> {
    for (const { id, amount } of this.paid) {
      const { body } = await this.answerTo(`/v1/payments/${id}`);
      assert.equal([body.state, body.amount], ['ACCEPTED', amount], id);
      assert.is(body.refunded, this.atBank(amount).find(({ state }) => state === 'paid')?.refunded, `back of ${id}`);
    }
    for (const [number, expected] of this.closed) {
      const { body } = await this.answerTo(`/v1/shifts/${number}?recount=true`);
      assert.equal(turnoverOf(body.totals), expected, `shift ${number}`);
      assert.equal(body.recounted, expected, `rows of shift ${number}`);
    }
  }

  /** The settings as the device shows them. */
  async settings(): Promise<Settings> {
    const { body } = await this.answerTo('/getDriverSettings');
    return body.settings;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lane[Symbol.asyncDispose]();
    this.storage[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }
}
