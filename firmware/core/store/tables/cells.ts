/** What a cell means: a code that a spreadsheet may have spoilt, an amount. */

/** What a spreadsheet shows, and saves, of long digits that it takes for a number. */
const ROUNDED = /^\d(?:[.,]\d+E\+?|E\+)\d+$/i;
/** Whether digits are lost: it is no code any more. */
export const isRounded = (cell: string): boolean => ROUNDED.test(cell);
export const ROUNDED_WORDS =
  'is a number that a spreadsheet has rounded: format the column as text, and write all its digits';

/** Blanks at the edges that no `trim` takes. */
const UNSEEN = /^[\s\u200b-\u200d\u2060]+|[\s\u200b-\u200d\u2060]+$/g;
/** How people have a spreadsheet take digits for text: `="00042"`, and an apostrophe. */
const FORMULA_OF_TEXT = /^="([^"]*)"$/;
const HELD_AS_TEXT = /^'(?=[\d+-])/;

/** The text that a spreadsheet was to keep as it is. */
export const heldText = (cell: string): string => cell.replace(FORMULA_OF_TEXT, '$1').replace(HELD_AS_TEXT, '');

/** Such a text, without blanks at its edges, its letters composed as most programs compose them. */
export const plainCell = (cell: string): string => heldText(cell.replaceAll(UNSEEN, '')).normalize('NFC');

/** Before an amount, or behind it: `100 р. 50` is none. */
const CURRENCY = /^(?:₽|руб\.?|р\.|RUB|RUR)|(?:₽|руб\.?|р\.|RUB|RUR)$/gi;
const withoutCurrency = (text: string): string => text.trim().replaceAll(CURRENCY, '').trim();
const MINUS = /^[-\u2212\u2013]\s*/;
/** What stands between thousands: a full stop or a comma, a space of any width, an apostrophe; the same all along. */
const GROUPED = /^[1-9]\d{0,2}(?:([., '])\d{3})(?:\1\d{3})*$/;
/** One sign with three digits behind it: `1,500` is one and a half to some, and a thousand and a half to others. */
const IN_TWO_WAYS = /^[1-9]\d{0,2}[.,]\d{3}$/;
const GAPS = /[., ']/g;

/** Whole and fraction, by the sign that stands last; null where either is unclear. */
function parted(digits: string): readonly [whole: string, fraction: string] | null {
  if (IN_TWO_WAYS.test(digits)) return null;
  if (GROUPED.test(digits)) return [digits.replaceAll(GAPS, ''), ''];
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (at < 0) return /^\d+$/.test(digits) ? [digits, ''] : null;
  const [whole, sign, fraction] = [digits.slice(0, at), digits[at] ?? '', digits.slice(at + 1)];
  if (/^\d*$/.test(whole)) return [whole, fraction];
  return GROUPED.test(whole) && !whole.includes(sign) ? [whole.replaceAll(GAPS, ''), fraction] : null;
}

/**
 * An amount as spreadsheets and bookkeepers write it: `1 234,56`, `1'234.56`, `1,234.56`, `1.234,56`, `-5`, and `(5,00)` for what
 * went out. What may be read in two ways is none.
 * @returns digits with a full stop and perhaps a minus, which may still be no amount
 */
export function amountInDigits(cell: string): string | null {
  const plain = withoutCurrency(cell.replaceAll(/\s+/g, ' ').replaceAll(/[’ʼ]/g, "'"));
  const [, inBrackets] = /^\((.*)\)$/.exec(plain) ?? [];
  const bare = withoutCurrency(inBrackets ?? plain);
  const isNegative = inBrackets !== undefined || MINUS.test(bare);
  const parts = parted(withoutCurrency(bare.replace(MINUS, '')));
  if (parts === null) return null;
  const [whole, fraction] = parts;
  return `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
