/**
 * Finds the columns of a bank's registry. Raiffeisenbank's are known; others are named by a call or the configuration. A guess
 * from the columns' names is only offered to the caller.
 */

import type { TableRow } from '../../core/tables/index.ts';
import { TerminalError } from '../../payments/index.ts';
import type { RegistryColumns } from './config.ts';

const NO_RATE = /%|ставк|тариф|процент/;

/**
 * Patterns of banks' column names, for a guess that the caller confirms. A column goes to the first field with a
 * fitting pattern; the surest pattern of a field is first.
 */
const WORDS: Readonly<Record<keyof RegistryColumns, readonly RegExp[]>> = {
  refund: [/возврат.*(?:id|номер|№|идент)|(?:id|номер|№|идент).*возврат|refund.?id/],
  order: [/(?:id|номер|№|идент).*заказ|заказ.*(?:id|номер|№)|order.?(?:id|number|no)/, /^(?:заказ|order)$/],
  payout: [
    /к (?:перечислению|выплате|возмещению|зачислению)/,
    /сумма (?:перечисл|возмещ|выплат|зачисл)/,
    /payout|^net\b/,
  ],
  commission: [/сумма комиссии|комиссия.*(?:₽|руб)/, /комисси|вознаграждени|\bfee\b|commission/],
  amount: [
    /^сумма (?:операции|платежа|транзакции|покупки|оплаты)/,
    /^сумма(?:$|[ ,(]+(?:в )?(?:₽|руб|rub))/,
    /^(?:transaction |payment )?(?:amount|sum)\b/,
  ],
  transaction: [
    /(?:id|номер|№|код|идент).*(?:операци|транзакци)/,
    /operation.?id/,
    /transaction.?(?:id|number)|\btrx|^rrn$/,
  ],
  bank: [
    /link.?id|(?:id|номер|№|идент).*ссылк/,
    /^qr|(?:id|номер|№).*qr/,
    /(?:id|номер|№|идент).*плат[её]ж/,
    /payment.?id/,
  ],
  date: [
    /дата.*(?:операции|платежа|оплаты|транзакции)/,
    /^дата(?!.*(?:перечисл|возмещ|выплат|зачисл|отч[её]т))/,
    /^(?:date|paid at)|transaction.?date/,
  ],
  method: [/способ (?:оплаты|плат[её]жа)|payment.?method/],
  type: [/^(?:тип|вид)(?: операции| транзакции)?$/, /^(?:operation.?|transaction.?)?type$/],
};

/**
 * Guesses columns by their names; a name that occurs twice is left out.
 * @param header cells of a line that may name the columns
 */
export function guessedColumns(header: readonly string[]): RegistryColumns {
  const names = header.filter((name) => name !== '' && header.indexOf(name) === header.lastIndexOf(name));
  const free = new Set(names.filter((name) => !NO_RATE.test(name.toLowerCase())));
  const guessed: { -readonly [field in keyof RegistryColumns]: string } = {};
  for (const [field, words] of Object.entries(WORDS) as [keyof RegistryColumns, readonly RegExp[]][]) {
    const found = words.map((word) => [...free].find((name) => word.test(name.toLowerCase().replaceAll(/\s+/g, ' '))));
    const name = found.find((each) => each !== undefined);
    if (name === undefined) continue;
    guessed[field] = name;
    free.delete(name);
  }
  return guessed;
}

/** Raiffeisenbank's columns. Source: its manual of payments by SBP, the daily registry. */
export const RAIFFEISENBANK: RegistryColumns = {
  order: 'id заказа',
  bank: 'QR id',
  refund: 'id возврата',
  type: 'Тип',
  method: 'Способ оплаты',
  amount: 'Сумма',
  date: 'Дата операции МСК',
  commission: 'Комиссия',
};
/** Fields that the comparison does not need: their columns in a registry of Raiffeisenbank may be missing or double. */
const EXTRAS: ReadonlySet<string> = new Set(['method', 'date', 'commission', 'payout']);

/** How a call names the columns of a registry. */
export interface NamedColumns {
  readonly columns: RegistryColumns | null;
  /** Name of a registry in the configuration. */
  readonly registry: string | null;
  readonly profile: string | null;
}

/**
 * The columns: those of the call, else those that the configuration has under the call's name, else under the profile's.
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

/**
 * The only entry of the configuration whose columns are all in one line of the file; for a call that names no columns.
 * @returns null where none fits, or several
 */
export function onlyFittingColumns(
  lines: readonly TableRow[],
  registries: Readonly<Record<string, RegistryColumns>>,
): RegistryColumns | null {
  const isWhole = (columns: RegistryColumns): boolean =>
    lines.some(({ cells }) => namedIn(cells, columns) === Object.keys(columns).length);
  const [only, ...others] = Object.values(registries).filter(isWhole);
  return others.length === 0 ? (only ?? null) : null;
}

/** Reason of a file that is refused until its columns are named. */
const UNKNOWN_COLUMNS = 'unknown-columns';
const normal = (name: string): string => name.toLowerCase().replaceAll(/\s+/g, ' ');

/** How many of the columns a line names. */
export const namedIn = (line: readonly string[], columns: RegistryColumns): number => {
  const folded = new Set(line.map(normal));
  return Object.values(columns).filter((name) => folded.has(normal(name))).length;
};

const mostOf = (counts: readonly number[]): number => counts.indexOf(Math.max(...counts));

/**
 * Index of the header among the first lines: the line that names most columns, the first of several. A title may be above.
 * @param columns of the call or the configuration; null: Raiffeisenbank's, or where they do not fit, guessed ones
 */
export function headerIndexOf(lines: readonly TableRow[], columns: RegistryColumns | null): number {
  const counts = lines.map(({ cells }) => namedIn(cells, columns ?? RAIFFEISENBANK));
  if (columns !== null || Math.max(...counts) > 1) return mostOf(counts);
  return mostOf(lines.map(({ cells }) => Object.keys(guessedColumns(cells)).length));
}

/**
 * Index of each field's column.
 * @throws {TerminalError} 400 for a column that the file lacks or has twice; its parameter `columns` has those of the
 * file
 */
export function columnIndexes(header: readonly string[], columns: RegistryColumns): ReadonlyMap<string, number> {
  const folded = header.map(normal);
  const places = Object.entries(columns).map(([field, name]) => [field, folded.indexOf(normal(name)), name] as const);
  const missing = places.find(([field, place]) => place < 0 && (columns !== RAIFFEISENBANK || field === 'amount'));
  const guess = guessedColumns(header);
  if (missing !== undefined) {
    const [field, , name] = missing;
    const parameters = { columns: header, guess, reason: UNKNOWN_COLUMNS };
    if (columns === RAIFFEISENBANK) {
      const sentence = `has no column that is known to hold the amount; it has: ${header.join(', ')}. If it is a registry, name its columns in "columns"`;
      throw TerminalError.invalid('file', sentence, { parameters });
    }
    throw TerminalError.invalid(
      `columns.${field}`,
      `is "${name}", which is not a column of the file (${header.join(', ')})`,
      { parameters },
    );
  }
  const isTwice = ([, place, name]: (typeof places)[number]): boolean =>
    place >= 0 && folded.lastIndexOf(normal(name)) !== place;
  const isOurs = ([field]: (typeof places)[number]): boolean => columns === RAIFFEISENBANK && EXTRAS.has(field);
  const twice = places.find((each) => isTwice(each) && !isOurs(each));
  if (twice !== undefined) {
    const [field, , name] = twice;
    throw TerminalError.invalid(
      `columns.${field}`,
      `is "${name}", which the file has twice: it is not clear which is meant`,
    );
  }
  const found = new Map(
    places.filter((each) => each[1] >= 0 && !isTwice(each)).map(([field, place]) => [field, place]),
  );
  if (!['order', 'bank', 'transaction'].some((field) => found.has(field)) || !found.has('amount')) {
    const must = 'must name the amount, and one of order, bank and transaction';
    throw TerminalError.invalid('columns', must, { parameters: { columns: header, guess, reason: UNKNOWN_COLUMNS } });
  }
  return found;
}

/** The name of each field's column. */
export const columnNames = (header: readonly string[], places: ReadonlyMap<string, number>): RegistryColumns =>
  Object.fromEntries([...places].map(([field, place]) => [field, header[place] ?? '']));
