/** What `/health` says of the ledger's files and rows. */
import { basename, join } from 'node:path';
import type { Reason } from '../../../drivers/lib/records.ts';
import { type Book, journalOf } from '../../core/book/index.ts';
import { lastSetAside } from '../../core/files/index.ts';
import { reasonOf } from '../model/reason-records.ts';

const MOST_LISTED = 20;

/** Names of the tables' rows in sentences. */
const ROWS = Object.freeze({
  payments: ['payment', 'payments'],
  refunds: ['refund', 'refunds'],
  shifts: ['shift', 'shifts'],
} as const);
type TableName = keyof typeof ROWS;
const TABLES: readonly TableName[] = ['payments', 'refunds', 'shifts'];

/** The findings of the ledger's maintenance, in words; null: none. */
interface MaintenanceFindings {
  /** Why the ledger was last rebuilt. */
  readonly rebuilt: string | null;
  /** Breaks of the journal. */
  readonly breaks: readonly string[];
  readonly checkProblem: string | null;
  readonly copyProblem: string | null;
}

/** Findings about files and rows, and what to do. */
export function ledgerProblems(book: Book, found: MaintenanceFindings): readonly Reason[] {
  return [...filesSetAside(book), ...rowFindings(book), ...ruleFindings(book), ...fileFindings(book, found)];
}

function filesSetAside({ file }: Book): Reason[] {
  if (file === null) return [];
  const journal = journalOf(file.path);
  const second = file.secondFolder === null ? [] : [join(file.secondFolder, basename(journal))];
  const places = [
    ['ledger-aside', lastSetAside(file.path)],
    ['ledger-beside', lastSetAside(journal)],
    ...[journal, ...second].map((path) => ['ledger-conflicting', lastSetAside(path, 'other')] as const),
  ] as const;
  return places.flatMap(([code, aside]) => (aside === null ? [] : [reasonOf(code, { file: aside })]));
}

function rowFindings({ findings }: Book): Reason[] {
  return (['sought', 'damaged', 'lost', 'repaired'] as const).flatMap((finding) => {
    const rows = TABLES.flatMap((table) => listed(findings.of(table, finding), ROWS[table]));
    return rows.length === 0 ? [] : [reasonOf(`ledger-${finding}`, { detail: rows.join('; ') })];
  });
}

function ruleFindings({ findings }: Book): Reason[] {
  const { brokenRules } = findings;
  return brokenRules.length === 0 ? [] : [reasonOf('ledger-rule', { detail: brokenRules.join('; ') })];
}

function fileFindings({ file, lacking }: Book, found: MaintenanceFindings): Reason[] {
  const reasons: Reason[] = [];
  if (found.rebuilt !== null && file !== null && lastSetAside(file.path) === null)
    reasons.push(reasonOf('ledger-repaired', { detail: found.rebuilt }));
  const breaks = new Set([...(lacking === null ? [] : [lacking]), ...found.breaks]);
  if (breaks.size > 0) reasons.push(reasonOf('ledger-journal', { detail: [...breaks].join(', ') }));
  if (found.checkProblem !== null) reasons.push(reasonOf('ledger-journal', { detail: found.checkProblem }));
  if (found.copyProblem !== null)
    reasons.push(reasonOf('ledger-copy', { path: file?.secondFolder ?? '', detail: found.copyProblem }));
  return reasons;
}

function listed(ids: readonly number[], [singular, plural]: readonly [string, string]): string[] {
  if (ids.length === 0) return [];
  const more = ids.length - MOST_LISTED;
  return [
    `${ids.length === 1 ? singular : plural} ${ids.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  ];
}
