/** Several profiles of one merchant: one with a stale secret, or a certificate that cannot be opened, delays no call. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { OnlineBank } from '../../../firmware/banks/bank.ts';
import { BankError } from '../../../firmware/banks/bank-error.ts';
import { type BankReport, UNREPORTED } from '../../../firmware/banks/bank-payment.ts';
import { BankPool, type KnownPayment } from '../../../firmware/banks/bank-pool.ts';
import { type BankProfile, merchantOf } from '../../../firmware/banks/registry.ts';
import { until } from '../../support.ts';
import { NOWHERE, poolOf } from './pools.ts';
import { bankError, partBack, sale } from './support.ts';
import { type Asked, codeId, linkTo, type Reply, startWireBank, type WireBank } from './wire-bank.ts';

const test = suite('several profiles of one merchant');

const LIMITS = { deadlineMs: 10_000, closing: new AbortController().signal };
const ID = codeId(1);
const PAYMENT = { orderId: 'o1', profile: 'p', amount: 100, createdAt: Date.now(), ref: { id: ID } };
const REFUND = partBack({ ref: { id: ID }, trxId: 'T1', paid: 100, amount: 100 });

const REPORT: BankReport = { ...UNREPORTED, verdict: 'pending', ids: [ID] };

interface Rig {
  readonly bank: WireBank;
  readonly pool: BankPool;
  /** Passwords that the bank takes. */
  readonly good: Set<string>;
  /** What it answers about the payment. */
  state: Reply;
  readonly payment: KnownPayment;
  profile(password: string, changes?: object): BankProfile;
  /** The passwords of the calls since this was asked last. */
  passwords(): (string | undefined)[];
}

const stateReply = (status: string): Reply => ({ body: { code: '000', data: [{ qrcId: ID, code: '000', status }] } });
const DENIED: Reply = { status: 401, body: { code: '401', message: 'Неверный логин или пароль' } };

const withProfiles =
  (names: readonly string[], work: (rig: Rig) => Promise<void>, changes: readonly object[] = []) =>
  async () => {
    const good = new Set<string>();
    const answer = ({ call, headers }: Asked): Reply => {
      if (!good.has(String(headers.password))) return DENIED;
      if (call.endsWith('/prepare')) return { body: { code: '000', transactionId: 'D1' } };
      if (call.endsWith('/qrc-block')) return { body: { code: '000' } };
      if (call.endsWith('/qrc-data'))
        return { body: { code: '000', data: { qrcId: ID, payload: linkTo(ID, 12_345) } } };
      return rig.state;
    };
    await using bank = await startWireBank(answer);
    const profile = (password: string, more: object = {}) =>
      ({
        bankName: 'Gazprombank',
        account: 'a',
        merchantId: 'm',
        login: 'l',
        password,
        baseUrl: bank.url,
        ...more,
      }) as const;
    const profiles = names.map((name, n) => profile(name, changes[n]));
    const of = (each: BankProfile) => merchantOf(each, NOWHERE);
    const pool = new BankPool(...poolOf({ wall: Date.now }, () => profiles));
    let seen = 0;
    const rig: Rig = {
      ...{ bank, pool, good, state: stateReply('NOT_STARTED'), profile },
      payment: { ...PAYMENT, merchant: of(profile('')) },
      passwords() {
        const since = bank.asked.slice(seen).map(({ headers }) => headers.password?.toString());
        seen = bank.asked.length;
        return since;
      },
    };
    try {
      await work(rig);
    } finally {
      await pool.opened.close();
    }
  };

test(
  'the next is asked with where the bank does not take the first, and that one is remembered',
  withProfiles(['stale', 'also-stale', 'good', 'spare'], async ({ pool, good, payment, passwords, profile }) => {
    good.add('good');
    assert.is((await pool.ask(payment, LIMITS))?.verdict, 'pending');
    assert.equal(passwords(), ['stale', 'also-stale', 'good']);
    for (let n = 0; n < 3; n += 1) await pool.ask(payment, LIMITS);
    assert.equal(passwords(), ['good', 'good', 'good']);
    const { unauthorized } = pool.opened.health(profile('stale'));
    assert.match(unauthorized?.message ?? '', /HTTP 401.*Неверный логин/);
    for (const name of ['good', 'spare']) assert.is(pool.opened.health(profile(name)).unauthorized, null);
  }),
);

test(
  'where the bank takes none, a question is one call, by turns: failed logins may be locked',
  withProfiles(['one', 'other'], async ({ pool, good, payment, passwords }) => {
    await bankError('refused', pool.ask(payment, LIMITS));
    assert.equal(passwords(), ['one', 'other']);
    for (let n = 0; n < 4; n += 1) await bankError('refused', pool.ask(payment, LIMITS));
    assert.equal(passwords(), ['one', 'other', 'one', 'other']);
    good.add('other');
    await bankError('refused', pool.ask(payment, LIMITS));
    assert.is((await pool.ask(payment, LIMITS))?.verdict, 'pending');
    passwords();
    await pool.ask(payment, LIMITS);
    assert.equal(passwords(), ['other']);
  }),
);

for (const [what, state, code] of [
  ['a refusal', { status: 400, body: { code: '123', message: 'no' } }, 'refused'],
  ['no time', { status: 503 }, 'unreachable'],
  ['nonsense', { body: '{' }, 'contradiction'],
] as const) {
  test(
    `${what} is the bank's word: no other profile is asked with`,
    withProfiles(['one', 'other'], async (rig) => {
      rig.good.add('one').add('other');
      rig.state = state;
      await bankError(code, rig.pool.ask(rig.payment, LIMITS));
      assert.equal(rig.passwords(), ['one']);
      rig.state = stateReply('REJECTED');
      assert.is((await rig.pool.ask(rig.payment, LIMITS))?.verdict, 'rejected');
      assert.equal(rig.passwords(), ['one']);
    }),
  );
}

test(
  'a refund without an answer goes to no other profile, even if the first is found unusable',
  withProfiles(['one', 'other'], async ({ pool, payment, profile }) => {
    const answer = Promise.withResolvers<void>();
    const sent: string[] = [];
    const bankOf = (name: string): Partial<OnlineBank> => ({
      kind: 'online',
      refund: async () => {
        sent.push(name);
        await answer.promise;
        throw new BankError('unreachable', 'reset');
      },
      status: async () => {
        throw new BankError('refused', 'who?', { isUnauthorized: true });
      },
    });
    const banks = new Map(['one', 'other'].map((name) => [JSON.stringify(profile(name)), bankOf(name)]));
    pool.opened.open = async (each) => banks.get(JSON.stringify(each)) as OnlineBank;
    const refund = bankError('unreachable', pool.refund(payment, REFUND, LIMITS));
    await until('the refund', () => sent.length === 1);
    banks.set(JSON.stringify(profile('other')), { ...bankOf('other'), status: async () => REPORT });
    assert.is((await pool.ask(payment, LIMITS))?.verdict, 'pending');
    answer.resolve();
    await refund;
    assert.equal(sent, ['one']);
  }),
);

test(
  'one whose certificate cannot be opened is skipped, and not opened while another works',
  withProfiles(
    ['broken', 'good'],
    async ({ pool, good, payment, passwords, profile }) => {
      good.add('good');
      for (let n = 0; n < 2; n += 1) await pool.ask(payment, LIMITS);
      assert.equal(passwords(), ['good', 'good']);
      assert.match(
        pool.opened.health(profile('broken', { pfxPath: '/nowhere.p12' })).openProblem ?? '',
        /^pfxPath cannot be used/,
      );
      assert.ok(await pool.canRefund(payment));
    },
    [{ pfxPath: '/nowhere.p12' }],
  ),
);

test(
  'cancellations and refunds go on with the next, too: nothing was done with the first',
  withProfiles(['stale', 'good'], async ({ pool, good, payment, passwords }) => {
    good.add('good');
    assert.is(await pool.cancel(payment, LIMITS), 'withdrawn');
    assert.equal(passwords(), ['stale', 'good']);
    await pool.opened.closeOthers({ bankName: 'Static', staticQR: 'https://pay.example/1' });
    assert.is((await pool.refund(payment, REFUND, LIMITS)).bankRefundId, 'D1');
    assert.equal(passwords(), ['stale', 'good']);
  }),
);

test(
  'settings sent again, and a payment that is registered, give a profile another chance',
  withProfiles(['first', 'good'], async ({ pool, good, payment, passwords, profile }) => {
    good.add('good');
    await pool.ask(payment, LIMITS);
    good.add('first');
    await pool.opened.renew(profile('first'));
    passwords();
    await pool.ask(payment, LIMITS);
    assert.equal(passwords(), ['first']);

    good.delete('first');
    const bank = await pool.opened.open(profile('first'));
    if (bank.kind !== 'online') throw new Error('expected an online bank');
    await bankError(
      'refused',
      pool.register(bank, sale(), () => undefined, LIMITS),
    );
    passwords();
    await pool.ask(payment, LIMITS);
    assert.equal(passwords(), ['good'], 'what a registration has found out is known to questions');
    good.add('first');
    await pool.register(bank, sale(), () => undefined, LIMITS);
    passwords();
    await pool.ask(payment, LIMITS);
    assert.equal(passwords(), ['first']);
    assert.is(pool.opened.health(profile('first')).unauthorized, null);
  }),
);

test.run();
