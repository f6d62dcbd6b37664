/** The fields of an item in a call or a document: how their texts are read, and what no schema can check. */
import { HttpFailure } from '../../../core/http/index.ts';
import { CellFault, codeCell, textCell } from '../../../core/tables/index.ts';
import { barcodeProblem, codesIn, SEVERAL_CODES } from '../../items/barcodes.ts';
import type { ItemChanges } from '../../model/item.ts';
import { MAX_BARCODES } from '../../model/item-limits.ts';
import { cleanItem, fieldValue } from '../item-id.ts';

/** An id of a document, as a cell of a table is read. @throws {HttpFailure} `parameter` */
export const documentId = (id: string, field: string): string => fieldValue(codeCell(id, 'document'), field) ?? id;

/**
 * The texts of an item in a call or a document, read as the cells of a table are: a word that programs write for no value
 * counts as none, and a code is its digits.
 * @param prefix of the names of the fields @throws {HttpFailure} `parameter`
 */
export function documentFields(changes: ItemChanges, prefix = ''): ItemChanges {
  const { name, plu, barcodes } = changes;
  const codesOf = (text: string, index: number): string[] => {
    const field = `${prefix}barcodes.${index}`;
    const code = fieldValue(codeCell(text, 'document'), field);
    return code === null ? [] : (codesIn(code) ?? fieldValue<string[]>(new CellFault(SEVERAL_CODES), field) ?? []);
  };
  const codes = barcodes?.flatMap(codesOf);
  if (codes !== undefined && codes.length > MAX_BARCODES) {
    const field = `${prefix}barcodes`;
    throw new HttpFailure('parameter', `${field} must have at most ${MAX_BARCODES} codes`, { field });
  }
  return {
    ...changes,
    ...(typeof name === 'string' && { name: fieldValue(textCell(name, 'document'), `${prefix}name`) }),
    ...(typeof plu === 'string' && { plu: fieldValue(codeCell(plu, 'document'), `${prefix}plu`) }),
    ...(codes !== undefined && { barcodes: codes }),
  };
}

/**
 * Checks what the schema of an item's fields cannot express.
 * @param prefix of the names of the fields @throws {HttpFailure} `parameter`
 */
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
