/**
 * What one cell of a table is: nothing, a text, a code, an amount. Days are in `written-days.ts`. Tables of items,
 * registries and statements are judged here alone, from CSV, a workbook or JSON alike, in the same words.
 */
import { beginning } from '../../../drivers/lib/text.ts';

const SHOWN_CHARACTERS = 40;
/** A cell as a sentence shows it. */
export const quotedCell = (cell: string): string => JSON.stringify(beginning(cell.trim(), SHOWN_CHARACTERS));

/** Why a cell cannot be read. */
export class CellFault {
  /** `rounded`: a code has lost digits in a spreadsheet. */
  readonly kind: 'value' | 'rounded';
  /** What is wrong and what to do; follows the name of the column. */
  readonly words: string;

  constructor(words: string, kind: CellFault['kind'] = 'value') {
    this.words = words;
    this.kind = kind;
  }
}

/** @param must what the column takes: `an amount, as 1234.56` */
export const misfit = (cell: string, must: string): CellFault =>
  new CellFault(`must be ${must}, and is ${quotedCell(cell)}`);

/** A value, null where the cell holds nothing, or why it cannot be read. */
export type CellOf<T> = T | null | CellFault;

/** How people make a spreadsheet keep digits as text: `="00042"`, and an apostrophe. */
const FORMULA_OF_TEXT = /^="([^"]*)"$/;
const HELD_AS_TEXT = /^'(?=[\d+-])/;

/** A cell's text without the signs that make a spreadsheet keep it as text. */
export const heldText = (cell: string): string => cell.replace(FORMULA_OF_TEXT, '$1').replace(HELD_AS_TEXT, '');

/** Invisible characters that a copy from a page or a document brings: zero-width ones, soft hyphens, direction marks. */
const UNSEEN = /\p{Cf}/gu;
/** The lookbehind has a run at the end matched from its first character alone: from each one, time would grow with the square. */
const UNSEEN_EDGES = /^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu;

const withoutUnseenEdges = (cell: string): string => cell.replaceAll(UNSEEN_EDGES, '');

/** A cell's text as by `heldText`, without blanks at either end, in the usual Unicode form (NFC). */
export const plainCell = (cell: string): string => heldText(withoutUnseenEdges(cell)).normalize('NFC');

/** What databases and programs write for nothing. */
const NOTHING =
  /^(?:null|\(null\)|\[null\]|<null>|\\N|none|<none>|<na>|n\/a|н\/д|undefined|неопределено|\((?:пусто|blank|leer)\)|[-\u2010-\u2015\u2212]+)$/i;
/** Spelt with other capitals it is a name: NAN is a brand. */
const NOTHING_AS_SPELLED = /^(?:NA|NaT|NaN|nan)$/;
/** What a spreadsheet shows for a value that it has not found: Excel in English, Russian, German. */
const ABSENT = /^#(?:N\/A|Н\/Д|NV)[!?]?$/i;
/** Errors of a spreadsheet: `#REF!`, `#ИМЯ?`, `#GETTING_DATA`, `Err:502` of LibreOffice, a column that is too narrow. */
const FAILED = /^(?:#\p{Lu}[\p{Lu}\d/]*[!?]|#\p{Lu}+_\p{Lu}+|(?:Err|Ошибка|Fehler):\d{3}|#{3,})$/u;
/** What 1C writes in the place of what was deleted. */
const LOST_IN_1C = /^<Объект не найден>/;
/** A formula that no program has calculated. */
const FORMULA = /^=./;
const BROKEN = '\ufffd';

/**
 * What a cell says of itself without its column: `nothing`; `absent`, a value that was not found (`#N/A`); a fault; or
 * null for a value.
 */
export function emptiness(cell: string): 'nothing' | 'absent' | CellFault | null {
  const text = withoutUnseenEdges(cell);
  if (text === '' || NOTHING.test(text) || NOTHING_AS_SPELLED.test(text)) return 'nothing';
  if (ABSENT.test(text)) return 'absent';
  if (FAILED.test(text)) return failed(text);
  if (LOST_IN_1C.test(text))
    return new CellFault(
      `is ${quotedCell(text)}, which 1C writes for what was deleted: correct it there, and send the table again`,
    );
  if (text.includes(BROKEN))
    return new CellFault(
      `holds bytes that are no letters, ${quotedCell(text)}: save the table as UTF-8 or .xlsx, and send that`,
    );
  return null;
}

const failed = (text: string): CellFault =>
  new CellFault(
    `is ${quotedCell(text)}, an error of a spreadsheet: correct the formula there, and send the table again`,
  );

/** Where a value stands: only in a table is `=A1` a formula, and `="051"` a text. */
type Source = 'table' | 'document';

/** Reads a cell that holds a value. */
function valueIn<T>(written: string, source: Source, read: (text: string) => T | CellFault): CellOf<T> {
  const [, held] = source === 'table' ? (FORMULA_OF_TEXT.exec(withoutUnseenEdges(written)) ?? []) : [];
  const cell = held ?? written;
  const empty = emptiness(cell);
  if (empty === 'nothing') return null;
  if (empty === 'absent') return failed(withoutUnseenEdges(cell));
  if (empty === null && held === undefined && source === 'table' && FORMULA.test(withoutUnseenEdges(cell)))
    return new CellFault(
      'is a formula that was not calculated: open the table in a spreadsheet, save it, and send that',
    );
  return empty ?? read(cell);
}

/** A text for people, as it stands. */
export const textCell = (cell: string, source: Source = 'table'): CellOf<string> =>
  valueIn(cell, source, (text) => text);

/** A long code as a spreadsheet shows and saves it where it takes the digits for a number. */
const ROUNDED = /^(\d)(?:[.,](\d+)E\+?|E\+)(\d+)$/i;
export const ROUNDED_WORDS =
  'is a number that a spreadsheet has rounded: format the column as text, and write all its digits';
/** A whole number, as a program writes it that stores numbers with fractions. */
const WITH_FRACTION = /^(\d+)[.,]0+$/;

/** A cell of a workbook with the format of a day: `10-2026` that a spreadsheet took for the first of October. */
const MOMENT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d$/;
const MOMENT_WORDS =
  'is a code that a spreadsheet has taken for a day: format the column as text, and write the code again';

/** Whether a cell has lost digits, and is no code any more. */
export const isRounded = (cell: string): boolean => ROUNDED.test(cell);

/** A code's digits where a program has stored them as a number: `51.0`, `4.607001234567E+12`. */
function asDigits(code: string): string {
  const [, first, fraction = '', exponent] = ROUNDED.exec(code) ?? [];
  if (first !== undefined && fraction.length === Number(exponent)) return `${first}${fraction}`;
  return code.replace(WITH_FRACTION, '$1');
}

/** A code, an id or a PLU in the usual Unicode form (NFC), without invisible characters, as digits where it was a number. */
export const codeCell = (cell: string, source: Source = 'table'): CellOf<string> =>
  valueIn(cell, source, (text) => {
    const seen = text.replaceAll(UNSEEN, '').trim();
    const code = asDigits((source === 'table' ? heldText(seen) : seen).normalize('NFC'));
    if (MOMENT.test(code)) return new CellFault(MOMENT_WORDS);
    return isRounded(code) ? new CellFault(ROUNDED_WORDS, 'rounded') : code;
  });

/** A currency before or after an amount: `100 р. 50` is no amount. */
const CURRENCY = /^(?:₽|руб(?:л\p{L}{1,3})?\.?|р\.?|RUB\.?|RUR\.?)|(?:₽|руб(?:л\p{L}{1,3})?\.?|р\.?|RUB\.?|RUR\.?)$/giu;
const withoutCurrency = (text: string): string => text.trim().replaceAll(CURRENCY, '').trim();
const SIGN_BEFORE = /^[-+\u2010-\u2014\u2212\ufe63\uff0d]/;
const SIGN_BEHIND = /[-+\u2010-\u2014\u2212\ufe63\uff0d]$/;
const APOSTROPHES = /[’ʼ‘´`′]/g;
/** Digits grouped by thousands: by a full stop or a comma, a space of any width, an apostrophe; always the same one. */
const GROUPED = /^[1-9]\d{0,2}(?:([., '])\d{3})(?:\1\d{3})*$/;
/**
 * A number with two readings, one sign and three digits: `1,500` is one and a half to some, and a thousand and a half
 * to others.
 */
const IN_TWO_WAYS = /^[1-9]\d{0,2}[.,]\d{3}$/;
const GAPS = /[., ']/g;

/** Whole and fraction, by the last separator; null where either is unclear. */
function parted(digits: string): readonly [whole: string, fraction: string] | null {
  if (IN_TWO_WAYS.test(digits)) return null;
  if (GROUPED.test(digits)) return [digits.replaceAll(GAPS, ''), ''];
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (at < 0) return /^\d+$/.test(digits) ? [digits, ''] : null;
  const [whole, sign, fraction] = [digits.slice(0, at), digits[at] ?? '', digits.slice(at + 1)];
  if (!/^\d*$/.test(fraction) || `${whole}${fraction}` === '') return null;
  if (/^\d*$/.test(whole)) return [whole || '0', fraction];
  return GROUPED.test(whole) && !whole.includes(sign) ? [whole.replaceAll(GAPS, ''), fraction] : null;
}

/** The digits of an amount with one sign at most, before them or behind, or in brackets; null where there are more. */
function unsigned(text: string): readonly [digits: string, isNegative: boolean] | null {
  const plain = withoutCurrency(text);
  const [, inBrackets] = /^\((.*)\)$/.exec(plain) ?? [];
  const bare = withoutCurrency(inBrackets ?? plain);
  const sign = SIGN_BEFORE.exec(bare)?.[0] ?? SIGN_BEHIND.exec(bare)?.[0] ?? '';
  if (sign !== '' && inBrackets !== undefined) return null;
  const digits = withoutCurrency(SIGN_BEFORE.test(bare) ? bare.slice(1) : bare.replace(SIGN_BEHIND, ''));
  // 129,- has no kopecks, and is not negative
  if (/[.,]$/.test(digits) && SIGN_BEHIND.test(bare)) return null;
  return [digits, inBrackets !== undefined || (sign !== '' && sign !== '+')];
}

/**
 * An amount as spreadsheets and bookkeepers write it: `1 234,56`, `1'234.56`, `1,234.56`, `1.234,56`; `-5`, `5-` and
 * `(5,00)` for a negative one, with or without its currency. A number with two readings is no amount.
 * @returns digits with a full stop and perhaps a minus
 */
export function amountInDigits(cell: string): string | null {
  const text = heldText(cell.replaceAll(UNSEEN, '').trim()).replaceAll(/\s+/g, ' ').replaceAll(APOSTROPHES, "'");
  const [digits, isNegative] = unsigned(text) ?? ['', false];
  const parts = parted(digits);
  if (parts === null) return null;
  const [whole, fraction] = parts;
  return `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const TWO_WAYS_WORDS = (cell: string): string =>
  `is ${quotedCell(cell)}, which may be a thousand and more, or a fraction: write it as 1234.00, or as 1.23`;
const AMOUNT = 'an amount, as 1234.56';

/**
 * An amount in digits; see {@link amountInDigits}.
 * @param read makes the column's unit of it; null where it cannot @param must what the column takes
 */
export const amountCell = <T = string>(cell: string, read: (digits: string) => T | null, must = AMOUNT): CellOf<T> =>
  valueIn(cell, 'table', (text) => {
    const digits = amountInDigits(text);
    const value = digits === null ? null : read(digits);
    if (value !== null) return value;
    const [number = ''] = unsigned(text) ?? [];
    return IN_TWO_WAYS.test(number) ? new CellFault(TWO_WAYS_WORDS(text)) : misfit(text, must);
  });
