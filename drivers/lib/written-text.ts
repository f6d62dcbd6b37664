/** The text of a file that somebody has written: editors of Windows save it in more encodings than one. */

/**
 * Without a byte order mark.
 * @param aside parts that are not read, and may be in any encoding
 * @throws {Error} where it is not UTF-8, as what Notepad calls Unicode, with what to do
 */
export function writtenText(bytes: Uint8Array, aside = /$^/g): string {
  const text = new TextDecoder().decode(bytes).replaceAll(aside, '');
  if (!text.includes('\ufffd')) return text;
  throw new Error('it is no UTF-8 text: open it in an editor, as Notepad, and save it with the encoding UTF-8');
}
