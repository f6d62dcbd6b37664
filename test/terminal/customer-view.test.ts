/** What leaves the display by itself, and what never comes to it any more. */
import { mkdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DisplayError, type Picture } from '../../drivers/display/contract.ts';
import { ShownCode } from '../../firmware/payments/service/screen/shown-code.ts';
import { replaced } from '../replaced.ts';
import { each, temporaryFolder } from '../support.ts';
import { codes, type Lane, MINUTE_MS, onLane, onLaneWith, refusal, registered, settled, until } from './harness.ts';

const test = suite('terminal: what the customer sees');
const it = each(test, onLane);
const long = each(test, onLaneWith({ symbolMs: 60_000 }));

/** What is left of the ttl when the code is drawn at last. */
const LAST_MOMENTS_MS = 50;

const symbols = (pictures: readonly Picture[]) =>
  pictures.flatMap((picture) => (picture.kind === 'status' ? [picture.status] : []));

/** Draws a code whose ttl is nearly over. */
async function showAtTheEnd(l: Lane): Promise<void> {
  l.bank.hold();
  const shown = l.showQR(100);
  await registered(l);
  l.clock.now += 5 * MINUTE_MS - LAST_MOMENTS_MS;
  l.bank.release();
  await shown;
}

it('a code leaves the display at the end of its ttl, and the payment stays PENDING', async (l) => {
  await showAtTheEnd(l);
  const [code] = codes(l.display.drawn);
  assert.equal(l.screen.picture, { kind: 'qr', payload: code, amount: 100 });
  await until('the code is gone', () => l.display.drawn.at(-1)?.kind === 'clear');
  assert.is(l.screen.payment, null);
  assert.is(l.payments.status().status, 'PENDING');
});

for (const [what, put] of [
  ['the picture of the till', (l: Lane) => l.view.showInfo('https://shop.example/')],
  ['the outcome', async (l: Lane) => void l.bank.verdicts.set(l.bankId(0), 'accepted')],
] as const) {
  long(`the end of a ttl does not take ${what} away`, async (l) => {
    await showAtTheEnd(l);
    const [code] = codes(l.display.drawn);
    await put(l);
    const other = await until('another picture', () => {
      const last = l.display.drawn.at(-1);
      return last !== undefined && last.kind !== 'clear' && codes([last])[0] !== code ? last : null;
    });
    await l.clock.advance(2 * LAST_MOMENTS_MS);
    assert.equal(l.display.drawn.at(-1), other);
  });
}

it('the sale before has its code off the display before the bank is asked about it', async (l) => {
  await l.showQR(100);
  l.bank.beSilent();
  const next = l.showQR(200);
  await settled();
  assert.equal([l.screen.payment, l.bank.registered.length], [null, 1]);
  l.bank.release();
  await next;
});

for (const [what, show] of [
  ['a code', (l: Lane) => l.view.showInfo('https://shop.example/')],
  ['a symbol', (l: Lane) => l.view.showSymbol('failure')],
] as const) {
  long(`${what} of the till that could not be drawn is forgotten`, async (l) => {
    l.display.breaks = true;
    await refusal(show(l));
    l.display.replug();
    assert.equal(l.display.drawn, [{ kind: 'clear' }]);
  });
}

long('an outcome that could not be drawn is drawn by the next connection, within its time', async (l) => {
  l.display.breaks = true;
  await l.screen
    .flash('success', 'outcome', () => undefined)
    .catch((error: unknown) => {
      if (!(error instanceof DisplayError)) throw error;
    });
  l.display.replug();
  assert.equal(symbols(l.display.drawn), ['success']);
});

long('a code whose payment has ended leaves the display, also where the ledger cannot be read', async (l) => {
  await l.showQR(100);
  assert.is.not(l.screen.payment, null);
  using _fault = replaced(l.ledger, 'last', () => {
    throw new Error('disk I/O error');
  });
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('the code is gone', () => l.display.drawn.at(-1)?.kind === 'clear');
  assert.is(l.screen.payment, null);
});

long('a paid payment is asked about no more, also where the one on the display cannot be read', async (l) => {
  await l.showQR(100);
  const paid = l.ledger.last()?.orderId ?? '';
  await l.showQR(200);
  const shown = l.ledger.last()?.orderId;
  const find = l.ledger.find.bind(l.ledger);
  using _fault = replaced(l.ledger, 'find', (orderId) => (orderId === shown ? null : find(orderId)));
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('it is settled', () => find(paid)?.settled === true);
});

const inPlaceOf = (path: string): void => {
  rmSync(path);
  mkdirSync(path);
};

for (const [what, isNoted, turn] of [
  ['that was kept', true, () => undefined],
  ['that was taken back', false, (path: string) => new ShownCode(path, { bootId: 'boot' }).forget()],
  ['of another boot', false, (path: string) => new ShownCode(path, { bootId: 'other' }).save('order')],
  ['of another payment', false, (path: string) => new ShownCode(path, { bootId: 'boot' }).save('order-2')],
  ['that a kill has cut short', false, (path: string) => truncateSync(path, 6)],
  ['with a folder in its place', false, inPlaceOf],
  ['that has grown beyond measure', false, (path: string) => truncateSync(path, 2 ** 30)],
] as const)
  test(`a display note ${what} ${isNoted ? 'counts for the process after' : 'counts for nothing'}`, () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'on-display');
    const shown = new ShownCode(path, { bootId: 'boot' });
    assert.not(shown.was('order'));
    shown.save('order');
    turn(path);
    assert.is(shown.was('order'), isNoted);
  });

test.run();
