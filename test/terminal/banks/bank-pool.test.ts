import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { OnlineBank } from '../../../firmware/banks/bank.ts';
import { verified, withPlausibleTime } from '../../../firmware/banks/bank-calls.ts';
import { BankError, UnopenedBank } from '../../../firmware/banks/bank-error.ts';
import { UNREPORTED } from '../../../firmware/banks/bank-payment.ts';
import { BankPool, type KnownPayment } from '../../../firmware/banks/bank-pool.ts';
import { type BankProfile, merchantOf } from '../../../firmware/banks/registry.ts';
import { thrown } from '../../support.ts';
import { NOWHERE, poolOf } from './pools.ts';
import { bankError, IDS, partBack, sale } from './support.ts';

const test = suite('the pool of banks');

/** Nothing listens there, and opening a bank sends nothing. */
const CFT = { bankName: 'CFT', ...IDS, password: '', baseUrl: 'http://127.0.0.1:9' } as const satisfies BankProfile;
const STATIC = { bankName: 'Static', staticQR: 'https://pay.example/1' } as const satisfies BankProfile;
const HALF = { bankName: 'Static', staticQR: '\ud800' } as const satisfies BankProfile;
const LIMITS = { deadlineMs: 5000, closing: new AbortController().signal };

const nameOf = (profile: BankProfile): string => merchantOf(profile, NOWHERE);

/** @param profiles of the merchants that are known @param names takes under which of their names they are looked for */
const newPool = (profiles: readonly BankProfile[] = [], names: string[] = []): BankPool =>
  new BankPool(
    ...poolOf({ wall: Date.now }, ({ merchant, profile: name }) => {
      names.push(name);
      return profiles.filter((profile) => nameOf(profile) === merchant);
    }),
  );

/** A payment as the ledger keeps it. */
const paymentOf = (profile: BankProfile): KnownPayment => ({
  orderId: sale().orderId,
  profile: 'p',
  merchant: nameOf(profile),
  amount: sale().amount,
  createdAt: Date.now(),
  ref: { id: 'Q1' },
});

const keepNothing = (): void => undefined;

async function onlineOf(pool: BankPool, profile: BankProfile): Promise<OnlineBank> {
  const bank = await pool.opened.open(profile);
  if (bank.kind !== 'online') throw new Error('expected an online bank');
  return bank;
}

test('a profile has one bank, however often and at once it is asked for', async () => {
  const pool = newPool();
  const [one, other] = await Promise.all([pool.opened.open(CFT), pool.opened.open({ ...CFT })]);
  assert.is(one, other);
  assert.is.not(one, await pool.opened.open({ ...CFT, accAlias: 'other' }));
  await pool.opened.close();
});

test('what is not kept is opened anew where a payment needs it, and the one in use stays', async () => {
  const pool = newPool();
  const other = { ...CFT, accAlias: 'other' };
  const [kept, dropped] = [await pool.opened.open(CFT), await pool.opened.open(other)];
  await pool.opened.closeOthers(CFT);
  assert.is(await pool.opened.open(CFT), kept);
  assert.is.not(await pool.opened.open(other), dropped);
  await pool.opened.close();
});

test('a bank that cannot be opened is reported by its field, and tried again at the next call', async () => {
  const pool = newPool();
  assert.equal(pool.opened.health(HALF), {
    isOpen: false,
    openProblem: null,
    certificates: [],
    failures: null,
    unauthorized: null,
    silence: null,
    unusualLink: null,
    isReached: null,
    address: null,
  });
  for (let n = 0; n < 2; n += 1) {
    const error = await pool.opened.open(HALF).catch((cause: unknown) => cause);
    assert.instance(error, UnopenedBank);
    assert.match((error as Error).message, 'staticQR cannot be used: it holds half a character');
  }
  assert.is(pool.opened.health(HALF).openProblem, 'staticQR cannot be used: it holds half a character');
  assert.not(pool.opened.health(HALF).isOpen);
});

test('failed registrations are counted by payment, until one works or the bank is opened anew', async () => {
  const pool = newPool();
  const bank = await onlineOf(pool, CFT);
  for (const payments of [1, 2]) {
    const error = await bankError(
      'unreachable',
      pool.register(bank, sale(), keepNothing, { ...LIMITS, deadlineMs: 100 }),
    );
    assert.equal(pool.opened.health(CFT).failures, { payments, error });
  }
  await pool.opened.renew(CFT);
  assert.is(pool.opened.health(CFT).failures, null);
  // the bank before it is not the one whose health is asked for
  await bankError('unreachable', pool.register(bank, sale(), keepNothing, { ...LIMITS, deadlineMs: 100 }));
  assert.is(pool.opened.health(CFT).failures, null);
  await pool.opened.close();
});

test('a payment is for the merchant of its profile, and for none where its row is damaged', () => {
  const pool = newPool();
  assert.ok(pool.isFor(paymentOf(CFT), { ...CFT, password: 'renewed' }));
  assert.not(pool.isFor(paymentOf(CFT), { ...CFT, accAlias: 'other' }));
  assert.not(pool.isFor({ ...paymentOf(CFT), merchant: null }, CFT));
});

test("where the link said no amount, an acceptance counts only with the bank's own", () => {
  const payment = { ref: { id: 'Q1', link: 'no-amount' }, orderId: 'order-1', amount: 100 } as const;
  const paid = { ...UNREPORTED, verdict: 'accepted', ids: ['Q1'] } as const;
  assert.match(thrown(BankError, () => verified(paid, payment)).message, /not which amount/);
  assert.is(verified(paid, { ...payment, ref: { id: 'Q1' } }), paid, 'another link says it');
  for (const enough of [
    { amounts: [100] },
    { verdict: 'processing' as const },
    { refunded: 100 },
    { isGoingBack: true },
  ])
    assert.equal(verified({ ...paid, ...enough }, payment), { ...paid, ...enough });
  assert.is(thrown(BankError, () => verified({ ...paid, amounts: [101] }, payment)).code, 'contradiction');
});

test('a question about a payment that no bank can answer is refused, never read as unpaid', async () => {
  const names: string[] = [];
  const pool = newPool([STATIC, HALF], names);
  const fixed = paymentOf(STATIC);
  for (const call of [pool.ask(fixed, LIMITS), pool.cancel(fixed, LIMITS)]) {
    assert.match((await bankError('refused', call)).message, /static code, whose payments no bank reports/);
  }
  const damaged = { ...paymentOf(CFT), merchant: null };
  assert.match((await bankError('refused', pool.ask(damaged, LIMITS))).message, /profile .* cannot be opened: its row/);
  const unusable = await bankError('refused', pool.ask(paymentOf(HALF), LIMITS));
  assert.match(unusable.message, /profile of the payment cannot be opened: .*staticQR cannot be used/);
  const forgotten = await bankError('refused', pool.ask(paymentOf(CFT), LIMITS));
  assert.match(forgotten.message, /send its profile of CFT again with updateDriverSettings/);
  assert.is(await pool.ask({ ...fixed, ref: null }, LIMITS), null, 'it was never registered');
  assert.is(await pool.cancel({ ...fixed, ref: null }, LIMITS), 'not-possible');
  assert.equal([...new Set(names)], ['p'], 'by the name of its own profile');
});

test("a moment of payment lies between the payment's making and now, with a day to either side", () => {
  const dayMs = 24 * 3_600_000;
  const logged: string[] = [];
  const paidAtOf = (paidAt: number | null, times: { createdAt: number; now: number }) =>
    withPlausibleTime({ ...UNREPORTED, verdict: 'accepted', ids: [], paidAt }, { orderId: 'o1', ...times }, (line) =>
      logged.push(line),
    ).paidAt;
  const noon = Date.parse('2026-11-21T12:00:00Z');
  const weekOld = { createdAt: noon - 7 * dayMs, now: noon };
  for (const at of [noon - 8 * dayMs, noon - 7 * dayMs, noon - 3 * dayMs, noon, noon + dayMs])
    assert.is(paidAtOf(at, weekOld), at);
  // a clock that has been set back since
  assert.is(paidAtOf(noon, { createdAt: noon + 300 * dayMs, now: noon }), noon);
  assert.is(paidAtOf(null, weekOld), null);
  assert.equal(logged, []);
  for (const at of [noon - 8 * dayMs - 1, noon + dayMs + 1, Number.NaN]) assert.is(paidAtOf(at, weekOld), null);
  assert.is(logged.length, 3);
  assert.match(
    logged[0] ?? '',
    /the payment o1 was paid at 2026-11-13T11:59:59\.999Z, which cannot be .*\(2026-11-21T12:00:00\.000Z\)/,
  );
});

const REFUND = partBack({ ref: { id: 'Q1' } });

test('a bank that gives no money back says so', async () => {
  const pool = newPool([CFT]);
  const payment = paymentOf(CFT);
  assert.not(await pool.canRefund(payment));
  const error = await bankError('refused', pool.refund(payment, REFUND, LIMITS));
  assert.match(error.message, /gives no money back/);
  await bankError('refused', pool.refundStatus(payment, REFUND, LIMITS));
  await pool.opened.close();
});

test('a bank that can only make refunds gets the same call again, marked as repeated', async () => {
  const asked: boolean[] = [];
  const bank: Partial<OnlineBank> = {
    kind: 'online',
    refund: async ({ isRepeated }) => {
      asked.push(isRepeated);
      return { state: 'done', bankRefundId: null, reason: null };
    },
    close: async () => undefined,
  };
  const pool = newPool([CFT]);
  pool.opened.open = async () => bank as OnlineBank;
  const payment = paymentOf(CFT);
  assert.is((await pool.refund(payment, REFUND, LIMITS)).state, 'done');
  assert.is((await pool.refundStatus(payment, REFUND, LIMITS)).state, 'done');
  assert.equal(asked, [false, true]);
  assert.is(await pool.findRefund(payment, REFUND, true, LIMITS), 'unreported');
  assert.is(asked.length, 2, 'what would make it is not asked');
  await pool.opened.close();
});

test('a refund is looked for by no call that makes one: by the bank that can, else by its state', async () => {
  const made = () => Promise.reject(new Error('it may have been made'));
  type Answers = { -readonly [Call in 'findRefund' | 'refundStatus']?: NonNullable<OnlineBank[Call]> };
  const bank: Answers & Partial<OnlineBank> = { kind: 'online', refund: made, close: async () => undefined };
  const pool = newPool([CFT]);
  pool.opened.open = async () => bank as OnlineBank;
  const find = (isTaken: boolean) => pool.findRefund(paymentOf(CFT), REFUND, isTaken, LIMITS);
  const pending = { state: 'pending', bankRefundId: 'r1', reason: null } as const;
  bank.refundStatus = async () => pending;
  assert.is(await find(false), 'unreported');
  assert.is(await find(true), pending);
  for (const [error, isAnswer] of [
    [new BankError('refused', 'there was none'), true],
    [new BankError('refused', 'who is asking?', { isUnauthorized: true }), false],
    [new BankError('unreachable', 'later'), false],
    [new BankError('contradiction', 'another'), false],
  ] as const) {
    bank.refundStatus = async () => Promise.reject(error);
    if (isAnswer) assert.is(await find(true), 'nothing');
    else assert.is(await bankError(error.code, find(true)), error);
  }
  bank.refundStatus = made;
  bank.findRefund = async () => pending;
  for (const isTaken of [true, false]) assert.is(await find(isTaken), pending);
  bank.findRefund = async () => null;
  for (const isTaken of [true, false]) assert.is(await find(isTaken), 'nothing');
  bank.findRefund = async () => Promise.reject(new BankError('refused', 'no'));
  await bankError('refused', find(false));
  await pool.opened.close();
});

test.run();
