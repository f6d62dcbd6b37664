/** Payments under faults: what the till, the customer and the ledger get to see, and what never. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import { TerminalError } from '../../firmware/payments/model/terminal-error.ts';
import { each } from '../support.ts';
import {
  asked,
  codes,
  ended,
  type Lane,
  MINUTE_MS,
  onLane,
  openLane,
  PACING,
  pastTheEnd,
  refusal,
  registered,
  report,
  states,
  unreachable,
  until,
} from './harness.ts';
import { paymentsAfter } from './ledger-rows.ts';

/** Pause of an answer that the ledger could not take. */
const OTHERS_MS = 5000;

const test = suite('terminal: payments');
const it = each(test, onLane);

it('a bank that refuses: 500 Bank with its code and text, once, and ERROR in the status', async (l) => {
  l.bank.failures = [new BankError('refused', 'the merchant is not known', { bankCode: 'E42' })];
  const error = await refusal(l.showQR(100));
  assert.equal([error.status, error.category, error.member], [500, 'Bank', 'Refused']);
  assert.match(error.message, /merchant is not known.*E42/);
  assert.is(l.bank.registered.length, 1);
  const { status, failure } = l.payments.status();
  assert.equal([status, failure?.category, failure?.code], ['ERROR', 'Bank', 2]);
  assert.equal(codes(l.display.drawn), []);
});

it('a code clears the display once the bank gives it; if the ledger fails, the old is redrawn', async (l) => {
  await l.view.showInfo('opening hours');
  const info = l.display.drawn.at(-1);
  l.bank.failures = [new BankError('refused', 'the merchant is not known')];
  await refusal(l.showQR(100));
  assert.equal([l.display.clearedAhead, l.display.drawn], [0, [info]]);
  l.ledger.fullFor = ['intendToShow'];
  await refusal(l.showQR(200));
  assert.equal([l.display.clearedAhead, l.display.drawn], [1, [info, info]]);
  l.ledger.fullFor = [];
  await l.showQR(300);
  assert.is(l.display.clearedAhead, 2);
  assert.equal(codes(l.display.drawn).length, 3);
});

it('while the bank is silent a payment stays PENDING past ttl and grace; then the bank decides', async (l) => {
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), unreachable());
  pastTheEnd(l);
  await asked(l, 3);
  assert.is(l.payments.status().status, 'PENDING');
  assert.ok((l.payments.unanswered[0]?.times ?? 0) >= 3);
  await report(l, 'accepted');
});

it('past ttl and grace an unbegun payment is CANCELED, one in processing is waited for', async (l) => {
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), 'processing');
  pastTheEnd(l);
  await asked(l, 3);
  assert.is(l.payments.status().status, 'PENDING');
  l.bank.verdicts.set(l.bankId(0), 'pending');
  await ended(l, 'CANCELED');
});

it('asked before and answered after grace ends nothing: the customer may have begun to pay', async (l) => {
  await l.showQR(100);
  l.bank.beSilent();
  const other = l.showQR(200);
  await asked(l, 1);
  pastTheEnd(l);
  l.bank.release();
  await other;
  assert.equal(states(l), ['100 PENDING', '200 PENDING']);
  await l.showQR(300);
  assert.is(states(l)[0], '100 CANCELED', 'asked again');
});

it('a ttl of 90 days neither ends at once nor overflows a timer', async (l) => {
  await l.showQR(100, { ttl: 129_600 });
  await asked(l, 3);
  assert.is(l.payments.status().status, 'PENDING');
  assert.is(l.screen.payment, l.bank.registered[0]?.orderId);
});

it('outcomes: success on ACCEPTED, failure on REJECTED and CANCELED, then an idle display', async (l) => {
  for (const [verdict, symbol] of [
    ['accepted', 'success'],
    ['rejected', 'failure'],
    ['canceled', 'failure'],
  ] as const) {
    l.clock.now += MINUTE_MS; // the same at once would be a repetition
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(l.bank.registered.length - 1), verdict);
    await until(`the symbol of ${verdict}`, () =>
      l.display.drawn.some((picture) => picture.kind === 'status' && picture.status === symbol),
    );
    await until('an idle display', () => l.screen.isIdle);
    assert.is(l.display.drawn.at(-1)?.kind, 'clear');
  }
});

it('a failed first drawing ends in ERROR and is never drawn later; a late acceptance wins', async (l) => {
  l.display.breaks = true;
  const error = await refusal(l.showQR(100));
  assert.equal([error.status, error.category], [500, 'SerialPort']);
  assert.is(l.payments.status().status, 'ERROR');
  l.display.unplug();
  l.display.replug();
  assert.equal(codes(l.display.drawn), []);
  await report(l, 'accepted');
  assert.ok(l.ledger.last()?.status.late);
});

it('a display being connected is waited for; an earlier call is not drawn after a later one', async (l) => {
  l.display.connecting();
  const first = l.view.showInfo('first');
  const second = l.view.showInfo('second');
  const paying = l.showQR(100);
  await until('a wait', () => l.screen.picture.kind === 'qr');
  l.display.replug();
  await Promise.all([first, second, paying]);
  const drawn = codes(l.display.drawn);
  assert.not(drawn.includes('first'));
  assert.is(drawn[0], 'second');
  assert.is(l.bank.registered.length, 1);
});

test(
  'an outcome that comes while the display is away is not lost',
  onLane(
    async (l) => {
      await l.showQR(100);
      l.display.unplug();
      await report(l, 'accepted');
      l.display.replug();
      assert.equal(l.display.drawn.at(-1), { kind: 'status', status: 'success' });
    },
    { symbolMs: 60_000 },
  ),
);

it('a display that comes back draws what is current, never the code of a payment that is over', async (l) => {
  await l.showQR(100);
  const [code] = codes(l.display.drawn);
  l.display.unplug();
  l.display.replug();
  assert.equal(codes(l.display.drawn), [code, code]);
  l.display.unplug();
  await report(l, 'rejected');
  await until('an idle display', () => l.screen.isIdle);
  l.display.replug();
  assert.equal(l.display.drawn.at(-1), { kind: 'clear' });
});

it('a full disk: the call fails, the bank hears nothing, the payment before is not its outcome', async (l) => {
  await l.showQR(100);
  await report(l, 'accepted');
  const pages = Number(l.db.prepare('PRAGMA page_count').get()?.page_count);
  l.db.exec(`PRAGMA max_page_count = ${pages}`);
  const errors: TerminalError[] = [];
  for (let n = 0; n < 40 && errors.length === 0; n += 1) {
    await l.showQR(200 + n, { purpose: 'x'.repeat(140) }).catch((error: TerminalError) => errors.push(error));
  }
  assert.equal([errors[0]?.status, errors[0]?.category, errors[0]?.member], [500, 'Internal', 'StorageFull']);
  assert.is(l.bank.registered.length, paymentsAfter(l.ledger, 0, 100).length);
  assert.is(l.payments.status().status, 'ERROR');
});

it('a ledger that takes nothing is in /health from the first failed call until it takes again', async (l) => {
  const ledger = () => l.health().parts.find(({ part }) => part === 'ledger')?.state;
  assert.is(ledger(), 'ok');
  l.db.exec('PRAGMA query_only = ON');
  assert.is((await refusal(l.showQR(100))).member, 'StorageRefused');
  assert.is(ledger(), 'degraded');
  l.db.exec('PRAGMA query_only = OFF');
  l.clock.now += 2000;
  assert.is(ledger(), 'ok');
});

it("a ledger that takes a payment's end and then fails to be read: the till gets the reason", async (l) => {
  l.bank.begin = async () => {
    l.ledger.isUnreadable = true;
    throw new BankError('refused', 'no');
  };
  assert.is((await refusal(l.showQR(100))).member, 'Refused');
  l.ledger.isUnreadable = false;
  assert.equal(states(l), ['100 ERROR']);
});

it('a call that fails before its payment is ERROR in the status, until the next call', async (l) => {
  await l.showQR(100);
  await report(l, 'accepted');
  l.payments.markHandled(l.payments.status());
  l.bank.unusable = TerminalError.invalid('caPath', 'cannot be read');
  assert.is((await refusal(l.showQR(200))).member, 'InvalidField');
  assert.equal([l.payments.status().status, l.payments.status().failure?.category], ['ERROR', 'RequestParams']);
  l.bank.unusable = null;
  await l.showQR(200);
  assert.is(l.payments.status().status, 'PENDING');
});

/** A payment whose code was drawn, and then the next process. */
async function nextProcess(
  turn: (before: Lane) => Promise<void> | void,
  look: (after: Lane) => Promise<void>,
): Promise<void> {
  const before = await openLane();
  await before.showQR(100);
  await until('a note of the display', () => before.noted !== '');
  await turn(before);
  await before.stop();
  const { bank, clock, db } = before;
  await onLane(look, { bank, clock, db })();
}

test('after a restart a payment that may have been seen is followed to its end, its code back', () =>
  nextProcess(
    () => undefined,
    async (after) => {
      assert.is(after.payments.status().status, 'PENDING');
      assert.is(after.screen.payment, after.bank.registered[0]?.orderId);
      await report(after, 'accepted');
    },
  ));

it("a bank's word that a full disk refuses is asked for again, and counted only once taken", async (l) => {
  await l.showQR(100);
  l.ledger.fullFor = ['setStatus'];
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await asked(l, 1);
  const { questions } = l.bank;
  await l.clock.advance((100 * OTHERS_MS) / PACING.askingSpeed);
  assert.is(l.bank.questions - questions, 100, 'every five seconds, and no oftener');
  assert.equal(states(l), ['100 PENDING']);
  assert.match(await l.metrics(), /laneware_payments_total\{state="ACCEPTED"\} 0/);
  l.ledger.fullFor = [];
  await ended(l, 'ACCEPTED');
  assert.match(await l.metrics(), /laneware_payments_total\{state="ACCEPTED"\} 1/);
});

it('an end that a full disk did not take is counted once the next call has taken it in', async (l) => {
  l.bank.failures = [new BankError('refused', 'no')];
  l.ledger.fullFor = ['setStatus'];
  await refusal(l.showQR(100));
  assert.match(await l.metrics(), /laneware_payments_total\{state="ERROR"\} 0/);
  l.ledger.fullFor = [];
  await l.showQR(200);
  assert.match(await l.metrics(), /laneware_payments_total\{state="ERROR"\} 1/);
});

test('a payment that was never shown, nor ended on a full disk, is ended by the next restart', async () => {
  const before = await openLane();
  before.bank.hold();
  before.showQR(100).catch(() => undefined);
  await registered(before);
  const { clock, db } = before;
  const full = await openLane({ clock, db, fullFor: ['setStatus'] });
  assert.equal(states(full), ['100 PENDING']);
  await full.stop();
  const after = await openLane({ clock, db });
  assert.equal(states(after), ['100 ERROR']);
  await after.stop();
  before.bank.release();
  await before.stop();
});

for (const [what, turn] of [
  ['that the till took off', ({ view }: Lane) => view.clear()],
  [
    'whose ttl is over',
    ({ clock }: Lane) => {
      clock.now += 5 * MINUTE_MS + 1;
    },
  ],
] as const)
  test(`a code ${what} does not come back with a restart`, () =>
    nextProcess(turn, async (after) => {
      assert.is(after.screen.picture.kind, 'clear');
      assert.is(after.payments.status().status, 'PENDING');
    }));

test('after another boot the code is not put back, and the payment has its whole ttl again', () =>
  nextProcess(
    (before) => {
      pastTheEnd(before);
      before.clock.bootId = 'boot-2';
    },
    async (after) => {
      assert.is(after.screen.picture.kind, 'clear');
      await asked(after, 3);
      assert.is(after.payments.status().status, 'PENDING', 'how long the power was off is unknown');
      pastTheEnd(after);
      await ended(after, 'CANCELED');
    },
  ));

test.run();
