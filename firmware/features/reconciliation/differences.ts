/** Collects the result of a reconciliation: differences between registries and ledgers, and the agreeing sums of each lane. */

import Type, { type Static } from 'typebox';
import { orNull } from '../../core/schema/index.ts';
import type { UnreadableRow } from '../../core/tables/index.ts';
import type { LaneReport, Sum } from '../../payments/index.ts';
import type { OperationTotals } from './registry-file.ts';
import type { UnreadCell } from './registry-line.ts';

/**
 * How far a lane has reported its payments to the device that reconciles. While payments may be missing, a line without a
 * payment is reported as `lane-missing`, and not as unknown to the ledgers.
 */
export interface LaneState {
  /** Serial number. */
  readonly lane: string;
  /** When the lane last had reported everything: wall clock, ms since 1970; null: never. */
  readonly reportedAt: number | null;
  /** Whether payments of the compared days may be missing. */
  readonly isMissing: boolean;
}

export interface LanesOfStore {
  /** The lanes, this device first. */
  readonly lanes: readonly LaneState[];
  /** Serial number of the master that reconciles the store; null where this device is the master, or has no store. */
  readonly master: string | null;
}

/** A timestamp in the device's time zone: `2026-11-21 10:40`; `never` for none. */
export const momentOf = (wall: number | null): string =>
  wall === null ? 'never' : new Date(wall).toLocaleString('sv').slice(0, 16);

interface CoveredRange {
  /** ms since 1970; the second timestamp is excluded. */
  readonly from: number;
  readonly to: number;
  /** The current time by the wall clock. */
  readonly now: number;
}

/**
 * The states of the other lanes of a store, on its master.
 * @param devices serial numbers of the devices that belong to the store now
 */
export function laneStates(
  reports: readonly LaneReport[],
  devices: readonly string[],
  { from, to, now }: CoveredRange,
): LaneState[] {
  const byLane = new Map(reports.map((report) => [report.lane, report]));
  const lanes = [...new Set([...devices, ...byLane.keys()])].sort();
  return lanes.map((lane) => {
    const report = byLane.get(lane);
    const reportedAt = report?.at ?? null;
    // a report from the future comes from a wrong clock, and proves nothing
    const isBehind = reportedAt === null || reportedAt < to || reportedAt > now;
    const hadLeft = !devices.includes(lane) && reportedAt !== null && reportedAt < from;
    return { lane, reportedAt, isMissing: report?.isNow !== true && isBehind && !hadLeft };
  });
}

/** Most differences in an answer: where there are more, days, profile or columns are wrong, and no person reads them all. */
const MOST_NAMED = 10_000;
/** Most words of operations in an answer: where there are more, the column of the types is a wrong one. */
const MOST_WORDS = 100;

export const Difference = Type.Object(
  {
    kind: Type.Enum([
      'not-in-ledger',
      'not-accepted',
      'not-in-registry',
      'other-amount',
      'other-payment',
      'other-day',
      'refund-not-in-ledger',
      'refund-not-in-registry',
      'duplicate-line',
      'unreadable-line',
      'unknown-operation',
      'lane-missing',
    ]),
    line: orNull(Type.Integer(), 'of the registry'),
    file: orNull(Type.Integer(), 'whose line it is: 1 is `file`, 2 the first of `others`'),
    payment: orNull(Type.String(), '`id` of the payment'),
    refund: orNull(Type.String(), "the till's id of the refund"),
    registry: orNull(Type.Integer(), 'kopecks, by the registry'),
    ledger: orNull(Type.Integer(), 'kopecks, by the ledger'),
    operation: orNull(Type.String(), "the bank's word for a line that is neither a sale nor a refund"),
    lane: orNull(Type.String(), 'serial number of the device that has the payment; null where that is unknown'),
    sentence: Type.String({ description: 'what is different, and what to do' }),
  },
  { title: 'Difference' },
);
export type Difference = Static<typeof Difference>;

/** Sums of the lines that agree with the ledger of one device. */
export interface LaneTotals extends LaneState {
  readonly payments: number;
  readonly refunds: number;
  /** Kopecks of the agreeing payments and refunds. */
  readonly taken: number;
  readonly returned: number;
  readonly differences: number;
}

export interface Reconciliation {
  /** Lines of the registry that agree with the ledgers. */
  readonly payments: number;
  readonly refunds: number;
  /** The first differences; unreadable lines come first. */
  readonly differences: readonly Difference[];
  /** How many more differences there are. */
  readonly more: number;
  /** Test payments of the ledgers that no line names. */
  readonly tests: Sum;
  /** Lines that are neither a sale nor a refund, by the bank's words; the most frequent words. */
  readonly operations: readonly OperationTotals[];
  /** The totals of the lanes, this device first. */
  readonly lanes: readonly LaneTotals[];
  /** Serial number of the master, where another device reconciles the whole store; else null. */
  readonly master: string | null;
}

const BLANK = {
  line: null,
  file: null,
  payment: null,
  refund: null,
  registry: null,
  ledger: null,
  operation: null,
  lane: null,
};

type Sums = Pick<LaneTotals, 'payments' | 'refunds' | 'taken' | 'returned' | 'differences'>;
const NONE: Sums = { payments: 0, refunds: 0, taken: 0, returned: 0, differences: 0 };

export class Differences {
  readonly #store: LanesOfStore;
  readonly #sums = new Map<string, Sums>();
  readonly #unreadable: Difference[] = [];
  readonly #others: Difference[] = [];
  /** Number of the file that is being read, from 1. */
  #file = 0;
  #tests: Sum = { count: 0, sum: 0 };
  readonly #operations = new Map<string, OperationTotals>();

  constructor(store: LanesOfStore) {
    this.#store = store;
  }

  get outcome(): Reconciliation {
    const { master } = this.#store;
    const all = [...this.#unreadable, ...this.#others];
    const differences = all.slice(0, MOST_NAMED);
    const lanes = this.#store.lanes.map((lane) => ({ ...lane, ...(this.#sums.get(lane.lane) ?? NONE) }));
    const total = (of: 'payments' | 'refunds'): number => lanes.reduce((sum, lane) => sum + lane[of], 0);
    const more = all.length - differences.length;
    const operations = [...this.#operations.values()].sort((one, other) => other.count - one.count);
    return {
      payments: total('payments'),
      refunds: total('refunds'),
      differences,
      more,
      tests: this.#tests,
      operations: operations.slice(0, MOST_WORDS),
      lanes,
      master,
    };
  }

  get file(): number {
    return this.#file;
  }

  beginFile(): void {
    this.#file += 1;
  }

  /** Names a line of the current file in a sentence. */
  where(line: number): string {
    return this.#file > 1 ? `line ${line} of file ${this.#file}` : `line ${line}`;
  }

  add(kind: Difference['kind'], difference: Partial<Difference> & Pick<Difference, 'sentence'>): void {
    this.#others.push({ ...BLANK, ...difference, file: difference.line == null ? null : this.#file, kind });
    if (difference.lane) this.#count(difference.lane, (sums) => ({ ...sums, differences: sums.differences + 1 }));
  }

  addUnreadable({ line, reason }: UnreadableRow): void {
    const sentence = `${this.where(line)} cannot be read: ${reason}. Look at it by hand`;
    this.#unreadable.push({ ...BLANK, kind: 'unreadable-line', line, file: this.#file, sentence });
  }

  addUnreadCell({ line, unread }: UnreadCell): void {
    const sentence = `${this.where(line)}: ${unread}. The line is compared without it: look at it by hand`;
    this.#unreadable.push({ ...BLANK, kind: 'unreadable-line', line, file: this.#file, sentence });
  }

  addUnknown(difference: Omit<Difference, 'kind' | 'file' | 'refund' | 'ledger'>): void {
    this.add('unknown-operation', difference);
    const word = difference.operation ?? '';
    const { count, sum } = this.#operations.get(word) ?? { count: 0, sum: 0 };
    this.#operations.set(word, { word, count: count + 1, sum: sum + (difference.registry ?? 0) });
  }

  addTest(amount: number): void {
    this.#tests = { count: this.#tests.count + 1, sum: this.#tests.sum + amount };
  }

  agreeOnPayment(lane: string, amount: number): void {
    this.#count(lane, (sums) => ({ ...sums, payments: sums.payments + 1, taken: sums.taken + amount }));
  }

  agreeOnRefund(lane: string, amount: number): void {
    this.#count(lane, (sums) => ({ ...sums, refunds: sums.refunds + 1, returned: sums.returned + amount }));
  }

  #count(lane: string, change: (sums: Sums) => Sums): void {
    this.#sums.set(lane, change(this.#sums.get(lane) ?? NONE));
  }
}
