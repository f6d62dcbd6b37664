import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Sealer } from '../../../firmware/store/sealer.ts';
import type { OnlineBank } from '../../../firmware/terminal/banks/bank.ts';
import { BankPool } from '../../../firmware/terminal/banks/bank-pool.ts';
import type { BankProfile } from '../../../firmware/terminal/banks/registry.ts';
import type { PaymentRow } from '../../../firmware/terminal/ledger/payment-row.ts';
import { REGISTERING } from '../../../firmware/terminal/payments/payment.ts';
import { bankError, IDS, sale } from './support.ts';

const test = suite('the pool of banks');

/** Nothing listens there, and opening a bank sends nothing. */
const CFT = { bankName: 'CFT', ...IDS, password: '', baseUrl: 'http://127.0.0.1:9' } as const satisfies BankProfile;
const STATIC = { bankName: 'Static', staticQR: 'https://pay.example/1' } as const satisfies BankProfile;
const HALF = { bankName: 'Static', staticQR: '\ud800' } as const satisfies BankProfile;
const LIMITS = { deadlineMs: 5000, closing: new AbortController().signal };

const newPool = (profiles: readonly BankProfile[] = [], key = 7): BankPool =>
  new BankPool({
    context: { cftBaseUrl: null, sandboxBaseUrl: null },
    sealer: new Sealer(Buffer.alloc(32, key)),
    profiles: () => profiles,
  });

/** A payment as the ledger keeps it. */
function paymentOf(pool: BankPool, profile: BankProfile): PaymentRow {
  const { orderId, amount, purpose, ttl } = sale();
  return {
    id: 1,
    orderId,
    createdAt: 0,
    bootId: 'boot-1',
    createdMono: 0,
    profile: 'p',
    bank: profile.bankName,
    profileSealed: pool.seal(orderId, profile),
    amount,
    purpose,
    ttl,
    bankId: 'Q1',
    payload: 'https://pay.example/1',
    drawn: true,
    endedAt: null,
    settled: false,
    status: REGISTERING,
  };
}

async function onlineOf(pool: BankPool, profile: BankProfile): Promise<OnlineBank> {
  const bank = await pool.open(profile);
  if (bank.kind !== 'online') throw new Error('expected an online bank');
  return bank;
}

test('a profile has one bank, however often and at once it is asked for', async () => {
  const pool = newPool();
  const [one, other] = await Promise.all([pool.open(CFT), pool.open({ ...CFT })]);
  assert.is(one, other);
  assert.is.not(one, await pool.open({ ...CFT, accAlias: 'other' }));
  await pool.close();
});

test('what is not kept is opened anew where a payment needs it, and the one in use stays', async () => {
  const pool = newPool();
  const other = { ...CFT, accAlias: 'other' };
  const [kept, dropped] = [await pool.open(CFT), await pool.open(other)];
  await pool.keepOnly(CFT);
  assert.is(await pool.open(CFT), kept);
  assert.is.not(await pool.open(other), dropped);
  await pool.close();
});

test('a bank that cannot be opened is told by its field, and tried again at the next call', async () => {
  const pool = newPool();
  assert.equal(pool.health(HALF), { isOpen: false, openProblem: null, certificate: null, failures: null });
  for (let n = 0; n < 2; n += 1) {
    const error = await pool.open(HALF).catch((cause: unknown) => cause);
    assert.equal((error as { member?: string }).member, 'InvalidField');
    assert.is((error as Error).message, 'staticQR cannot be used: it holds half a character');
  }
  assert.is(pool.health(HALF).openProblem, 'staticQR cannot be used: it holds half a character');
  assert.not(pool.health(HALF).isOpen);
});

test('registrations that fail are counted by payments, until one works or the bank is opened anew', async () => {
  const pool = newPool();
  const bank = await onlineOf(pool, CFT);
  for (const payments of [1, 2]) {
    const error = await bankError('unreachable', pool.register(bank, sale(), { ...LIMITS, deadlineMs: 100 }));
    assert.equal(pool.health(CFT).failures, { payments, error });
  }
  await pool.renew(CFT);
  assert.is(pool.health(CFT).failures, null);
  // the bank before it is not the one whose health is asked for
  await bankError('unreachable', pool.register(bank, sale(), { ...LIMITS, deadlineMs: 100 }));
  assert.is(pool.health(CFT).failures, null);
  await pool.close();
});

test('a payment is for whoever its profile pays, and for nobody where its profile cannot be opened any more', () => {
  const pool = newPool();
  const payment = paymentOf(pool, CFT);
  assert.ok(pool.isFor(payment, { ...CFT, password: 'renewed' }));
  assert.not(pool.isFor(payment, { ...CFT, accAlias: 'other' }));
  assert.not(newPool([], 8).isFor(payment, CFT));
  assert.not(pool.isFor({ ...payment, orderId: 'another' }, CFT), 'it is sealed for its own payment');
});

test('what no bank can tell of is refused, never unpaid', async () => {
  const pool = newPool();
  const fixed = paymentOf(pool, STATIC);
  const error = await bankError('refused', pool.ask(fixed, LIMITS));
  assert.match(error.message, /static code, of which no bank tells/);
  await bankError('refused', pool.cancel(fixed, 'Q1', LIMITS));
  const sealedElsewhere = { ...paymentOf(newPool([], 8), CFT) };
  assert.match((await bankError('refused', pool.ask(sealedElsewhere, LIMITS))).message, /profile .* cannot be opened/);
  const unusable = await bankError('refused', pool.ask(paymentOf(pool, HALF), LIMITS));
  assert.match(unusable.message, /profile of the payment cannot be opened: staticQR cannot be used/);
  assert.is(await pool.ask({ ...fixed, bankId: null }, LIMITS), 'pending', 'it was never registered');
});

test.run();
