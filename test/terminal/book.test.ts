/** What the ledger is given to keep of calls that have failed; which call the status is about is in `call-queue.test.ts`. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TerminalError } from '../../firmware/banks/errors.ts';
import { Metrics } from '../../firmware/core/host/metrics.ts';
import { openDatabase } from '../../firmware/core/store/database.ts';
import { Ledger } from '../../firmware/payments/money/ledger.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { MONEY_MIGRATIONS } from '../../firmware/payments/money/money-schema.ts';
import type { NewPayment } from '../../firmware/payments/money/payment-row.ts';
import { PaymentBook } from '../../firmware/payments/service/book.ts';
import { type PaymentFailure, REGISTERING } from '../../firmware/payments/service/payment.ts';
import { RESTARTED } from '../../firmware/payments/service/payment-failures.ts';
import { PaymentFigures } from '../../firmware/payments/service/payment-figures.ts';
import { each } from '../support.ts';
import { HandClock, type Lane, onLane } from './harness.ts';

const test = suite('terminal: the call that the status is about');
const it = each(test, onLane);

const failure = (message: string): TerminalError => TerminalError.of('Bank', 'Unreachable', message);
const KNOWN = { ref: null, payload: null };

/** With what it was given to keep of failed calls, and a disk that may be full for those. */
class KeptCalls extends Ledger {
  readonly kept: string[] = [];
  isFull = false;

  override keepFailedCall(failed: PaymentFailure): void {
    if (this.isFull) throw new Error('database or disk is full');
    this.kept.push(failed.message);
    super.keepFailedCall(failed);
  }
}

const payment = (orderId: string, clock: HandClock): NewPayment => ({
  ...{ orderId, createdAt: clock.wall(), bootId: clock.bootId, createdMono: clock.monotonic() },
  ...{ profile: 'p', bank: 'Sandbox', merchant: 'm', amount: 100, purpose: null, ttl: 5 },
  ...{ till: null, cashier: null, sale: null, status: REGISTERING },
});

/** A book of its own; `enter` enters a payment of a call. */
function setUp({ view }: Lane) {
  const clock = new HandClock();
  const money = Money.over(openDatabase(':memory:', MONEY_MIGRATIONS, 0).db);
  const ledger = new KeptCalls(money.book, () => null);
  const unwritten: string[] = [];
  const figures = new PaymentFigures(
    new Metrics(),
    clock,
    () => 0,
    () => 0,
  );
  const book = new PaymentBook({
    ...{ clock, ledger, view, figures, symbolMs: 20, unreadMs: 0 },
    onUnwritten: () => unwritten.push('unwritten'),
    log: () => undefined,
  });
  const enter = (call: number): void => {
    book.beginCall(call, () => false);
    book.enter(payment(`order-${call}`, clock), KNOWN);
  };
  return { book, enter, ledger, kept: ledger.kept, unwritten };
}

it('the ledger keeps each failure, and once that a restart would be one; a payment that is entered makes both void', async (l) => {
  const { book, enter, ledger, kept } = setUp(l);
  const first = book.nextCall();
  book.expectRestart();
  book.expectRestart();
  assert.equal(kept, [RESTARTED.message]);
  book.failCall(first, failure('first'));
  assert.equal(kept, [RESTARTED.message, 'first']);
  assert.is(ledger.failedCall()?.message, 'first');
  enter(book.nextCall());
  assert.is(ledger.failedCall(), null);
  book.expectRestart();
  assert.equal(kept, [RESTARTED.message, 'first', RESTARTED.message]);
});

it('a payment that is entered while a later call waits, or has failed, makes nothing void', async (l) => {
  const { book, enter, ledger, kept } = setUp(l);
  const first = book.nextCall();
  const second = book.nextCall();
  enter(first);
  assert.equal(kept, [RESTARTED.message]);
  book.expectRestart();
  assert.equal(kept, [RESTARTED.message], 'it is kept already');
  book.failCall(second, failure('second'));
  book.callAgain(`order-${first}`, null, first);
  assert.equal(kept, [RESTARTED.message, 'second', 'second']);
  assert.equal([ledger.failedCall()?.message, book.status().status], ['second', 'ERROR']);
});

it('what has failed before the ledger could be read stays', async (l) => {
  const { book, ledger } = setUp(l);
  ledger.keepFailedCall({ category: 'Bank', code: 1, message: 'of the process before' });
  book.failCall(book.nextCall(), failure('of this process'));
  book.recover();
  assert.is(book.status().failure?.message, 'of this process');
});

it('on a full disk a failure is reported anyway, and writing it is tried again', async (l) => {
  const { book, ledger, kept, unwritten } = setUp(l);
  ledger.isFull = true;
  const call = book.nextCall();
  book.expectRestart();
  book.failCall(call, failure('first'));
  assert.equal([book.status().failure?.message, unwritten.length], ['first', 2]);
  ledger.isFull = false;
  book.expectRestart();
  assert.is(kept.length, 1);
});

test.run();
