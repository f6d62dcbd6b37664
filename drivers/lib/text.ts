/** Texts: their beginnings in whole characters, and those that people have written into a file. */

const FIRST_HALF = /[\uD800-\uDBFF]$/;

/**
 * The beginning of a text in whole characters: half a character (a lone surrogate) is no text, and strict readers of
 * JSON refuse the whole answer with it. Lone halves in the text itself become U+FFFD.
 * @param most UTF-16 units
 */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  return text.slice(0, most).replace(FIRST_HALF, '').toWellFormed();
}

/** The beginning of a text, with an ellipsis where something was left out. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? beginning(text, most) : `${beginning(text, most)}…`;

/**
 * The text of a file written by a person, without a byte order mark: editors of Windows use several encodings.
 * @param aside parts that are not read, and may have any encoding
 * @throws {Error} where it is not UTF-8, such as Notepad's "Unicode", with what to do
 */
export function writtenText(bytes: Uint8Array, aside = /$^/g): string {
  const text = new TextDecoder().decode(bytes).replaceAll(aside, '');
  if (!text.includes('\ufffd')) return text;
  throw new Error('it is no UTF-8 text: open it in an editor, as Notepad, and save it with the encoding UTF-8');
}
