/** Encodes any text as one part of a message server's subject, whose parts are separated by dots. */

export const encodePart = (text: string): string => `i${Buffer.from(text, 'utf8').toString('base64url')}`;

/** The text of a part; null for one that {@link encodePart} does not write. */
export function decodePart(part: string): string | null {
  const text = Buffer.from(part.slice(1), 'base64url').toString('utf8');
  return text !== '' && encodePart(text) === part ? text : null;
}
