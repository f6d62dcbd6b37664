/** Ids of items and templates in a call: their schemas, and the checks that no schema can express. */
import Type from 'typebox';
import { HttpFailure } from '../../core/http/index.ts';
import { compiled, NO_CONTROLS } from '../../core/schema/index.ts';
import { CellFault, type CellOf, quotedCell, textCell } from '../../core/tables/index.ts';
import { GIVEN_ID_RULE, GivenId, ITEM_MAX_CHARACTERS, isCleanId } from '../model/item-id.ts';

export const ItemId = Type.String({
  title: 'ItemId',
  minLength: 1,
  maxLength: ITEM_MAX_CHARACTERS,
  pattern: NO_CONTROLS,
  description: 'code of the item (PLU): 1 to 64 characters, none of them a control character, kept as sent',
});
export const Sid = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'identifier of the template, as `get_item_template_list` names it',
});

export const SID_EXAMPLE = '20251121080000000104729';
/** Compiled, because a table has tens of thousands of ids. */
const GIVEN = compiled(GivenId);
/** A visible character: an id without one is refused. */
const VISIBLE = /[^\s\p{Cf}]/u;

/** Checks what the schema of an item's id cannot express. @throws {HttpFailure} `parameter` */
export function cleanItem(id: string, field = 'id'): string {
  if (!isCleanId(id)) {
    throw new HttpFailure('parameter', `${field} must hold whole characters, none of them a control character`, {
      field,
    });
  }
  return id;
}

/** Checks the id of a new item. @throws {HttpFailure} `parameter` */
export function newItem(id: string, field = 'id'): string {
  const cell = fieldValue(textCell(id, 'document'), field);
  if (cell === null && id.trim() !== '')
    throw new HttpFailure(
      'parameter',
      `${field} must be an id, and is ${quotedCell(id)}, which programs write for nothing`,
      {
        field,
      },
    );
  if (!GIVEN.fits(id) || !VISIBLE.test(id)) throw new HttpFailure('parameter', `${field} ${GIVEN_ID_RULE}`, { field });
  return id;
}

/** @throws {HttpFailure} `parameter` where the value cannot be read */
export function fieldValue<T>(value: CellOf<T>, field: string): T | null {
  if (!(value instanceof CellFault)) return value;
  throw new HttpFailure('parameter', `${field} ${value.words}`, { field });
}
