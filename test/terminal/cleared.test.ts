/** A till that clears the display has ended the sale: its code is another customer's business from then on. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { saleKeyOf } from '../../firmware/payments/service/sale/sale-key.ts';
import { each } from '../support.ts';
import { callerNamed, codes, type Lane, MINUTE_MS, onLane, settled, states, unreachable, until } from './harness.ts';
import { paymentsAfter } from './ledger-rows.ts';
import { memberOf } from './same-sales.ts';

const test = suite('terminal: a display that is cleared');
const it = each(test, onLane);

async function showAndClear(l: Lane): Promise<void> {
  await l.showQR(100);
  await l.terminal.clearScreen();
}

it('where the bank can, the code is taken out of use, and no call waits for the bank', async (l) => {
  l.bank.allowCancel();
  await showAndClear(l);
  await until('it is taken back', () => l.bank.canceled.length === 1);
  await until('it has ended', () => l.payments.status().status === 'CANCELED');
  assert.is(await l.showQR(100), null);
  assert.equal(states(l), ['100 CANCELED', '100 PENDING']);
  assert.is(l.bank.canceled.length, 1, 'once');
});

it('a bank that is asked just then is asked once: the next call waits for the same answer', async (l) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  l.bank.cancel = async () => {
    asked += 1;
    await promise;
    return 'withdrawn';
  };
  l.bank.release = resolve; // where it is never asked
  await showAndClear(l);
  const next = l.showQR(100);
  await until('it is asked', () => asked > 0);
  resolve();
  assert.is(await next, null);
  assert.is(asked, 1);
});

it('a bank that cannot: the same is another sale with its own code; the first can be paid yet', async (l) => {
  await showAndClear(l);
  const note = await l.showQR(100);
  assert.equal([memberOf(note), new Set(codes(l.display.drawn)).size], ['PreviousOpen', 2]);
  assert.match(note?.message ?? '', /given up.*may still be paid/);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('it is paid', () => l.ledger.queries.lateCount() === 1);
  assert.is(l.payments.status().status, 'PENDING', 'the customer of now has not paid');
  assert.equal(states(l), ['100 ACCEPTED', '100 PENDING']);
});

it("paid before the next call comes: late, and not taken for the next customer's sale", async (l) => {
  await showAndClear(l);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('it is paid', () => l.ledger.queries.lateCount() === 1);
  const note = await l.showQR(100);
  assert.is(memberOf(note), 'PreviousPaid');
  assert.match(note?.message ?? '', /accepted late/);
  assert.is(l.payments.status().status, 'PENDING');
});

it('a status that is shown by hand brings it back no more', async (l) => {
  await showAndClear(l);
  await l.terminal.displayStatus(2);
  assert.equal(l.screen.picture, { kind: 'status', status: 'waiting' });
});

it('a bank that is silent holds up neither the display nor the next code for long', async (l) => {
  l.bank.cancel = () => Promise.reject(unreachable());
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), unreachable());
  await l.terminal.clearScreen();
  assert.is(memberOf(await l.showQR(100)), 'Unreachable');
  assert.is(l.bank.registered.length, 2);
});

it('a code that had given way to another is not shown again either', async (l) => {
  await l.showQR(100);
  await l.showQR(200);
  await l.terminal.clearScreen();
  await l.showQR(100);
  assert.is(l.bank.registered.length, 3);
});

it('a bank that was asked when another code took its place is not asked again', async (l) => {
  const asked: string[] = [];
  l.bank.cancel = async ({ id }) => {
    asked.push(id);
    return 'not-possible';
  };
  await l.showQR(100);
  await l.showQR(200);
  await l.terminal.clearScreen();
  await until('it is asked', () => asked.length > 1);
  await settled();
  assert.equal(asked, [l.bankId(0), l.bankId(1)]);
});

it('a sale that its key names goes on where another one is shown', async (l) => {
  const sale = { amount: 100, purpose: null, ttl: 5 };
  const settings = { profileName: 'p', profile: { bankName: 'Sandbox' }, connection: { type: 'screen' } } as const;
  await l.payments.startSale(settings, sale, callerNamed(null), saleKeyOf('one', sale));
  await l.showQR(200);
  await l.terminal.clearScreen();
  assert.equal(
    paymentsAfter(l.ledger, 0, 10).map(({ status }) => status.cancelled),
    [false, true],
  );
});

it('a symbol that a till has cleared ends its sale: the same right after it is another', async (l) => {
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('ACCEPTED', () => l.ledger.last()?.status.state === 'ACCEPTED');
  await l.terminal.clearScreen();
  assert.is(await l.showQR(100), null);
  assert.is(l.bank.registered.length, 2);
});

it('a payment that has ended stays as it ended', async (l) => {
  l.bank.allowCancel();
  await l.showQR(100);
  l.clock.now += 6 * MINUTE_MS;
  await until('its end', () => l.ledger.last()?.status.state === 'CANCELED');
  await l.terminal.clearScreen();
  assert.equal([states(l), l.bank.canceled], [['100 CANCELED'], []]);
});

for (const then of ['rejected', 'pending', 'processing', 'accepted', unreachable()] as const)
  it(`declined, and tries again (${then}): not the next customer`, async (l) => {
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), 'rejected');
    await until('REJECTED', () => l.payments.status().status === 'REJECTED');
    await l.terminal.clearScreen();
    l.bank.verdicts.set(l.bankId(0), then);
    assert.is(memberOf(await l.showQR(100)), then === 'accepted' ? 'PreviousPaid' : undefined, 'beside the success');
    assert.is(new Set(codes(l.display.drawn)).size, 2, 'a code of its own');
    assert.equal([l.bank.registered.length, l.payments.status().status], [2, 'PENDING']);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await until('it is late', () => l.ledger.queries.lateCount() === 1);
    assert.is(l.payments.status().status, 'PENDING', 'the customer of now has not paid');
  });

test.run();
