/** What a rehearsal compares at its end: each kind of disagreement is found, and what is well is not. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { disagreements, type LaneBook, type Outside } from '../tools/rehearsal/books.ts';

const test = suite('the books of a rehearsal');

const atBank = { orderId: 'a', state: 'paid', amount: 500, charges: 1, refunded: 20 } as const;
const entry = { id: 'a', state: 'ACCEPTED', amount: 500, refunded: 20, late: false };
const sale = { key: 'k', serial: 'L1', amount: 500, kind: 'paid', id: 'a', state: 'ACCEPTED', refunded: 20 } as const;
const shifts = { count: 1, accepted: 500, refunds: 20 };

const found = (told: Partial<Outside>, book: Partial<LaneBook>, lost: readonly string[] = []): string =>
  disagreements(
    { bank: [atBank], sales: [sale], ...told },
    [{ serial: 'L1', entries: [entry], shifts, ...book }],
    new Set(lost),
  ).join('; ');

test('books that agree, and a card that died', () => {
  assert.is(found({}, {}), '');
  assert.is(found({}, { entries: [], shifts: { count: 0, accepted: 0, refunds: 0 } }, ['a']), '');
});

test('each disagreement', () => {
  const none = { entries: [], shifts: { count: 0, accepted: 0, refunds: 0 } };
  assert.match(found({ sales: [] }, none), 'a is paid, and not known here');
  assert.match(found({ bank: [] }, none), 'k: the till had ACCEPTED, and the ledger has nothing');
  assert.match(found({ bank: [{ ...atBank, charges: 2 }] }, {}), 'a was charged 2 times');
  assert.match(found({ bank: [{ ...atBank, amount: 501 }] }, {}), 'a: 501 at the bank, 500 here');
  assert.match(found({ bank: [{ ...atBank, refunded: 0 }] }, {}), 'a: 0 refunded at the bank, 20 here');
  assert.match(found({ bank: [{ ...atBank, state: 'expired' }] }, {}), 'a is accepted here, and not at the bank');
  assert.match(found({}, { entries: [{ ...entry, state: 'CANCELED' }] }), 'a is paid, and CANCELED here');
  assert.match(
    found({}, { entries: [{ ...entry, state: 'CANCELED' }] }),
    'k: the till had ACCEPTED, the ledger CANCELED',
  );
  assert.match(found({ bank: [] }, { entries: [{ ...entry, state: 'PENDING' }] }), 'a is still open');
  assert.match(found({}, { shifts: { ...shifts, accepted: 400 } }), 'L1: 500 accepted, 400 by its shifts');
  assert.match(found({}, { shifts: { ...shifts, refunds: 0 } }), 'L1: 20 refunded, 0 by its shifts');
});

test.run();
