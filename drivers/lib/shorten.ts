const FIRST_HALF = /[\uD800-\uDBFF]$/;

/**
 * The beginning of a text, of whole characters: half of one (a lone surrogate) is no text, and strict readers of JSON refuse
 * the whole answer that holds it. Halves that stand alone in the text itself become U+FFFD.
 * @param most UTF-16 units
 */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  return text.slice(0, most).replace(FIRST_HALF, '').toWellFormed();
}

/** The same, with an ellipsis behind it where something was left out. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? beginning(text, most) : `${beginning(text, most)}…`;
