/** A payment that takes the place of another one: what the customer still sees, and is never asked to pay twice. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import { each } from '../support.ts';
import {
  codes,
  NO_POLLS,
  onLane,
  onLaneWith,
  openLane,
  refusal,
  registered,
  restarted,
  states,
  until,
} from './harness.ts';
import { paymentsAfter } from './ledger-rows.ts';

const test = suite('terminal: replaced payments');
const it = each(test, onLane);
const unasked = each(test, onLaneWith({ pacing: NO_POLLS }));

const refused = () => new BankError('refused', 'no');

it('a static code comes off the display for the next sale, also where that fails', async (l) => {
  await l.showStatic('https://pay.example/static');
  assert.equal(codes(l.display.drawn), ['https://pay.example/static']);
  l.bank.failures = [refused()];
  await refusal(l.showQR(200));
  assert.is(l.screen.picture.kind, 'clear');
});

it('paid while the next is registered: the next is withdrawn, refused once; status ACCEPTED', async (l) => {
  l.bank.allowCancel(() => {
    if (l.bank.registered.length === 1) throw refused();
  });
  await l.showQR(100);
  l.bank.hold();
  const next = refusal(l.showQR(200));
  await registered(l, 2);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('the acceptance in the ledger', () => paymentsAfter(l.ledger, 0, 1)[0]?.status.state === 'ACCEPTED');
  l.bank.release();
  assert.is((await next).member, 'PreviousPaid');
  assert.equal(l.screen.picture, { kind: 'status', status: 'success' }, 'the customer who paid sees so');
  assert.is(codes(l.display.drawn).length, 1);
  assert.equal(l.bank.canceled, [l.bankId(1)]);
  assert.equal(states(l), ['100 ACCEPTED', '200 ERROR']);
  assert.is(l.payments.status().status, 'ACCEPTED');
  await l.showQR(300);
  assert.is(l.payments.status().status, 'PENDING');
});

it('paid after the next had failed: no till could read it, and its next call is refused once', async (l) => {
  for (const [settings, amount] of [
    ['dynamic', 200],
    ['static', 300],
  ] as const) {
    const n = l.bank.registered.length;
    await l.showQR(100);
    l.bank.failures = [refused()];
    await refusal(l.showQR(amount));
    assert.is(l.screen.picture.kind, 'clear', 'the code before stays off');
    l.bank.verdicts.set(l.bankId(n), 'accepted');
    await until('a late acceptance', () => l.ledger.queries.lateCount() === 1);
    assert.is(l.payments.status().status, 'ERROR');
    const again = () => (settings === 'static' ? l.showStatic('https://pay.example/static') : l.showQR(amount));
    assert.is((await refusal(again())).member, 'PreviousPaid');
    assert.is(l.payments.status().status, 'ACCEPTED');
    l.payments.markHandled(l.payments.status());
    assert.is(l.ledger.queries.lateCount(), 0, 'the till knows now');
    await again();
  }
});

it('after a broken drawing an unpaid payment is taken out of use at the bank by another sale', async (l) => {
  l.bank.allowCancel();
  l.display.breaks = true;
  await refusal(l.showQR(100));
  l.display.breaks = false;
  await l.showQR(200);
  assert.equal(l.bank.canceled, [l.bankId(0)]);
  assert.equal(states(l), ['100 ERROR', '200 PENDING']);
});

unasked('a call that waited for its turn is given up by clearScreen before the bank hears of it', async (l) => {
  await l.showQR(50);
  l.bank.hold();
  const first = refusal(l.showQR(100));
  await registered(l, 2);
  const { questions } = l.bank;
  l.bank.allowCancel();
  const queued = refusal(l.showQR(200));
  await l.view.clear();
  l.bank.release();
  assert.match((await first).message, /cleared/);
  assert.match((await queued).message, /cleared/);
  assert.is(l.bank.registered.length, 2);
  assert.is(codes(l.display.drawn).length, 1);
  assert.is(l.payments.status().status, 'ERROR');
  assert.equal(
    [l.bank.questions, l.bank.canceled],
    [questions, [l.bankId(1)]],
    'it has done nothing about the one for 50',
  );
});

it('the same call after clearScreen is new: it does not join the one that is given up', async (l) => {
  l.bank.hold();
  const first = refusal(l.showQR(100));
  await registered(l);
  await l.view.clear();
  const again = l.showQR(100);
  l.bank.release();
  assert.match((await first).message, /cleared/);
  await again;
  assert.is(l.screen.payment, l.bank.registered[1]?.orderId);
});

test('no kill falls between a new payment and its mark on the one before: they are one commit', async () => {
  const before = await openLane();
  await before.showQR(100);
  before.ledger.fullFor = ['setStatus'];
  await refusal(before.showQR(200));
  assert.equal(states(before), ['100 PENDING']);
  assert.is(before.payments.status().status, 'ERROR');
  before.ledger.fullFor = [];
  await before.showQR(300);
  await using after = await restarted(before);
  after.bank.verdicts.set(after.bankId(0), 'accepted');
  await until('a late acceptance', () => after.ledger.queries.lateCount() === 1);
});

it('a full disk before the code is shown: ERROR, withdrawn at the bank, and ended later', async (l) => {
  l.bank.allowCancel();
  l.ledger.fullFor = ['intendToShow', 'setStatus'];
  const error = await refusal(l.showQR(100));
  assert.equal([error.status, error.category, error.member], [500, 'Internal', 'StorageFull']);
  assert.match(error.message, /not shown/);
  assert.not.match(error.message, /nothing was registered/);
  assert.equal(codes(l.display.drawn), []);
  assert.equal(l.bank.canceled, [l.bankId(0)]);
  const { status, failure } = l.payments.status();
  assert.equal([status, failure?.message], ['ERROR', error.message]);
  assert.is(l.payments.waiting, 0);
  l.ledger.fullFor = [];
  await l.showQR(200);
  assert.equal(states(l), ['100 ERROR', '200 PENDING']);
  assert.is(l.payments.waiting, 1);
});

test.run();
