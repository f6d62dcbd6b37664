/** Codes that people read from one screen and type into another: digits and capitals without look-alikes, in groups of four. */
import { randomInt } from 'node:crypto';

/** Crockford's base 32: no letter that could be taken for a digit. */
export const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUP = 4;
const READ_AS: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };

/** Random characters of five bits each, from the system's own generator. */
export const randomCharacters = (count: number): string =>
  Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

export const inGroups = (characters: string): string =>
  characters.match(new RegExp(`.{1,${GROUP}}`, 'g'))?.join('-') ?? '';

/**
 * The code that a person typed, in any case, with or without dashes and spaces. Null for a text of another length, or
 * with other characters.
 */
export function readCharacters(text: string, count: number): string | null {
  const letters = [...text.toUpperCase().replaceAll(/[\s-]/g, '')].map((letter) => READ_AS[letter] ?? letter);
  return letters.length === count && letters.every((letter) => ALPHABET.includes(letter)) ? letters.join('') : null;
}
