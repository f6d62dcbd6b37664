/** The purpose of a payment as Tochka takes it: Latin and Russian letters without ё, digits, the signs of ASCII, №. */

/** What stands for a sign that it does not take. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/ё/g, 'е'],
  [/Ё/g, 'Е'],
  [/[«»„“”]/g, '"'],
  [/[‘’]/g, "'"],
  [/[‐‑‒–—−]/g, '-'],
  [/\s/g, ' '],
];
const NOT_TAKEN = /[^\x20-\x7eА-Яа-я№]/gu;

/** Null where nothing of it can be sent. */
export function tochkaPurpose(purpose: string | null): string | null {
  const written = INSTEAD.reduce(
    (text, [sign, other]) => text.replaceAll(sign, other),
    purpose?.normalize('NFC') ?? '',
  );
  const text = written.replaceAll(NOT_TAKEN, '').trim();
  return text === '' ? null : text;
}
