/** What the ledger keeps of the calls: the next process says of the latest call what this one says. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Book } from '../../firmware/core/book/book.ts';
import { openDatabase } from '../../firmware/core/files/database.ts';
import { REGISTERING } from '../../firmware/payments/model/payment.ts';
import type { Ledger } from '../../firmware/payments/money/ledger.ts';
import { Money, moneyPlan } from '../../firmware/payments/money/money.ts';
import { MONEY_MIGRATIONS } from '../../firmware/payments/money/money-schema.ts';
import { PaymentBook } from '../../firmware/payments/service/outcome/book.ts';
import { CallBook } from '../../firmware/payments/service/outcome/call-book.ts';
import { replaced } from '../replaced.ts';
import { HandClock } from './harness.ts';
import { newPayment } from './ledger-rig.ts';

const test = suite('terminal: the book of the calls');

const SHOWN = { ...REGISTERING, seen: true };
const UNREGISTERED = { ref: null, payload: null };
const FULL = Object.assign(new Error('database or disk is full'), { errcode: 13 });

const UNDESCRIBED = { payment: () => ({}), refund: () => ({}) };

const openLedger = (): Ledger =>
  new Money(Book.over(openDatabase(':memory:', MONEY_MIGRATIONS, 0).db, moneyPlan(UNDESCRIBED))).payments;

/** A process on a ledger. */
function started(ledger: Ledger) {
  const nothing = (): void => undefined;
  const deps = {
    ...{ clock: new HandClock(), ledger, symbolMs: 20, unreadMs: 0, onUnwritten: nothing, log: nothing },
    view: { shown: null, showEnd: () => false, removeCode: nothing },
    figures: { countAsked: nothing, countEnd: nothing },
  };
  const payments = new PaymentBook(deps);
  const calls = new CallBook(deps, payments);
  calls.recover();
  payments.recover();
  return { calls, payments };
}

/** Calls of a process, as they come, wait, and get their outcome. */
class Shop {
  readonly ledger = openLedger();
  readonly process = started(this.ledger);
  readonly calls = this.process.calls;
  called = 0;
  begun = 0;
  entered = 0;

  call(): void {
    this.calls.expectRestart();
    this.called = this.calls.nextCall();
  }

  begin(): void {
    if (this.begun === this.called) return;
    this.begun += 1;
    this.calls.beginCall(this.begun, () => false);
  }

  enter(): void {
    if (this.begun === 0) return;
    this.entered += 1;
    this.calls.enter({ ...newPayment(this.entered), status: SHOWN }, UNREGISTERED);
  }

  sell(): void {
    this.call();
    this.begin();
    this.enter();
  }

  again(n: number): void {
    if (this.begun > 0 && this.entered > 0) this.calls.callAgain(this.#payment(n), { type: 'shown-again' });
  }

  report(n: number): void {
    if (this.called > 0 && this.entered > 0) this.calls.reportPayment(this.#payment(n), this.#call(n));
  }

  fail(n: number): void {
    if (this.called > 0) this.calls.failCall(this.#call(n), new Error(`made up ${n}`));
  }

  refuse(n: number): void {
    if (this.called > 0) this.calls.refuseCall(this.#call(n), new Error(`made up ${n}`));
  }

  #payment = (n: number): string => newPayment((n % this.entered) + 1).orderId;
  #call = (n: number): number => (n % this.called) + 1;
}

const step = fc.tuple(
  fc.constantFrom('call', 'begin', 'enter', 'again', 'report', 'fail', 'refuse'),
  fc.nat(12),
) as fc.Arbitrary<['call' | 'begin' | 'enter' | 'again' | 'report' | 'fail' | 'refuse', number]>;

test('whatever the calls before came to, a restart changes nothing of the outcome of the latest', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 3, maxLength: 25 }), (steps) => {
      const shop = new Shop();
      for (const [name, n] of steps) {
        shop[name](n);
        const status = shop.calls.status();
        const next = started(shop.ledger).calls.status();
        if (status.status !== 'PENDING' || status.orderId !== null) assert.equal(next, status);
        else assert.is(next.status, 'ERROR', 'a call under way has failed');
      }
    }),
    { numRuns: 60 },
  );
});

test('a payment that the ledger cannot record is reported for its call, not for an earlier one', () => {
  const shop = new Shop();
  shop.sell();
  shop.sell();
  shop.call();
  const [first, second] = [1, 2].map((n) => newPayment(n).orderId);
  using _full = replaced(shop.ledger, 'callAgain', () => {
    throw FULL;
  });
  shop.calls.reportPayment(String(first), 3);
  assert.is(shop.calls.status().orderId, first);
  shop.calls.reportPayment(String(second), 2);
  assert.is(shop.calls.status().orderId, first, 'the later call keeps its payment');
  shop.calls.failCall(2, new Error('made up'));
  assert.is(shop.calls.status().orderId, first);
});

test('the status reports the paid payment that a refusal names, unless another call has come', () => {
  for (const isOver of [false, true]) {
    const shop = new Shop();
    shop.sell();
    shop.sell();
    if (isOver) shop.call();
    const { orderId } = newPayment(1);
    shop.calls.reportPaid(
      [shop.ledger.find(orderId)].flatMap((payment) => payment ?? []),
      2,
      null,
    );
    assert.is(shop.ledger.last()?.orderId, isOver ? newPayment(2).orderId : orderId);
    assert.is(shop.calls.status().orderId, isOver ? null : orderId);
    assert.equal([shop.calls.isDeliveredTo(null, orderId), shop.calls.isDeliveredTo('other', orderId)], [true, false]);
  }
});

test('a call that is refused as an earlier payment is paid is ERROR in spite of its own payment', () => {
  const shop = new Shop();
  shop.sell();
  shop.calls.refuseCall(1, new Error('made up'));
  assert.is(shop.calls.status().status, 'ERROR');
});

test('a call that fails in spite of its payment, as the ledger does, is ERROR', () => {
  const shop = new Shop();
  shop.sell();
  shop.calls.failCall(1, new Error('made up'));
  assert.is(shop.calls.status().status, 'PENDING');
  shop.calls.failCall(1, FULL);
  assert.is(shop.calls.status().status, 'ERROR');
});

test("what the ledger could not take is written once, with the payment's next call", () => {
  const shop = new Shop();
  shop.sell();
  const { orderId } = newPayment(1);
  const { payments } = shop.process;
  {
    using _full = replaced(shop.ledger, 'setStatus', () => {
      throw FULL;
    });
    payments.note(orderId, { type: 'given-up' });
  }
  assert.equal([payments.find(orderId).status.awaited, payments.isWritten(orderId)], [false, false]);
  shop.calls.callAgain(orderId, { type: 'shown-again' });
  assert.equal([payments.find(orderId).status.awaited, payments.isWritten(orderId)], [true, true]);
});

test.run();
