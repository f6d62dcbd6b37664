/** Any text as one part of a subject of the message server, whose parts are divided by dots. */

export const encodePart = (text: string): string => `i${Buffer.from(text, 'utf8').toString('base64url')}`;

/** Null for what {@link encodePart} does not write. */
export function decodePart(part: string): string | null {
  const text = Buffer.from(part.slice(1), 'base64url').toString('utf8');
  return text !== '' && encodePart(text) === part ? text : null;
}
