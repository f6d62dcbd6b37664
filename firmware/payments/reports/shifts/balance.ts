/**
 * Whether ledger, days and shifts hold the same money. After a restore they may not: a shift that is kept has told a
 * sum whose rows the backup or the damaged book before it lacks.
 */

import { asRefunded, type Shift, turnoverOf } from '../../model/shift.ts';
import type { Ledger } from '../../money/ledger.ts';
import type { RefundLedger } from '../../money/refund-ledger.ts';
import type { Shifts } from './shifts.ts';

export interface ComparedBooks {
  readonly ledger: Pick<Ledger, 'isOpen' | 'sumsByShift' | 'withoutDay'>;
  readonly refunds: Pick<RefundLedger, 'sumsByShift' | 'withoutDay'>;
  readonly shifts: Pick<Shifts, 'current' | 'list'>;
}

/** Kopecks. */
interface Money {
  readonly accepted: number;
  readonly refunds: number;
}

const NOTHING: Money = { accepted: 0, refunds: 0 };

function toldBy({ report }: Shift): Money {
  const { accepted, refunds } = turnoverOf(report.groups);
  return { accepted: accepted.sum, refunds: refunds.sum };
}

const roubles = (kopecks: number): string => (kopecks / 100).toFixed(2);

/** What differs, as "shift 12: accepted 65.00, in the ledger 75.00". */
function differenceOf(name: string, told: Money, counted: Money): string[] {
  return (['accepted', 'refunds'] as const)
    .filter((which) => told[which] !== counted[which])
    .map((which) => `${name}: ${which} ${roubles(told[which])}, in the ledger ${roubles(counted[which])}`);
}

/** @returns where shifts or days have other sums than the ledger; none while it is closed */
export function unbalanced({ ledger, refunds, shifts }: ComparedBooks): string[] {
  if (!ledger.isOpen) return [];
  const accepted = ledger.sumsByShift();
  const done = refunds.sumsByShift();
  const all = [shifts.current(), ...shifts.list(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)];
  const told = new Map(all.map((shift) => [shift.number, shift]));
  const numbers = new Set([...told.keys(), ...accepted.keys(), ...done.keys()]);
  const ofShifts = [...numbers].flatMap((number) => {
    const shift = number === null ? undefined : told.get(number);
    const returned = (shift?.report.returned ?? []).reduce((sum, each) => sum + asRefunded(each).sum, 0);
    const counted = { accepted: accepted.get(number) ?? 0, refunds: (done.get(number) ?? 0) + returned };
    const name = shift === undefined ? 'in no shift' : `shift ${shift.number}`;
    return differenceOf(name, shift === undefined ? NOTHING : toldBy(shift), counted);
  });
  const lost = { accepted: ledger.withoutDay(), refunds: refunds.withoutDay() };
  return [...ofShifts, ...differenceOf('on no day', NOTHING, lost)];
}
