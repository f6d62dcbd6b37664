/** What must hold of money is looked at in production: what would break it is refused, named in `/health`, and ends nothing else. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Values } from '../../firmware/core/book/index.ts';
import { checksumOf, RowFormat } from '../../firmware/core/book/row.ts';
import { openFile } from '../../firmware/core/files/database.ts';
import { each, temporaryFolder } from '../support.ts';
import { codes, type Lane, onLane, refusal, report, states, until } from './harness.ts';
import { openKept, openMoney, payMany } from './ledger-rig.ts';

const test = suite('terminal: rules of money');
const it = each(test, onLane);

/** What `/health` says of the ledger. */
const rulesOf = (l: Lane): string[] =>
  l
    .health()
    .parts.filter(({ part }) => part === 'ledger')
    .flatMap(({ reasons }) => reasons.map(({ code, about }) => `${code}: ${about.detail}`));

/** One that was paid and read, with a part of it gone back. @returns its order id */
async function paid(l: Lane): Promise<string> {
  await l.showQR(500);
  await report(l, 'accepted');
  const { orderId } = l.payments.status();
  assert.ok(orderId);
  l.payments.markHandled(l.payments.status());
  l.payments.recordRefundedSum(orderId ?? '', 200);
  return orderId ?? '';
}

/** Another sale is taken as if nothing had been. */
async function sellOn(l: Lane): Promise<void> {
  const n = l.bank.registered.length;
  await l.showQR(700);
  await report(l, 'accepted', n);
}

/** What no part of the program writes, and the rule that it would break. */
const BROKEN: readonly (readonly [string, Values, RegExp])[] = [
  ['a paid payment that would become another', { state: 'REJECTED' }, /stays paid/],
  ['a paid payment that would be open again', { state: 'PENDING' }, /stays paid/],
  ['more gone back than was paid', { refunded: 501 }, /CHECK constraint failed: refunded/],
  ['less gone back than before', { refunded: 199 }, /stays counted/],
  ['another amount', { amount: 499 }, /payments 1: amount never changes/],
  ['another payee', { merchant: 'another' }, /payments 1: merchant never changes/],
  ['another shift that counts it', { shift: 77 }, /payments 1: shift never changes/],
  ['a call place that was given before', { called: 0 }, /payments 1: called only grows/],
];

for (const [what, values, rule] of BROKEN)
  it(`${what}: unwritten, in /health, the next sale is taken`, async (l) => {
    const orderId = await paid(l);
    const before = l.payments.find(orderId);
    assert.equal(rulesOf(l), []);
    const { book, table } = l.ledger;
    assert.throws(() => book.change(() => table.set(orderId, values)), rule);
    const { status, refunded, amount } = l.payments.find(orderId);
    assert.equal(
      { status, refunded, amount },
      { status: before.status, refunded: before.refunded, amount: before.amount },
    );
    const [named = '', ...more] = rulesOf(l);
    assert.match(named, /^ledger-rule: /);
    assert.match(named, rule);
    assert.equal(more, []);
    await sellOn(l);
    assert.equal(rulesOf(l), [named]);
  });

it('a shift number that was given before: no shift is begun', async (l) => {
  const { book } = l.ledger;
  const shifts = book.table('shifts');
  const add = (number: number) => () =>
    book.change(() => shifts.add(String(number), { number, opened_at: 1, since_change: 0 }));
  add(5)();
  assert.throws(add(4), /number only grows/);
  assert.match(rulesOf(l)[0] ?? '', /number only grows/);
});

it('a call whose write breaks a rule is refused, draws no code, and the next are answered', async (l) => {
  const { book, table } = l.ledger;
  const intendToShow = l.ledger.intendToShow.bind(l.ledger);
  l.ledger.intendToShow = (orderId) => book.change(() => table.set(orderId, { amount: 1 }));
  let error: unknown = null;
  await l.showQR(100).catch((thrown: unknown) => {
    error = thrown;
  });
  assert.match(String(error), /amount never changes/);
  assert.equal(codes(l.display.drawn), []);
  assert.equal(states(l), ['100 ERROR']);
  assert.match(rulesOf(l)[0] ?? '', /amount never changes/);
  l.ledger.intendToShow = intendToShow;
  await sellOn(l);
});

it('an event that takes back a paid payment is not written: the till gets the state it had', async (l) => {
  await l.showQR(500);
  await report(l, 'accepted');
  const setStatus = l.ledger.setStatus.bind(l.ledger);
  l.ledger.setStatus = (orderId, status, ...more) => setStatus(orderId, { ...status, state: 'REJECTED' }, ...more);
  l.payments.markHandled(l.payments.status());
  assert.is(l.payments.status().status, 'ACCEPTED');
  assert.match(rulesOf(l)[0] ?? '', /stays paid/);
  l.ledger.setStatus = setStatus;
  await sellOn(l);
  assert.equal(states(l), ['500 ACCEPTED', '700 ACCEPTED']);
  await until('what was noted to be written', () => l.ledger.queries.unreported().length === 1);
});

it('an order that a full ledger has not is cancelled at the bank nevertheless', async (l) => {
  l.bank.allowCancel();
  l.ledger.fullFor = ['intendToShow', 'recordRef'];
  await refusal(l.showQR(100));
  assert.equal(l.bank.canceled, [l.bankId(0)]);
});

test('a row with the number of a commit that was not is no written row: it is put back', async () => {
  using folder = temporaryFolder();
  {
    using money = openMoney(folder.path);
    payMany(money.payments, 1, 3);
  }
  const expected = ((): unknown => {
    using db = openFile(`${folder.path}/money.db`);
    const format = new RowFormat(db, 'payments');
    const row = format.byId(2);
    if (row === undefined) throw new Error('there is no payment 2');
    const altered = { ...row, change_no: 9999n, refunded: row.amount ?? null };
    const sql = 'UPDATE payments SET change_no = ?, refunded = ?, checksum = ? WHERE id = 2';
    db.prepare(sql).run(9999, altered.refunded, checksumOf(format.textOf(altered)));
    return row.refunded;
  })();
  await using kept = await openKept(folder.path);
  assert.is(kept.payments.byId(2)?.refunded, Number(expected));
  assert.equal(kept.problems(), ['ledger-repaired']);
});

test.run();
