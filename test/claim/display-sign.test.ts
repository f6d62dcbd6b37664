/** A code for the technician on the customer's display: never beside a payment, and gone before a bank is asked for one. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Picture } from '../../drivers/display/contract.ts';
import { displaySign } from '../../firmware/payments/service/screen/display-sign.ts';
import { each } from '../support.ts';
import { onLane, until } from '../terminal/harness.ts';

const sign = suite('sign of a claim on the display');
const it = each(sign, onLane);

const CALLER = {
  gone: new AbortController().signal,
  till: null,
  cashier: null,
  ownOnly: false,
  whenAnswered: () => undefined,
};
const ADDRESS = 'https://192.0.2.20:8080/claim';
const codesOf = (drawn: readonly Picture[]): string[] =>
  drawn.flatMap((picture) => (picture.kind === 'qr' && picture.claim !== undefined ? [picture.claim.code] : []));
const isClear = ({ kind }: Picture): boolean => kind === 'clear';

it('the same code is drawn once, and anew where its address is another one', async ({ terminal, display }) => {
  let address = ADDRESS;
  const own = displaySign(terminal, () => address);
  assert.ok(own.show('AAAA-0000'));
  assert.ok(own.show('AAAA-0000'));
  assert.is(codesOf(display.drawn).length, 1);
  address = 'https://192.0.2.21:8080/claim';
  assert.ok(own.show('AAAA-0000'));
  assert.is(codesOf(display.drawn).length, 2);
  own.hide();
  assert.ok(isClear(display.drawn.at(-1) as Picture));
  assert.not.ok(own.isShown);
});

it('a display that comes back shows the code that is good, or none', async ({ terminal, display }) => {
  const own = displaySign(terminal, () => ADDRESS);
  display.unplug();
  assert.not.ok(own.hasDisplay);
  assert.ok(own.show('AAAA-0000'));
  display.replug();
  assert.equal(codesOf(display.drawn), ['AAAA-0000']);
  display.unplug();
  own.hide();
  display.replug();
  assert.ok(isClear(display.drawn.at(-1) as Picture), 'no stale code');
});

it('a payment clears the code before the bank has answered, and none is shown until it ends', async ({
  terminal,
  display,
  bank,
}) => {
  const own = displaySign(terminal, () => ADDRESS);
  assert.ok(own.show('AAAA-0000'));
  bank.hold();
  const sale = terminal.sell({ amount: 100 }, CALLER);
  await until('the bank to be asked', () => bank.registered.length === 1);
  assert.not.ok(own.isShown);
  assert.ok(isClear(display.drawn.at(-1) as Picture));
  assert.not.ok(own.show('BBBB-1111'), 'the payment is being registered');
  bank.release();
  await sale;
  assert.not.ok(own.show('BBBB-1111'), 'its code is shown');
  assert.equal(codesOf(display.drawn), ['AAAA-0000']);
  assert.is(terminal.screen.payment === null, false);
});

it('a payment that waits for its outcome beside a clear display is not disturbed', async ({ terminal, view }) => {
  const own = displaySign(terminal, () => ADDRESS);
  await terminal.sell({ amount: 100 }, CALLER);
  view.removeCode();
  await until('an idle display', () => terminal.screen.isIdle);
  assert.not.ok(own.show('AAAA-0000'));
});

it('what a till shows, and an outcome, take the display', async ({ terminal, display }) => {
  const own = displaySign(terminal, () => ADDRESS);
  for (const [what, order] of [
    ['a code by hand', () => terminal.showInfoQR('https://shop.example')],
    ['a symbol', () => terminal.displayStatus(3)],
    ['a clear display', () => terminal.clearScreen()],
  ] as const) {
    await until('an idle display', () => terminal.screen.isIdle || terminal.clearScreen().then(() => false));
    assert.ok(own.show('AAAA-0000'), what);
    await order();
    assert.not.ok(own.isShown, what);
    assert.is(codesOf(display.drawn.slice(-1)).length, 0, what);
  }
});

sign.run();
