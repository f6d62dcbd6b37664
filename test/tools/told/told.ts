/**
 * The time from paid at a bank to ACCEPTED at a till, in virtual time: a whole lane of this firmware asks a bank of
 * `test/banks/` over HTTP, whose answers take as long as they are drawn.
 */
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { CallLimits } from '../../../firmware/banks/bank-calls.ts';
import type { BankReport } from '../../../firmware/banks/bank-payment.ts';
import { BankPool, type KnownPayment } from '../../../firmware/banks/bank-pool.ts';
import type { BankProfile } from '../../../firmware/banks/registry.ts';
import { Announcer } from '../../../firmware/features/voice/announcer.ts';
import { GATHER_MS } from '../../../firmware/payments/events/event-feed.ts';
import { paymentIn } from '../../../firmware/payments/service/outcome/payment-waits.ts';
import { type Banks, startBanks } from '../../banks/banks.ts';
import { temporaryFolder } from '../../support.ts';
import { poolOf } from '../../terminal/banks/pools.ts';
import { introduce } from '../../terminal/banks/profiles.ts';
import type { ConformingBank } from '../../terminal/conformance/banks.ts';
import { HandClock, type Lane, openLane } from '../../terminal/harness.ts';
import { seeded } from '../seeded.ts';
import { drawAnswer, drawPayer } from './payers.ts';

const TILL_POLLS_MS = 1000;
/** The profile that a lane of the harness sells by. */
const PROFILE_NAME = 'p';
/** Longer than any code lives. */
const WAIT_MS = 600_000;
/** Of virtual time, where nothing is due. */
const MOST_AT_ONCE_MS = 1000;
const PLAIN_KOPECKS = 12_300;

/** How a till, a customer and the bank saw the sales: ms since each was paid. */
export interface Told {
  /** In the ledger. */
  readonly book: number[];
  /** By the call that waits. */
  readonly wait: number[];
  /** By the stream of events, which gathers those of one moment. */
  readonly stream: number[];
  /** By `getDynamicQRStatus` each second. */
  readonly poll: number[];
  readonly picture: number[];
  /** By the voice, whose player begins now: what a card takes is no virtual time. */
  readonly sound: number[];
  /** Questions to the bank about each sale. */
  readonly questions: number[];
}

/** Banks whose answers take virtual time; the clock stands while one is on its way in the real world. */
class DrawnPool extends BankPool {
  readonly #clock: HandClock;
  readonly #random: () => number;
  /** Questions so far, by order id. */
  readonly asked = new Map<string, number>();
  underWay = 0;

  constructor(clock: HandClock, find: Parameters<typeof poolOf>[1], random: () => number) {
    super(...poolOf(clock, find));
    this.#clock = clock;
    this.#random = random;
  }

  override async ask(payment: KnownPayment, limits: CallLimits): Promise<BankReport | null> {
    this.asked.set(payment.orderId, this.countOf(payment.orderId) + 1);
    const half = drawAnswer(this.#random) / 2;
    await this.#pass(half);
    this.underWay += 1;
    try {
      return await super.ask(payment, limits);
    } finally {
      this.underWay -= 1;
      await this.#pass(half);
    }
  }

  countOf(orderId: string): number {
    return this.asked.get(orderId) ?? 0;
  }

  #pass(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.after(ms, resolve));
  }
}

export class Telling {
  readonly #lane: Lane;
  readonly #clock: HandClock;
  readonly #pool: DrawnPool;
  readonly #sandbox: Banks;
  readonly #bank: ConformingBank;
  readonly #random: () => number;
  readonly #isShown: boolean;
  /** Called when the voice says a payment. */
  #heard: () => void = () => undefined;
  #amount = PLAIN_KOPECKS;

  /** @param isShown whether the bank lets a payment in progress be seen */
  constructor(
    parts: {
      lane: Lane;
      clock: HandClock;
      pool: DrawnPool;
      sandbox: Banks;
      bank: ConformingBank;
      random: () => number;
    },
    isShown: boolean,
  ) {
    this.#lane = parts.lane;
    this.#clock = parts.clock;
    this.#pool = parts.pool;
    this.#sandbox = parts.sandbox;
    this.#bank = parts.bank;
    this.#random = parts.random;
    this.#isShown = isShown;
    const mouth = { isOn: () => true, isQuiet: () => false, say: async () => this.#heard() };
    const note = { read: () => null, write: () => undefined };
    new Announcer(this.#lane.terminal.outbox, note, this.#clock, mouth, () => undefined).start();
  }

  async sell(sales: number): Promise<Told> {
    const told: Told = { book: [], wait: [], stream: [], poll: [], picture: [], sound: [], questions: [] };
    for (let n = 0; n < sales; n += 1) await this.#sell(told);
    return told;
  }

  /** @returns how often the bank is asked about a code in so many minutes, that nobody pays or that stays in progress */
  async leave(minutes: number, state: 'open' | 'processing'): Promise<number> {
    const { orderId, qrcId } = await this.#show();
    if (state === 'processing') this.#put(qrcId, state);
    await this.#until(this.#clock.now + minutes * 60_000, () => false);
    return this.#pool.countOf(orderId);
  }

  async #show(): Promise<{ readonly orderId: string; readonly qrcId: string }> {
    this.#amount += 100;
    const showing = this.#lane.showQR(this.#amount, { ttl: this.#bank.ttl });
    let isDone = false;
    const done = showing.finally(() => {
      isDone = true;
    });
    await this.#until(this.#clock.now + WAIT_MS, () => isDone);
    await done;
    const [payment] = this.#sandbox.payments.list(1);
    const { orderId } = this.#lane.payments.status();
    if (payment === undefined || orderId === null) throw new Error('no code was shown');
    return { orderId, qrcId: payment.qrcId };
  }

  async #sell(told: Told): Promise<void> {
    const l = this.#lane;
    const { orderId, qrcId } = await this.#show();
    const { paidAt, payingAt } = drawPayer(this.#random);
    const clock = this.#clock;
    const paid = clock.now + Math.ceil(paidAt);
    if (this.#isShown) clock.after(payingAt, () => this.#put(qrcId, 'processing'));
    clock.after(paidAt, () => {
      this.#put(qrcId, 'open');
      this.#sandbox.payments.pay(qrcId);
    });
    const seen = new Map<keyof Told, number>();
    const see = (how: keyof Told): void => void (seen.has(how) || seen.set(how, clock.now - paid));
    this.#heard = () => see('sound');
    const isAccepted = (): boolean => l.payments.find(orderId).status.state === 'ACCEPTED';
    const gone = new AbortController();
    const watched = paymentIn(l.ledger, l.payments.find(orderId));
    const waited = l.terminal.waits
      .until(watched, ({ status }) => status.state === 'ACCEPTED', WAIT_MS, gone.signal)
      .then(() => see('wait'));
    const forget = l.terminal.events.follow(() => isAccepted() && see('stream'));
    const poll = (): void => {
      if (l.payments.status().status === 'ACCEPTED') see('poll');
      else clock.after(TILL_POLLS_MS, poll);
    };
    clock.after(this.#random() * TILL_POLLS_MS, poll);
    const isTold = (): boolean => {
      const picture = l.display.drawn.at(-1);
      if (picture?.kind === 'status' && picture.status === 'success') see('picture');
      if (isAccepted()) see('book');
      return (['book', 'wait', 'picture', 'poll', 'sound'] as const).every((how) => seen.has(how));
    };
    await this.#until(clock.now + WAIT_MS, isTold);
    while (!seen.has('stream')) await turn(); // events of one moment go out together, after a moment of the real clock
    forget();
    gone.abort();
    await waited;
    l.payments.markHandled(l.payments.status());
    for (const [how, ms] of seen) told[how].push(how === 'stream' ? (seen.get('book') ?? Number.NaN) + GATHER_MS : ms);
    told.questions.push(this.#pool.countOf(orderId));
    await l.terminal.clearScreen();
  }

  #put(qrcId: string, state: 'open' | 'processing'): void {
    this.#sandbox.payments.db.prepare('UPDATE sale SET state = ? WHERE qrc_id = ?').run(state, qrcId);
  }

  /** Lets virtual time pass until something has come about, or the end. */
  async #until(end: number, check: () => boolean): Promise<void> {
    while (!check() && this.#clock.now < end) {
      if (this.#pool.underWay > 0) await turn();
      else await this.#clock.step(Math.min(end - this.#clock.now, MOST_AT_ONCE_MS));
    }
  }
}

/** A lane with one bank, and the customers of a seed. @param isShown whether the bank shows a payment in progress */
export async function telling<T>(
  bank: ConformingBank,
  { isShown, seed, leastPause }: { readonly isShown: boolean; readonly seed: number; readonly leastPause?: string },
  work: (telling: Telling) => Promise<T>,
): Promise<T> {
  using folder = temporaryFolder();
  const clock = new HandClock();
  const random = seeded(seed);
  const sandbox = await startBanks({ port: 0, dataFile: join(folder.path, 'bank.db'), clock });
  introduce(sandbox);
  const own = bank.profile({ url: sandbox.url, folder: folder.path });
  const profile = leastPause === undefined ? own : ({ ...own, leastPause } as BankProfile);
  const pool = new DrawnPool(clock, () => [profile], random);
  const pacing = { askingSpeed: 1, graceMs: 60_000, bankDeadlineMs: 10_000 };
  const lane = await openLane({ clock, real: { pool, profile }, pacing, random, symbolMs: 2000 });
  await lane.terminal.updateSettings({
    bankProfile: PROFILE_NAME,
    bankProfiles: { [PROFILE_NAME]: profile },
    deviceConnection: { connectionType: 'Screen' },
  });
  try {
    return await work(new Telling({ lane, clock, pool, sandbox, bank, random }, isShown));
  } finally {
    await lane.stop();
    await pool.opened.close();
    await sandbox.close();
  }
}
