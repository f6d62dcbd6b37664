/**
 * Reads the lines of a registry or statement, and the meanings of its cells: the day, the payment method, and by the
 * bank's own word the operation: a sale, a refund, or something else, which never counts as either.
 */

import Type, { type Static } from 'typebox';
import { beginning } from '../../../drivers/lib/text.ts';
import type { PaymentMethod } from '../../banks/index.ts';
import {
  CellFault,
  type CellOf,
  type DateOrder,
  dayCell,
  isUnclearDay,
  plainCell,
  readTable,
  TableError,
  type TableLine,
  type TableRow,
  type UnreadableRow,
} from '../../core/tables/index.ts';
import { dayInZone, TerminalError } from '../../payments/index.ts';
import type { KnownOperations } from './config.ts';

/**
 * Payment methods by the words of banks. The surest come first: a text on digital roubles or on a bank's service may
 * also mention SBP.
 */
const METHOD_WORDS: readonly (readonly [PaymentMethod, RegExp])[] = [
  ['digital-rouble', /цифров\S*\s+рубл|^цр$|digital.?ro?u?ble/i],
  ['sbp', /сбп|быстрых платежей|\bsbp|_sbp|fast(?:er)?[ _]payment/i],
  ['bank-service', /(?:sber|tinkoff|(?<![a-z])t)[ _-]?pay(?!m)|долями|рассрочк|кошел(?:[её]к|ьк)|wallet|instal/i],
  ['card', /карт|\bcard|_card|^мир$|^mir$|visa|mastercard/i],
];

/** The payment method that a text names; null for none. */
export const methodIn = (text: string | null): PaymentMethod | null =>
  text === null ? null : (METHOD_WORDS.find(([, word]) => word.test(text))?.[0] ?? null);

type Operation = KnownOperations[string];

/**
 * Patterns of operations that are neither a sale nor a refund, whatever other words they have: in lower case, with a
 * blank between words. An operation that no pattern finds is counted wrongly. One that a pattern finds wrongly is
 * listed in the answer, and the shop says what it means.
 */
const OTHERS: readonly RegExp[] = [
  // a fee
  /комисси|вознагражд|тариф|обслуживан|услуг\S* банка|(?<!\p{L})плат[аыу](?!\p{L})/u,
  /commission|\bfees?\b|service charge|surcharge/,
  // a penalty, an insurance, a tax
  /штраф|неустойк|(?<!\p{L})пен[ия](?!\p{L})|страхо|налог|(?<!\p{L})ндс(?!\p{L})/u,
  /penalt|\bfines?\b|insur|\btax(?:es)?\b|\bvat\b/,
  // a correction, a loan, a bonus
  /корректир|коррекц|погашен|к[еэ]шб[еэ]к/,
  /adjust|correct|\brepay|cash ?back/,
  // a payout, and a transfer to the shop's account; a refund also goes to an account, the payer's
  /выплат|перечисл|возмещ|вывод|взаимо|^(?!.*возврат).* на (?:\S+ )?(?:сч[её]т|р\/с)/,
  /pay ?out|withdraw|settle|^(?!.*refund).* to (?:\S+ ){0,3}account/,
  // a hold
  /удерж|блокир|холд|авториз|резерв|заморо/,
  /withh|block|\bhold(?:s|ing)?\b|\bauth|pre ?auth|reserve|freez|froz/,
  // a refusal, a failure, and an operation that was cancelled before it was carried out
  /отклон|отказ|ошибк|просроч|ист[её]к|отмен[её]н|аннулирован(?!и)/,
  /(?<!\p{L})не(?!\p{L})|(?<!\p{L})не(?:успе|удач|опла)/u,
  /declin|reject|deny|denie|refus|fail|error|expir|time ?out|abort|cancell?ed|voided/,
  /\bnot\b|unsuccess|unpaid/,
  // an operation that is only requested, or not finished
  /ожида|в обработке|(?:запрос|заявк)\S* на |сч[её]т на /,
  /pending|await|processing|request|invoice/,
  // an open dispute
  /диспут|disput|represent/,
];
const REFUND = 'возврат|отмен|сторн|аннул|чардж?б[еэ]к|refund|return|revers|cancel|void|charge ?back';
const REFUND_WORDS = new RegExp(REFUND);
/** A refund that was undone: its name has a word of refunds twice. */
const UNDONE = new RegExp(`(?:${REFUND}).*(?:${REFUND})`);
/** Words of sales; C2B is a payment to a shop, also in statements of digital roubles. */
const PAYMENT_WORDS = /оплат|плат[её]ж|покупк|продаж|зачислен|payment|sale|purchase|\bc2b\b/;

const folded = (word: string): string => word.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ');
/** Splits `PAYMENT_FEE` and `PaymentFee` into `payment fee`. */
const inWords = (word: string): string =>
  folded(word.replaceAll(/[_-]/g, ' ').replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));

/** Tells the operation of a line by its word; the meanings that the shop has given count first. */
export class Operations {
  readonly #named: ReadonlyMap<string, Operation>;

  constructor(named: KnownOperations) {
    this.#named = new Map(Object.entries(named).map(([word, operation]) => [folded(word), operation]));
  }

  /**
   * The operation by word and sign; without a word, by the sign and the id of a refund.
   * @param amount kopecks with their sign @param refund id of the refund in the line
   * @returns null for an unknown word
   */
  of(word: string | null, amount: number, refund: string | null): Operation | null {
    if (word === null) return amount < 0 || refund !== null ? 'refund' : 'payment';
    const operation = this.#byWord(word);
    return operation !== null && amount < 0 ? 'refund' : operation;
  }

  #byWord(word: string): Operation | null {
    const named = this.#named.get(folded(word));
    if (named !== undefined) return named;
    const words = inWords(word);
    if (UNDONE.test(words) || OTHERS.some((other) => other.test(words))) return null;
    if (REFUND_WORDS.test(words)) return 'refund';
    return PAYMENT_WORDS.test(words) ? 'payment' : null;
  }
}

export const OperationTotals = Type.Object(
  {
    word: Type.String({ description: "the bank's" }),
    count: Type.Integer(),
    sum: Type.Integer({ description: 'kopecks, with the sign of each line' }),
  },
  { title: 'OperationTotals' },
);
export type OperationTotals = Readonly<Static<typeof OperationTotals>>;

/** How to read the days of a registry. */
export interface Days {
  readonly zone: string;
  /** Order of day and month; null where the call does not say. */
  readonly dates: DateOrder | null;
}

/**
 * The day in a cell, as `2026-11-21` in a time zone; null where the cell has none.
 * @param dates how to read a date that may mean two days
 */
export function dayOf(cell: string, zone: string, dates: DateOrder = 'day-first'): CellOf<string> {
  const written = dayCell(cell, dates);
  if (written === null || written instanceof CellFault) return written;
  return 'day' in written ? written.day : dayInZone(written.moment, zone);
}

/** As `dayOf`. @throws {TerminalError} 400 for a date that may mean two days, where the call does not say which */
export function dayIn(cell: string, line: number, { zone, dates }: Days): CellOf<string> {
  if (dates !== null || !isUnclearDay(cell)) return dayOf(cell, zone, dates ?? 'day-first');
  const date = beginning(cell, 40);
  const must = `has the date ${date} in line ${line}: say in "dates" whether its day stands first (day-first) or its month (month-first)`;
  throw TerminalError.invalid('file', must, { parameters: { reason: 'unclear-dates', line: String(line), date } });
}

/** Most lines of a registry: a day of a large shop, weeks of a small one. */
const MAX_LINES = 100_000;

/** Reads a file of a call line by line; converts its errors to refusals of the field. */
async function* linesOf(field: 'file' | 'statement', lines: AsyncIterable<TableLine>): AsyncGenerator<TableLine> {
  try {
    yield* lines;
  } catch (cause) {
    if (!(cause instanceof TableError)) throw cause;
    const reason = field === 'statement' ? 'statement-unknown' : cause.code;
    const parameters = { reason, ...(cause.line !== null && { line: String(cause.line) }) };
    throw TerminalError.invalid(field, cause.message, { cause, parameters });
  }
}

/**
 * The lines of a registry, the first of which may be the header.
 * @throws {TerminalError} 400 for a file without lines, with too many, or without a readable table
 */
export async function* registryLines(bytes: Uint8Array): AsyncGenerator<TableRow | UnreadableRow> {
  let count = 0;
  for await (const line of linesOf('file', readTable(bytes))) {
    if ('unread' in line)
      yield { line: 1, reason: `it is of the sheet "${line.unread}", and only the first sheet is read` };
    else if ('reason' in line) yield line;
    else {
      yield { line: line.line, cells: line.cells.map(plainCell) };
      count += 1;
      if (count > MAX_LINES + 1) throw TerminalError.invalid('file', `must have at most ${MAX_LINES} lines`);
    }
  }
  if (count === 0) throw TerminalError.invalid('file', 'must begin with a line that names its columns');
}

/** The lines of a statement. @throws {TerminalError} 400 where it is no text */
export async function* statementLines(bytes: Uint8Array): AsyncGenerator<TableRow> {
  for await (const line of linesOf('statement', readTable(bytes, 'lines'))) if ('cells' in line) yield line;
}
