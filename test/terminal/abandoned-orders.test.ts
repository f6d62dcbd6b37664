/**
 * A ledger that lost its last commits with the power: it has the row of a payment, and not that its code was shown.
 * The bank is asked for the order before the payment is reported as failed: else a charge would stay unknown, and the
 * till would sell it again.
 */

import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BankProfile } from '../../firmware/banks/registry.ts';
import { openDatabase } from '../../firmware/core/files/database.ts';
import { MONEY_MIGRATIONS } from '../../firmware/payments/money/money-schema.ts';
import { saleKeyOf } from '../../firmware/payments/service/sale/sale-key.ts';
import { each, fieldsOf, temporaryFolder } from '../support.ts';
import { CONFORMING, type ConformingBank } from './conformance/banks.ts';
import { onRig } from './conformance/rig.ts';
import {
  callerNamed,
  ended,
  HandClock,
  type Lane,
  type LaneParts,
  NO_POLLS,
  openLane,
  pastTheEnd,
  refusal,
  registered,
  TestBank,
  unreachable,
  until,
} from './harness.ts';
import { paymentsAfter } from './ledger-rows.ts';
import { OrderBank } from './order-bank.ts';
import { code, sell, stateOf } from './sale-keys.ts';

const test = suite('terminal: a payment that an older ledger has, and not its code');

const folder = temporaryFolder();
test.after(() => folder[Symbol.dispose]());
let copies = 0;

/** The ledger as it is at this moment, in a file of its own. */
function copyOf(db: DatabaseSync): DatabaseSync {
  copies += 1;
  const path = join(folder.path, `ledger-${copies}.db`);
  db.exec(`VACUUM INTO '${path}'`);
  return openDatabase(path, MONEY_MIGRATIONS, 0).db;
}

interface Left {
  readonly bank: OrderBank;
  readonly orderId: string;
  /** The device as it comes back. */
  readonly restart: (parts?: LaneParts) => Promise<Lane>;
}

const NAME = 'k';
const AMOUNT = 100;

/** A device whose ledger ends with the row of a payment, named by a key or by nothing. */
async function left(isNamed = true, hasRef = false): Promise<Left> {
  const clock = new HandClock();
  const first = new OrderBank();
  const { promise: never } = Promise.withResolvers<never>();
  if (hasRef) first.code = () => never;
  else first.hold();
  const before = await openLane({ bank: first, clock, pacing: { ...NO_POLLS, bankDeadlineMs: 200 } });
  const call = (isNamed ? sell(before, NAME, { amount: AMOUNT }) : before.showQR(AMOUNT)).catch(() => null);
  await registered(before);
  if (hasRef)
    await until('the bank has returned its id', () => paymentsAfter(before.ledger, 0, 1)[0]?.ref?.id !== undefined);
  const db = copyOf(before.db);
  first.release();
  await call;
  await before.stop();
  const bank = new OrderBank();
  bank.order = {};
  const [row] = paymentsAfter(before.ledger, 0, 1);
  return {
    bank,
    orderId: row?.orderId ?? '',
    restart: (parts) => openLane({ bank, clock, db, ...parts }),
  };
}

/** A device of which that is left; what is started again is stopped. */
const it = each(
  test,
  (run: (bank: OrderBank, orderId: string, restart: Left['restart']) => Promise<void>) => async () => {
    const { bank, orderId, restart } = await left();
    const lanes: Lane[] = [];
    try {
      await run(bank, orderId, async (parts) => {
        const lane = await restart(parts);
        lanes.push(lane);
        return lane;
      });
    } finally {
      for (const lane of lanes) await lane.stop();
    }
  },
);

const status = ({ payments }: Lane) => payments.status().status;

it('an order that was paid is reported, for its key too, and nothing is sold twice', async (bank, orderId, restart) => {
  bank.order = { verdict: 'accepted' };
  const l = await restart();
  assert.is(stateOf(l, orderId), 'PENDING', 'unknown is not failed');
  await until('paid', () => stateOf(l, orderId) === 'ACCEPTED');
  const { status: now } = l.payments.find(orderId);
  assert.equal(
    { late: now.late, unreported: now.unreported, failure: now.failure },
    { late: false, unreported: true, failure: null },
  );
  const again = await sell(l, NAME, { amount: AMOUNT });
  assert.equal([again.orderId, again.isShown, bank.registered.length], [orderId, false, 0]);
});

test('its key sent again before the bank was asked: it is asked in the same call', async () => {
  for (const [order, state] of [
    [{ verdict: 'accepted' }, 'ACCEPTED'],
    [{ verdict: 'rejected' }, 'REJECTED'],
    [{ verdict: 'processing' }, 'PENDING'],
  ] as const) {
    const { bank, orderId, restart } = await left();
    bank.order = order;
    const l = await restart({ pacing: NO_POLLS });
    const { isShown, isAgain, warnings } = await sell(l, NAME, { amount: AMOUNT });
    assert.equal({ isShown, isAgain, state: stateOf(l, orderId) }, { isShown: false, isAgain: true, state });
    assert.equal(fieldsOf(warnings, 'member'), state === 'PENDING' ? ['NotShown'] : []);
    assert.equal(
      { registered: bank.registered.length, lookUps: bank.lookUps, status: status(l) },
      { registered: 0, lookUps: 1, status: state },
    );
    await l.stop();
  }
});

for (const isNamed of [true, false]) {
  test(`an open order ${isNamed ? 'with' : 'without'} a key is taken back at the bank, and fails`, async () => {
    const { bank, orderId, restart } = await left(isNamed);
    bank.allowCancel();
    const l = await restart();
    assert.is(status(l), 'PENDING');
    await ended(l, 'ERROR');
    assert.equal([bank.canceled, bank.lookUps], [[`bank-${orderId}`], 1]);
    assert.match(l.payments.status().failure?.message ?? '', /restarted before the code was shown/);
    if (isNamed) {
      const error = await refusal(sell(l, NAME, { amount: AMOUNT }));
      assert.equal([code(error), error.payment], ['Internal.UnexpectedError', orderId]);
    }
    bank.order = null;
    assert.is((await sell(l, 'new', { amount: AMOUNT })).isAgain, false);
    assert.is(bank.registered.length, 1);
    await l.stop();
  });
}

test('an order that the bank does not have ends as ever, in the call of its key too', async () => {
  for (const pacing of [{}, NO_POLLS]) {
    const { bank, orderId, restart } = await left();
    bank.order = null;
    const l = await restart({ pacing });
    if (pacing !== NO_POLLS) await ended(l, 'ERROR');
    const error = await refusal(sell(l, NAME, { amount: AMOUNT }));
    assert.equal([code(error), error.payment], ['Internal.UnexpectedError', orderId]);
    assert.match(error.message, /restarted before the code was shown/);
    assert.is((await sell(l, 'new', { amount: AMOUNT })).isAgain, false);
    await l.stop();
  }
});

it('a silent bank: it stays unknown, holds back the same sale, and the bank is asked again', async (bank, orderId, restart) => {
  bank.order = unreachable();
  const l = await restart();
  await until('asked again', () => bank.lookUps > 3);
  assert.is(stateOf(l, orderId), 'PENDING');
  const again = await sell(l, NAME, { amount: AMOUNT });
  assert.equal(
    [again.orderId, again.isShown, again.warnings.map(({ member }) => member)],
    [orderId, false, ['NotShown']],
  );
  assert.is(code(await refusal(sell(l, 'new', { amount: AMOUNT }))), 'Bank.Unreachable');
  assert.is(code(await refusal(l.showQR(AMOUNT))), 'Bank.Unreachable');
  assert.is(bank.registered.length, 0);
  assert.equal([status(l), l.payments.status().orderId], ['PENDING', orderId]);
  const warning = await l.showQR(500);
  assert.match(warning?.message ?? '', /not known whether what was asked for before was paid/);
  bank.order = { verdict: 'accepted' };
  await until('paid', () => stateOf(l, orderId) === 'ACCEPTED');
});

it('a silent bank past the end of the code, and another restart: unknown it stays', async (bank, orderId, restart) => {
  bank.order = unreachable();
  const first = await restart();
  pastTheEnd(first);
  await until('asked', () => bank.lookUps > 2);
  assert.is(stateOf(first, orderId), 'PENDING');
  await first.stop();
  const { clock, db } = first;
  const second = await openLane({ bank, clock, db });
  assert.is(stateOf(second, orderId), 'PENDING');
  bank.order = { verdict: 'accepted' };
  await until('paid', () => stateOf(second, orderId) === 'ACCEPTED');
  await second.stop();
});

it('the bank cannot take it back, same boot: no commit was lost, so the code was never shown', async (_bank, orderId, restart) => {
  const l = await restart();
  await until('failed', () => stateOf(l, orderId) === 'ERROR');
  await l.showQR(AMOUNT); // nothing is in the way of the same sale
});

test('a bank that cannot take it back, after a power cut: it is followed to its end', async () => {
  for (const [verdict, state] of [
    ['accepted', 'ACCEPTED'],
    ['pending', 'CANCELED'],
  ] as const) {
    const { bank, orderId, restart } = await left();
    const clock = new HandClock();
    clock.bootId = 'boot-2';
    const l = await restart({ clock });
    await until('found', () => l.payments.find(orderId).ref?.id === `bank-${orderId}`);
    assert.is(stateOf(l, orderId), 'PENDING');
    assert.is(code(await refusal(l.showQR(AMOUNT))), 'Bank.PreviousOpen');
    bank.order = { verdict };
    if (verdict === 'pending') pastTheEnd(l);
    await until(state, () => stateOf(l, orderId) === state);
    assert.is(l.payments.find(orderId).status.failure, null);
    await l.stop();
  }
});

it('a bank that gives the money back as the order is taken back: no till reads that it is paid', async (bank, orderId, restart) => {
  bank.allowCancel('refunded');
  const l = await restart();
  await until('given back', () => l.payments.find(orderId).refunded === AMOUNT);
  assert.equal([status(l), l.payments.find(orderId).status.late], ['ERROR', true]);
});

it('an order that was paid at the moment it was taken back', async (bank, orderId, restart) => {
  bank.cancel = async () => {
    bank.order = { verdict: 'accepted' };
    return 'already-paid';
  };
  const l = await restart({ pacing: NO_POLLS });
  await sell(l, NAME, { amount: AMOUNT });
  assert.is(stateOf(l, orderId), 'ACCEPTED');
});

test('a bank that has given its id is asked by that, even where no order can be looked for', async () => {
  const { bank, orderId, restart } = await left(true, true);
  bank.order = { verdict: 'accepted' };
  const l = await restart();
  await until('paid', () => stateOf(l, orderId) === 'ACCEPTED');
  assert.is(bank.lookUps, 0);
  await l.stop();
});

test('a till that cancels it: the bank is asked, and what can be is taken back', async () => {
  for (const [order, outcome, state] of [
    [{ verdict: 'pending' }, 'withdrawn', 'ERROR'],
    [null, 'withdrawn', 'ERROR'],
    [{ verdict: 'accepted' }, 'already-paid', 'ACCEPTED'],
    [unreachable(), 'unknown', 'PENDING'],
  ] as const) {
    const { bank, orderId, restart } = await left();
    bank.allowCancel();
    bank.order = order;
    const l = await restart({ pacing: NO_POLLS });
    const { outcome: became, payment } = await l.payments.cancel(orderId);
    assert.equal([became, payment.status.state], [outcome, state]);
    await l.stop();
  }
});

test('a bank that cannot look for orders: failed, and after a power cut the error says who knows', async () => {
  for (const bootId of ['boot-1', 'boot-2']) {
    const { restart } = await left();
    const clock = new HandClock();
    clock.bootId = bootId;
    const l = await restart({ bank: new TestBank(), clock, pacing: NO_POLLS });
    const error = await refusal(sell(l, NAME, { amount: AMOUNT }));
    assert.is(code(error), 'Internal.UnexpectedError');
    assert.is(/its account shows it/.test(error.message), bootId === 'boot-2');
    await l.stop();
  }
});

it('a full disk at the start changes nothing of it', async (bank, orderId, restart) => {
  bank.order = unreachable();
  const l = await restart({ fullFor: ['setStatus'] });
  await until('asked', () => bank.lookUps > 1);
  assert.is(stateOf(l, orderId), 'PENDING');
  l.ledger.fullFor = [];
  bank.order = { verdict: 'accepted' };
  await until('paid', () => stateOf(l, orderId) === 'ACCEPTED');
});

it('an order by the id of another payment is not taken for it', async (bank, orderId, restart) => {
  bank.order = unreachable();
  const l = await restart({ pacing: NO_POLLS });
  bank.answers = [{ bankId: `bank-${orderId}`, payload: 'https://pay.example/another' }];
  await l.showQR(500);
  bank.order = { verdict: 'accepted' };
  await l.payments.cancel(orderId);
  assert.equal([stateOf(l, orderId), l.payments.find(orderId).ref], ['PENDING', null]);
});

it('an order of another amount is not believed: it stays unknown', async (bank, orderId, restart) => {
  bank.order = { verdict: 'accepted' };
  const find = bank.find;
  bank.find = async (order, signal) => {
    const found = await find(order, signal);
    return found && { ...found, report: { ...found.report, amounts: [AMOUNT + 1] } };
  };
  const l = await restart();
  await until('asked', () => bank.lookUps > 2);
  assert.equal([stateOf(l, orderId), l.payments.find(orderId).ref], ['PENDING', null]);
});

const ASKED = { amount: 12_300, purpose: 'Apples' };

/** As the terminal does it. */
function askedFor(l: Lane, profile: BankProfile, key: string, ttl: number) {
  const asked = { ...ASKED, ttl };
  const named = saleKeyOf(key, asked);
  const caller = callerNamed(null);
  const settings = { profileName: 'p', profile, connection: { type: 'screen' } } as const;
  return l.payments.repeated(named, asked, caller) ?? l.payments.startSale(settings, asked, caller, named);
}

/** The ledger after each of its commits from now on. */
function copiesOf({ ledger: { changes }, db }: Lane): readonly DatabaseSync[] {
  const kept: DatabaseSync[] = [];
  const notify = changes.notify.bind(changes);
  changes.notify = (keys) => {
    notify(keys);
    if (!db.isTransaction) kept.push(copyOf(db));
  };
  return kept;
}

type Action = 'paid before' | 'paid after' | 'never paid';

/** A sale whose ledger is put back to one of its states, to none by -1. @returns how many states there are */
async function putBack(bank: ConformingBank, action: Action, state: number): Promise<number> {
  let count = 0;
  await onRig(bank, async ({ lane, clock, sandbox, pool, setUp, book }) => {
    const profile = setUp();
    const ask = (l: Lane, key = NAME) => askedFor(l, profile, key, bank.ttl);
    const states = copiesOf(lane);
    assert.ok((await ask(lane)).isShown);
    count = states.length;
    await lane.stop();
    const pay = (payment = book().at(-1)) => sandbox.payments.pay(payment?.qrcId ?? '');
    const charges = () => book().reduce((sum, payment) => sum + payment.charges, 0);
    const open = () => book().filter((payment) => payment.state === 'open');
    if (action === 'paid before') pay();
    const db = states[state] ?? openDatabase(':memory:', MONEY_MIGRATIONS, 0).db;
    await using l = await openLane({ clock, real: { pool, profile }, db, pacing: { bankDeadlineMs: 4000 } });
    const result = await ask(l).catch((error: unknown) => error);
    const isOpen = open().length > 0;
    if (action === 'paid after' && isOpen) pay(book()[0]);
    const { orderId = '' } = paymentsAfter(l.ledger, 0, 1)[0] ?? {};
    const what = `state ${state}: ${result instanceof Error ? result.message : 'answered'}`;
    assert.is(isOpen, action !== 'paid before' && !(result instanceof Error), what);
    if (charges() > 0) {
      await until(`${what}, and paid`, () => stateOf(l, orderId) === 'ACCEPTED');
      assert.not(result instanceof Error, what);
    } else if (result instanceof Error) {
      assert.is((await ask(l, 'another')).isAgain, false);
      pay(open().at(-1));
    }
    if (state < 0) assert.is(book().length, 1, 'the same order');
    assert.ok(charges() <= 1, what);
    assert.is(open().length, charges() === 1 ? 0 : 1, what);
  })();
  return count;
}

for (const bank of CONFORMING.filter(({ title }) => ['Tinkoff', 'Alfa Bank'].includes(title))) {
  for (const action of ['paid before', 'paid after', 'never paid'] as const) {
    test(`${bank.title}, ${action}: a ledger put back charges no sale twice, and loses none`, async () => {
      let states = 1;
      for (let state = 0; state < states; state += 1) states = await putBack(bank, action, state);
      assert.ok(states >= 2, `${states} states`); // asked for, and shown
    });
  }
}

for (const bank of CONFORMING.filter(({ findsLost }) => findsLost))
  for (const action of ['paid before', 'paid after'] as const)
    test(`${bank.title}, ${action}: a sale whose ledger is lost is the same order`, async () => {
      await putBack(bank, action, -1);
    });

test.run();
