/** Whether a sale that has failed says that its key is used up (`repeat: false`), or is to be sent again: of each way to fail, as `/v1` answers. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import { terminalProblems } from '../../firmware/payments/http/v1/problem.ts';
import { withRepeat } from '../../firmware/payments/http/v1/sale-routes.ts';
import { each } from '../support.ts';
import { type Lane, NO_POLLS, onLane, onLaneWith, refusal, states, unreachable, until } from './harness.ts';
import { sell, stateOf } from './sale-keys.ts';

const test = suite('terminal: the key of a failed sale');
const it = each(test, onLane);
const itUnpolled = each(test, onLaneWith({ pacing: NO_POLLS }));

const answerTo = async (l: Lane, amount = 100) => {
  const error = await refusal(withRepeat(l.terminal, sell(l, 'k', { amount })));
  const { status, body } = terminalProblems.fromError(error) ?? { status: 0, body: {} };
  return { status, ...{ code: null, repeat: null, detail: '', ...body } };
};
const fails = async (l: Lane, ...expected: readonly [status: number, code: string, repeat: boolean | null]) => {
  const { status, code, repeat } = await answerTo(l);
  assert.equal([status, code, repeat], expected);
};

it('used up where the bank has not registered it, however often it is sent', async (l) => {
  for (const [n, [error, status, code]] of (
    [
      [new BankError('refused', 'no'), 502, 'Bank.Refused'],
      [unreachable(), 503, 'Bank.Unreachable'],
      [new BankError('contradiction', 'odd'), 502, 'Bank.Contradiction'],
      [new Error('a fault of this program'), 500, 'Internal.UnexpectedError'],
    ] as const
  ).entries()) {
    l.bank.failures = [error, error, error]; // some are tried again
    const first = await withRepeat(l.terminal, sell(l, `k${n}`)).catch((thrown: unknown) => thrown);
    if (code !== 'Internal.UnexpectedError') assert.equal(terminalProblems.fromError(first)?.status, status, code);
    l.bank.failures = [];
    const again = terminalProblems.fromError(await refusal(withRepeat(l.terminal, sell(l, `k${n}`))));
    const { repeat, code: said } = { repeat: null, code: null, ...again?.body };
    assert.equal({ status: again?.status, said, repeat }, { status, said: code, repeat: false });
  }
});

it('used up where no byte of its code was shown', async (l) => {
  l.display.unplug();
  for (const _ of ['first', 'again']) await fails(l, 500, 'SerialPort.ResourceError', false);
});

it('sent again where half of its code was shown, or its code cannot be shown again', async (l) => {
  l.display.breaks = true;
  for (const _ of ['first', 'again']) await fails(l, 500, 'SerialPort.ResourceError', true);
  l.display.replug();
  assert.is((await sell(l, 'k')).isShown, true);
  l.display.unplug();
  await fails(l, 500, 'SerialPort.ResourceError', true);
});

it('nothing is said of a key that stands for no payment, or for another one', async (l) => {
  l.ledger.fullFor = ['insert'];
  await fails(l, 507, 'Internal.StorageFull', null);
  l.ledger.fullFor = [];
  await sell(l, 'k');
  const { status, code, repeat } = await answerTo(l, 200);
  assert.equal([status, code, repeat], [409, 'Payments.IdConflict', null]);
});

it('used up where the disk was full before its code was shown', async (l) => {
  l.bank.allowCancel();
  l.ledger.fullFor = ['intendToShow', 'setStatus'];
  for (const _ of ['first', 'again']) await fails(l, 507, 'Internal.StorageFull', false);
});

for (const [what, stop, go, status, code] of [
  [
    'full',
    (l: Lane) => {
      l.ledger.fullFor = ['setStatus'];
    },
    (l: Lane) => {
      l.ledger.fullFor = [];
    },
    ...([507, 'Internal.StorageFull'] as const),
  ],
  [
    'read-only',
    (l: Lane) => l.db.exec('PRAGMA query_only = ON'),
    (l: Lane) => l.db.exec('PRAGMA query_only = OFF'),
    ...([500, 'Internal.StorageRefused'] as const),
  ],
] as const) {
  it(`paid, the disk ${what}: each way to ask says why it stays open; the key tells the end`, async (l) => {
    const { orderId } = await sell(l, 'k');
    stop(l);
    assert.is(l.payments.silenceAbout(l.payments.find(orderId)), null);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    const silence = await until('why', () => l.payments.silenceAbout(l.payments.find(orderId)));
    assert.match(silence.failure.message, /not stored yet, and it may be paid: ask again$/);
    await until('more questions', () => l.bank.questions > 3);
    assert.is(l.payments.silenceAbout(l.payments.find(orderId))?.since, silence.since);
    assert.equal([l.payments.status().status, l.payments.status().failure], ['PENDING', silence.failure]);
    assert.is(stateOf(l, orderId), 'PENDING');
    const { detail, ...answer } = await answerTo(l);
    assert.equal({ status: answer.status, code: answer.code, repeat: answer.repeat }, { status, code, repeat: null });
    assert.match(detail, /ask again with the same key$/);
    assert.not.match(detail, /given up/);
    assert.equal([l.payments.status().status, l.payments.status().failure], ['PENDING', silence.failure]);
    go(l);
    await until('the end', () => stateOf(l, orderId) === 'ACCEPTED');
    assert.is(l.payments.silenceAbout(l.payments.find(orderId)), null);
    const told = await withRepeat(l.terminal, sell(l, 'k'));
    assert.equal([told.orderId, told.isAgain], [orderId, true]);
    assert.equal(states(l), ['100 ACCEPTED']);
  });

  itUnpolled(`not paid, the disk is ${what}: no code is shown again, and nothing is said of the key`, async (l) => {
    await sell(l, 'k');
    l.display.unplug(); // then the code is to be shown again
    l.display.replug();
    stop(l);
    l.bank.verdicts.set(l.bankId(0), 'rejected');
    await fails(l, status, code, null);
    go(l);
  });
}

itUnpolled('what could not be stored is not forgotten where the bank falls silent', async (l) => {
  const { orderId } = await sell(l, 'k');
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  l.ledger.fullFor = ['setStatus'];
  await fails(l, 507, 'Internal.StorageFull', null);
  l.ledger.fullFor = [];
  l.bank.verdicts.set(l.bankId(0), unreachable());
  l.display.unplug();
  await fails(l, 500, 'SerialPort.ResourceError', null);
  assert.ok(l.payments.isUnstored(orderId));
  l.bank.verdicts.set(l.bankId(0), 'pending');
  await fails(l, 500, 'SerialPort.ResourceError', true);
});

test.run();
