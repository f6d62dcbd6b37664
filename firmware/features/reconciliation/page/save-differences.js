/**
 * Saves the differences of a reconciliation as a table.
 * @import { Difference } from '../differences.ts'
 */
import { nameOf } from '../../../core/pages/app/language.js';

/**
 * Quotes a cell of CSV; one that a program could read as a formula gets an apostrophe in front.
 * @param {string | number | null} cell
 */
const quoted = (cell) =>
  `"${String(cell ?? '')
    .replace(/^[=+\-@\t\r]/, "'$&")
    .replaceAll('"', '""')}"`;

/** @param {number | null} kopecks */
const inRoubles = (kopecks) => (kopecks === null ? '' : (kopecks / 100).toFixed(2).replace('.', ','));

/**
 * Saves the differences as a CSV file that Excel opens.
 * @param {readonly Difference[]} differences
 * @param {{ withLanes: boolean }} table whether the payment's lane is a column
 */
export function saveDifferences(differences, { withLanes }) {
  const head = ['line', ...(withLanes ? ['lane'] : []), 'payment', 'registry', 'ledger', 'what'];
  const rows = differences.map(({ kind, line, payment, registry, ledger, lane, operation }) => [
    line,
    ...(withLanes ? [lane] : []),
    payment,
    inRoubles(registry),
    inRoubles(ledger),
    [nameOf('difference', kind), operation].filter((part) => part !== null).join(' '),
  ]);
  const names = head.map((name) => nameOf('reconcile', name));
  const text = [names, ...rows].map((row) => row.map(quoted).join(';')).join('\r\n');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv' }));
  link.download = 'reconciliation.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}
