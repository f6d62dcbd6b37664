/**
 * The totals of a day, by profile: payments accepted on it by the bank's clock (ours where the bank gave no time), and
 * refunds done on it, whenever the payment was made. The export gives the same figures.
 */
import type { LocalDay } from '../../model/local-day.ts';
import { isUndecided } from '../../model/payment.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import { type Refund, sumsOf } from '../../model/refund.ts';
import { type HourTotals, type ProfileTotals, type Sum, sumOf, type Totals } from '../../model/sums.ts';
import type { MethodTotals } from '../../model/words.ts';
import { reportedBank } from '../../model/words.ts';
import type { Ledger } from '../../money/ledger.ts';
import type { RefundLedger } from '../../money/refund-ledger.ts';
import { daySpan, type Group, type Tally } from '../../money/tally.ts';
import type { OrderCache } from '../order-cache.ts';
import { ReturnedSums } from '../returned-sums.ts';

export interface DayReport {
  readonly day: LocalDay;
  /** The hours of the day, in order. */
  readonly hours: readonly HourTotals[];
  /** Totals by profile and bank. */
  readonly profiles: readonly ProfileTotals[];
  readonly totals: Totals;
  /** Accepted payments by method. */
  readonly methods: readonly MethodTotals[];
  /** Numbers of the shifts in which these payments were accepted or went back. */
  readonly shifts: readonly number[];
}

interface Books {
  readonly ledger: Ledger;
  readonly refunds: RefundLedger;
  readonly shifts: {
    readonly orders: OrderCache;
    /** Numbers of the shifts that counted returns of these payments which no refund explains. */
    returning(payments: readonly PaymentRow[]): readonly number[];
  };
}

/** A summand: profile, bank as reports call it, and sum. */
interface Item extends Sum {
  readonly profile: string;
  readonly bank: string;
}

const itemOf = (payment: Pick<PaymentRow, 'profile' | 'bank' | 'merchant' | 'amount'>): Item => ({
  profile: payment.profile,
  bank: reportedBank(payment),
  count: 1,
  sum: payment.amount,
});

const HOUR_MS = 3_600_000;

/**
 * Money that a bank gave back without a refund of ours, such as by a cancellation: it counts on the day of the payment.
 * A sum that an undecided refund may explain does not count.
 */
function returnedByBanks(returned: readonly PaymentRow[], orders: OrderCache): Item[] {
  return returned.flatMap((payment) => {
    const { done, undecided } = sumsOf(orders.of(payment.orderId));
    const amount = payment.refunded - done - undecided;
    return amount > 0 ? [itemOf({ ...payment, amount })] : [];
  });
}

/** What has gone back on a day, and the numbers of the shifts that counted it. */
interface Back {
  readonly items: readonly Item[];
  readonly shifts: readonly number[];
}

/** Reports of days. Pages read the same one often: each is made once for a state of the ledger. */
export class DayReports {
  readonly #books: Books;
  /** The reports for one version of the ledger. */
  #made = { version: -1, reports: new Map<string, DayReport>() };
  readonly #back: ReturnedSums<Back>;

  constructor(books: Books) {
    this.#books = books;
    this.#back = new ReturnedSums(books.refunds);
  }

  /** Counts a day in pieces, between which sales come, so that `of` need not. @throws {StoreError} `ROWS_UNSOUND` */
  async count({ from, to }: LocalDay): Promise<void> {
    const { ledger, refunds, shifts } = this.#books;
    const span = daySpan({ from, to });
    await ledger.sums.count(span);
    await shifts.orders.readAll([...ledger.sums.of(span).returned, ...refunds.ordersDoneBetween(from, to)]);
  }

  /**
   * @param till counts only payments of this till; null for all
   * @throws {StoreError} `ROWS_UNSOUND`
   */
  of(day: LocalDay, till: string | null = null): DayReport {
    const { book, table } = this.#books.ledger;
    const name = JSON.stringify([day, till]);
    if (this.#made.version !== table.version) this.#made = { version: table.version, reports: new Map() };
    const made = this.#made.reports.get(name) ?? book.readSound(() => this.#make(day, till));
    // a report made while rows were restored is of no single version
    if (this.#made.version === table.version) this.#made.reports.set(name, made);
    return made;
  }

  #make(day: LocalDay, till: string | null): DayReport {
    const { ledger, refunds } = this.#books;
    const { from, to } = day;
    const isOf = (payment: Pick<PaymentRow, 'till'> | null): boolean => till === null || payment?.till === till;
    const tally = ledger.sums.of(daySpan(day));
    const groups = tally.groups.filter(isOf).map((each) => ({ ...each, bank: reportedBank(each) }));
    const [paid, open, notFollowed] = (['accepted', 'open', 'notFollowed'] as const).map((kind) =>
      groups.filter((group) => group.kind === kind),
    ) as [PaidGroup[], PaidGroup[], PaidGroup[]];
    const openBefore: readonly Item[] = ledger.queries
      .followedFrom(from)
      .filter((payment) => isUndecided(payment.status) && isOf(payment))
      .map(itemOf);
    const openRefunds: readonly Item[] = refunds
      .undecided()
      .filter(({ createdAt }) => createdAt >= from && createdAt < to)
      .filter((refund) => this.#isBackOf(refund, till))
      .map((refund) => this.#itemOfRefund(refund));
    const back = this.#back.of(tally, till, () => this.#readBack(tally, day, till));
    const items = [...paid, ...open, ...openBefore, ...notFollowed, ...openRefunds, ...back.items];
    const keys = new Map(items.map((item) => [JSON.stringify([item.profile, item.bank]), item]));
    const profiles = [...keys.keys()].sort().map((key): ProfileTotals => {
      const { profile, bank } = keys.get(key) as Item;
      const isOfProfile = (item: { readonly profile: string; readonly bank: string }): boolean =>
        item.profile === profile && item.bank === bank;
      const parts = paid.filter(isOfProfile);
      const [accepted, goneBack] = [sumOf(parts), sumOf(back.items.filter(isOfProfile))];
      return {
        profile,
        bank,
        accepted,
        refunds: goneBack,
        net: accepted.sum - goneBack.sum,
        late: parts.reduce((late, each) => late + each.late, 0),
        withoutReceipt: sumOf(parts.map(({ withoutReceipt }) => withoutReceipt)),
        open: sumOf(open.filter(isOfProfile)),
        openBefore: sumOf(openBefore.filter(isOfProfile)),
        openRefunds: sumOf(openRefunds.filter(isOfProfile)),
        notFollowed: sumOf(notFollowed.filter(isOfProfile)),
      };
    });
    const shifts = new Set([...paid.flatMap(({ shift }) => shift ?? []), ...back.shifts]);
    return {
      day,
      hours: hoursOf(paid, day),
      profiles,
      totals: totalsOf(profiles),
      methods: methodsOf(paid),
      shifts: [...shifts].sort((one, other) => one - other),
    };
  }

  #readBack(tally: Tally, { from, to }: LocalDay, till: string | null): Back {
    const { refunds, shifts } = this.#books;
    const { orders } = shifts;
    const returned = tally.returned
      .flatMap((orderId) => orders.find(orderId) ?? [])
      .filter((payment) => till === null || payment.till === till);
    const done = refunds
      .ordersDoneBetween(from, to)
      .flatMap((orderId) => orders.of(orderId))
      .filter(({ state, endedAt }) => state === 'done' && endedAt !== null && endedAt >= from && endedAt < to)
      .filter((refund) => this.#isBackOf(refund, till));
    const items = [...done.map((refund) => this.#itemOfRefund(refund)), ...returnedByBanks(returned, orders)];
    return { items, shifts: [...done.flatMap(({ shift }) => shift ?? []), ...shifts.returning(returned)] };
  }

  #isBackOf({ orderId }: Refund, till: string | null): boolean {
    return till === null || this.#books.shifts.orders.find(orderId)?.till === till;
  }

  #itemOfRefund({ orderId, profile, bank, amount }: Refund): Item {
    return itemOf({ profile, bank, amount, merchant: this.#books.shifts.orders.find(orderId)?.merchant ?? null });
  }
}

type PaidGroup = Group & Item;

const byFigure = (one: MethodTotals, other: MethodTotals): number =>
  other.sum - one.sum || (one.method < other.method ? -1 : 1);

const methodsOf = (paid: readonly Group[]): MethodTotals[] =>
  [...Map.groupBy(paid, ({ method }) => method)].map(([method, parts]) => ({ method, ...sumOf(parts) })).sort(byFigure);

function hoursOf(paid: readonly Group[], { from, to }: LocalDay): HourTotals[] {
  const byHour = Map.groupBy(paid, ({ hour }) => hour);
  const count = Math.ceil((to - from) / HOUR_MS);
  return Array.from({ length: count }, (_, index) => ({
    hour: new Date(from + index * HOUR_MS).getHours(),
    ...sumOf(byHour.get(index) ?? []),
  }));
}

function totalsOf(profiles: readonly ProfileTotals[]): Totals {
  const total = (figure: Exclude<keyof Totals, 'net' | 'late'>): Sum => sumOf(profiles.map((each) => each[figure]));
  const [accepted, refunds] = [total('accepted'), total('refunds')];
  const late = profiles.reduce((sum, each) => sum + each.late, 0);
  const others = {
    withoutReceipt: total('withoutReceipt'),
    open: total('open'),
    openBefore: total('openBefore'),
    openRefunds: total('openRefunds'),
    notFollowed: total('notFollowed'),
  };
  return { accepted, refunds, net: accepted.sum - refunds.sum, late, ...others };
}
