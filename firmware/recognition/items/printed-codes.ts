/** The codes that a scale has printed, by the layouts of the shop: which item each is of, and its weight or its price. */
import type { DeviceSettings } from '../settings.ts';
import type { Templates } from '../templates/templates.ts';
import type { Items } from './items.ts';
import { hasCheckDigit, type Printed, readPrinted } from './printed-layout.ts';

export interface PrintedCode extends Printed {
  /** By which it was read. */
  readonly layout: string;
  /** The one item with this PLU, or this id; null where there is none, or more than one. */
  readonly item: string | null;
}

export class PrintedCodes {
  readonly #settings: DeviceSettings;
  readonly #items: Items;
  readonly #templates: Pick<Templates, 'countOf'>;

  constructor(settings: DeviceSettings, items: Items, templates: Pick<Templates, 'countOf'>) {
    this.#settings = settings;
    this.#items = items;
    this.#templates = templates;
  }

  get layouts(): readonly string[] {
    return this.#settings.printedLayouts;
  }

  /** @throws {RecognitionError} `storageFull`, `fileWrite` */
  async setLayouts(printedLayouts: readonly string[]): Promise<void> {
    await this.#settings.set({ printedLayouts: [...printedLayouts] });
  }

  /**
   * By the first layout that fits.
   * @returns null where none fits, where the check digit is wrong, and where an item has all of it as a code of its own
   */
  read(code: string, layouts: readonly string[] = this.layouts): PrintedCode | null {
    if (!hasCheckDigit(code) || this.#items.ownerOf(code) !== null) return null;
    for (const layout of layouts) {
      const printed = readPrinted(layout, code);
      if (printed !== null) return { ...printed, layout, item: this.#itemOf(printed.plu) };
    }
    return null;
  }

  /** A scale prints zeros before a PLU; one that has them itself goes first. */
  #itemOf(plu: string): string | null {
    for (const code of [plu, plu.replace(/^0+(?=\d)/, '')]) {
      const [found, other] = this.#items.page({ code }, null, 2);
      if (other !== undefined) return null;
      if (found !== undefined) return found.id;
      if (this.#templates.countOf(code) > 0) return code;
    }
    return null;
  }
}
