/** What the lines of a registry say: which payment or refund, and how much. Raiffeisenbank's columns are known, others are named. */
import { beginning } from '../../../drivers/lib/shorten.ts';
import type { RegistryColumns } from '../../config/registry-columns.ts';
import { kopecksOfRoubles } from '../banks/roubles.ts';
import { TerminalError } from '../errors.ts';
import type { RegistryLine, UnreadableLine } from './registry-file.ts';

/** Source: Raiffeisenbank's manual of its payments by SBP, the daily registry. */
const RAIFFEISENBANK: RegistryColumns = {
  order: 'id заказа',
  bank: 'QR id',
  refund: 'id возврата',
  type: 'Тип',
  amount: 'Сумма',
};

/** How the columns of a registry are named by a call. */
export interface NamedColumns {
  readonly columns: RegistryColumns | null;
  /** The name of a registry of the configuration. */
  readonly registry: string | null;
  readonly profile: string | null;
}

/**
 * What a call says itself, else the configuration under the name that the call says, or under that of the profile.
 * @param registries of the configuration
 * @returns null for Raiffeisenbank's
 * @throws {TerminalError} 400 for a name that the configuration does not have
 */
export function columnsOf(
  { columns, registry, profile }: NamedColumns,
  registries: Readonly<Record<string, RegistryColumns>>,
): RegistryColumns | null {
  if (columns !== null) return columns;
  const named = new Map(Object.entries(registries));
  if (registry === null) return named.get(profile ?? '') ?? null;
  const known = named.get(registry);
  if (known !== undefined) return known;
  const names = named.size === 0 ? 'which has none' : [...named.keys()].join(', ');
  throw TerminalError.invalid(
    'registry',
    `is "${registry}", which is none of terminal.registries of the configuration (${names})`,
  );
}

export interface RegistryEntry {
  readonly line: number;
  readonly isRefund: boolean;
  readonly order: string | null;
  readonly bank: string | null;
  readonly transaction: string | null;
  readonly refund: string | null;
  /** Kopecks, never negative. */
  readonly amount: number;
}

const REFUND_WORDS = /возврат|refund|return|reversal/i;
const fold = (name: string): string => name.toLowerCase().replaceAll(/\s+/g, ' ');

/** @throws {TerminalError} 400 for a column that the file does not have, or has twice */
function placesOf(header: readonly string[], columns: RegistryColumns): ReadonlyMap<string, number> {
  const folded = header.map(fold);
  const places = Object.entries(columns).map(([field, name]) => [field, folded.indexOf(fold(name)), name] as const);
  const missing = places.find(([field, place]) => place < 0 && (columns !== RAIFFEISENBANK || field === 'amount'));
  if (missing !== undefined) {
    const [field, , name] = missing;
    throw TerminalError.invalid(
      `columns.${field}`,
      `is "${name}", which is no column of the file (${header.join(', ')})`,
    );
  }
  const twice = places.find(([, place, name]) => place >= 0 && folded.lastIndexOf(fold(name)) !== place);
  if (twice !== undefined) {
    const [field, , name] = twice;
    throw TerminalError.invalid(
      `columns.${field}`,
      `is "${name}", which the file has twice: it cannot be told which is meant`,
    );
  }
  const found = new Map(places.filter(([, place]) => place >= 0).map(([field, place]) => [field, place]));
  if (!['order', 'bank', 'transaction'].some((field) => found.has(field)) || !found.has('amount')) {
    throw TerminalError.invalid('columns', 'must name the amount, and one of order, bank and transaction');
  }
  return found;
}

/** Kopecks with their sign; NaN for what is no amount. */
function amountOf(cell: string): number {
  const plain = cell
    .replaceAll(/\s|₽|руб\.?|RUB/gi, '')
    .replace(/^[\u2212\u2013]/, '-')
    .replace(',', '.');
  const kopecks = kopecksOfRoubles(plain.replace(/^-/, ''));
  return plain.startsWith('-') ? -kopecks : kopecks;
}

/** @returns the entry, or why there is none */
function entryOf({ line, cells }: RegistryLine, places: ReadonlyMap<string, number>): RegistryEntry | string {
  const cell = (field: string): string | null => cells[places.get(field) ?? -1] || null;
  const text = cell('amount');
  const amount = text === null ? Number.NaN : amountOf(text);
  if (Number.isNaN(amount)) return text === null ? 'it has no amount' : `"${beginning(text, 40)}" is no amount`;
  const [order, bank, transaction, refund] = [cell('order'), cell('bank'), cell('transaction'), cell('refund')];
  if (order === null && bank === null && transaction === null) return 'it names no payment';
  const isRefund = refund !== null || amount < 0 || REFUND_WORDS.test(cell('type') ?? '');
  return { line, isRefund, order, bank, transaction, refund, amount: Math.abs(amount) };
}

/**
 * The entries of the lines; the first line names the columns.
 * @param columns of the file; Raiffeisenbank's when null
 * @throws {TerminalError} 400
 */
export async function* entriesOf(
  lines: AsyncIterable<RegistryLine | UnreadableLine>,
  columns: RegistryColumns | null,
): AsyncGenerator<RegistryEntry | UnreadableLine> {
  let places: ReadonlyMap<string, number> | null = null;
  for await (const line of lines) {
    if ('reason' in line) yield line;
    else if (places === null) places = placesOf(line.cells, columns ?? RAIFFEISENBANK);
    else {
      const entry = entryOf(line, places);
      yield typeof entry === 'string' ? { line: line.line, reason: entry } : entry;
    }
  }
}
