/** What a device reports of itself to its chain. The reader may be older or newer: it leaves out what it does not know. */
import Type, { type Static } from 'typebox';
import { ROLES } from '../config/index.ts';
import { SALES } from '../host/index.ts';
import type { LedgerQueries } from '../terminal/index.ts';

const HOUR_MS = 3_600_000;
const MAX_TEXT = 200;
export const ACCEPTED_HOURS = 24;
const text = Type.String({ maxLength: MAX_TEXT });
const count = Type.Integer({ minimum: 0 });
const state = Type.Enum(['ok', 'degraded', 'failed']);
const sales = Type.Enum([...SALES]);

export const InventorySchema = Type.Object({
  format: Type.Literal(1),
  serial: text,
  version: text,
  /** Releases newer than that which it has tried, and undone. Absent: it has no updater. */
  undone: Type.Optional(Type.Array(text, { maxItems: 64 })),
  /** Release that the channel offers it, empty for none. Absent: it follows no channel. */
  offered: Type.Optional(text),
  /** What became of the configuration that the chain wants of it. Absent: it wants none. */
  desired: Type.Optional(
    Type.Object({ state: Type.Enum(['taken', 'pending', 'refused', 'undone']), number: count, reason: text }),
  ),
  /** Another one after each start of the process. */
  instance: text,
  role: Type.Enum(ROLES),
  /** The worst of its parts. */
  state,
  sales,
  /** Those that are not well, the worst first. */
  parts: Type.Array(Type.Object({ part: text, state, sales, reason: text }), { maxItems: 64 }),
  counts: Type.Object({
    items: count,
    templates: count,
    /** Payments that somebody waits for. */
    openPayments: count,
    /** Accepted in each of the last 24 hours, the last one first. Absent: its ledger is closed. */
    accepted: Type.Optional(Type.Array(count, { maxItems: ACCEPTED_HOURS })),
  }),
  uptimeSeconds: Type.Number({ minimum: 0 }),
  /** By the clock of the device, which may be wrong; when it was heard the hub knows. */
  at: text,
});
export type Inventory = Readonly<Static<typeof InventorySchema>>;

/** @param ledger gives what was accepted by hours since the first moment @param now ms since 1970 @returns so many in each hour, the last one first */
export function acceptedByHour(ledger: Pick<LedgerQueries, 'takenByHour'>, now: number): number[] {
  const counts = Array<number>(ACCEPTED_HOURS).fill(0);
  for (const { hour, count } of ledger.takenByHour(now - ACCEPTED_HOURS * HOUR_MS, now)) counts[hour] = count;
  return counts.reverse();
}
