/** The barcodes of items: which texts they may be, how a table's codes are read, and to which item each code belongs. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import Type from 'typebox';
import { HALVES, patternWithMessage } from '../../core/schema/index.ts';
import { isRounded, ROUNDED_WORDS } from '../../core/tables/index.ts';
import { ItemError } from '../model/item.ts';
import { checkDigitOf, codeMeant, gtinOfShort, isGtin, isGtinLong, keyOf } from '../model/symbologies.ts';

/** Longest code of a call: a link, or the elements of GS1. */
const MAX_SCANNED_CHARACTERS = 512;
/** A code as a hand scanner types it. The separator of GS1 is a control character, and so is the end that many scanners add. */
export const ScannedCode = Type.String({
  title: 'ScannedCode',
  minLength: 1,
  maxLength: MAX_SCANNED_CHARACTERS,
  pattern: patternWithMessage(
    `^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001c\\u001e\\u001f\\u007f-\\u009f${HALVES}]*$`,
    'must hold whole characters, of control characters only tabs, line ends and the separator of GS1',
  ),
});

/** Separates barcodes in a cell of a table. */
export const BARCODE_SEPARATOR = '|';

/** The fault of an item's barcode that fits its schema, or null. */
export function barcodeProblem(text: string): string | null {
  if (isRounded(text)) return ROUNDED_WORDS;
  if (!isGtinLong(text) || isGtin(text)) return null;
  const others = text.slice(0, -1);
  return `must end in ${checkDigitOf(others)}, the check digit of ${others}…: read its ${text.length} digits again`;
}

const SPACED = /^\d[\d\s]*\d$/;
/** Digits as a number is grouped, as EAN-13 is printed, and as ISBN is written: `4,607,001,234,567`, `4-607001-234567`. */
const GROUPED = /^(?:\d{1,3}(?:([.,'])\d{3})(?:\1\d{3})+|\d-\d{6}-\d{6}|97[89](?:-\d+){2,4})$/;

/**
 * Reads a code of a table or a document. Digits with spaces, without the first zero that a spreadsheet dropped, in the
 * short form of UPC, in a GS1 link or in GS1's elements become the trade item number; any other text stays as it is.
 */
export function tradeNumberOf(text: string): string {
  const meant = codeMeant(text);
  const digits = SPACED.test(meant) || GROUPED.test(meant) ? meant.replaceAll(/\D/g, '') : '';
  const found = [digits, `0${digits}`].find(isGtin) ?? gtinOfShort(digits) ?? gtinOfShort(`0${digits}`);
  return found ?? (isGtinLong(digits) && SPACED.test(meant) ? digits : meant);
}

/**
 * Signs that people and programs put between codes and around them (`{…,…}`, `["…"]`). A code that is no number may hold
 * each of them.
 */
const BETWEEN = /[,;/+&\s"'[\]{}]+/;
/** The signs that no single code holds. */
const SURELY_BETWEEN = /[,;\n+&[\]{}]/;
/** From so many digits a part of a text is no trade item number by chance. */
const SURELY_LONG = 12;

/** The codes of a text: several where they are trade item numbers with signs between them. Null where that is unclear. */
export function codesIn(text: string): string[] | null {
  const one = tradeNumberOf(text);
  if (isGtin(one) || text.includes('://')) return [one];
  const parts = text
    .split(BETWEEN)
    .filter((part) => part !== '')
    .map((part) => tradeNumberOf(part.replace(/\.0+$/, '')));
  if (parts.length > 0 && parts.every(isGtin)) return parts;
  const isSure = (part: string): boolean => isGtin(part) && (SURELY_BETWEEN.test(text) || part.length >= SURELY_LONG);
  return parts.length > 1 && parts.some(isSure) ? null : [one];
}

export const SEVERAL_CODES = `holds several codes, and it is not clear where each ends: put a ${BARCODE_SEPARATOR} between them`;

/** SQL: the item that has a code. Of several items it is the one with this id, else the one with the smallest id. */
export const holderOf = (key: string): string =>
  `(SELECT item FROM barcodes AS named WHERE named.key = ${key} ORDER BY own DESC, item LIMIT 1)`;

/** Codes without repetitions, however they are written. */
export function distinct(texts: readonly string[]): string[] {
  const keys = texts.map(keyOf);
  return texts.filter((text, at) => keys.indexOf(keyOf(text)) === at);
}

/** Whether the codes include one, however it is written. */
export const isAmong = (text: string, texts: readonly string[]): boolean =>
  texts.some((other) => keyOf(other) === keyOf(text));

/** Codes as rows of one connection to `items.db`. */
export class BarcodeRows {
  readonly #find: StatementSync;
  readonly #delete: StatementSync;
  readonly #insert: StatementSync;

  constructor(db: DatabaseSync) {
    this.#find = db.prepare(`SELECT coalesce(${holderOf(':key')}, (SELECT id FROM items WHERE id = :text)) AS item`);
    this.#delete = db.prepare('DELETE FROM barcodes WHERE item = ? AND own = 0');
    this.#insert = db.prepare(
      'INSERT INTO barcodes (key, item, own, text, place) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
  }

  /** The item with this code or id, however it is written; null: none. */
  ownerOf(text: string): string | null {
    const item = this.#find.get({ key: keyOf(text), text })?.item ?? null;
    return item === null ? null : String(item);
  }

  /** Replaces all codes that are recorded for an existing item, also those that another item has. */
  put(item: string, texts: readonly string[]): void {
    this.#delete.run(item);
    for (const [place, text] of texts.entries()) this.#insert.run(keyOf(text), item, 0, text, place);
  }

  /** Adds the item's id as a code where it is a trade item number. */
  putOwnId(item: string): void {
    if (isGtin(item)) this.#insert.run(keyOf(item), item, 1, item, 0);
  }

  /** @throws {ItemError} `BarcodeTaken` where another item has one of the codes given to this item, or its id */
  requireFree(item: string, texts: readonly string[]): void {
    for (const text of isGtin(item) ? [item, ...texts] : texts) this.#requireFree(item, text);
  }

  #requireFree(item: string, text: string): void {
    const other = this.ownerOf(text);
    if (other === null || other === item) return;
    throw new ItemError(
      'BarcodeTaken',
      `the barcode ${text} belongs to the item ${other} already: take it from that one first; nothing was changed`,
      { barcode: text, item: other },
    );
  }
}
