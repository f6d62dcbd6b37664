/** The status of a sale that a till names by a key: after a cancellation, a broken drawing, and what counts as read. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DisplayError } from '../../drivers/display/contract.ts';
import { BankError } from '../../firmware/banks/bank-error.ts';
import { withRepeat } from '../../firmware/payments/http/v1/sale-routes.ts';
import type { PaymentRow } from '../../firmware/payments/model/payment-row.ts';
import { TerminalError } from '../../firmware/payments/model/terminal-error.ts';
import { paymentIn } from '../../firmware/payments/service/outcome/payment-waits.ts';
import { each } from '../support.ts';
import {
  callerNamed,
  codes,
  ended,
  NO_POLLS,
  onLane,
  openLane,
  refusal,
  registered,
  restarted,
  unreachable,
  until,
} from './harness.ts';
import { code, idOf, sell, stateOf, status } from './sale-keys.ts';

const test = suite('terminal: the status of a sale named by a key');
const it = each(test, onLane);

it('a change between the look at a payment and the wait is not missed; nothing waits in vain', async (l) => {
  const payment = l.payments.find(await idOf(sell(l, 'k')));
  const { signal } = new AbortController();
  const isNews = ({ status }: PaymentRow): boolean => status.state !== 'PENDING';
  const { waits, ledger } = l.terminal;
  assert.is((await waits.until(paymentIn(ledger, payment), isNews, 5, signal)).status.state, 'PENDING');
  assert.equal([waits.waiting, ledger.changes.watched], [0, 0]);
  // what the caller has looked at is older than the change
  ledger.setStatus(payment.orderId, { ...payment.status, state: 'REJECTED' }, 1);
  assert.is((await waits.until(paymentIn(ledger, payment), isNews, 60_000, signal)).status.state, 'REJECTED');
  ledger.setStatus(payment.orderId, payment.status, 1);
  const waiting = waits.until(paymentIn(ledger, payment), isNews, 60_000, signal);
  assert.equal([waits.waiting, ledger.changes.watched], [1, 1]);
  ledger.acknowledge(payment.orderId, 'seen', 1); // a change that is none to the till
  await new Promise(setImmediate);
  assert.is(waits.waiting, 1);
  ledger.setStatus(payment.orderId, { ...payment.status, state: 'ACCEPTED' }, 1);
  assert.is((await waiting).status.state, 'ACCEPTED');
  assert.equal([waits.waiting, ledger.changes.watched], [0, 0]);
});

it('a drawing that breaks: the same key draws the code again', async (l) => {
  await sell(l, 'before', { amount: 1 });
  l.display.breaks = true;
  const broken = await refusal(sell(l, 'k'));
  const id = broken.payment ?? '';
  assert.match(broken.message, /the code may have been seen/);
  l.display.breaks = false;
  const again = await sell(l, 'k');
  assert.equal([again.orderId, stateOf(l, id)], [id, 'PENDING']);
  assert.is(codes(l.display.drawn).at(-1), `https://pay.example/${id}`);
  l.display.breaks = true;
  assert.equal([(await refusal(sell(l, 'k'))).payment, stateOf(l, id)], [id, 'PENDING']);
  assert.is(l.bank.registered.length, 2);
});

it('a call that fails beside it leaves the status to the payment whose key is sent again', async (l) => {
  await sell(l, 'k');
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await ended(l, 'ACCEPTED');
  l.payments.failCall(await refusal(l.terminal.sell({ amount: 1 }, callerNamed(null), 'k')));
  assert.is(l.payments.status().status, 'ERROR');
  await sell(l, 'k');
  assert.is(l.payments.status().status, 'ACCEPTED');
});

it('the status is of the payment whose key came last, even if it has ended before or just then', async (l) => {
  l.bank.allowCancel();
  const first = await idOf(sell(l, 'k1', { amount: 100 }));
  const second = await idOf(sell(l, 'k2', { amount: 200 }));
  assert.equal([(await sell(l, 'k1', { amount: 100 })).isShown, ...status(l)], [false, 'CANCELED', first]);
  l.bank.verdicts.set(l.bankId(1), 'accepted');
  assert.equal([(await sell(l, 'k2', { amount: 200 })).isShown, ...status(l)], [false, 'ACCEPTED', second]);
  l.payments.markHandled(l.payments.status());
  l.bank.failures = [new BankError('refused', 'the bank says no')];
  const failed = (await refusal(sell(l, 'k3', { amount: 300 }))).payment;
  const fourth = await idOf(sell(l, 'k4', { amount: 400 }));
  assert.equal(status(l), ['PENDING', fourth]);
  await refusal(sell(l, 'k3', { amount: 300 }));
  assert.equal(status(l), ['ERROR', failed]);
});

it('a call that fails leaves the status to a key sent after it, in the next process too', async (l) => {
  const known = await idOf(sell(l, 'k'));
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await ended(l, 'ACCEPTED');
  l.payments.markHandled(l.payments.status());
  l.bank.hold();
  l.bank.failures = [new BankError('refused', 'the bank says no')];
  const failing = refusal(l.showQR(200));
  await registered(l, 2);
  await sell(l, 'k');
  l.bank.release();
  assert.is((await failing).member, 'Refused');
  assert.equal(status(l), ['ACCEPTED', known]);
  await using next = await restarted(l);
  assert.equal(status(next), ['ACCEPTED', known]);
});

it('a key sent again while its payment is taken back at the bank leaves no call under way', async (l) => {
  const id = await idOf(sell(l, 'k'));
  l.bank.verdicts.set(l.bankId(0), 'canceled');
  const { isShown, warnings } = await sell(l, 'k');
  assert.equal([isShown, warnings, ...status(l)], [false, [], 'CANCELED', id]);
});

it('cancelled by its till: not shown again for its key, with a warning; late if it is paid', async (l) => {
  const id = await idOf(sell(l, 'k'));
  await sell(l, 'k');
  assert.is((await l.payments.cancel(id)).outcome, 'not-possible');
  const drawn = l.display.drawn.length;
  const again = await sell(l, 'k');
  assert.equal(
    [again.isShown, again.warnings.map(({ member }) => member), ...status(l)],
    [false, ['NotShown'], 'PENDING', id],
  );
  assert.match(String(again.warnings[0]?.message), /has been cancelled/);
  await l.payments.redraw('PENDING');
  assert.equal([codes(l.display.drawn.slice(drawn)), l.payments.find(id).status.awaited], [[], false]);
  const second = await idOf(sell(l, 'k2'));
  await sell(l, 'k');
  assert.is(l.view.shown, second, 'the code of the same sale stays on the display');
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await sell(l, 'k3');
  assert.equal([stateOf(l, id), l.payments.find(id).status.late], ['ACCEPTED', true]);
});

test('what was cancelled stays so in the next process', async () => {
  const before = await openLane({ pacing: NO_POLLS });
  const id = await idOf(sell(before, 'k'));
  await before.payments.cancel(id);
  await using after = await restarted(before, { pacing: NO_POLLS });
  const again = await sell(after, 'k');
  assert.equal([again.orderId, again.isShown, codes(after.display.drawn)], [id, false, []]);
});

it('a display that fails for a key sent again leaves the payment awaited', async (l) => {
  const id = await idOf(sell(l, 'k'));
  l.display.breaks = true;
  const broken = await refusal(withRepeat(l.terminal, sell(l, 'k')));
  assert.equal([broken.payment, broken.parameters.repeat, ...status(l)], [id, true, 'PENDING', id]);
  assert.ok(l.payments.find(id).status.awaited);
  l.display.breaks = false;
  assert.ok((await sell(l, 'k')).isShown);
});

it('a call that fails while its payment is paid is sent again: its key is not used up', async (l) => {
  const id = await idOf(sell(l, 'k'));
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await sell(l, 'k');
  const cleared = TerminalError.of('RequestParams', 'InvalidRequest', 'the display was cleared').about(id);
  const { parameters } = await refusal(withRepeat(l.terminal, Promise.reject(cleared)));
  assert.equal([stateOf(l, id), parameters.repeat], ['ACCEPTED', true]);
});

it('a key sent again that is refused for its turn leaves the status to its payment', async (l) => {
  l.bank.unusable = null;
  const id = await idOf(sell(l, 'k'));
  await sell(l, 'other', { amount: 7 });
  l.bank.unusable = unreachable();
  assert.is(code(await refusal(sell(l, 'k'))), 'Bank.Unreachable');
  assert.equal(status(l), ['PENDING', id]);
});

it('a payment that is paid while its code is drawn again, and that breaks, has not failed', async (l) => {
  const id = await idOf(sell(l, 'k'));
  l.display.draw = async () => {
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await until('ACCEPTED', () => stateOf(l, id) === 'ACCEPTED');
    throw new DisplayError('serial', 'lost', 'the link broke');
  };
  const { orderId, isShown } = await sell(l, 'k');
  assert.equal([orderId, isShown, ...status(l)], [id, false, 'ACCEPTED', id]);
});

it('a symbol on the display does not count as read for a till that names its sale by a key', async (l) => {
  const id = await idOf(sell(l, 'k1'));
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('the symbol', () => l.display.drawn.some(({ kind }) => kind === 'status'));
  const { warnings } = await sell(l, 'other', { amount: 700 });
  assert.equal([warnings.map(({ member }) => member), l.payments.find(id).status.late], [['PreviousPaid'], true]);
});

it('what has been paid and given back is reported as an error, and never counts as read', async (l) => {
  const id = await idOf(sell(l, 'k'));
  l.bank.reported = { refunded: 100 };
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await ended(l, 'ERROR');
  const payment = l.payments.find(id);
  l.payments.markHandledBy(null, payment);
  assert.equal([payment.status.state, l.payments.find(id).status.late], ['ACCEPTED', true]);
  assert.is(await idOf(sell(l, 'k')), id);
});

it('an acceptance counts as read once the credential that asked for the sale has read it', async (l) => {
  const id = await idOf(sell(l, 'k', { amount: 100 }, callerNamed('till')));
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await sell(l, 'k', { amount: 100 }, callerNamed('till'));
  l.payments.markHandledBy('technician', l.payments.find(id));
  assert.ok(l.payments.find(id).status.unreported);
  l.payments.markHandledBy('till', l.payments.find(id));
  assert.is(l.payments.find(id).status.unreported, false);
});

test.run();
