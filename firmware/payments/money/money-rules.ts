/**
 * What must hold of money in each change of a row, beside what the schema refuses itself: a paid payment stays paid, no more goes back
 * than was paid, and that becomes less only by what a person alone had wrongly called refunded, a closed shift never changes. Looked at
 * before a change is written, also on a device that sells: what breaks a rule is a fault of this program. The change is refused,
 * `/health` names the rule, and nothing else ends.
 */
import { BrokenRule, type Commit, type RowChange } from '../../core/store/index.ts';

/** What a row is made with, and keeps. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  payments: ['order_id', 'amount', 'merchant', 'created_at', 'till', 'sale_key', 'sale_body', 'asked_shift'],
  refunds: ['refund_id', 'till_id', 'order_id', 'amount', 'refunded_before', 'created_at', 'till'],
  shifts: ['number', 'opened_at', 'since_change'],
};
/** What is set once. */
const ONCE: Readonly<Record<string, readonly string[]>> = {
  payments: ['shift', 'receipt_at'],
  refunds: ['shift'],
};
/** A number that only grows, also from row to row. */
const GROWING: Readonly<Record<string, string>> = { payments: 'called', shifts: 'number' };

function changed({ table, before, after }: RowChange, statement: Commit['statement']): string | null {
  const fixed = before === null ? [] : (FIXED[table] ?? []).filter((name) => before[name] !== after[name]);
  // what is taken back in its shift goes out of that
  const isTakenBack =
    table === 'refunds' && before?.state === 'done' && after.state === 'refused' && after.shift === null;
  const once = isTakenBack ? [] : (ONCE[table] ?? []);
  const again = once.filter((name) => (before?.[name] ?? null) !== null && before?.[name] !== after[name]);
  const [name] = [...fixed, ...again];
  if (name !== undefined) return `${name} never changes`;
  const growing = GROWING[table];
  if (growing === undefined || before?.[growing] === after[growing]) return null;
  const number = Number(after[growing]);
  // what a damaged row holds, as a text, keeps no other out
  const sql = `SELECT id FROM ${table} WHERE ${growing} BETWEEN ? AND ${Number.MAX_SAFE_INTEGER} AND id <> ? LIMIT 1`;
  const isBehind = statement(sql).get(number, Number(after.id)) !== undefined;
  return isBehind || number <= Number(before?.[growing] ?? 0) ? `${growing} only grows` : null;
}

/** @throws {BrokenRule} */
export function assertRules({ changes, statement }: Commit): void {
  for (const change of changes) {
    const rule = changed(change, statement);
    if (rule !== null) throw new BrokenRule(`${change.table} ${String(change.after.id)}: ${rule}`);
  }
}
