/** A till sends a sale again, and the ledger has lost it: the bank is asked for the order before it is given another one. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import type { BankVerdict } from '../../firmware/banks/bank-payment.ts';
import { BankPool } from '../../firmware/banks/bank-pool.ts';
import { reportedState } from '../../firmware/payments/model/payment-failures.ts';
import type { SaleRequest } from '../../firmware/payments/service/sale/sale.ts';
import { each, fieldsOf } from '../support.ts';
import { poolOf, TestBanks } from './banks/pools.ts';
import {
  codes,
  HandClock,
  type Lane,
  type LaneParts,
  NO_POLLS,
  onLane,
  openLane,
  refusal,
  unreachable,
  until,
} from './harness.ts';
import { paymentsAfter } from './ledger-rows.ts';
import { OrderBank } from './order-bank.ts';
import { sell as sellBy } from './sale-keys.ts';

const test = suite('terminal: a sale that the ledger has lost');

const SALE = { amount: 12_300, purpose: 'Apples', ttl: 5 };
const PAGE = 'https://bank.example/code';

/** One that gives the code of an order again. */
class CodeBank extends OrderBank {
  gives: Error | null = null;

  override code = async (ref: { readonly id: string }) => {
    if (this.gives !== null) throw this.gives;
    return { ref, code: { payload: `${PAGE}/${ref.id}`, linkId: null, isPage: true } };
  };
}

const sell = (l: Lane, key = 'k', sale: SaleRequest = SALE) => sellBy(l, key, sale);
const rows = ({ ledger }: Lane) => paymentsAfter(ledger, 0, 10);

const onOrders = (parts: LaneParts) => (work: (l: Lane, bank: CodeBank) => Promise<void>) => {
  const bank = new CodeBank();
  return onLane((l) => work(l, bank), { bank, ...parts });
};
const it = each(test, onOrders({ pacing: NO_POLLS }));
const polled = each(test, onOrders({}));
const hasty = each(test, onOrders({ pacing: { ...NO_POLLS, bankDeadlineMs: 600 } }));

it('a new sale: its order is looked for once, then registered; without a key it is not sought', async (l, bank) => {
  const { isAgain, isShown } = await sell(l);
  assert.equal(
    { isAgain, isShown, lookUps: bank.lookUps, registered: bank.registered.length },
    { isAgain: false, isShown: true, lookUps: 1, registered: 1 },
  );
  await sell(l);
  assert.equal([bank.lookUps, bank.registered.length], [1, 1]); // the ledger has it
  await l.showQR(500);
  assert.equal([bank.lookUps, bank.registered.length], [1, 2]);
});

polled('an order that is open: its own code is shown, and it is followed to its end', async (l, bank) => {
  bank.order = {};
  const { orderId, isAgain, isShown, warnings } = await sell(l);
  assert.equal(
    { isAgain, isShown, warnings, registered: bank.registered.length },
    { isAgain: true, isShown: true, warnings: [], registered: 0 },
  );
  assert.equal(codes(l.display.drawn), [`${PAGE}/bank-${orderId}`]);
  const { ref, status } = l.payments.find(orderId);
  assert.equal(
    { ref, state: status.state, seen: status.seen, awaited: status.awaited },
    { ref: { id: `bank-${orderId}` }, state: 'PENDING', seen: true, awaited: true },
  );
  bank.order = { verdict: 'accepted' };
  await until('paid', () => l.payments.find(orderId).status.state === 'ACCEPTED');
});

for (const [verdict, state] of [
  ['accepted', 'ACCEPTED'],
  ['rejected', 'REJECTED'],
  ['canceled', 'CANCELED'],
  ['processing', 'PENDING'],
] as const satisfies readonly (readonly [BankVerdict, string])[]) {
  it(`order ${verdict}: ${state} is reported, nothing is registered, and nothing shown`, async (l, bank) => {
    bank.order = { verdict };
    for (const _ of ['first', 'again']) {
      const { orderId, isAgain, isShown, warnings } = await sell(l);
      assert.equal([isAgain, isShown], [true, false]);
      assert.equal(fieldsOf(warnings, 'member'), verdict === 'processing' ? ['NotShown'] : []);
      assert.equal([l.payments.status().status, l.payments.status().orderId], [state, orderId]);
      assert.is(l.payments.find(orderId).status.late, false);
    }
    assert.equal(
      { registered: bank.registered.length, codes: codes(l.display.drawn), rows: rows(l).length },
      { registered: 0, codes: [], rows: 1 },
    );
  });
}

it('an order that was paid and given back: no till reads that it is paid', async (l, bank) => {
  bank.order = { verdict: 'accepted', refunded: SALE.amount };
  const { orderId, isShown } = await sell(l);
  const { status } = l.payments.find(orderId);
  assert.equal(
    { isShown, reportedState: reportedState(status), late: status.late },
    { isShown: false, reportedState: 'ERROR', late: true },
  );
  assert.is(
    status.failure?.message,
    'the payment was paid, and the bank gives all of it back, or has done so: nothing is paid',
  );
  assert.is(bank.registered.length, 0);
});

hasty('a bank that does not report the order gets no other, and the same call again goes on', async (l, bank) => {
  bank.order = unreachable();
  const error = await refusal(sell(l));
  assert.equal([error.member, error.payment], ['Unreachable', null]);
  assert.ok(bank.lookUps > 1, 'it is asked again in the same call');
  assert.equal([bank.registered.length, rows(l).length, l.payments.status().status], [0, 0, 'ERROR']);
  bank.order = new BankError('refused', 'the bank does not know this password', { isUnauthorized: true });
  assert.is((await refusal(sell(l))).payment, null);
  bank.order = { verdict: 'accepted' };
  const { orderId } = await sell(l);
  assert.equal([l.payments.find(orderId).status.state, bank.registered.length], ['ACCEPTED', 0]);
});

it('a bank that will not report the order leaves it unknown: the till repeats, with no new key', async (l, bank) => {
  bank.order = new BankError('refused', 'the bank has no such call', { status: 404 });
  const error = await refusal(sell(l));
  assert.equal([error.category, error.member, error.payment], ['Bank', 'Unreachable', null]);
  assert.equal(
    { lookUps: bank.lookUps, registered: bank.registered.length, rows: rows(l).length },
    { lookUps: 1, registered: 0, rows: 0 },
  );
  bank.order = { verdict: 'accepted' };
  const { orderId } = await sell(l);
  assert.equal([l.payments.find(orderId).status.state, bank.registered.length], ['ACCEPTED', 0]);
});

it('an order for another amount: its key stands for that in any state, and nothing is entered', async (l, bank) => {
  for (const verdict of ['pending', 'accepted', 'canceled'] as const) {
    bank.order = { verdict, amounts: [500, 500] };
    const error = await refusal(sell(l));
    assert.equal(
      [error.category, error.member, error.payment, error.parameters],
      ['Payments', 'IdConflict', null, { differs: ['amount'] }],
    );
    assert.match(error.message, /an order of 500 kopecks/);
  }
  assert.equal([bank.registered.length, rows(l).length, l.payments.status().status], [0, 0, 'ERROR']);
  const { orderId } = await sell(l, 'k', { ...SALE, amount: 500 });
  assert.equal([l.payments.find(orderId).status.state, bank.registered.length], ['CANCELED', 0]);
});

it('an order of another id, or of several amounts or none, is refused: nothing is entered', async (l, bank) => {
  for (const order of [
    { orderIds: ['another'] },
    { amounts: [Number.NaN] },
    { amounts: [500, SALE.amount] },
    { amounts: [SALE.amount, 500] },
    { amounts: [500], orderIds: [] },
    { amounts: [500], orderIds: ['another'] },
    { amounts: [500], currencies: ['USD'] },
    { amounts: [500], ids: ['another'] },
    { amounts: [0] },
    { amounts: [] },
    { amounts: [], refunded: 100 },
  ]) {
    bank.order = { verdict: 'accepted', ...order };
    const error = await refusal(sell(l));
    assert.equal([error.member, error.payment], ['Contradiction', null]);
  }
  assert.equal([bank.registered.length, rows(l).length], [0, 0]);
});

it('an order by the id of another payment is not taken up', async (l, bank) => {
  await sell(l, 'before');
  bank.order = {};
  bank.knownAs = l.bankId(0);
  const error = await refusal(sell(l, 'k', { ...SALE, amount: 500 }));
  assert.equal([error.member, error.payment], ['Contradiction', null]);
  assert.equal([bank.registered.length, rows(l).length], [1, 1]);
});

test('a bank that cannot be asked for an order counts as one that takes no payments', async () => {
  const profile = { bankName: 'Tinkoff', terminalKey: 't', password: 'p', baseUrl: 'http://127.0.0.1:9' } as const;
  const pool = new BankPool(...poolOf(new HandClock(), () => [profile]));
  const bank = await pool.opened.open(profile);
  if (bank.kind !== 'online') throw new Error('expected an online bank');
  const limits = { deadlineMs: 200, closing: new AbortController().signal };
  const error = await pool.findOrder(bank, { ...SALE, orderId: 'o' }, limits).catch((reason: unknown) => reason);
  assert.instance(error, BankError);
  assert.is(pool.opened.health(profile).failures?.error, error);
  await pool.opened.close();
});

polled('an order whose code the bank no longer returns is followed, and its till gets a warning', async (l, bank) => {
  bank.order = {};
  bank.gives = new BankError('refused', 'the payment is in another state');
  const { orderId, isShown, warnings } = await sell(l);
  assert.equal([isShown, warnings.map(({ member }) => member)], [false, ['NotShown']]);
  assert.equal([l.payments.find(orderId).status.state, bank.registered.length], ['PENDING', 0]);
  bank.order = { verdict: 'accepted' };
  await until('paid', () => l.payments.find(orderId).status.state === 'ACCEPTED');
});

hasty('an order whose code the bank does not give for now is not entered; the same again shows it', async (l, bank) => {
  bank.order = {};
  bank.gives = unreachable();
  assert.is((await refusal(sell(l))).payment, null);
  assert.is(rows(l).length, 0);
  bank.gives = null;
  assert.ok((await sell(l)).isShown);
  assert.is(bank.registered.length, 0);
  assert.match(await l.metrics(), /^laneware_payments_asked_total 1$/m);
});

it('an order taken up may still be paid after a failed display and a restart', async (l, bank) => {
  bank.order = {};
  l.display.unplug();
  assert.ok(await refusal(sell(l)));
  const [taken] = rows(l);
  assert.equal([taken?.status.state, taken?.status.seen, taken?.ref?.id], ['PENDING', true, `bank-${taken?.orderId}`]);
  await l.stop();
  const { clock, db } = l;
  const next = await openLane({ bank, clock, db });
  bank.order = { verdict: 'accepted' };
  await until('the bank is asked', () => next.payments.find(taken?.orderId ?? '').status.state === 'ACCEPTED');
  await next.stop();
});

/** What a bank is asked with: how long each look-up and each registration may take, ms. */
class TimedPool extends BankPool {
  readonly lookUps: number[] = [];
  readonly registrations: number[] = [];

  constructor(bank: OrderBank) {
    super(...poolOf(new HandClock(), () => [{ bankName: 'Sandbox' }], new TestBanks(async () => bank)));
  }

  override findOrder(...[bank, order, limits]: Parameters<BankPool['findOrder']>) {
    this.lookUps.push(limits.deadlineMs);
    return super.findOrder(bank, order, limits);
  }

  override register(...[bank, order, keep, limits]: Parameters<BankPool['register']>) {
    this.registrations.push(limits.deadlineMs);
    return super.register(bank, order, keep, limits);
  }
}

/** The time of the machine, which stands still but where a test lets it pass; the clock of a lane may go faster. */
function machineTime() {
  const { now } = performance;
  let passed = Math.ceil(now.call(performance)); // whole: sums of fractions round
  performance.now = () => passed;
  return {
    pass: (ms: number) => {
      passed += ms;
    },
    [Symbol.dispose]: () => {
      performance.now = now;
    },
  };
}

test('look-up, registration and code share one time budget with the question about earlier ones', async () => {
  using machine = machineTime();
  const bank = new CodeBank();
  const pool = new TimedPool(bank);
  const profile = { bankName: 'Sandbox' } as const;
  const l = await openLane({ bank, real: { pool, profile }, pacing: { ...NO_POLLS, bankDeadlineMs: 2000 } });
  const silentFor = async (ms: number): Promise<never> => {
    machine.pass(ms);
    throw unreachable();
  };
  const look = bank.find;
  bank.find = async (order, signal) => {
    l.clock.now += 3_600_000; // of a clock that goes faster than the bank answers
    machine.pass(300);
    return look(order, signal);
  };
  await sell(l, 'quick');
  assert.equal([pool.lookUps, pool.registrations], [[1000], [2000]]);
  bank.status = () => silentFor(3000); // of earlier payments, for all the time that they have
  await sell(l, 'slow', { ...SALE, amount: 500 });
  assert.equal(
    [pool.lookUps, pool.registrations],
    [
      [1000, 1000],
      [2000, 1700],
    ],
  );
  bank.find = () => silentFor(1000);
  const error = await refusal(sell(l, 'too slow', { ...SALE, amount: 600 }));
  assert.equal(
    { member: error.member, payment: error.payment, rows: rows(l).length, registered: bank.registered.length },
    { member: 'Unreachable', payment: null, rows: 2, registered: 2 },
  );
  await l.stop();
});

test.run();
