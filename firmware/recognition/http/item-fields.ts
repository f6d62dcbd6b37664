/** What the schema of an item's fields cannot say of them. */
import { HttpFailure } from '../../core/http/index.ts';
import { barcodeProblem } from '../items/barcodes.ts';
import type { ItemChanges } from '../items/item.ts';
import { cleanItem } from './requests.ts';

/** @param prefix of the names of the fields @throws {HttpFailure} `parameter` */
export function cleanFields({ name, plu, barcodes }: ItemChanges, prefix = ''): void {
  cleanItem(name ?? '', `${prefix}name`);
  cleanItem(plu ?? '', `${prefix}plu`);
  for (const [index, barcode] of (barcodes ?? []).entries()) {
    const field = `${prefix}barcodes.${index}`;
    cleanItem(barcode, field);
    const problem = barcodeProblem(barcode);
    if (problem !== null) throw new HttpFailure('parameter', `${field} ${problem}`, { field });
  }
}
