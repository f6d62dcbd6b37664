/** What Tochka says of the payments by a code. */
import { type Static, Type } from 'typebox';
import { type BankRef, type BankReport, type BankVerdict, UNREPORTED } from '../bank.ts';
import { BankId, OptionalValue, reported } from '../http-answer.ts';
import { paidBy } from '../method.ts';
import { payerOf } from '../payer.ts';
import { kopecksOfRoubles } from '../roubles.ts';
import { METHOD_WORDS, Method, Money, operationOf, Status } from './tochka-client.ts';

const Payment = Type.Object({
  paymentUid: BankId,
  status: Status,
  amount: Money,
  refundedAmount: Type.Optional(Type.Union([Type.Null(), Money])),
  isTest: OptionalValue,
  paymentMethod: Type.Object({
    ...Method.properties,
    qrcId: OptionalValue,
    merchantQrcId: OptionalValue,
    payerPhoneNumber: OptionalValue,
  }),
});
export type Payment = Static<typeof Payment>;
export const PAYMENTS = {
  shape: Type.Object({
    Data: Type.Array(Payment),
    Meta: Type.Optional(Type.Object({ totalPages: Type.Optional(Type.Integer()) })),
  }),
  otherwise: 'the bank returned no list of payments by the code',
};

const PAID = 'COMPLETED';
export const isPaid = ({ status }: Payment): boolean => status.value === PAID;
export const operationIdOf = ({ paymentMethod }: Payment): string | null => operationOf(paymentMethod);
const VERDICTS: ReadonlyMap<string, BankVerdict> = new Map([
  [PAID, 'accepted'],
  ['WAITING', 'processing'],
  ['DECLINED', 'rejected'],
]);
/** Of several payments by one code, as one that is declined and the next that is not. */
const FIRST_COUNTS: readonly BankVerdict[] = ['accepted', 'processing', 'rejected'];

function verdictOf(payments: readonly Payment[]): BankVerdict {
  const verdicts = payments.map(({ status }) => VERDICTS.get(status.value) ?? 'processing');
  return FIRST_COUNTS.find((verdict) => verdicts.includes(verdict)) ?? 'pending';
}

export function reportOf({ id }: BankRef, payments: readonly Payment[]): BankReport {
  const verdict = verdictOf(payments);
  const paid = payments.find(isPaid);
  const named = payments.flatMap(({ paymentMethod }) => reported(paymentMethod.qrcId)).map(String);
  const report: BankReport = {
    ...UNREPORTED,
    verdict,
    ids: named.length > 0 ? named : [id], // a list that names no code is of the one that was asked about
    amounts: payments.map(({ amount }) => kopecksOfRoubles(amount.amount)),
    currencies: payments.map(({ amount }) => String(amount.currency)),
    orderIds: payments.flatMap(({ paymentMethod }) => reported(paymentMethod.merchantQrcId)).map(String),
  };
  if (paid === undefined) return report;
  const { paymentMethod: method, refundedAmount, status } = paid;
  const at = typeof status.changedDateTime === 'string' ? Date.parse(status.changedDateTime) : Number.NaN;
  const back = kopecksOfRoubles(refundedAmount?.amount);
  return {
    ...report,
    trxId: operationIdOf(paid),
    paidAt: Number.isFinite(at) ? at : null,
    refunded: Number.isFinite(back) ? back : null,
    payer: payerOf({ phone: method.payerPhoneNumber }),
    paidBy: paidBy(method.type, METHOD_WORDS),
  };
}
