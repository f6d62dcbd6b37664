/** Ids of items: which texts they may be. */
import Type from 'typebox';
import { HALVES, patternWithMessage } from '../../core/schema/index.ts';

export const ITEM_MAX_CHARACTERS = 64;
/** Whether an item's id, a string of 1 to 64 characters, has no forbidden characters. */
export function isCleanId(id: string): boolean {
  return id.isWellFormed() && !/\p{Cc}/u.test(id);
}

export const GIVEN_ID_RULE =
  'must hold whole characters, none of them a control character, and not be a blank, . or ..';
/** An id that a new item may get: clients take `.` and `..` for steps of a path, so no call could name them. */
export const GivenId = Type.String({
  minLength: 1,
  maxLength: ITEM_MAX_CHARACTERS,
  pattern: patternWithMessage(`^(?!\\.\\.?$)[^\\u0000-\\u001f\\u007f-\\u009f${HALVES}]*$`, GIVEN_ID_RULE),
});
