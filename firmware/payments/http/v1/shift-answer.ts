/** A shift as `/v1` answers it. */
import Type, { type Static } from 'typebox';
import { isoTime, isoTimeOrNull } from '../../../../drivers/lib/iso-time.ts';
import { zoneNow } from '../../../core/host/index.ts';
import { orNull } from '../../../core/schema/index.ts';
import {
  Closer,
  methodsOf,
  NamedPayment,
  type Shift,
  Turnover,
  turnover,
  turnoverBy,
  turnoverOf,
} from '../../model/shift.ts';
import { MethodTotals } from '../../model/words.ts';
import type { Recounted } from '../../reports/shifts/shifts.ts';
import { timestamp, timestampOrNull } from './fields.ts';

const head = {
  number: Type.Integer({ description: 'each has one more than the one before' }),
  openedAt: timestamp('when it was opened'),
  closedAt: timestampOrNull('when it was closed, UTC; null while it is open'),
  closedBy: orNull(Closer, 'null while it is open, and where the device has closed it by itself'),
};
const TURNOVER_EXAMPLE = {
  accepted: { count: 2, sum: 24_690 },
  refunds: { count: 1, sum: 345 },
  net: 24_345,
  withoutReceipt: { count: 0, sum: 0 },
};
const HEAD_EXAMPLE = {
  number: 3,
  openedAt: '2026-11-20T19:58:00.000Z',
  closedAt: '2026-11-21T20:01:00.000Z',
  closedBy: { till: 'till', cashier: 'Anna' },
};
export const SHIFT_EXAMPLE = {
  ...HEAD_EXAMPLE,
  timeZone: 'Europe/Moscow',
  totals: TURNOVER_EXAMPLE,
  profiles: [{ profile: 'sandbox', bank: 'Sandbox', ...TURNOVER_EXAMPLE }],
  cashiers: [{ till: 'till', cashier: 'Anna', ...TURNOVER_EXAMPLE }],
  methods: [{ method: 'sbp', count: 2, sum: 24_690 }],
  earlier: [{ id: 'b4a78e1a-b533-806e-81b5-6f333cd777e6', number: 9, amount: 12_345, till: 'till', askedShift: 2 }],
  returned: [],
  recounted: null,
};
export const ShiftAnswer = Type.Object(
  {
    ...head,
    timeZone: Type.String({ description: 'of the device' }),
    totals: Turnover,
    profiles: Type.Array(Type.Object({ profile: Type.String(), bank: Type.String(), ...turnover }), {
      description: 'the same of each profile',
    }),
    cashiers: Type.Array(
      Type.Object({
        till: orNull(Type.String(), 'name of the credential; null where none was asked for'),
        cashier: orNull(Type.String(), 'null where nothing said who sat there'),
        ...turnover,
      }),
      { description: 'sales by who asked for them, refunds by who gave them' },
    ),
    methods: Type.Array(MethodTotals, {
      description:
        'accepted, by how it was paid; the largest sum first; `unknown` of a shift that was closed before that was known',
    }),
    earlier: Type.Array(NamedPayment, {
      description: 'accepted in this shift, and asked for in an earlier one, which stays as it is',
    }),
    returned: Type.Array(NamedPayment, {
      description:
        'given back by the bank without a refund here: part of `refunds`. A negative amount takes back what an earlier shift has counted so',
    }),
    recounted: orNull(
      Type.Object({ accepted: turnover.accepted, refunds: turnover.refunds }),
      'the same from the rows of the ledgers now: another figure than in `totals` means that those are damaged; null where it was not asked for, while the shift is open, and for a till that reaches only its own payments',
    ),
  },
  { title: 'Shift', description: 'a shift', examples: [SHIFT_EXAMPLE] },
);
export const ShiftsPage = Type.Object(
  {
    shifts: Type.Array(Type.Object({ ...head, totals: Turnover }), { description: 'newest first' }),
    cursor: orNull(Type.String(), 'of the next page; null where there is none'),
  },
  {
    title: 'ShiftsPage',
    description: 'shifts that are closed',
    examples: [{ shifts: [{ ...HEAD_EXAMPLE, totals: TURNOVER_EXAMPLE }], cursor: null }],
  },
);

export const headOf = ({ number, openedAt, closedAt, closedBy }: Shift) => ({
  number,
  openedAt: isoTime(openedAt),
  closedAt: isoTimeOrNull(closedAt),
  closedBy,
});

export const shiftAnswer = (shift: Shift, recounted: Recounted | null = null): Static<typeof ShiftAnswer> => {
  const { groups, earlier, returned } = shift.report;
  return {
    ...headOf(shift),
    timeZone: zoneNow(),
    totals: turnoverOf(groups),
    profiles: turnoverBy(groups, ['profile', 'bank']).map(
      ({ of: { profile, bank }, turnover: { accepted, refunds, net, withoutReceipt } }) => ({
        profile,
        bank,
        accepted,
        refunds,
        net,
        withoutReceipt,
      }),
    ),
    methods: methodsOf(groups),
    cashiers: turnoverBy(groups, ['till', 'cashier']).map(
      ({ of: { till, cashier }, turnover: { accepted, refunds, net, withoutReceipt } }) => ({
        till,
        cashier,
        accepted,
        refunds,
        net,
        withoutReceipt,
      }),
    ),
    earlier: [...earlier],
    returned: [...returned],
    recounted,
  };
};
