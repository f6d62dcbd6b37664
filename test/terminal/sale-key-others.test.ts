/** A sale that is named by a key beside others: of other tills, of other keys for the same, of payments before. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { each } from '../support.ts';
import { asked, callerNamed, onLane, pastTheEnd, refusal, registered, unreachable } from './harness.ts';
import { code, idOf, sell, stateOf } from './sale-keys.ts';

const test = suite('terminal: a sale named by a key beside others');
const it = each(test, onLane);
const members = ({ warnings }: Awaited<ReturnType<typeof sell>>): string[] => warnings.map(({ member }) => member);

it('a new key is another sale, beside an open code too; a warning names what may still be paid', async (l) => {
  const first = await idOf(sell(l, 'k1'));
  const second = await sell(l, 'k2');
  assert.equal([second.isAgain, members(second), stateOf(l, first)], [false, ['PreviousOpen'], 'PENDING']);
  l.bank.allowCancel();
  const third = await sell(l, 'k3');
  assert.equal([third.isAgain, members(third)], [false, []]);
  assert.equal([stateOf(l, first), stateOf(l, second.orderId)], ['CANCELED', 'CANCELED']);
  assert.is(l.bank.registered.length, 3);
});

it('a code that no till waits for leaves the display before another of the same is registered', async (l) => {
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

it('a payment that is not taken back and then paid takes the code of the same off the display', async (l) => {
  const first = await idOf(sell(l, 'k1'));
  await l.payments.cancel(first);
  await sell(l, 'k2');
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await asked(l, 6);
  assert.equal([stateOf(l, first), l.payments.find(first).status.late], ['ACCEPTED', true]);
  assert.is(l.view.shown, null);
});

it('a bank that does not report stops no other key, but a keyless till for the same sale', async (l) => {
  await sell(l, 'k1');
  pastTheEnd(l);
  l.bank.verdicts.set(l.bankId(0), unreachable());
  assert.equal(members(await sell(l, 'k2')), ['Unreachable']);
  assert.is(code(await refusal(l.showQR(100))), 'Bank.Unreachable');
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

it('a replaced payment that its bank does not take back is no open payment of the same sale', async (l) => {
  const first = await idOf(sell(l, 'k1'));
  await sell(l, 'other', { amount: 777 });
  assert.is(stateOf(l, first), 'PENDING');
  const { isAgain, warnings } = await sell(l, 'k2');
  assert.equal([isAgain, warnings.map(({ member }) => member)], [false, ['PreviousOpen']]);
});

test.run();
