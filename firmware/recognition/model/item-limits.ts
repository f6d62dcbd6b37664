/** Limits of an item's fields. The file imports nothing, because `lanectl` loads it, too. */

export const MAX_NAME_CHARACTERS = 200;
export const MAX_PLU_CHARACTERS = 64;
export const MAX_BARCODES = 16;
export const MAX_BARCODE_CHARACTERS = 128;
/** The most that a shop's scale carries. */
export const MAX_WEIGHT_GRAMS = 50_000;
/** The largest uploaded picture; the stored one is smaller. */
export const MAX_PICTURE_BYTES = 4 * 1024 * 1024;
