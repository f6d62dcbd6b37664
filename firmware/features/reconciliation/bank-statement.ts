/**
 * Reads the incoming payments of an account statement that banks write for 1C (`1CClientBankExchange`).
 * Source: docs/sources.md, "1C's exchange with banks".
 */

import { beginning } from '../../../drivers/lib/text.ts';
import { CellFault, emptiness, isUnclearDay, type UnreadableRow } from '../../core/tables/index.ts';
import { TerminalError } from '../../payments/index.ts';
import type { Credit } from './payouts.ts';
import { dayOf, statementLines } from './registry-file.ts';
import { kopecksCell } from './registry-line.ts';

const FIRST_LINE = '1CClientBankExchange';
/** End mark of a DOS file, which stands between two files that were concatenated. */
const END_OF_DOS = '\u001a';
const VERSIONS = /^1\.0[1-3]$/;
const END_OF_DOCUMENT = 'КонецДокумента';
const END_OF_FILE = 'КонецФайла';
/** The end mark of each section. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['СекцияДокумент', END_OF_DOCUMENT],
  ['СекцияРасчСчет', 'КонецРасчСчет'],
]);
/** Longest purpose that a bank may write; the rest of a longer text is cut off. */
const LONGEST_PURPOSE = 210;
const LONGEST_NUMBER = 40;
/** Fields of the receiver's account: at its own bank, and at the bank that settles for it. */
const RECEIVER = ['ПолучательСчет', 'ПолучательРасчСчет'] as const;
/** Fields of a purpose written over several lines. */
const PURPOSE_LINES = [1, 2, 3, 4, 5, 6].map((line) => `НазначениеПлатежа${line}`);

export interface BankStatement {
  /** First and last day of the statement; null where it names none. */
  readonly from: string | null;
  readonly to: string | null;
  readonly credits: readonly Credit[];
  /** Documents and days that cannot be read: a document among them may be a credit. */
  readonly unread: readonly UnreadableRow[];
}

/** A value that cannot be read. The message names the value, its line and what it must be. */
class ValueFault extends Error {}

interface Section {
  readonly line: number;
  readonly end: string;
  /** The fields by their names. */
  readonly fields: Map<string, Field>;
}

/** @param reason code by which a page chooses its own words */
function refused(reason: string, must: string, about: Readonly<Record<string, string>> = {}): TerminalError {
  return TerminalError.invalid('statement', must, { parameters: { reason, ...about } });
}

interface Field {
  readonly line: number;
  readonly text: string;
}

const describe = (key: string, { line, text }: Field, what: string): string =>
  `${text === '' ? `has no ${key}` : `has "${beginning(text, 40)}" as ${key}`} in line ${line}, which must be ${what}`;

const wrongValue = (key: string, field: Field, what: string): TerminalError =>
  refused('statement-value', describe(key, field, what), { key, line: String(field.line) });

/** Reads a statement line by line: `take` gets each line, `end` returns the result. */
class StatementReader {
  /** Numbers of the shop's accounts. */
  readonly #accounts = new Set<string>();
  /** First and last days of each exchange: a file may hold several. */
  readonly #days = { ДатаНачала: [] as string[], ДатаКонца: [] as string[] };
  #head: Section['fields'] = new Map();
  readonly #credits: Credit[] = [];
  readonly #unread: UnreadableRow[] = [];
  #section: Section | null = null;
  #line = 0;
  /** Whether the last exchange has ended, so that another may begin. */
  #isEnded = true;

  /** @throws {TerminalError} 400 */
  take(text: string): void {
    this.#line += 1;
    if (text.replace(END_OF_DOS, '').trim() === FIRST_LINE && this.#isEnded) {
      this.#isEnded = false;
      this.#head = new Map();
    } else if (this.#line === 1)
      throw refused(
        'statement-unknown',
        `must begin with a line ${FIRST_LINE}: ask the bank for the statement in the form of 1C`,
      );
    else if (!this.#isEnded) this.#addLine(text);
  }

  #addLine(text: string): void {
    const [key = '', ...values] = text.split('=');
    this.#readField(key.trim(), values.join('=').trim());
  }

  /** @throws {TerminalError} 400 */
  end(): BankStatement {
    this.#requireKnown();
    if (!this.#isEnded) throw this.#cut(END_OF_FILE);
    const { ДатаНачала: first, ДатаКонца: last } = this.#days;
    const days = { from: first.sort()[0] ?? null, to: last.sort().at(-1) ?? null };
    return { ...days, credits: this.#credits, unread: this.#unread };
  }

  #readField(key: string, text: string): void {
    const end = ENDS.get(key);
    if (end !== undefined) this.#begin(end);
    else if (key.startsWith('Конец')) this.#endAt(key);
    else {
      if (key === 'РасчСчет' && this.#section?.end !== END_OF_DOCUMENT) this.#accounts.add(text);
      (this.#section?.fields ?? this.#head).set(key, { line: this.#line, text });
    }
  }

  #begin(end: string): void {
    this.#requireKnown();
    if (this.#section !== null) throw this.#cut(this.#section.end);
    this.#section = { line: this.#line, end, fields: new Map() };
  }

  /** @param end the end mark: of the section, or of the file */
  #endAt(end: string): void {
    const section = this.#section;
    if (end !== (section?.end ?? END_OF_FILE)) throw this.#cut(section?.end ?? 'a section');
    if (section === null) this.#endExchange();
    else if (end === END_OF_DOCUMENT)
      this.#read(section.line, () => {
        this.#credits.push(...this.#creditOf(section));
      });
    this.#section = null;
  }

  /** Reads values. One that cannot be read is recorded, and reading continues. */
  #read(line: number, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error;
      this.#unread.push({ line, reason: error.message });
    }
  }

  /** Refuses a file without one known name, as when it is read in the wrong encoding. */
  #requireKnown(): void {
    const version = this.#head.get('ВерсияФормата');
    if (version === undefined)
      throw refused('statement-unknown', 'names no ВерсияФормата: it must be in windows-1251, DOS (cp866) or UTF-8');
    if (!VERSIONS.test(version.text)) throw wrongValue('ВерсияФормата', version, '1.01, 1.02 or 1.03');
  }

  /**
   * The credit of a document.
   * @returns an empty list for a document that took money from the shop's accounts, or moved none on them
   * @throws {ValueFault} for an amount or a day that cannot be read
   */
  #creditOf({ line, fields }: Section): Credit[] {
    const field = (key: string) => fields.get(key) ?? { line, text: '' };
    const receivers = RECEIVER.map((key) => field(key).text).filter((account) => account !== '');
    if (this.#accounts.size === 0) throw wrongValue('РасчСчет', { line, text: '' }, 'the account of the shop');
    for (const key of RECEIVER)
      if (emptiness(field(key).text) instanceof CellFault)
        throw new ValueFault(describe(key, field(key), 'the number of an account'));
    const dateIn = field('ДатаПоступило');
    const isOurs =
      receivers.length === 0 ? dateIn.text !== '' : receivers.some((account) => this.#accounts.has(account));
    if (!isOurs) return [];
    const amount = kopecksCell(field('Сумма').text);
    if (amount === null || amount instanceof CellFault || amount < 0)
      throw new ValueFault(describe('Сумма', field('Сумма'), 'an amount in roubles, as 1234.56'));
    const day = dateIn.text === '' ? dayIn('Дата', field('Дата')) : dayIn('ДатаПоступило', dateIn);
    const lines = PURPOSE_LINES.map((key) => field(key).text).filter((text) => text !== '');
    const whole = field('НазначениеПлатежа').text || lines.join(' ');
    const number = beginning(field('Номер').text, LONGEST_NUMBER);
    return [{ line, number, day, amount, purpose: beginning(whole, LONGEST_PURPOSE) }];
  }

  #endExchange(): void {
    this.#requireKnown();
    this.#isEnded = true;
    for (const key of ['ДатаНачала', 'ДатаКонца'] as const) {
      const field = this.#head.get(key);
      if (field !== undefined) this.#read(field.line, () => this.#days[key].push(dayIn(key, field)));
    }
  }

  /** The refusal of an incomplete file. @param missing the expected end mark */
  #cut(missing: string): TerminalError {
    const must = `lacks ${missing} in line ${this.#line}: a part of it is missing, so ask the bank for the whole file`;
    return refused('statement-cut', must, { line: String(this.#line) });
  }
}

/** The day in a field. @throws {ValueFault} also for a date that may mean two days */
function dayIn(key: string, field: Field): string {
  const day = dayOf(field.text, 'UTC');
  if (day === null || day instanceof CellFault || isUnclearDay(field.text))
    throw new ValueFault(describe(key, field, 'a day, as 21.11.2026'));
  return day;
}

/**
 * Reads a statement.
 * @param bytes in windows-1251, cp866 or UTF-8
 * @throws {TerminalError} 400 naming line and field
 */
export async function bankStatement(bytes: Uint8Array): Promise<BankStatement> {
  const reader = new StatementReader();
  for await (const { cells } of statementLines(bytes)) reader.take(cells[0] ?? '');
  return reader.end();
}
