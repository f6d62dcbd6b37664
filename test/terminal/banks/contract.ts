/** What holds for every bank over HTTP: each bank fills a table with its calls, its answers and its states. */
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { OnlineBank } from '../../../firmware/banks/bank.ts';
import type { BankErrorCode } from '../../../firmware/banks/bank-error.ts';
import type { BankRef, BankReport, BankVerdict, CancelOutcome } from '../../../firmware/banks/bank-payment.ts';
import type { RefundOrder } from '../../../firmware/banks/bank-refund.ts';
import { registerWithRetries } from '../../../firmware/banks/registration.ts';
import type { SandboxPayment } from '../../../firmware/tools/sandbox-bank/payment.ts';
import { SandboxRefunds } from '../../../firmware/tools/sandbox-bank/refunds.ts';
import { type Banks, startBanks } from '../../banks/banks.ts';
import { bankError, begun, LIMITS, O1, partBack, patient, reportOf } from './support.ts';
import {
  type Asked,
  type Fault,
  instead,
  LONG_NUMBER,
  lost,
  parsed,
  type Reply,
  startWireBank,
  type WireBank,
} from './wire-bank.ts';

export interface WireRig<Books, Bank extends OnlineBank> {
  readonly wire: WireBank;
  readonly books: Books;
  readonly bank: Bank;
  /** The log lines for a technician. */
  readonly logged: string[];
}

/** The books of a bank of `test/banks/`, which answers over the wire of a test. */
export class BankBooks {
  readonly payments: Banks['payments'];
  readonly refunds: SandboxRefunds;
  readonly keys: Banks['keys'];
  /** What the bank's clock is ahead of ours. */
  readonly ahead: { ms: number };
  readonly #url: string;
  readonly #reach: (path: string) => string;

  constructor({ payments, keys, url }: Banks, reach: (path: string) => string, ahead: { ms: number }) {
    this.payments = payments;
    this.refunds = new SandboxRefunds(payments);
    this.keys = keys;
    this.ahead = ahead;
    this.#url = url;
    this.#reach = reach;
  }

  async answer({ call, headers, text }: Asked): Promise<Reply> {
    const [method = '', path = ''] = call.split(' ');
    const sent = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name));
    const response = await fetch(this.#url + this.#reach(path), {
      ...{ method, headers: Object.fromEntries(sent) as Record<string, string> },
      ...(text !== '' && { body: text }),
    });
    const body = await response.text();
    return { status: response.status, body: parsed(body) ?? body };
  }

  /** The payment that was registered last. */
  get last(): SandboxPayment {
    const [payment] = this.payments.list(1);
    if (payment === undefined) throw new Error('nothing is booked');
    return payment;
  }

  get count(): number {
    return this.payments.list(MOST_BOOKED).length;
  }
}
const OF_THE_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding'];
const MOST_BOOKED = 100;

export type BankRig<Bank extends OnlineBank> = WireRig<BankBooks, Bank>;

/** A bank of `test/banks/` at the end of a wire, both closed afterwards. @param reach its path for one that the device asks for */
export async function onBank<Books extends BankBooks, Bank extends OnlineBank>(
  Own: new (...given: ConstructorParameters<typeof BankBooks>) => Books,
  reach: (path: string) => string,
  open: (baseUrl: string, log: (message: string) => void, books: Books) => Bank | Promise<Bank>,
  work: (rig: WireRig<Books, Bank>) => Promise<void>,
): Promise<void> {
  const logged: string[] = [];
  const ahead = { ms: 0 };
  const clock = { bootId: 'boot-1', monotonic: () => Math.trunc(performance.now()), wall: () => Date.now() + ahead.ms };
  const banks = await startBanks({ port: 0, dataFile: ':memory:', clock });
  try {
    const books = new Own(banks, reach, ahead);
    await using wire = await startWireBank((asked) => books.answer(asked));
    const bank = await open(wire.url, (message) => void logged.push(message), books);
    try {
      await work({ wire, books, bank, logged });
    } finally {
      await bank.close();
    }
  } finally {
    await banks.close();
  }
}

/** Pays a new payment. @returns what makes an order to refund a part of it */
export async function paidBack({
  bank,
  books,
}: BankRig<OnlineBank>): Promise<(changes?: Partial<RefundOrder>) => RefundOrder> {
  const { ref } = await begun(bank);
  books.payments.pay(books.last.qrcId);
  return (changes = {}) => partBack({ ref, ...changes });
}

/** What a fault ends in, and the patience that the bank asks for with it. */
export type Ending = readonly [Fault, BankErrorCode, wait?: number | undefined];

const IN_TROUBLE: readonly Ending[] = [
  [instead(429, '', { 'retry-after': '7' }), 'unreachable', 7000],
  [instead(429, ''), 'unreachable'],
  [instead(500, '<html>'), 'unreachable'],
  [instead(503, ''), 'unreachable'],
  [instead(302, '', { location: 'https://login.example' }), 'unreachable'],
  [() => 'reset', 'unreachable'],
  [() => 'half', 'unreachable'],
  [instead(200, 'nonsense'), 'contradiction'],
  [instead(200, ''), 'contradiction'],
  [instead(200, '[]'), 'contradiction'],
  [instead(200, 'null'), 'contradiction'],
];

export interface BankContract<Books, Bank extends OnlineBank, State> {
  readonly withBank: (work: (rig: WireRig<Books, Bank>) => Promise<void>) => Promise<void>;
  /** What no message may contain. */
  readonly secrets: readonly string[];
  /** How the calls begin that register, and that ask for the state. */
  readonly register: string;
  readonly state: string;
  /** How registrations fail by answers of this bank alone. */
  readonly failures: readonly Ending[];
  /** Has the books say of the last payment that it is in a state. */
  readonly put: (rig: WireRig<Books, Bank>, state: State) => void;
  readonly verdicts: readonly (readonly [State, BankVerdict])[];
  readonly paid: State;
  /** What the bank reports of a payment in that state, beside its id. */
  readonly accepted: Omit<BankReport, 'verdict' | 'ids'> | ((books: Books) => Omit<BankReport, 'verdict' | 'ids'>);
  /** Answers to the question for a paid payment that cannot be true of it. */
  readonly untrue: readonly (readonly [Fault, RegExp?])[];
  /** Other words for the same. */
  readonly true: readonly Fault[];
  /** An answer of a paid payment with `LONG_NUMBER` as its transaction; null where that is a text for certain. */
  readonly long: Fault | null;
  /** Codes at the bank after a registration whose answer was lost; null where the bank gives the code in that answer alone. */
  readonly afterLost: 1 | 2 | null;
  readonly codesOf: (books: Books) => number;
  /** What comes of a cancellation in each state; none where the bank has no word for it. */
  readonly cancels: readonly (readonly [State, CancelOutcome])[];
  /** The call that gives back, and what it is asked for; null where none does, or it may be sent twice. */
  readonly refund: readonly [call: string, order: (ref: BankRef) => RefundOrder] | null;
  /** Where the bank is asked what became of a refund that it has been asked to make. */
  readonly lookedUp?: LookedUp;
}

export interface LookedUp {
  /** The call that gives back, and what it answers so that it is looked up. */
  readonly asked: readonly [call: string, answer: Fault];
  readonly look: string;
  readonly order: (ref: BankRef) => RefundOrder;
}

/** A call that begins so is not answered: its time is over once the bank has it, however slow the machine is. */
function silence(wire: WireBank, call: string): AbortSignal {
  const limit = new AbortController();
  wire.once(call, () => {
    limit.abort(new DOMException('its time is over', 'TimeoutError'));
    return 'silence';
  });
  return limit.signal;
}

/** Adds the tests of the table to a suite. */
export function bankContract<Books, Bank extends OnlineBank, State>(
  test: Test,
  contract: BankContract<Books, Bank, State>,
): void {
  const { withBank, secrets, register, state, put } = contract;
  const hasNoSecret = (...words: readonly (string | null)[]): void => {
    for (const secret of secrets)
      assert.not.ok(
        words.some((text) => text?.includes(secret)),
        `${words}`,
      );
  };
  const onPaid = (work: (rig: WireRig<Books, Bank>, ref: BankRef) => Promise<void>): Promise<void> =>
    withBank(async (rig) => {
      rig.wire.isKeeping = false;
      const { ref } = await begun(rig.bank);
      put(rig, contract.paid);
      await work(rig, ref);
    });

  test('each way for a registration to fail has its meaning, and the secrets are in none of them', () =>
    withBank(async ({ wire, bank }) => {
      wire.isKeeping = false;
      const denied = instead(401, { message: secrets.join(), description: secrets.join() });
      for (const [fault, code, wait = null] of [...IN_TROUBLE, [denied, 'refused'] as const, ...contract.failures]) {
        wire.once(register, fault);
        const { message, bankCode, retryAfterMs } = await bankError(code, begun(bank));
        assert.is(retryAfterMs, wait, message);
        hasNoSecret(message, bankCode);
      }
      await bankError('unreachable', begun(bank, O1, silence(wire, register)));
      await begun(bank);
    }));

  test('a question that fails is not an answer: the next one gets it', () =>
    onPaid(async ({ wire, bank }, ref) => {
      for (const [fault, code, wait = null] of IN_TROUBLE) {
        wire.once(state, fault);
        assert.is((await bankError(code, reportOf(bank, ref))).retryAfterMs, wait);
      }
      await bankError('unreachable', bank.status(ref, silence(wire, state)));
      wire.once(state, instead(401, {}));
      assert.ok((await bankError('refused', reportOf(bank, ref))).isUnauthorized);
      assert.is((await reportOf(bank, ref)).verdict, 'accepted');
    }));

  test('the bank says where it is called, by which an update is judged', () =>
    withBank(async ({ wire, bank }) => {
      assert.ok(bank.address?.startsWith(wire.url), bank.address);
    }));

  test('a payment is followed from its code to the money, with what the bank knows of it', () =>
    withBank(async (rig) => {
      const { bank } = rig;
      const { ref } = await begun(bank);
      for (const [at, verdict] of contract.verdicts) {
        put(rig, at);
        assert.is((await reportOf(bank, ref)).verdict, verdict, JSON.stringify(at));
      }
      put(rig, contract.paid);
      const { accepted } = contract;
      const more = typeof accepted === 'function' ? accepted(rig.books) : accepted;
      assert.equal(await reportOf(bank, ref), { verdict: 'accepted', ids: [ref.id], ...more });
    }));

  test('an answer about another payment, order, amount or currency is not passed on', () =>
    onPaid(async ({ wire, bank }, ref) => {
      for (const [at, [fault, why = /./]] of contract.untrue.entries()) {
        wire.once(state, fault);
        assert.match((await bankError('contradiction', reportOf(bank, ref))).message, why, `${at}`);
      }
      for (const [at, fault] of contract.true.entries()) {
        wire.once(state, fault);
        assert.is((await reportOf(bank, ref)).verdict, 'accepted', `${at}`);
      }
    }));

  test('a transaction keeps each digit of a long number', () =>
    onPaid(async ({ wire, bank }, ref) => {
      if (contract.long === null) return;
      wire.once(state, contract.long);
      assert.is((await reportOf(bank, ref)).trxId, LONG_NUMBER);
    }));

  const { afterLost } = contract;
  if (afterLost === null)
    test('a registration whose answer was lost gives no code, and its order is kept', () =>
      withBank(async ({ wire, books, bank }) => {
        wire.once(register, lost);
        const kept: BankRef[] = [];
        await bankError(
          'contradiction',
          registerWithRetries(bank, O1, (step) => kept.push(step), LIMITS),
        );
        assert.equal([kept.length > 0, contract.codesOf(books)], [true, 1]);
      }));
  else
    test(`a lost registration leaves ${afterLost} at the bank, and the last is the one that was seen`, () =>
      withBank(async (rig) => {
        const { wire, books, bank } = rig;
        wire.once(register, lost);
        const kept: BankRef[] = [];
        const { ref } = await registerWithRetries(bank, O1, (step) => kept.push(step), LIMITS);
        assert.equal(new Set(kept.map(({ id }) => id)), new Set([ref.id]));
        assert.is(contract.codesOf(books), afterLost);
        put(rig, contract.paid);
        assert.is((await reportOf(bank, ref)).verdict, 'accepted');
      }));

  for (const [at, outcome] of contract.cancels)
    test(`a code that is ${JSON.stringify(at)} when it is taken back: ${outcome}`, () =>
      withBank(async (rig) => {
        const { bank } = rig;
        const { ref } = await begun(bank);
        put(rig, at);
        assert.is(await bank.cancel?.(ref, patient()), outcome);
      }));

  const { lookedUp } = contract;
  if (lookedUp !== undefined)
    test('a failed look after the call for a refund says nothing of it, and sends no other profile', () =>
      onPaid(async ({ wire, bank }, ref) => {
        for (const status of [429, 400, 401, 403]) {
          wire.once(...lookedUp.asked);
          wire.once(lookedUp.look, instead(status, {}));
          const asked = bank.refund?.(lookedUp.order(ref), patient()) ?? Promise.resolve();
          const error = await bankError('unreachable', asked);
          assert.equal([error.status, error.isUnauthorized], [null, false], `${status}`);
        }
      }));

  if (contract.refund === null) return;
  const [call, orderOf] = contract.refund;
  test('a refund is sent once, also where a kept connection breaks', () =>
    onPaid(async ({ wire, bank }, ref) => {
      wire.isKeeping = true;
      await reportOf(bank, ref);
      wire.once(call, lost);
      await bankError('unreachable', bank.refund?.(orderOf(ref), patient()) ?? Promise.resolve());
      assert.is(wire.calls.filter((asked) => asked.startsWith(call)).length, 1);
    }));
}
