/** Adapters against the sandbox bank's dialects: both were written from the same sources, apart from each other. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSandboxBank } from '../../../firmware/sandbox-bank/server.ts';
import {
  BankError,
  type BankRef,
  type BankReport,
  type OnlineBank,
  type Order,
  type RefundOrder,
  type RefundReport,
} from '../../../firmware/terminal/banks/bank.ts';
import { registerWithRetries } from '../../../firmware/terminal/banks/pool/registration.ts';
import { openBank } from '../../../firmware/terminal/banks/registry.ts';
import { askBank, bankError, listed, patient, sale, settle, withFolder } from './support.ts';

const test = suite('banks against their dialects');

const LIMITS = { deadlineMs: 20_000, closing: new AbortController().signal };

interface Rig {
  readonly bank: OnlineBank;
  readonly sandbox: Awaited<ReturnType<typeof startSandboxBank>>;
}

const BANKS: readonly {
  readonly name: string;
  readonly cancels: boolean;
  readonly profile: (url: string) => object;
}[] = [
  {
    name: 'Raiffeisenbank',
    cancels: true,
    profile: (url) => ({ sbpMerchantId: 'MA0000000001', secretKey: 'made-up', baseUrl: `${url}/raif` }),
  },
  {
    name: 'YooKassa',
    cancels: false,
    profile: (url) => ({ shopId: '54401', secretKey: 'made-up', baseUrl: `${url}/yookassa/v3` }),
  },
  {
    name: 'Gazprombank',
    cancels: true,
    profile: (url) => ({
      ...{ account: '40702810293001099999', merchantId: 'MA0000000001', login: 'LA0000000001', password: 'made-up' },
      baseUrl: `${url}/gpb`,
    }),
  },
];

const registered = async ({ bank }: Rig, order: Order) => {
  const { ref, payload } = await registerWithRetries(bank, order, () => undefined, LIMITS);
  return { ref, codeId: payload.split('/').at(-1) ?? '' };
};
const told = ({ bank }: Rig, ref: BankRef, { orderId, amount }: Order): Promise<BankReport> =>
  askBank(bank, { ref, orderId, amount }, LIMITS);

const MOST_STEPS = 6;

/** Goes on with a refund until it is no longer under way, whatever is lost on the way. */
async function refunded({ bank }: Rig, first: RefundOrder): Promise<RefundReport> {
  let order = first;
  for (let step = 0; step < MOST_STEPS; step++) {
    const call = order.bankRefundId === null ? bank.refund : bank.refundStatus;
    try {
      const report = await (call?.call(bank, order, patient()) as Promise<RefundReport>);
      if (report.state !== 'pending') return report;
      order = { ...order, bankRefundId: report.bankRefundId };
    } catch (error) {
      if (!(error instanceof BankError && error.code === 'unreachable')) throw error;
      order = { ...order, isRepeated: true };
    }
  }
  throw new Error('the refund has not come to an end');
}

function withBank(
  profile: (rig: Pick<Rig, 'sandbox'>, folder: string) => object,
  work: (rig: Rig) => Promise<void>,
): Promise<void> {
  return withFolder(async (folder) => {
    const sandbox = await startSandboxBank({ port: 0, dataFile: `${folder}/sandbox.db` });
    const bank = await openBank(profile({ sandbox }, folder) as never, { cftBaseUrl: null, sandboxBaseUrl: null });
    if (bank.kind !== 'online') throw new Error('expected an online bank');
    try {
      await work({ bank, sandbox });
    } finally {
      await bank.close();
      await sandbox.close();
    }
  });
}

for (const { name, cancels, profile } of BANKS) {
  const withThis = (work: (rig: Rig) => Promise<void>): Promise<void> =>
    withBank(({ sandbox }) => ({ bankName: name, ...profile(sandbox.url) }), work);

  test(`${name}: a payment is paid, and goes back in parts, never more than was paid`, () =>
    withThis(async (rig) => {
      const order = sale({ amount: 10_000 });
      const { ref, codeId } = await registered(rig, order);
      assert.is((await told(rig, ref, order)).verdict, 'pending');
      assert.is((await settle(rig.sandbox, codeId, 'pay')).status, 200);
      const { verdict, trxId } = await told(rig, ref, order);
      assert.is(verdict, 'accepted');
      assert.is(await rig.bank.cancel?.(ref, patient()), 'already-paid');
      const part: RefundOrder = {
        ...{ ref, orderId: order.orderId, trxId, paid: 10_000, refundedBefore: 0 },
        ...{ refundId: 'refund-1', amount: 4_000, bankRefundId: null, isRepeated: false },
      };
      const done = await refunded(rig, part);
      assert.is(done.state, 'done');
      assert.equal(await refunded(rig, { ...part, bankRefundId: done.bankRefundId, isRepeated: true }), done);
      const more = { ...part, refundId: 'refund-2', amount: 6_001, refundedBefore: 4_000 };
      const refusal = await refunded(rig, more).catch((error: { code?: string }) => error);
      assert.is('state' in refusal ? refusal.state : refusal.code, 'refused');
      assert.is((await refunded(rig, { ...more, refundId: 'refund-3', amount: 6_000 })).state, 'done');
    }));

  test(`${name}: a refund whose answers are lost goes back once`, () =>
    withThis(async (rig) => {
      const order = sale({ amount: 10_000 });
      const { ref, codeId } = await registered(rig, order);
      await settle(rig.sandbox, codeId, 'pay');
      const { trxId } = await told(rig, ref, order);
      const part: RefundOrder = {
        ...{ ref, orderId: order.orderId, trxId, paid: 10_000, refundedBefore: 0 },
        ...{ refundId: 'refund-1', amount: 4_000, bankRefundId: null, isRepeated: false },
      };
      rig.sandbox.faults.set([{ call: 'refund', kind: 'drop', times: 2 }]);
      assert.is((await refunded(rig, part)).state, 'done');
      rig.sandbox.faults.set([]);
      // what is left is all but that part
      assert.is((await refunded(rig, { ...part, refundId: 'refund-2', amount: 6_000 })).state, 'done');
    }));

  test(`${name}: an open code is ${cancels ? 'withdrawn' : 'not withdrawn, and said so'}`, () =>
    withThis(async (rig) => {
      const order = sale();
      const { ref } = await registered(rig, order);
      assert.is(await rig.bank.cancel?.(ref, patient()), cancels ? 'withdrawn' : 'not-possible');
    }));

  test(`${name}: by its kopecks a payment is declined, lost, or told of another amount or payment`, () =>
    withThis(async (rig) => {
      const declined = sale({ amount: 10_001 });
      assert.is((await told(rig, (await registered(rig, declined)).ref, declined)).verdict, 'rejected');
      const lost = sale({ amount: 10_004 });
      assert.is((await told(rig, (await registered(rig, lost)).ref, lost)).verdict, 'pending');
      for (const amount of [10_012, 10_013]) {
        const order = sale({ amount });
        const about = registered(rig, order).then(({ ref }) => told(rig, ref, order));
        await bankError('contradiction', about);
      }
      for (const amount of [10_007, 10_009]) await registered(rig, sale({ amount }));
    }));
}

const RAIFFEISEN = BANKS[0] as (typeof BANKS)[number];

test('Raiffeisenbank: a sale is put on a printed code, found after a lost answer, paid, refunded; the next one is withdrawn', () =>
  withBank(
    ({ sandbox }) => ({ bankName: RAIFFEISEN.name, ...RAIFFEISEN.profile(sandbox.url) }),
    async (rig) => {
      const { cashLinks } = rig.bank;
      if (cashLinks === undefined) throw new Error('expected cash links');
      const link = await cashLinks.create('касса 3', patient());
      const order = sale({ amount: 10_000 });
      rig.sandbox.faults.set([{ call: 'register', kind: 'drop' }]);
      const lost = await cashLinks.activate(link.id, order, patient()).catch((error: BankError) => error.code);
      assert.is(lost, 'unreachable', 'it goes out once: a refusal of the second would not tell of the first');
      const ref = await cashLinks.activate(link.id, order, patient());
      assert.is((await told(rig, ref, order)).verdict, 'pending');
      // the payer's page of the link leads to the order that is on it
      const onLink = (await listed(rig.sandbox)).find(({ orderId }) => orderId === order.orderId);
      assert.is((await settle(rig.sandbox, onLink?.qrcId ?? '', 'pay')).status, 200);
      assert.is((await told(rig, ref, order)).verdict, 'accepted');
      assert.is(await rig.bank.cancel?.(ref, patient()), 'already-paid');
      const refund: RefundOrder = {
        ...{ ref, orderId: order.orderId, trxId: null, paid: 10_000, refundedBefore: 0 },
        ...{ refundId: 'refund-1', amount: 4_000, bankRefundId: null, isRepeated: false },
      };
      rig.sandbox.faults.set([{ call: 'refund', kind: 'drop' }]);
      assert.is((await refunded(rig, refund)).state, 'done');
      assert.is((await refunded(rig, { ...refund, refundId: 'refund-2', amount: 6_000 })).state, 'done');
      const next = sale();
      const second = await cashLinks.activate(link.id, next, patient());
      assert.is(await rig.bank.cancel?.(second, patient()), 'withdrawn');
      assert.is((await told(rig, second, next)).verdict, 'canceled');
      assert.is(await rig.bank.cancel?.(second, patient()), 'withdrawn', 'once more, after a lost answer');
    },
  ));

test('Alfa token: signed calls are taken, and those of another key are not', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = { type: 'spki', format: 'pem' } as const;
  const profile = ({ sandbox }: Pick<Rig, 'sandbox'>, folder: string): object => {
    const signKeyPath = join(folder, 'sign.key');
    writeFileSync(signKeyPath, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const ids = { bankName: 'Alfa Bank Token', termNo: '30005150', keyName: 'made-up-alias' };
    return { ...ids, signKeyPath, baseUrl: `${sandbox.url}/anyway` };
  };
  return withBank(profile, async (rig) => {
    const order = sale({ amount: 10_000 });
    await bankError('refused', registered(rig, order));
    rig.sandbox.keys.add('made-up-alias', String(publicKey.export(pem)));
    const { ref, codeId } = await registered(rig, order);
    assert.is((await told(rig, ref, order)).verdict, 'pending');
    await settle(rig.sandbox, codeId, 'pay');
    const { verdict, trxId, paidAt } = await told(rig, ref, order);
    assert.is(verdict, 'accepted');
    assert.ok(trxId !== null && Math.abs((paidAt ?? 0) - Date.now()) < 60_000, 'in the time zone of the bank');
    const declined = sale({ amount: 10_001 });
    assert.is((await told(rig, (await registered(rig, declined)).ref, declined)).verdict, 'rejected');
    for (const amount of [10_012, 10_013]) {
      const other = sale({ amount });
      await bankError(
        'contradiction',
        registered(rig, other).then((made) => told(rig, made.ref, other)),
      );
    }
  });
});

test.run();
