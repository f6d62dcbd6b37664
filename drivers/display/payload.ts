/**
 * What a QR code may hold: one rule for every display and for every caller that has a code drawn. It is checked before
 * anything is sent, so that no wire gets half of an impossible picture. Also whether two pictures look the same.
 */
import { DisplayError, type Picture } from './contract.ts';

/** The only published limit of the display family (docs/sources.md, "The display"). */
export const MAX_PAYLOAD_BYTES = 1000;
export const PAYLOAD_SIZE = `1 to ${MAX_PAYLOAD_BYTES} bytes of UTF-8`;

const UTF8 = new TextEncoder();

/**
 * What is wrong with a payload, worded to follow its name; null when nothing is. Half a character is refused, because
 * UTF-8 cannot carry it and an encoder would silently replace it.
 */
export function payloadProblem(payload: string): string | null {
  if (!payload.isWellFormed()) return 'holds half a character';
  const bytes = Buffer.byteLength(payload);
  return bytes >= 1 && bytes <= MAX_PAYLOAD_BYTES ? null : `must have ${PAYLOAD_SIZE}; it has ${bytes}`;
}

/** The bytes of a QR payload, UTF-8. @param kind type of the display's driver @throws {DisplayError} `payload` */
export function payloadBytes(kind: string, payload: string): Uint8Array {
  const problem = payloadProblem(payload);
  if (problem !== null) throw new DisplayError(kind, 'payload', `the payload ${problem}`);
  return UTF8.encode(payload);
}

/** Whether two pictures look the same on a wire display. */
export function samePicture(a: Picture, b: Picture): boolean {
  if (a.kind === 'qr') return b.kind === 'qr' && a.payload === b.payload;
  if (a.kind === 'status') return b.kind === 'status' && a.status === b.status;
  return b.kind === 'clear';
}
