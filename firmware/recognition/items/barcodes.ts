/** The codes that are printed on items: which texts they may be, and whose each is. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { checkDigitOf, isGtin, isGtinLong, keyOf, spellingsOf } from '../barcodes/gtin.ts';
import { ItemError } from './item.ts';

/** What parts them in a cell of a table. */
export const BARCODE_SEPARATOR = '|';

/** What a spreadsheet makes of long digits that it takes for a number. */
const ROUNDED = /^\d[.,]\d+E\+\d+$/i;

/** What is wrong with a code of an item, or null. What its schema says it fits already. */
export function barcodeProblem(text: string): string | null {
  if (ROUNDED.test(text))
    return 'is a number that a spreadsheet has rounded: format the column as text, and write all its digits';
  if (!isGtinLong(text) || isGtin(text)) return null;
  const others = text.slice(0, -1);
  return `must end in ${checkDigitOf(others)}, the check digit of ${others}…: read its ${text.length} digits again`;
}

interface Owner {
  readonly item: string;
}

/** Codes as rows of one connection to `items.db`. */
export class BarcodeRows {
  readonly #byKey: StatementSync;
  readonly #isItem: StatementSync;
  readonly #forget: StatementSync;
  readonly #keep: StatementSync;

  constructor(db: DatabaseSync) {
    this.#byKey = db.prepare('SELECT item FROM barcodes WHERE key = ?');
    this.#isItem = db.prepare('SELECT id AS item FROM items WHERE id = ?');
    this.#forget = db.prepare('DELETE FROM barcodes WHERE item = ?');
    this.#keep = db.prepare(
      'INSERT INTO barcodes (key, item, text, place) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING',
    );
  }

  /** Items that have a code, or whose id it is, however it is written. */
  ownersOf(text: string): string[] {
    const byKey = this.#byKey.all(keyOf(text)) as unknown as Owner[];
    const byId = spellingsOf(text).flatMap((id) => this.#isItem.all(id) as unknown as Owner[]);
    return [...new Set([...byKey, ...byId].map(({ item }) => item))];
  }

  /** Replaces the codes of an item that exists. @throws {ItemError} `BarcodeTaken` */
  put(item: string, texts: readonly string[]): void {
    this.#forget.run(item);
    for (const [place, text] of texts.entries()) {
      this.#requireFree(item, text);
      this.#keep.run(keyOf(text), item, text, place);
    }
  }

  /** An id that is a trade item number is a code of its own. @throws {ItemError} `BarcodeTaken` */
  requireOwnId(item: string): void {
    if (isGtin(item)) this.#requireFree(item, item);
  }

  #requireFree(item: string, text: string): void {
    const other = this.ownersOf(text).find((owner) => owner !== item);
    if (other === undefined) return;
    throw new ItemError(
      'BarcodeTaken',
      `the barcode ${text} belongs to the item ${other} already: take it from that one first; nothing was changed`,
      { barcode: text, item: other },
    );
  }
}
