/** What the tests of the banks share: sandbox banks that end with the test, and calls to them. */
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { OnlineBank } from '../../../firmware/banks/bank.ts';
import { type CallLimits, callBank, type PaymentAtBank, verified } from '../../../firmware/banks/bank-calls.ts';
import { BankError, type BankErrorCode } from '../../../firmware/banks/bank-error.ts';
import type { BankRef, BankReport, BankVerdict, Order, SoughtOrder } from '../../../firmware/banks/bank-payment.ts';
import type { RefundOrder } from '../../../firmware/banks/bank-refund.ts';
import { CftBank } from '../../../firmware/banks/dialects/cft.ts';
import { Registration } from '../../../firmware/banks/registration.ts';
import type { SandboxOptions } from '../../../firmware/tools/sandbox-bank/server.ts';
import { type Banks, startBanks } from '../../banks/banks.ts';
import { temporaryFolder } from '../../support.ts';

/** Far longer than any answer here takes: only a call that hangs meets it. */
const PATIENCE_MS = 20_000;
export const patient = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);

export const IDS = { extEntityId: 'E1', merchantId: 'M1', accAlias: 'A1' } as const;

export const sale = (changes: Partial<Order> = {}): Order => ({
  orderId: crypto.randomUUID(),
  amount: 12_345,
  purpose: 'Кофе и булочка',
  ttl: 5,
  ...changes,
});

/** A payment whose id is short to read. */
export const O1 = sale({ orderId: 'o1' });
export const LIMITS: CallLimits = { deadlineMs: PATIENCE_MS, closing: new AbortController().signal };

/** Registers a payment to the end, once. */
export const begun = (bank: OnlineBank, order = O1, signal = patient()) =>
  new Registration(bank, order, () => undefined).goOn(signal);

/** What the bank is believed about a payment. */
export const reportOf = (bank: OnlineBank, ref: BankRef, { orderId, amount }: SoughtOrder = O1): Promise<BankReport> =>
  askBank(bank, { ref, orderId, amount }, LIMITS);

/** A refund of a part of such a payment. */
export const partBack = (changes: Partial<RefundOrder> & Pick<RefundOrder, 'ref'>): RefundOrder => ({
  orderId: 'o1',
  trxId: null,
  paid: 12_345,
  refundedBefore: 0,
  refundId: 'refund-1',
  amount: 2_345,
  bankRefundId: null,
  earlierAmounts: [],
  isRepeated: false,
  ...changes,
});

/** Registers a payment, once. */
export async function register(
  bank: OnlineBank,
  order: Order,
  signal = patient(),
): Promise<{ readonly bankId: string; readonly payload: string }> {
  const { ref, payload } = await begun(bank, order, signal);
  return { bankId: ref.id, payload };
}

/** What the bank is believed about a payment. @throws {BankError} */
export async function askBank(bank: OnlineBank, payment: PaymentAtBank, limits: CallLimits): Promise<BankReport> {
  return verified(await callBank((signal) => bank.status(payment.ref, signal), limits), payment);
}

/** The verdict alone. */
export const ask = async (bank: OnlineBank, bankId: string, amount = O1.amount): Promise<BankVerdict> =>
  (await reportOf(bank, { id: bankId }, { orderId: O1.orderId, amount })).verdict;

export interface Rig {
  readonly sandbox: Banks;
  readonly bank: CftBank;
  readonly dataFile: string;
}

export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  using folder = temporaryFolder();
  return await work(folder.path);
}

/** Runs `work` with a fresh sandbox bank and the till's side of it. */
export function withSandbox(work: (rig: Rig) => Promise<void>, options: Partial<SandboxOptions> = {}): Promise<void> {
  return withFolder(async (folder) => {
    const dataFile = join(folder, 'sandbox.db');
    const sandbox = await startBanks({ port: 0, dataFile, ...options });
    const bank = new CftBank({ ...IDS, baseUrl: sandbox.url });
    try {
      await work({ sandbox, bank, dataFile });
    } finally {
      await bank.close();
      await sandbox.close();
    }
  });
}

/** The bank error that a call ends in. */
export async function bankError(code: BankErrorCode, call: Promise<unknown>): Promise<BankError> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof BankError)) throw error;
    assert.is(error.code, code, error.message);
    return error;
  }
  throw new Error(`expected a BankError ${code}, but the call succeeded`);
}

export interface Listed {
  readonly qrcId: string;
  readonly bankId: string;
  readonly orderId: string | null;
  readonly amount: number;
  readonly purpose: string | null;
  readonly state: string;
  readonly charges: number;
  readonly link: string;
}

export async function listed(sandbox: { readonly url: string }): Promise<Listed[]> {
  const response = await fetch(`${sandbox.url}/sandbox/payments`);
  assert.is(response.status, 200);
  return (await response.json()) as Listed[];
}

export const settle = (
  sandbox: { readonly url: string },
  qrcId: string,
  action: 'pay' | 'decline',
): Promise<Response> => fetch(`${sandbox.url}/sandbox/payments/${qrcId}/${action}`, { method: 'POST' });
