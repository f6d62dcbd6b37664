/**
 * An item without its templates: the fields by which a till sells it, with their schema, and the errors of calls on
 * items.
 */

import Type, { type Static } from 'typebox';
import { type MembersOf, RecordedError } from '../../../drivers/lib/records.ts';
import { GRAMS, HALVES, KOPECKS, NO_CONTROLS, orNull, patternWithMessage } from '../../core/schema/index.ts';
import { RECOGNITION_ERRORS } from './error-records.ts';
import {
  MAX_BARCODE_CHARACTERS,
  MAX_BARCODES,
  MAX_NAME_CHARACTERS,
  MAX_PLU_CHARACTERS,
  MAX_WEIGHT_GRAMS,
} from './item-limits.ts';

/** A million roubles. */
const MAX_PRICE_KOPECKS = 100_000_000;

/**
 * Characters that a barcode must not hold: invisible ones, halves of a character, direction marks, and the separator of
 * codes in a table.
 */
const UNFIT = `\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069${HALVES}|`;
const BARCODE_TEXT = patternWithMessage(
  `^(?:[^\\s\\ufeff${UNFIT}](?:[^${UNFIT}]*[^\\s\\ufeff${UNFIT}])?)?$`,
  'must hold whole characters, none of them a control character or a |, and neither begin nor end with a space',
);

/** The fields of an item. */
const fields = {
  name: orNull(
    Type.String({ title: 'ItemName', minLength: 1, maxLength: MAX_NAME_CHARACTERS, pattern: NO_CONTROLS }),
    'what people call it',
  ),
  plu: orNull(
    // the same rules as for an id, because a missing PLU is the id
    Type.String({ title: 'ItemId', minLength: 1, maxLength: MAX_PLU_CHARACTERS, pattern: NO_CONTROLS }),
    'the code that the till sells it under; the `id` where it is null or left out',
  ),
  price: orNull(
    Type.Integer({ ...KOPECKS, title: 'Price', minimum: 0, maximum: MAX_PRICE_KOPECKS }),
    'kopecks, of a piece or a kilogram as the till counts',
  ),
  barcodes: orNull(
    Type.Array(
      Type.String({ title: 'Barcode', minLength: 1, maxLength: MAX_BARCODE_CHARACTERS, pattern: BARCODE_TEXT }),
      { maxItems: MAX_BARCODES },
    ),
    'codes that are printed on it, of no other item: 8, 12, 13 or 14 digits with their check digit, or any other text; an `id` that is such digits is one by itself',
  ),
  pieceWeight: orNull(
    Type.Integer({ ...GRAMS, title: 'PieceWeight', minimum: 1, maximum: MAX_WEIGHT_GRAMS }),
    'grams of one piece, of what is sold by the piece; null: it is sold by weight, or unknown',
  ),
};

/** Fields that are left out are not changed. */
export const ItemChanges = Type.Partial(Type.Object(fields));
export type ItemChanges = Readonly<Static<typeof ItemChanges>>;

/** The fields of an item without a record. */
export const BLANK_FIELDS = Object.freeze({ name: null, plu: null, price: null, barcodes: null, pieceWeight: null });

export interface Item {
  readonly id: string;
  readonly name: string | null;
  readonly plu: string;
  readonly price: number | null;
  readonly barcodes: readonly string[];
  /** Grams; null where the item is sold by weight or the weight is unknown. */
  readonly pieceWeight: number | null;
  readonly hasPicture: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An item in a file. */
export interface ItemEntry extends ItemChanges {
  readonly id: string;
}

/**
 * - `NotFound`: there is no record of such an item
 * - `NoPicture`: the item has no picture
 * - `PictureUnusable`: the picture is no JPEG or PNG, too large, or cannot be decoded whole
 * - `BarcodeTaken`: another item has that barcode; nothing was changed
 * - `IllegalFile`: a file to import cannot be read; nothing was changed
 */
type ItemErrorCode = MembersOf<typeof RECOGNITION_ERRORS, 'Items'>;

export class ItemError extends RecordedError<ItemErrorCode> {
  constructor(
    code: ItemErrorCode,
    message: string,
    more: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(['Items', RECOGNITION_ERRORS], code, message, { ...options, more });
  }
}

/** @param advice what the caller can do */
export const noItem = (id: string, advice = 'PUT /v1/items/{id} says what it is'): ItemError =>
  new ItemError('NotFound', `nothing is said of an item ${id}: ${advice}`, { item: id });
export const nothingToDelete = (id: string): ItemError => noItem(id, 'there is nothing to delete');
