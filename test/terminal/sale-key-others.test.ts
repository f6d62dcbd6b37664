/** A sale that is named by a key beside others: of other tills, of other keys for the same, of payments before. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { each } from '../support.ts';
import { asked, codes, onLane, pastTheEnd, refusal, registered, unreachable } from './harness.ts';
import { callerNamed, code, idOf, sell, stateOf } from './sale-keys.ts';

const test = suite('terminal: a sale named by a key beside others');
const it = each(test, onLane);

it('two tills with credentials of their own never meet in a key', async (l) => {
  const [one, two] = [callerNamed('till'), callerNamed('technician')];
  const first = await sell(l, '1', { amount: 100 }, one);
  const second = await sell(l, '1', { amount: 200 }, two);
  const third = await sell(l, '1', { amount: 300 });
  assert.is(new Set([first, second, third].map(({ orderId }) => orderId)).size, 3);
  assert.is(await idOf(sell(l, '1', { amount: 200 }, two)), second.orderId);
  assert.is(code(await refusal(sell(l, '1', { amount: 200 }, one))), 'Payments.IdConflict');
  assert.equal(
    [first, second, third].map(({ orderId }) => l.payments.find(orderId).till),
    ['till', 'technician', null],
  );
});

it('of two tills that send one key each for the same at once the second is told of the payment of the first', async (l) => {
  const both = await Promise.allSettled([
    sell(l, '1', { amount: 100 }, callerNamed('till')),
    sell(l, '1', { amount: 100 }, callerNamed('technician')),
  ]);
  const [first, second] = both;
  assert.ok(first.status === 'fulfilled' && second.status === 'rejected');
  assert.equal([second.reason.member, second.reason.parameters], ['SameSaleOpen', { payment: first.value.orderId }]);
  assert.is(l.bank.registered.length, 1);
});

it('a new key for the same as an open payment is refused by its id; what is given up, replaced or declined is another sale', async (l) => {
  const first = await idOf(sell(l, 'k1'));
  const refused = await refusal(sell(l, 'k2'));
  assert.equal(
    [code(refused), refused.parameters, refused.payment],
    ['Payments.SameSaleOpen', { payment: first }, null],
  );
  assert.is(l.payments.status().orderId, first, 'the status speaks of the open one');
  // given up at a bank that takes nothing back: it is followed, and the next one says so
  assert.is((await l.payments.cancel(first)).outcome, 'not-possible');
  const second = await sell(l, 'k2');
  assert.equal(
    second.warnings.map(({ member }) => member),
    ['PreviousOpen'],
  );
  assert.is(stateOf(l, first), 'PENDING');
  // cancelled at a bank that does
  l.bank.allowCancel();
  assert.is((await l.payments.cancel(second.orderId)).outcome, 'withdrawn');
  const third = await sell(l, 'k3');
  assert.equal([third.isAgain, third.warnings], [false, []]);
  // declined
  l.bank.verdicts.set(l.bankId(2), 'rejected');
  const fourth = await sell(l, 'k4');
  assert.is(fourth.isAgain, false);
  // replaced by another sale
  await sell(l, 'other', { amount: 777 });
  assert.is(stateOf(l, fourth.orderId), 'CANCELED');
  assert.is((await sell(l, 'k5')).isAgain, false);
  assert.is(l.bank.registered.length, 6);
});

it('a code that no till waits for is off the display before another one of the same is registered', async (l) => {
  const hangsUp = new AbortController();
  l.bank.hold();
  const first = sell(l, 'k1', { amount: 100 }, callerNamed(null, hangsUp.signal));
  await registered(l);
  hangsUp.abort();
  l.bank.release();
  const { orderId } = await first;
  assert.is(l.view.shown, orderId);
  l.bank.hold();
  const second = sell(l, 'k2');
  await registered(l, 2);
  assert.is(l.view.shown, null);
  l.bank.release();
  await second;
});

it('a payment that a bank cannot take back, and that is paid after all, takes the code of the same from the display', async (l) => {
  const first = await idOf(sell(l, 'k1'));
  await l.payments.cancel(first);
  await sell(l, 'k2');
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await asked(l, 6);
  assert.equal([stateOf(l, first), l.payments.find(first).status.late], ['ACCEPTED', true]);
  assert.is(l.view.shown, null);
});

it('a payment before that turned out paid keeps the next key as new as it was, and is named by its id', async (l) => {
  const first = await idOf(sell(l, 'k1'));
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  const refused = await refusal(sell(l, 'k2'));
  assert.equal(
    [code(refused), refused.parameters, refused.payment],
    ['Bank.PreviousPaid', { payments: [first] }, null],
  );
  assert.is((await sell(l, 'k2')).isAgain, false);
  assert.is(l.bank.registered.length, 2);
});

it('a payment that is paid while its own key is sent again is that answer, and no refusal', async (l) => {
  const id = await idOf(sell(l, 'k'));
  const drawn = codes(l.display.drawn).length;
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  const again = await sell(l, 'k');
  assert.equal([again.orderId, again.isAgain, stateOf(l, id)], [id, true, 'ACCEPTED']);
  assert.is(codes(l.display.drawn).length, drawn);
});

it('a bank that does not tell of a payment for the same keeps another key back: unknown is not unpaid', async (l) => {
  const first = await idOf(sell(l, 'k1'));
  await pastTheEnd(l);
  l.bank.verdicts.set(l.bankId(0), unreachable());
  const refused = await refusal(sell(l, 'k2'));
  assert.equal([code(refused), refused.parameters], ['Bank.PreviousUnknown', { payment: first }]);
  assert.is(l.bank.registered.length, 1);
  // without a key it is called as ever
  const old = await refusal(l.showQR(100));
  assert.is(code(old), 'Bank.Unreachable');
  assert.not.match(old.message, /cancel/, 'there is no such call');
  // the way out that the sentence names
  assert.match(refused.message, new RegExp(`or cancel the payment ${first} and send the same again`));
  assert.is((await l.payments.cancel(first)).outcome, 'not-possible');
  for (const key of ['k2', 'k3']) {
    const next = await sell(l, key);
    assert.ok(next.orderId !== first && !next.isAgain);
    await l.payments.cancel(next.orderId);
  }
});

it('the code of another sale is taken back for the one whose key is sent again', async (l) => {
  l.bank.allowCancel();
  const first = await idOf(sell(l, 'k1', { amount: 100 }));
  l.bank.cancel = undefined as never; // of this one the bank takes nothing back
  const second = await idOf(sell(l, 'k2', { amount: 200 }));
  l.bank.allowCancel();
  assert.is(await idOf(sell(l, 'k1', { amount: 100 })), first);
  assert.equal([stateOf(l, first), stateOf(l, second)], ['PENDING', 'CANCELED']);
  assert.is(l.view.shown, first);
  assert.is(l.payments.status().orderId, first);
});

it('what is open for the same without a key, or for another credential, is not to be sent again by its key', async (l) => {
  await l.showQR(100);
  assert.match((await refusal(sell(l, 'k'))).message, /wait for it by its id/);
  await sell(l, 'own', { amount: 200 }, callerNamed('till'));
  const of = async (till: string) => (await refusal(sell(l, 'k', { amount: 200 }, callerNamed(till)))).message;
  assert.match(await of('technician'), /wait for it by its id/);
  assert.match(await of('till'), /with its own Idempotency-Key/);
});

it('a payment that another sale has replaced, and that its bank does not take back, is no open payment of the same sale', async (l) => {
  const first = await idOf(sell(l, 'k1'));
  await sell(l, 'other', { amount: 777 });
  assert.is(stateOf(l, first), 'PENDING');
  const { isAgain, warnings } = await sell(l, 'k2');
  assert.equal([isAgain, warnings.map(({ member }) => member)], [false, ['PreviousOpen']]);
});

test.run();
