/**
 * Texts: their beginnings in whole characters, those that people write into a file, escapes of markup and of a message
 * server's subject, and the name that a misspelling may have meant.
 */

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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML and XML, between tags and in an attribute. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** Encodes any text as one part of a message server's subject, whose parts are separated by dots. */
export const encodePart = (text: string): string => `i${Buffer.from(text, 'utf8').toString('base64url')}`;

/** The text of a part; null for one that {@link encodePart} does not write. */
export function decodePart(part: string): string | null {
  const text = Buffer.from(part.slice(1), 'base64url').toString('utf8');
  return text !== '' && encodePart(text) === part ? text : null;
}

/** Longest names compared; of longer ones the beginnings: the work grows with the square of the length. */
const LONGEST_COMPARED = 100;
/** Least share of right letters. */
const LEAST_ALIKE = 0.4;

/**
 * How many letters to insert, remove or change; case is ignored. Two swapped letters count as one, where `leven` counts
 * two (https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance, optimal string alignment).
 */
export function editDistance(one: string, other: string): number {
  const [left, right] = [one, other].map((name) => name.slice(0, LONGEST_COMPARED).toLowerCase()) as [string, string];
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const changed = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed, swapped));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

/** Whether a name with this many wrong letters may still be meant. */
export const isAlike = (one: string, other: string, distance = editDistance(one, other)): boolean =>
  distance < Math.max(one.length, other.length) * (1 - LEAST_ALIKE);

/** The most similar candidate; null where none is similar. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  const [best] = candidates
    .map((candidate) => ({ candidate, apart: editDistance(name, candidate) }))
    .filter(({ candidate, apart }) => isAlike(name, candidate, apart))
    .toSorted((one, other) => one.apart - other.apart);
  return best?.candidate ?? null;
}
