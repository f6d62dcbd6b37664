/** A printed code of Raiffeisenbank at the sandbox bank's dialect of it: both were written from the same sources, apart from each other. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError, type RefundOrder, type RefundReport } from '../../../firmware/terminal/banks/bank.ts';
import { RaiffeisenBank } from '../../../firmware/terminal/banks/raiffeisen/raiffeisen.ts';
import { startBanks } from '../../banks/banks.ts';
import { listed, patient, reportOf, sale, settle, withFolder } from './support.ts';

const test = suite('a printed code against its dialect');

const MOST_STEPS = 6;

/** Goes on with a refund until it is no longer under way, even if answers are lost. */
async function refunded(bank: RaiffeisenBank, first: RefundOrder): Promise<RefundReport> {
  let order = first;
  for (let step = 0; step < MOST_STEPS; step++) {
    const call = order.bankRefundId === null ? bank.refund : bank.refundStatus;
    try {
      const report = await call.call(bank, order, patient());
      if (report.state !== 'pending') return report;
      order = { ...order, bankRefundId: report.bankRefundId };
    } catch (error) {
      if (!(error instanceof BankError && error.code === 'unreachable')) throw error;
      order = { ...order, isRepeated: true };
    }
  }
  throw new Error('the refund has not come to an end');
}

test('Raiffeisenbank: a sale is put on a printed code, found after a lost answer, paid, refunded; the next one is withdrawn', () =>
  withFolder(async (folder) => {
    const sandbox = await startBanks({ port: 0, dataFile: `${folder}/sandbox.db` });
    const secrets = { sbpMerchantId: 'MA0000000001', secretKey: 'made-up' };
    const bank = new RaiffeisenBank({ ...secrets, baseUrl: `${sandbox.url}/raif` });
    try {
      const { cashLinks } = bank;
      const link = await cashLinks.create('касса 3', patient());
      const order = sale({ amount: 10_000 });
      sandbox.faults.set([{ call: 'register', kind: 'drop' }]);
      const lost = await cashLinks.activate(link.id, order, patient()).catch((error: BankError) => error.code);
      assert.is(lost, 'unreachable', 'it goes out once: a refusal of the second would say nothing about the first');
      const ref = await cashLinks.activate(link.id, order, patient());
      assert.is((await reportOf(bank, ref, order)).verdict, 'pending');
      // the payer's page of the link leads to the order that is on it
      const onLink = (await listed(sandbox)).find(({ orderId }) => orderId === order.orderId);
      assert.is((await settle(sandbox, onLink?.qrcId ?? '', 'pay')).status, 200);
      assert.is((await reportOf(bank, ref, order)).verdict, 'accepted');
      assert.is(await bank.cancel(ref, patient()), 'already-paid');
      const refund: RefundOrder = {
        ...{ ref, orderId: order.orderId, trxId: null, paid: 10_000, refundedBefore: 0 },
        ...{ refundId: 'refund-1', amount: 4_000, bankRefundId: null, isRepeated: false },
      };
      sandbox.faults.set([{ call: 'refund', kind: 'drop' }]);
      assert.is((await refunded(bank, refund)).state, 'done');
      assert.is((await refunded(bank, { ...refund, refundId: 'refund-2', amount: 6_000 })).state, 'done');
      const next = sale();
      const second = await cashLinks.activate(link.id, next, patient());
      assert.is(await bank.cancel(second, patient()), 'withdrawn');
      assert.is((await reportOf(bank, second, next)).verdict, 'canceled');
      assert.is(await bank.cancel(second, patient()), 'withdrawn', 'again, after a lost answer');
    } finally {
      await bank.close();
      await sandbox.close();
    }
  }));

test.run();
