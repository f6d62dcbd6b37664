/** What is around the lanes of the rehearsed shop: one bank with one book, the line to it, its customers, and the tills. */

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { type SandboxBank, startSandboxBank } from '../../../firmware/tools/sandbox-bank/server.ts';
import { SimulatedTime } from '../../../firmware/tools/sim/simulated-time.ts';
import { until } from '../../support.ts';
import type { Kind, TillSale } from './books.ts';
import type { RehearsedLane } from './lane.ts';

const KINDS: readonly Kind[] = ['paid', 'paid', 'paid', 'paid', 'paid', 'declined', 'paid', 'late', 'paid', 'never'];
/** Endings of amounts with which the bank loses answers, breaks them off and fails once: [04, 09, 25] kopecks. */
const ENDINGS = [0, 4, 50, 9, 70, 25] as const;
const REFUND_EVERY = 6;
/** A till that was refused so often serves its customer elsewhere. */
const MOST_REFUSALS = 8;
const LATE_ALL = 10_000;

export class Shop implements AsyncDisposable {
  readonly bank: SandboxBank;
  readonly clock: SimulatedTime;
  readonly sales: TillSale[] = [];
  readonly #line: Server;
  readonly #open = new Set<Socket>();
  #isCut = false;

  private constructor(bank: SandboxBank, clock: SimulatedTime) {
    this.bank = bank;
    this.clock = clock;
    this.#line = createServer((socket) => this.#passOn(socket));
  }

  /** @param address where lanes reach the line */
  static async open(folder: string, address: string, speed: number): Promise<Shop> {
    const clock = new SimulatedTime(speed);
    const bank = await startSandboxBank({ port: 0, dataFile: join(folder, 'bank.db'), clock });
    const shop = new Shop(bank, clock);
    shop.#line.listen(0, address);
    await once(shop.#line, 'listening');
    return shop;
  }

  get port(): number {
    const address = this.#line.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** The provider's line: while it is cut, it takes calls and never answers. */
  set isCut(isCut: boolean) {
    this.#isCut = isCut;
    for (const socket of this.#open) socket.destroy();
  }

  /** A customer comes to a till. @param n of the lane's sales */
  async sell(lane: RehearsedLane, day: number, n: number): Promise<void> {
    const kind = KINDS[n % KINDS.length] ?? 'paid';
    const amount = 10_000 + 100 * (n % 90) + (kind === 'paid' ? (ENDINGS[n % ENDINGS.length] ?? 0) : 0);
    const { serial } = lane;
    let sale = {
      key: `${serial}/${day}/${n}`,
      serial,
      amount,
      kind,
      id: null,
      state: 'REFUSED',
      refunded: 0,
    } as TillSale;
    const asked = { amount, purpose: `${kind} ${day}/${n}`, ttl: 5, reference: sale.key };
    for (let refusals = 0; sale.id === null && refusals < MOST_REFUSALS; refusals += 1) {
      const key = refusals === 0 ? sale.key : `${sale.key}+${refusals}`;
      const answer = await answered(() => lane.ask('terminal', '/v1/payments', { json: asked, key }));
      if (answer.status < 300) sale = { ...sale, key, id: answer.body.id, state: answer.body.state };
    }
    if (sale.id !== null) sale = await this.#serve(lane, sale, n);
    this.sales.push(sale);
  }

  /** The customers that went away with a code pay for it now. */
  payLate(): void {
    for (const { qrcId, state, coded, purpose } of this.bank.payments.list(LATE_ALL))
      if (state === 'open' && coded && purpose?.startsWith('late') === true) this.bank.payments.pay(qrcId);
  }

  async #serve(lane: RehearsedLane, sale: TillSale, n: number): Promise<TillSale> {
    if (sale.kind === 'late' || sale.kind === 'never') return sale;
    const payment = this.bank.payments.named(sale.id ?? '');
    // after a kill or a cut the code may be over before he has scanned it
    if (payment.state === 'open') this.bank.payments[sale.kind === 'paid' ? 'pay' : 'decline'](payment.qrcId);
    const { state } = await until(`${sale.key} to be over`, async () => {
      const { body } = await answered(() => lane.ask('terminal', `/v1/payments/${sale.id}?wait=5`));
      return body?.state === 'PENDING' ? null : body;
    });
    if (state !== 'ACCEPTED' || n % REFUND_EVERY !== 0) return { ...sale, state };
    const json = { amount: 100 + (n % 50) };
    await until(`${sale.key} to be refunded`, async () => {
      const path = `/v1/payments/${sale.id}/refunds`;
      const { status, body } = await answered(() => lane.ask('terminal', path, { json, key: `${sale.key}/back` }));
      return status === 200 && body.state === 'done' ? true : null;
    });
    return { ...sale, state, refunded: json.amount };
  }

  #passOn(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#open.delete(socket));
    if (this.#isCut) return;
    const far = connect(this.bank.port, '127.0.0.1');
    far.on('error', () => socket.destroy());
    far.on('close', () => socket.destroy());
    socket.on('close', () => far.destroy());
    socket.pipe(far).pipe(socket);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isCut = true;
    this.#line.close();
    await this.bank.close();
  }
}

/** The answer that a till gets in the end: it asks again where nobody answers. */
const answered = <T>(ask: () => Promise<T>): Promise<NonNullable<T>> =>
  until('an answer of the lane', () => ask().catch(() => null));
