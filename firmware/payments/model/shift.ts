/**
 * A shift: the payments accepted and the refunds done while it was open. Each row has the number of its shift, so a
 * shift is a set of rows, independent of clocks. When closed, its report is stored with a checksum, and never changes.
 */
import Type, { type Static } from 'typebox';
import { orNull } from '../../core/schema/index.ts';
import { type Sum, sum, sumOf } from './sums.ts';
import { type MethodTotals, PaymentMethodName } from './words.ts';

const text = Type.Union([Type.String(), Type.Null()]);

/** A payment that a shift names: paid in it and asked for before, or given back by its bank alone. */
export const NamedPayment = Type.Object(
  {
    id: Type.String({ description: '`id` of the payment' }),
    number: Type.Integer({ description: 'its number in the ledger' }),
    amount: Type.Integer({ description: 'kopecks' }),
    till: orNull(Type.String(), 'that asked for it'),
    askedShift: orNull(Type.Integer(), 'in which it was asked for'),
  },
  { title: 'ShiftPayment' },
);
export type NamedPayment = Static<typeof NamedPayment>;

/** The totals of a shift for one profile, till, cashier and till of the payments: all other totals are sums of these. */
const ShiftGroup = Type.Object({
  profile: Type.String(),
  bank: Type.String(),
  till: text,
  cashier: text,
  /** The payment method; absent in shifts closed before methods were known. */
  method: Type.Optional(PaymentMethodName),
  /** The till that asked for the payments; another one may have refunded them. */
  owner: text,
  accepted: sum('accepted'),
  refunds: sum('gone back'),
  withoutReceipt: sum('of those accepted, without a receipt when the shift was closed'),
});
export type ShiftGroup = Static<typeof ShiftGroup>;

export const ShiftReport = Type.Object({
  groups: Type.Array(ShiftGroup),
  /** Payments accepted in this shift and asked for in an earlier one. */
  earlier: Type.Array(NamedPayment),
  /** Money that the bank gave back without a refund of ours. Negative where a refund explains what an earlier shift counted. */
  returned: Type.Array(NamedPayment),
  /** Numbers of its first and last payments; 0 for none. */
  first: Type.Integer(),
  last: Type.Integer(),
});
export type ShiftReport = Static<typeof ShiftReport>;

/** Who closed the shift; null for each unknown field. */
export const Closer = Type.Object(
  {
    till: orNull(Type.String(), 'name of the credential'),
    cashier: orNull(Type.String(), 'who sat there'),
  },
  { title: 'Closer' },
);
export type Closer = Readonly<Static<typeof Closer>>;

export interface Shift {
  readonly number: number;
  /** Wall clock, ms since 1970. */
  readonly openedAt: number;
  /** Null while it is open. */
  readonly closedAt: number | null;
  /** Null while it is open, and where the device closed it. */
  readonly closedBy: Closer | null;
  readonly report: ShiftReport;
}

/** A payment that its bank gave back, as a sum. A negative amount, which reverses a counted return, counts as -1. */
export const asRefunded = ({ amount }: NamedPayment): Sum => ({ count: Math.sign(amount), sum: amount });

/** The fields of a turnover. */
export const turnover = {
  accepted: sum('accepted in this shift'),
  refunds: sum('gone back in this shift, whenever it had been paid'),
  net: Type.Integer({ description: 'kopecks: accepted without refunds' }),
  withoutReceipt: sum(
    'of those accepted, without a receipt and not all gone back, of tills that had printed one by the close',
  ),
};
export const Turnover = Type.Object(turnover, { title: 'Turnover', description: 'of the whole shift' });
export type Turnover = Readonly<Static<typeof Turnover>>;

export function turnoverOf(groups: readonly ShiftGroup[]): Turnover {
  const total = (which: 'accepted' | 'refunds' | 'withoutReceipt'): Sum => sumOf(groups.map((group) => group[which]));
  const [accepted, refunds] = [total('accepted'), total('refunds')];
  return { accepted, refunds, net: accepted.sum - refunds.sum, withoutReceipt: total('withoutReceipt') };
}

/** Groups added up by some of their fields. */
export function turnoverBy<Name extends 'profile' | 'bank' | 'till' | 'cashier' | 'owner' | 'method'>(
  groups: readonly ShiftGroup[],
  names: readonly Name[],
): { readonly of: ShiftGroup; readonly turnover: Turnover }[] {
  const keyOf = (group: ShiftGroup): string => JSON.stringify(names.map((name) => group[name]));
  const byKey = Map.groupBy(groups, keyOf);
  return [...byKey.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, [of, ...others]]) => (of === undefined ? [] : [{ of, turnover: turnoverOf([of, ...others]) }]));
}

/** Accepted payments by method, the largest sum first. */
export const methodsOf = (groups: readonly ShiftGroup[]): MethodTotals[] =>
  turnoverBy(groups, ['method'])
    .map(({ of, turnover: { accepted } }) => ({ method: of.method ?? 'unknown', ...accepted }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.sum - one.sum);

/** The shift as seen by a till that sees only its own payments. @param till null for all */
export function ofTill(shift: Shift, till: string | null): Shift {
  if (till === null) return shift;
  const { groups, earlier, returned, ...report } = shift.report;
  const isOwn = (each: { readonly till: string | null }): boolean => each.till === till;
  const own = {
    groups: groups.filter(({ owner }) => owner === till),
    earlier: earlier.filter(isOwn),
    returned: returned.filter(isOwn),
  };
  return { ...shift, report: { ...report, ...own } };
}
