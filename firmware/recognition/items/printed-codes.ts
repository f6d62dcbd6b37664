/** Reads codes that a scale has printed, by the layouts of the shop: the item, and its weight or price. */

import { hasCheckDigit, type Printed, readPrinted } from '../model/printed-layout.ts';
import { codeMeant, isGtin, LONGEST_GTIN, spellingsOf } from '../model/symbologies.ts';
import type { Items } from './items.ts';

export interface PrintedCode extends Printed {
  /** The layout that fits. */
  readonly layout: string;
  /** The only item with this printed PLU or id, else with it without leading zeros; null where there is none or more than one. */
  readonly item: string | null;
}

const EAN_13 = /^\d{13}$/;

/** Why a code cannot be read. */
export const PRINTED_REFUSALS = ['OwnCode', 'WrongCheckDigit', 'NoLayout', 'NoAmount'] as const;
export type PrintedRefusal = (typeof PRINTED_REFUSALS)[number];

/** The layouts that the shop has set. */
interface Layouts {
  readonly printedLayouts: readonly string[];
}
/** Counts the templates of an id: with some it is an item even without a record. */
interface Learned {
  countOf(item: string): number;
}

export class PrintedCodes {
  readonly #settings: Layouts;
  readonly #items: Items;
  readonly #learned: Learned;

  constructor(settings: Layouts, items: Items, learned: Learned) {
    this.#settings = settings;
    this.#items = items;
    this.#learned = learned;
  }

  /** What a code on the tray means: the only item that has it as its own, else what a scale has printed in it. */
  meaningOf(text: string): Pick<PrintedCode, 'item' | 'weight' | 'price'> {
    const item = this.#onlyOwnerOf(text);
    const itself = { item, weight: null, price: null };
    return item === null ? (this.read(text) ?? itself) : itself;
  }

  /** The only item with this code; null where no item has it, or more than one. */
  #onlyOwnerOf(barcode: string): string | null {
    const learned = spellingsOf(barcode).filter((id) => this.#learned.countOf(id) > 0);
    const [item = null, other] = new Set([...this.#items.havingAll(barcode), ...learned]);
    return other === undefined ? item : null;
  }

  /** The item with the whole code as barcode, id or PLU; null: none. Such a code is not read by a layout. */
  ownerOf(code: string): string | null {
    return this.#items.havingAll(code)[0] ?? (this.#learned.countOf(code) > 0 ? code : null);
  }

  /**
   * What a code means that a hand scanner, a person or the camera has read. A code that an item has stays as it is. A trade
   * number of 14 digits that begins with 02 becomes the EAN-13 that a scale has printed.
   */
  canonical(text: string): string {
    if (this.ownerOf(text) !== null) return text;
    const code = codeMeant(text);
    return code.length === LONGEST_GTIN && isGtin(code) ? code.replace(/^0(?=2)/, '') : code;
  }

  /** Reads a code by the first layout that fits; null where none does. */
  read(text: string): PrintedCode | null {
    const result = this.judge(this.canonical(text));
    return typeof result === 'string' ? null : result;
  }

  /** Reads a code by the first of these layouts that fits. @returns the printed code, or why there is none */
  judge(code: string, layouts: readonly string[] = this.#settings.printedLayouts): PrintedCode | PrintedRefusal {
    if (this.ownerOf(code) !== null) return 'OwnCode';
    if (!EAN_13.test(code)) return 'NoLayout';
    if (!hasCheckDigit(code)) return 'WrongCheckDigit';
    for (const layout of layouts) {
      const printed = readPrinted(layout, code);
      if (printed === null) continue;
      // a till multiplies by the amount: it would sell for nothing
      if (printed.weight === 0 || printed.price === 0) return 'NoAmount';
      return { ...printed, layout, item: this.#itemOf(printed.plu) };
    }
    return 'NoLayout';
  }

  /** A scale prints zeros before a PLU; a PLU that has the zeros itself goes first. */
  #itemOf(plu: string): string | null {
    for (const code of [plu, plu.replace(/^0+(?=\d)/, '')]) {
      const [found, other] = this.#items.page({ code }, null, 2);
      if (other !== undefined) return null;
      if (found !== undefined) return found.id;
      if (this.#learned.countOf(code) > 0) return code;
    }
    return null;
  }
}
