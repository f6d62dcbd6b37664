/** Titles of tests that are too long to be read at a glance. */

/** A title stands first in a call, and a function, or a call that makes one, behind it. */
const TITLE = /^[ \t]*\w+\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`\n]*`),\s*(?:async\b|\(|\w+\()/gm;
const SUITE = /\bsuite\(('[^'\n]*'|"[^"\n]*"|`[^`\n]*`)\)/g;
/** What is filled in counts as a word of this many letters. */
const LETTERS_FILLED_IN = 10;

const lettersOf = (literal: string): number =>
  literal
    .slice(1, -1)
    .replace(/\\(.)/g, '$1')
    .replace(/\$\{[^}]*\}/g, '_'.repeat(LETTERS_FILLED_IN)).length;

/** @returns the literals, in their quotes, of the titles of tests and suites in a text that have more letters than `most` */
export const titlesBeyond = (text: string, most: number): string[] =>
  [TITLE, SUITE].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, literal = '']) => literal).filter((literal) => lettersOf(literal) > most),
  );
