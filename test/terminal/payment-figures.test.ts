/** What Prometheus reads of payments, refunds, banks and the display. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DisplayOptions } from '../../drivers/display/contract.ts';
import type { FoundPayment, OnlineBank } from '../../firmware/banks/bank.ts';
import { BankError } from '../../firmware/banks/bank-error.ts';
import { countBanks, withTimedCalls } from '../../firmware/banks/bank-figures.ts';
import type { BankReport } from '../../firmware/banks/bank-payment.ts';
import { Metrics } from '../../firmware/core/host/metrics.ts';
import { each } from '../support.ts';
import {
  ended,
  type Lane,
  MINUTE_MS,
  onLane,
  pastTheEnd,
  refusal,
  report,
  TestDisplay,
  unreachable,
  until,
} from './harness.ts';
import { paid } from './refund-rig.ts';

const test = suite('terminal: figures');
const it = each(test, onLane);
const withPaid = each(test, paid);

/** Values of a figure by its labels; the buckets of a histogram left out. */
function figure(text: string, name: string): Record<string, number> {
  const lines = text.matchAll(new RegExp(`^laneware_${name}(?:\\{([^}]*)\\})? (\\S+)$`, 'gm'));
  return Object.fromEntries([...lines].map(([, labels = '', value]) => [labels, Number(value)]));
}

const of = async (l: Lane, name: string) => figure(await l.metrics(), name);
const one = async (l: Lane, name: string) => (await of(l, name))[''];
const ends = async (l: Lane) =>
  Object.fromEntries(Object.entries(await of(l, 'payments_total')).filter(([, count]) => count > 0));

it('a sale is asked, shown and accepted once, with the time from its code to its acceptance', async (l) => {
  assert.equal(Object.keys(await of(l, 'payments_total')).length, 5, 'each end is there before the first payment');
  await l.showQR(100);
  await l.showQR(100); // the same sale: its code is shown again
  assert.equal([await one(l, 'payments_asked_total'), await one(l, 'payments_shown_total')], [1, 1]);
  await l.clock.advance(7000);
  await report(l, 'accepted');
  assert.equal(await ends(l), { 'state="ACCEPTED"': 1 });
  assert.is(await one(l, 'payment_accepted_seconds_count'), 1);
  const seconds = (await one(l, 'payment_accepted_seconds_sum')) ?? 0;
  assert.ok(seconds >= 7 && seconds < 8, String(seconds));
});

it('questions that a bank refuses as too many are counted by profile', async (l) => {
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), new BankError('unreachable', 'too many calls', { status: 429 }));
  await until('three refusals', async () => ((await of(l, 'bank_too_many_total'))['profile="p"'] ?? 0) >= 3);
  await report(l, 'accepted');
});

it("what the bank refuses is asked, and not shown; a customer's refusal has its own figure", async (l) => {
  l.bank.failures = [new BankError('refused', 'no')];
  await refusal(l.showQR(100));
  assert.equal([await one(l, 'payments_asked_total'), await one(l, 'payments_shown_total')], [1, 0]);
  await l.showQR(200);
  await report(l, 'rejected', 1);
  assert.equal(await ends(l), { 'state="ERROR"': 1, 'state="REJECTED"': 1 });
  assert.is(await one(l, 'payment_accepted_seconds_count'), 0);
});

it('a payment out of time has expired; withdrawn, or ended by the bank before, it is cancelled', async (l) => {
  l.bank.allowCancel();
  await l.showQR(100);
  l.terminal.payments.endSales();
  await ended(l, 'CANCELED');
  await l.showQR(200);
  l.bank.verdicts.set(l.bankId(1), 'canceled');
  await until('the second', async () => (await ends(l))['state="CANCELED"'] === 2);
  await l.showQR(300);
  pastTheEnd(l);
  await until('the third', async () => (await ends(l))['state="EXPIRED"'] === 1);
  assert.equal(await ends(l), { 'state="CANCELED"': 2, 'state="EXPIRED"': 1 });
});

it('a fixed code, whose payments no bank reports, counts as none', async (l) => {
  await l.showStatic('https://pay.example/fixed');
  assert.equal([await one(l, 'payments_asked_total'), await one(l, 'payments_shown_total')], [0, 0]);
});

it('late payments count until somebody has looked into them', async (l) => {
  await l.showQR(100);
  await report(l, 'accepted');
  assert.is(await one(l, 'payments_late'), 0);
  await l.clock.advance(3 * MINUTE_MS);
  assert.is(await one(l, 'payments_late'), 1);
  l.payments.acknowledge(l.bank.registered[0]?.orderId ?? '', null);
  assert.is(await one(l, 'payments_late'), 0);
});

test('a display that goes is lost once, however often it says so; one put away is not', async () => {
  const displays: TestDisplay[] = [];
  const open = (options: DisplayOptions) => {
    const display = new TestDisplay(options);
    if (displays.length > 0) display.state = { name: 'connecting' };
    displays.push(display);
    return display;
  };
  const run = async (l: Lane): Promise<void> => {
    displays[0]?.unplug();
    displays[0]?.connecting();
    assert.is(await one(l, 'display_losses_total'), 1);
    displays[0]?.replug();
    await l.screen.connect();
    displays[1]?.connecting();
    assert.is(await one(l, 'display_losses_total'), 1, 'the new one has not worked yet');
    displays[1]?.replug();
    displays[1]?.connecting();
    assert.is(await one(l, 'display_losses_total'), 2);
  };
  await onLane(run, { open })();
});

withPaid('refunds count by how they ended, once each', async (l, bank, orderId) => {
  const asked = { orderId, tillId: 'a', amount: 400 };
  await l.refunds.refund(asked);
  await l.refunds.refund(asked); // the same again
  bank.refund = () => Promise.reject(new BankError('refused', 'no'));
  assert.is((await l.refunds.refund({ ...asked, tillId: 'b' })).state, 'refused');
  assert.equal(await of(l, 'refunds_total'), { 'state="done"': 1, 'state="refused"': 1 });
});

withPaid('a refund that a person has decided counts as decided', async (l, bank, orderId) => {
  bank.refundAnswers = [unreachable()];
  assert.is((await l.refunds.refund({ orderId, tillId: 'a', amount: 400 })).state, 'unknown');
  assert.equal(await of(l, 'refunds_total'), { 'state="done"': 0, 'state="refused"': 0 });
  l.clock.now += 11 * MINUTE_MS;
  await l.refunds.decide({ orderId, tillId: 'a', outcome: 'done', note: 'seen in the account' });
  assert.equal(await of(l, 'refunds_total'), { 'state="done"': 1, 'state="refused"': 0 });
});

/** As adapters are: a class with a state of its own. */
class OwnBank implements OnlineBank {
  readonly kind = 'online';
  readonly linkRule = 'nspk';
  readonly #id = 'b-1';
  async begin() {
    return { ref: { id: this.#id }, code: null };
  }
  async status(): Promise<BankReport> {
    throw new BankError('unreachable', 'made-up');
  }
  async find(): Promise<FoundPayment | null> {
    throw new TypeError('made-up');
  }
  async tryOut() {}
  async close() {}
}

test('each step at a bank is timed, and what failed of it counted; what is no step is not', async () => {
  const metrics = new Metrics();
  const hear = countBanks(metrics);
  const bank = withTimedCalls(new OwnBank(), (...heard) => hear('Sandbox', ...heard));
  if (bank.kind === 'static') throw new Error('it is online');
  const { signal } = new AbortController();
  const order = { orderId: 'o', amount: 1, purpose: null, ttl: 5 };
  assert.equal(await bank.begin(order, signal), { ref: { id: 'b-1' }, code: null });
  await Promise.allSettled([bank.status({ id: 'b-1' }, signal), bank.find?.(order, signal)]);
  await bank.tryOut?.(signal);
  assert.is(bank.refund, undefined, 'what a bank cannot do is still absent');
  const text = await metrics.registry.metrics();
  assert.equal(figure(text, 'bank_answer_seconds_count'), {
    'bank="Sandbox",step="register"': 1,
    'bank="Sandbox",step="status"': 1,
  });
  assert.equal(figure(text, 'bank_failures_total'), { 'bank="Sandbox",step="status",failure="unreachable"': 1 });
});

test.run();
