/** The barcodes of items: which texts they may be, and to which item each belongs. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isRounded, ROUNDED_WORDS } from '../../core/store/index.ts';
import { checkDigitOf, gtinOfLink, isGtin, isGtinLong, keyOf } from '../vision/symbologies.ts';
import { ItemError } from './item.ts';

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

/**
 * Reads a code of a table. Digits with spaces, without the first zero that a spreadsheet dropped, or in a GS1 link
 * become the trade item number; any other text stays as it is.
 */
export function tradeNumberOf(text: string): string {
  const digits = SPACED.test(text) ? text.replaceAll(/\s/g, '') : '';
  const found = [digits, `0${digits}`].find(isGtin) ?? gtinOfLink(text);
  return found ?? (isGtinLong(digits) ? digits : text);
}

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
  readonly #holder: StatementSync;
  readonly #forget: StatementSync;
  readonly #keep: StatementSync;

  constructor(db: DatabaseSync) {
    this.#holder = db.prepare(`SELECT coalesce(${holderOf(':key')}, (SELECT id FROM items WHERE id = :text)) AS item`);
    this.#forget = db.prepare('DELETE FROM barcodes WHERE item = ? AND own = 0');
    this.#keep = db.prepare(
      'INSERT INTO barcodes (key, item, own, text, place) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
  }

  /** The item with this code or id, however it is written; null: none. */
  ownerOf(text: string): string | null {
    const item = this.#holder.get({ key: keyOf(text), text })?.item ?? null;
    return item === null ? null : String(item);
  }

  /** Replaces all codes that are recorded for an existing item, also those that another item has. */
  put(item: string, texts: readonly string[]): void {
    this.#forget.run(item);
    for (const [place, text] of texts.entries()) this.#keep.run(keyOf(text), item, 0, text, place);
  }

  /** Adds the item's id as a code where it is a trade item number. */
  putOwnId(item: string): void {
    if (isGtin(item)) this.#keep.run(keyOf(item), item, 1, item, 0);
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
