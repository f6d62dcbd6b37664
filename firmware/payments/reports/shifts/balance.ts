/**
 * Compares the money of ledger, days and shifts. They may differ after a restore: a closed shift has its sums in its report,
 * while the backup, or the damaged book that was rebuilt, lacks some of the payments behind them.
 */
import { nextTurn } from '../../../../drivers/lib/turns.ts';
import type { BookTable } from '../../../core/book/index.ts';
import { asRefunded, type Shift, turnoverOf } from '../../model/shift.ts';
import type { SumOfShift } from '../../money/accepted-payments.ts';
import type { Ledger } from '../../money/ledger.ts';
import type { Shifts } from './shifts.ts';

/** Numbers of payments that are added up in one turn of the event loop: some milliseconds. */
const NUMBERS_A_PIECE = 2000;
/** Closed shifts that are read in one turn: each has a report. */
const SHIFTS_A_PIECE = 10;

/** Sums the payments or the refunds whose numbers are in a range. */
interface Summed {
  sumsByShift(after: number, last: number): readonly SumOfShift[];
}

interface SummedBook {
  readonly table: Pick<BookTable, 'lastId'>;
}

export interface ComparedBooks {
  readonly ledger: SummedBook & Pick<Ledger, 'isOpen'> & { readonly accepted: Summed };
  readonly refunds: SummedBook & Summed;
  readonly shifts: Pick<Shifts, 'read' | 'list'>;
}

/** Kopecks. */
interface Money {
  readonly accepted: number;
  readonly refunds: number;
}

const NOTHING: Money = { accepted: 0, refunds: 0 };

function reportedBy({ report }: Shift): Money {
  const { accepted, refunds } = turnoverOf(report.groups);
  return { accepted: accepted.sum, refunds: refunds.sum };
}

const roubles = (kopecks: number): string => (kopecks / 100).toFixed(2);

/** A sentence for each difference, as "shift 12: accepted 65.00, in the ledger 75.00". */
function differenceOf(name: string, reported: Money, counted: Money): string[] {
  return (['accepted', 'refunds'] as const)
    .filter((figure) => reported[figure] !== counted[figure])
    .map((figure) => `${name}: ${figure} ${roubles(reported[figure])}, in the ledger ${roubles(counted[figure])}`);
}

interface Counted {
  /** Kopecks by the number of their shift; null for none. */
  readonly byShift: ReadonlyMap<number | null, number>;
  /** Kopecks that count on no day. */
  readonly withoutDay: number;
}

async function countedIn({ table }: SummedBook, summed: Summed): Promise<Counted> {
  const byShift = new Map<number | null, number>();
  let withoutDay = 0;
  const last = table.lastId;
  for (let after = 0; after < last; after += NUMBERS_A_PIECE) {
    for (const piece of summed.sumsByShift(after, after + NUMBERS_A_PIECE)) {
      byShift.set(piece.shift, (byShift.get(piece.shift) ?? 0) + piece.sum);
      withoutDay += piece.withoutDay;
    }
    await nextTurn();
  }
  return { byShift, withoutDay };
}

async function closedOf(shifts: Pick<Shifts, 'list'>): Promise<Shift[]> {
  const closed: Shift[] = [];
  for (;;) {
    const piece = shifts.list(closed.at(-1)?.number ?? Number.MAX_SAFE_INTEGER, SHIFTS_A_PIECE);
    if (piece.length === 0) return closed;
    closed.push(...piece);
    await nextTurn();
  }
}

/**
 * Compares the books. Call it before anything is sold: a sale in the meantime would look like a difference.
 * @returns a sentence for each difference; none while the ledger is closed
 * @throws {TerminalError} where a shift cannot be read @throws {StoreError} `ROWS_UNSOUND` @throws {Error} of SQLite
 */
export async function unbalanced({ ledger, refunds, shifts }: ComparedBooks): Promise<string[]> {
  if (!ledger.isOpen) return [];
  const accepted = await countedIn(ledger, ledger.accepted);
  const done = await countedIn(refunds, refunds);
  const all = [await shifts.read(null), ...(await closedOf(shifts))];
  const reported = new Map(all.map((shift) => [shift.number, shift]));
  const numbers = new Set([...reported.keys(), ...accepted.byShift.keys(), ...done.byShift.keys()]);
  const ofShifts = [...numbers].flatMap((number) => {
    const shift = number === null ? undefined : reported.get(number);
    const returned = (shift?.report.returned ?? []).reduce((sum, each) => sum + asRefunded(each).sum, 0);
    const counted = {
      accepted: accepted.byShift.get(number) ?? 0,
      refunds: (done.byShift.get(number) ?? 0) + returned,
    };
    const name = shift === undefined ? 'in no shift' : `shift ${shift.number}`;
    return differenceOf(name, shift === undefined ? NOTHING : reportedBy(shift), counted);
  });
  const onNoDay = { accepted: accepted.withoutDay, refunds: done.withoutDay };
  return [...ofShifts, ...differenceOf('on no day', NOTHING, onNoDay)];
}
