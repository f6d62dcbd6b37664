/** What `/health` says of payments that somebody must look into, and what the updater waits for. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import { paymentProblems } from '../../firmware/payments/health.ts';
import { each } from '../support.ts';
import {
  asked,
  type Lane,
  onLane,
  openLane,
  pastTheEnd,
  refusal,
  registered,
  restarted,
  unreachable,
  until,
} from './harness.ts';

const test = suite('terminal: payments to look into');
const it = each(test, onLane);

/** Numbers are grouped with a space that does not break. */
const problems = (l: Lane): string[] =>
  paymentProblems(l, l.clock).map((reason) => String(reason).replaceAll(/[\u00a0\u202f]/g, ' '));

function onlyProblem(l: Lane): string {
  const [text, ...others] = problems(l);
  assert.equal(others, []);
  return text ?? '';
}

it('every late acceptance is named, with roubles, time and purpose, until somebody looks at it', async (l) => {
  await l.showQR(100_000, { purpose: 'milk' });
  await l.showQR(1_234_567);
  await l.showQR(50);
  for (const n of [0, 1]) l.bank.verdicts.set(l.bankId(n), 'accepted');
  await until('two late acceptances', () => l.ledger.queries.lateCount() === 2);
  const text = onlyProblem(l);
  assert.match(text, /^2 payments were paid late, or the till missed them/);
  assert.match(text, /1 000,00 ₽, \d+ Nov 2026, \d\d:\d\d \(milk\)/);
  assert.match(text, /12 345,67 ₽/);
  l.clock.now += 25 * 3_600_000;
  assert.is(onlyProblem(l), text);
  for (const { orderId } of l.ledger.queries.late(10)) assert.ok(l.payments.acknowledge(orderId, null));
  assert.equal(problems(l), []);
});

test('a code that was paid more than once is named until it is looked into, after a restart too', async () => {
  const l = await openLane();
  await l.showQR(100_000, { purpose: 'milk' });
  l.bank.reported = { paidAgain: 100_000 };
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('the acceptance', () => l.ledger.last()?.status.state === 'ACCEPTED');
  const text = 'The code of 1 payment was paid more than once';
  const named = (lane: Lane) => problems(lane).filter((each) => each.startsWith(text));
  await until('what the bank has said', () => named(l).length === 1);
  assert.match(named(l)[0] ?? '', '1 000,00 ₽');
  const { bank, db } = l;
  await l.stop();
  const again = await openLane({ bank, db });
  assert.is(named(again).length, 1);
  const orderId = again.ledger.last()?.orderId ?? '';
  assert.ok(again.payments.acknowledge(orderId, 'Anna has given it back'));
  assert.equal(named(again), []);
  await again.stop();
});

it('one late acceptance with a long purpose: the sentence stays short', async (l) => {
  await l.showQR(100, { purpose: '🍏'.repeat(140) });
  await l.showQR(200);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('a late acceptance', () => l.ledger.queries.lateCount() === 1);
  const text = onlyProblem(l);
  assert.match(text, /^1 payment was paid late.*1,00 ₽.*\(🍏+…\)\)$/u);
  assert.ok(text.length < 300, text);
});

it("a bank out of reach is reported; one silent about a payment only is no connection's fault", async (l) => {
  await l.showQR(100_000);
  l.bank.verdicts.set(l.bankId(0), unreachable());
  await asked(l, 4);
  assert.match(onlyProblem(l), /^The bank has not answered \d+ times in a row\. Check the internet connection/);
  l.bank.verdicts.set(l.bankId(0), new BankError('refused', 'the bank refused (HTTP 404: unknown)'));
  await asked(l, 2);
  const text = onlyProblem(l);
  assert.match(
    text,
    /^The bank does not report the outcome of 1 payment: ask the bank\. \(.*HTTP 404: unknown\).*1 000,00 ₽/,
  );
  assert.not.match(text, /internet/);
});

it("a payment that the bank does not report is not hidden by, nor counted for, others' answers", async (l) => {
  await l.showQR(100_000);
  l.bank.verdicts.set(l.bankId(0), new BankError('refused', 'unknown'));
  await l.showQR(200);
  await asked(l, 30); // mostly about the newest
  assert.match(onlyProblem(l), /1 000,00 ₽/);
  assert.not.match(onlyProblem(l), /2,00 ₽/);
});

it('one silent payment does not speak for the bank, which answers about others: it is named', async (l) => {
  await l.showQR(100_000);
  l.bank.verdicts.set(l.bankId(0), unreachable());
  await l.showQR(200);
  await asked(l, 30);
  assert.match(onlyProblem(l), /^The bank answers, but not about 1 payment\..*1 000,00 ₽/);
  assert.not.match(onlyProblem(l), /internet|2,00 ₽/);
  l.bank.verdicts.set(l.bankId(1), unreachable());
  await asked(l, 12);
  assert.match(
    problems(l).join(),
    /has not answered \d+ times in a row\. Check the internet/,
    'now it is silent about all',
  );
});

it('a profile that cannot be opened any more is no matter of the connection either', async (l) => {
  await l.showQR(100);
  l.db.exec('UPDATE payments SET merchant = NULL');
  await using again = await restarted(l);
  await until('a problem', () => problems(again).length > 0);
  assert.match(onlyProblem(again), /the bank profile of the payment cannot be opened/);
});

it('an update waits for a registered or shown payment, not for one replaced or past its time', async (l) => {
  l.bank.hold();
  const paying = l.showQR(100);
  await registered(l);
  assert.is(l.payments.waiting, 1);
  l.bank.release();
  await paying;
  assert.is(l.payments.waiting, 1);
  l.bank.failures = [new BankError('refused', 'no')];
  await refusal(l.showQR(200));
  assert.is(l.payments.waiting, 0, 'the first is replaced, the second was never shown');
  await l.showQR(300);
  l.bank.verdicts.set(l.bankId(2), new BankError('refused', 'unknown'));
  assert.is(l.payments.waiting, 1);
  pastTheEnd(l);
  await asked(l, 3);
  assert.is(l.payments.status().status, 'PENDING');
  assert.is(l.payments.waiting, 0);
});

test.run();
