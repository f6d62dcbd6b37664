/** Sums of money: how many, and how much of it. The totals of a day, of a profile and of an hour, as calls and papers have them. */
import Type, { type Static } from 'typebox';

/** The schema of a sum, in kopecks. */
export const sum = (description: string) =>
  Type.Object({ count: Type.Integer(), sum: Type.Integer({ description: 'kopecks' }) }, { title: 'Sum', description });
export type Sum = Readonly<Static<ReturnType<typeof sum>>>;

export const NONE: Sum = Object.freeze({ count: 0, sum: 0 });

export const add = (one: Sum, other: Sum): Sum => ({ count: one.count + other.count, sum: one.sum + other.sum });

export const sumOf = (items: readonly Sum[]): Sum => items.reduce(add, NONE);

const totals = {
  accepted: sum("accepted on that day, by the bank's clock where it has reported the time"),
  refunds: sum('gone back on that day, whenever it had been paid'),
  net: Type.Integer({ description: 'kopecks: accepted without refunds' }),
  late: Type.Integer({ description: 'how many of those accepted somebody must look into' }),
  withoutReceipt: sum(
    'of those accepted, without a receipt and not all gone back, of tills that had printed one by then',
  ),
  open: sum('payments asked for on that day that may still be paid, or may have been'),
  openBefore: sum('payments asked for on earlier days, whenever, of which the same is true now'),
  openRefunds: sum('refunds asked for on that day that may have been made, or not'),
  notFollowed: sum('static codes shown on that day: whether they were paid only the bank knows'),
};
export const Totals = Type.Object(totals, { description: 'of all profiles' });
export type Totals = Readonly<Static<typeof Totals>>;

export const ProfileTotals = Type.Object({ profile: Type.String(), bank: Type.String(), ...totals });
export type ProfileTotals = Readonly<Static<typeof ProfileTotals>>;

/** The totals of an hour. An hour that a clock change repeats comes twice, a skipped hour not at all. */
export const HourTotals = Type.Object(
  { hour: Type.Integer({ description: 'of the clock, 0 to 23' }), ...sum('').properties },
  { title: 'HourTotals' },
);
export type HourTotals = Readonly<Static<typeof HourTotals>>;
