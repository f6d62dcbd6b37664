/** The code of a receipt on a display under the test's control: never over a payment, never in its way, never stale. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ReceiptCode } from '../../../firmware/features/receipt-code/receipt-code.ts';
import { notFound } from '../../../firmware/payments/model/payment-failures.ts';
import type { PaymentRow } from '../../../firmware/payments/model/payment-row.ts';
import { TerminalError } from '../../../firmware/payments/model/terminal-error.ts';
import { each, failed, thrown } from '../../support.ts';
import {
  callerNamed,
  codes,
  type HandClock,
  type Lane,
  onLane,
  openLane,
  registered,
  report,
  restarted,
  settled,
} from '../../terminal/harness.ts';

const test = suite('feature: receipt code');

const SECOND_MS = 1000;
const RECEIPT = { payload: 'https://receipt.example/1', words: 'Thank you', holdSeconds: 40 };
const OTHER = { ...RECEIPT, payload: 'https://receipt.example/2' };

interface Rig extends Lane {
  readonly receipts: ReceiptCode;
}
const it = each<[Rig]>(test, (run) =>
  onLane(
    async (lane) => {
      const receipts = new ReceiptCode(lane.terminal, lane.clock);
      await run(Object.assign(lane, { receipts }));
      receipts.close();
    },
    { symbolMs: 5 * SECOND_MS },
  ),
);

const sell = ({ terminal }: Lane, amount: number) => terminal.sell({ amount, purpose: null }, callerNamed(null));
const lastOf = ({ ledger }: Lane): PaymentRow => {
  const last = ledger.last();
  if (last === null) throw notFound('none');
  return last;
};
/** A sale that is paid. */
async function paid(l: Lane, n = 0): Promise<PaymentRow> {
  await sell(l, 1000 + n);
  await report(l, 'accepted', n);
  return lastOf(l);
}
const shownOn = ({ screen }: Lane): string | null => (screen.picture.kind === 'qr' ? screen.picture.payload : null);
const code = async (work: Promise<unknown>): Promise<string> => {
  const { category, code: member } = (await failed(Error, work)) as Error & { category: string; code: string };
  return `${category}.${member}`;
};

it('while a payment is open, or its code is on the display, no receipt is drawn', async (l) => {
  const before = await paid(l);
  await sell(l, 2000);
  const [payment] = codes(l.display.drawn).slice(-1);
  assert.is(await code(l.receipts.show(before, RECEIPT)), 'ReceiptCodes.DisplayInUse');
  assert.is(await code(l.receipts.show(lastOf(l), RECEIPT)), 'ReceiptCodes.DisplayInUse', 'its own, before it is paid');
  await l.terminal.clearScreen();
  assert.is(await code(l.receipts.show(before, RECEIPT)), 'ReceiptCodes.DisplayInUse', 'it may still be paid');
  assert.is(codes(l.display.drawn).at(-1), payment);
});

it('what was not paid has no receipt, and a payment before the last one has none any more', async (l) => {
  const before = await paid(l);
  await sell(l, 2000);
  await report(l, 'rejected', 1);
  assert.is((await failed(TerminalError, l.receipts.show(lastOf(l), RECEIPT))).member, 'NotAccepted');
  assert.is(await code(l.receipts.show(before, RECEIPT)), 'ReceiptCodes.Passed');
  assert.not.ok(codes(l.display.drawn).includes(RECEIPT.payload));
});

it('a display that is unplugged is an error, and the receipt is not drawn when it is back', async (l) => {
  const payment = await paid(l);
  l.display.unplug();
  await failed(TerminalError, l.receipts.show(payment, RECEIPT));
  l.display.replug();
  assert.is(shownOn(l), null);
  l.display.breaks = true; // in the middle of the code
  await failed(TerminalError, l.receipts.show(payment, RECEIPT));
  l.display.replug();
  assert.equal([shownOn(l), l.display.drawn.at(-1)], [null, { kind: 'clear' }]);
  assert.not.ok((await l.receipts.show(payment, RECEIPT)).isAgain, 'the same again is drawn');
});

it('a display lost meanwhile draws it within its time, and no longer; a repeat fails', async (l) => {
  const payment = await paid(l);
  await l.receipts.show(payment, RECEIPT);
  l.display.unplug();
  l.display.replug();
  assert.equal(l.display.drawn.at(-1), { kind: 'qr', payload: RECEIPT.payload, receipt: { words: 'Thank you' } });
  l.display.unplug();
  await l.clock.advance(40 * SECOND_MS);
  l.display.replug();
  assert.equal(l.display.drawn.at(-1), { kind: 'clear' });
  await l.receipts.show(payment, RECEIPT);
  l.display.unplug();
  await failed(TerminalError, l.receipts.show(payment, RECEIPT));
});

it('a sale takes the receipt off before a bank is asked, and its code is the next one drawn', async (l) => {
  const payment = await paid(l);
  await l.receipts.show(payment, { ...RECEIPT, holdSeconds: 120 });
  l.bank.hold();
  const selling = sell(l, 2000);
  assert.is(shownOn(l), null, 'in the same moment');
  await registered(l, 2);
  assert.equal(l.display.drawn.at(-1), { kind: 'clear' });
  assert.is(await code(l.receipts.show(payment, RECEIPT)), 'ReceiptCodes.DisplayInUse');
  l.bank.release();
  await selling;
  assert.equal(codes(l.display.drawn).slice(-2), [RECEIPT.payload, shownOn(l)]);
  const sold = shownOn(l);
  await l.clock.advance(121 * SECOND_MS);
  assert.is(shownOn(l), sold, 'the end of the receipt is not the end of the code');
});

it('a sale that begins while the receipt is being drawn wins, and the till hears it', async (l) => {
  const payment = await paid(l);
  l.display.connecting();
  const showing = code(l.receipts.show(payment, RECEIPT));
  await settled();
  const selling = sell(l, 2000);
  l.display.replug();
  assert.is(await showing, 'ReceiptCodes.DisplayInUse');
  await selling;
  assert.not.ok(codes(l.display.drawn).includes(RECEIPT.payload));
});

it('a sale without a valid request, too, takes it off: somebody else stands there', async (l) => {
  await l.receipts.show(await paid(l), RECEIPT);
  await failed(TerminalError, l.terminal.sell({ amount: 2000, purpose: null, ttl: 0 }, callerNamed(null)));
  assert.is(shownOn(l), null);
});

it('it replaces the symbol for its time; the end of the symbol changes nothing', async (l) => {
  const payment = await paid(l);
  assert.equal(l.screen.picture, { kind: 'status', status: 'success' });
  const shown = await l.receipts.show(payment, RECEIPT);
  assert.equal([shown.leftMs, shown.isAgain, shown.shownWords], [40_000, false, null], 'a wire display has no words');
  await l.clock.advance(39 * SECOND_MS);
  assert.is(shownOn(l), RECEIPT.payload);
  await l.clock.advance(SECOND_MS);
  assert.equal([shownOn(l), l.display.drawn.at(-1), l.screen.isIdle], [null, { kind: 'clear' }, true]);
});

it('the same again draws nothing and keeps its end; another one has a time of its own', async (l) => {
  const payment = await paid(l);
  const [first, joined] = await Promise.all([l.receipts.show(payment, RECEIPT), l.receipts.show(payment, RECEIPT)]);
  assert.equal([first.isAgain, joined.isAgain, joined.leftMs], [false, true, first.leftMs]);
  await l.clock.advance(10 * SECOND_MS);
  const drawn = l.display.drawn.length;
  const again = await l.receipts.show(payment, RECEIPT);
  assert.equal([again.isAgain, again.leftMs, l.display.drawn.length], [true, 30_000, drawn]);
  assert.is((await l.receipts.show(payment, OTHER)).leftMs, 40_000);
  await l.clock.advance(31 * SECOND_MS);
  assert.is(shownOn(l), OTHER.payload, 'the end of the first is not that of the second');
  await l.clock.advance(9 * SECOND_MS);
  assert.is(shownOn(l), null);
});

it('a wall clock that leaps neither keeps nor ends it', async (l) => {
  let leap = 0;
  const clock: Pick<HandClock, 'after' | 'monotonic' | 'wall'> = l.clock;
  const wall = clock.wall;
  clock.wall = () => wall() + leap;
  await l.receipts.show(await paid(l), RECEIPT);
  for (leap of [-86_400_000, 86_400_000]) await l.clock.advance(15 * SECOND_MS);
  assert.is(shownOn(l), RECEIPT.payload);
  await l.clock.advance(10 * SECOND_MS);
  assert.is(shownOn(l), null);
});

it('the till takes it off, of its own payment alone, as often as it likes', async (l) => {
  const payment = await paid(l);
  l.receipts.removeReceipt(payment.orderId);
  await l.receipts.show(payment, RECEIPT);
  l.receipts.removeReceipt('another');
  assert.is(shownOn(l), RECEIPT.payload);
  l.receipts.removeReceipt(payment.orderId);
  l.receipts.removeReceipt(payment.orderId);
  await settled();
  assert.equal([shownOn(l), l.display.drawn.at(-1)], [null, { kind: 'clear' }]);
});

it('what a till draws over it stays when the time of the receipt is over, or it is taken off', async (l) => {
  const payment = await paid(l);
  await l.receipts.show(payment, RECEIPT);
  await l.view.showInfo('opening hours');
  l.receipts.removeReceipt(payment.orderId);
  await l.clock.advance(41 * SECOND_MS);
  assert.is(shownOn(l), 'opening hours');
});

it('a technician’s code waits until it is over', async (l) => {
  const payment = await paid(l);
  await l.receipts.show(payment, RECEIPT);
  const claim = { kind: 'qr', payload: 'https://lane.example/', claim: { code: 'A', address: 'a' } } as const;
  assert.not.ok(l.terminal.showClaim(claim));
  assert.is(thrown(Error, () => l.screen.showClaim(claim)).message, 'the display is in use');
  l.receipts.removeReceipt(payment.orderId);
  assert.ok(l.terminal.showClaim(claim));
  await l.receipts.show(payment, RECEIPT);
  assert.is(shownOn(l), RECEIPT.payload, 'and gives way to it');
});

test('a process that is killed while a receipt is shown never shows it again', async () => {
  await using lane = await (async () => {
    const first = await openLane();
    const receipts = new ReceiptCode(first.terminal, first.clock);
    await receipts.show(await paid(first), RECEIPT);
    return restarted(first);
  })();
  assert.equal(lane.screen.picture, { kind: 'clear' });
  lane.display.replug();
  assert.equal(lane.display.drawn, [{ kind: 'clear' }]);
});

test.run();
