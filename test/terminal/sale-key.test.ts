/** A sale that a till names by a key: the same key is the same payment for ever, through losses, kills and repeats. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import type { SaleRequest } from '../../firmware/payments/service/sale/sale.ts';
import { each, fieldsOf } from '../support.ts';
import {
  callerNamed,
  codes,
  ended,
  MINUTE_MS,
  NO_POLLS,
  onLane,
  openLane,
  refusal,
  registered,
  report,
  restarted,
  states,
  TestBank,
} from './harness.ts';
import { code, DAY_MS, failureOf, idOf, sell, stateOf } from './sale-keys.ts';

const test = suite('terminal: a sale named by a key');
const it = each(test, onLane);

it('the same key again is the same payment, its code shown again, whatever the display shows', async (l) => {
  const first = await sell(l, 'k', { amount: 100, purpose: 'Apples', ttl: 5 });
  assert.equal([first.isAgain, first.warnings], [false, []]);
  await l.terminal.showInfoQR('opening hours');
  const again = await sell(l, 'k', { amount: 100, purpose: 'Apples', ttl: 5 });
  assert.equal([again.orderId, again.isAgain, again.warnings], [first.orderId, true, []]);
  assert.ok(l.payments.find(first.orderId).status.awaited);
  const [code, , shown] = codes(l.display.drawn);
  assert.is(shown, code);
  assert.is(l.bank.registered.length, 1);
});

it('the same key with anything else is refused by what differs: in registration, open, ended', async (l) => {
  const asked = { amount: 100, purpose: 'Apples', ttl: 5, profile: 'p' };
  const others: readonly [SaleRequest, string][] = [
    [{ ...asked, amount: 101 }, 'amount'],
    [{ ...asked, purpose: 'Pears' }, 'purpose'],
    [{ ...asked, ttl: 6 }, 'ttl'],
    [{ ...asked, profile: 'q' }, 'profile'],
    [{ ...asked, amount: 1, purpose: null }, 'amount,purpose'],
    [{ amount: 100, purpose: 'Apples', ttl: 5 }, 'profile'],
  ];
  const check = async (payment: string | undefined): Promise<void> => {
    for (const [other, differs] of others) {
      const { parameters, ...error } = await refusal(sell(l, 'k', other));
      assert.is(`${error.category}.${error.member}`, 'Payments.IdConflict');
      assert.equal([String(parameters.differs), parameters.payment], [differs, payment]);
    }
  };
  l.bank.hold();
  const first = sell(l, 'k', asked);
  await registered(l);
  await check(undefined);
  l.bank.release();
  const id = await idOf(first);
  await check(id);
  await report(l, 'accepted');
  l.payments.markHandled(l.payments.status());
  await check(id);
  assert.is(l.bank.registered.length, 1);
  // a field that is left out is null, and a ttl of 0 is none
  const short = await idOf(sell(l, 'short', { amount: 200 }));
  assert.is(await idOf(sell(l, 'short', { amount: 200, purpose: null, ttl: 0, profile: null })), short);
});

it('a sale that leaves out what another names is another body, not of another profile or ttl', async (l) => {
  const bare = { amount: 100, purpose: 'Apples' };
  const whole = { ...bare, ttl: 5, profile: 'p' };
  await sell(l, 'bare', bare);
  await sell(l, 'whole', whole);
  for (const [key, asked, differs] of [
    ['bare', { ...bare, profile: 'p' }, 'profile'],
    ['bare', { ...bare, ttl: 5 }, 'ttl'],
    ['bare', whole, 'purpose,ttl,profile'],
    ['whole', { ...whole, ttl: null }, 'ttl'],
    ['whole', { ...whole, profile: null }, 'profile'],
  ] as const) {
    const { message, parameters } = await refusal(sell(l, key, asked));
    assert.is(String(parameters.differs), differs);
    assert.not.match(message, 'which has another');
    assert.match(message, /which one of the two may leave out; for the same sale send the same body/);
  }
  assert.match((await refusal(sell(l, 'bare', { ...bare, ttl: 6 }))).message, 'which has another ttl');
});

it('calls of one key at once are one call; a till that hangs up and repeats gets its answer', async (l) => {
  l.bank.hold();
  const hangsUp = new AbortController();
  const first = sell(l, 'k', { amount: 100 }, callerNamed(null, hangsUp.signal));
  await registered(l);
  hangsUp.abort();
  const repeated = [sell(l, 'k'), sell(l, 'k')];
  l.bank.release();
  const answers = await Promise.all([first, ...repeated]);
  assert.is(new Set(answers.map(({ orderId }) => orderId)).size, 1);
  assert.equal(fieldsOf(answers, 'isAgain', 'warnings'), [
    [false, []],
    [true, []],
    [true, []],
  ]);
  assert.equal([l.bank.registered.length, codes(l.display.drawn).length], [1, 1]);
  assert.ok(l.payments.find(answers[0]?.orderId ?? '').status.awaited);
});

it('a call that waits its turn while its till hangs up is dropped, and leaves the key unused', async (l) => {
  l.bank.hold();
  const first = sell(l, 'one', { amount: 100 });
  await registered(l);
  const hangsUp = new AbortController();
  const waiting = refusal(sell(l, 'two', { amount: 200 }, callerNamed(null, hangsUp.signal)));
  hangsUp.abort();
  l.bank.release();
  await first;
  assert.is((await waiting).payment, null);
  assert.is((await sell(l, 'two', { amount: 200 })).isAgain, false);
  assert.is(l.bank.registered.length, 2);
});

it('an ended payment returns its state, and shows nothing, days and a boot later too', async (l) => {
  let lane = l;
  const sales: [string, number][] = [];
  for (const [n, verdict] of (['accepted', 'rejected', 'canceled'] as const).entries()) {
    const amount = 100 * (n + 1);
    await sell(lane, verdict, { amount });
    lane.bank.verdicts.set(lane.bankId(n), verdict);
    await ended(lane, verdict.toUpperCase());
    lane.payments.markHandled(lane.payments.status());
    sales.push([verdict, amount]);
  }
  const check = async (): Promise<void> => {
    const drawn = lane.display.drawn.length;
    for (const [verdict, amount] of sales) {
      const { orderId, isAgain } = await sell(lane, verdict, { amount });
      assert.equal([stateOf(lane, orderId), isAgain], [verdict.toUpperCase(), true]);
    }
    assert.equal([lane.display.drawn.length, lane.bank.registered.length], [drawn, 3]);
  };
  await check();
  lane.clock.now += 30 * DAY_MS;
  await check();
  await lane.stop();
  lane.clock.bootId = 'boot-2';
  lane.clock.now = 1; // the clock is set back, too
  await using next = await restarted(lane, { pacing: NO_POLLS });
  lane = next;
  await check();
});

it('past its ttl a code is not shown again: the payment is open until the bank reports it', async (l) => {
  const id = await idOf(sell(l, 'k'));
  const drawn = codes(l.display.drawn).length;
  l.clock.now += 5 * MINUTE_MS;
  assert.is(await idOf(sell(l, 'k')), id);
  assert.equal([stateOf(l, id), codes(l.display.drawn).length], ['PENDING', drawn]);
});

it('an unregistered sale fails in the same words for ever; another key is another attempt', async (l) => {
  l.bank.failures = [new BankError('refused', 'the bank says no'), new BankError('contradiction', 'that cannot be')];
  const failed = [await refusal(sell(l, 'refused')), await refusal(sell(l, 'odd'))];
  assert.equal(failed.map(code), ['Bank.Refused', 'Bank.Contradiction']);
  for (const [n, name] of ['refused', 'odd'].entries()) {
    const again = await refusal(sell(l, name));
    assert.equal(failureOf(again), failureOf(failed[n] ?? again));
    assert.is(again.payment, l.ledger.ofSale(null, name)?.orderId);
  }
  assert.is(l.bank.registered.length, 2);
  assert.is((await sell(l, 'new')).isAgain, false);
  assert.equal(states(l), ['100 ERROR', '100 ERROR', '100 PENDING']);
});

it('a disk that is full while the key is written: the bank is not called; the key works later', async (l) => {
  l.ledger.fullFor = ['insert'];
  const { category, member, payment } = await refusal(sell(l, 'k'));
  assert.equal([category, member, payment], ['Internal', 'StorageFull', null]);
  assert.is(l.bank.registered.length, 0);
  l.ledger.fullFor = [];
  assert.is((await sell(l, 'k')).isAgain, false);
});

test('a process ends while the bank registers: the repetition reports it, and is not sent again', async () => {
  const before = await openLane({ pacing: NO_POLLS });
  before.bank.hold();
  const cut = sell(before, 'k').catch(() => null);
  await registered(before);
  const rows = before.db.prepare('SELECT count(*) AS n FROM payments WHERE sale_key IS NOT NULL').get();
  assert.is(rows?.n, 1, 'the key is in the ledger before the bank is asked');
  // the process is gone: what it writes afterwards goes nowhere
  const image = new TestBank();
  const { clock } = before;
  const copy = await openLane({ bank: image, clock, db: before.db, pacing: NO_POLLS });
  const error = await refusal(sell(copy, 'k'));
  assert.equal([code(error), error.payment], ['Internal.UnexpectedError', copy.ledger.ofSale(null, 'k')?.orderId]);
  assert.match(error.message, /restarted before the code was shown/);
  assert.is(image.registered.length, 0);
  assert.is((await sell(copy, 'new')).isAgain, false);
  await copy.stop();
  before.bank.release();
  await cut;
  await before.stop();
});

it('a code that is not on the present printed code is not shown for its key', async (l) => {
  await sell(l, 'k');
  const drawn = l.display.drawn.length;
  Object.assign(l.bank, { isOnPresentCode: () => false });
  const { isShown, warnings } = await sell(l, 'k');
  assert.equal([isShown, warnings.map(({ member }) => member)], [false, ['NotShown']]);
  assert.is(l.display.drawn.length, drawn);
});

it('a row that storage has damaged is refused, makes no second payment, even without its key', async (l) => {
  const id = await idOf(sell(l, 'k'));
  l.db.exec('UPDATE payments SET amount = amount + 1');
  const damaged = await refusal(sell(l, 'k'));
  assert.equal([code(damaged), damaged.payment], ['Payments.Damaged', id]);
  l.db.exec("UPDATE payments SET sale_key = 'j'");
  const lost = await refusal(sell(l, 'k'));
  assert.equal([code(lost), lost.payment], ['Payments.Damaged', id]);
  assert.is(l.bank.registered.length, 1);
});

test('the order id follows from the key: a lost ledger makes no second order of a sale', async () => {
  const orderIds: string[] = [];
  for (const _ of [1, 2]) {
    const l = await openLane({ pacing: NO_POLLS });
    for (const [name, till] of [
      ['k', null],
      ['k', 'till'],
      ['k2', null],
    ] as const)
      orderIds.push(await idOf(sell(l, name, { amount: orderIds.length + 1 }, callerNamed(till))));
    await l.stop();
  }
  assert.equal(orderIds.slice(0, 3), orderIds.slice(3));
  assert.is(new Set(orderIds).size, 3);
  for (const id of orderIds) assert.match(id, /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

test.run();
